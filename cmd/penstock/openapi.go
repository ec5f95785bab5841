package main

import "github.com/penstock-media/penstock/api"

type openapiCommand struct{}

// Run prints the document that is committed as openapi.yaml.
func (openapiCommand) Run(c *command) error {
	document, err := api.OpenAPI()
	if err != nil {
		return err
	}
	return c.print("%s", document)
}
