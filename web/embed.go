// Package web serves the dashboard: the built single-page application, embedded in the binary.
package web

import (
	"embed"
	"io/fs"
)

// dist is what `npm run build` made. It is committed, so that the binary builds
// without Node, and proven fresh by building it again.
//
//go:embed all:dist
var dist embed.FS

// files is the built application with index.html at its root.
func files() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic("web: dist is not embedded: " + err.Error()) // impossible: the directive above names it
	}
	return sub
}
