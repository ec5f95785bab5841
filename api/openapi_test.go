package api_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/penstock-media/penstock/api"
)

//go:generate go test -run TestOpenAPIFileIsFresh -update .

// TestOpenAPIFileIsFresh compares openapi.yaml with what the code says. With
// -update (go generate ./api) it writes the file.
func TestOpenAPIFileIsFresh(t *testing.T) {
	const path = "../openapi.yaml"
	want, err := api.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("openapi.yaml is not what the code says: run go generate ./api")
	}
}

var update = flag.Bool("update", false, "write the files that tests compare with")
