package penstock_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// These tests read the tree's files instead of asking `go list`: a test that
// shells out is cached while the imports it judges change.

const module = "github.com/penstock-media/penstock"

// allowed is the import table of docs/architecture.md: which of our packages a
// package may import in its non-test files. A row ending in "/*" stands for
// every package below. A package that no row names fails the test, so that a
// new one is placed on purpose.
var allowed = map[string][]string{
	"server/amf":                {},
	"server/flv":                {},
	"server/codec":              {},
	"server/rtmp/handshake":     {},
	"server/rtmp/chunk":         {},
	"server/config":             {},
	"server/certificate":        {},
	"server/rtmp/message":       {"server/amf"},
	"server/rtmp":               {"server/rtmp/handshake", "server/rtmp/chunk", "server/rtmp/message", "server/amf"},
	"server/internal/media":     {"server/flv", "server/codec"},
	"server/internal/stream":    {"server/internal/media", "server/rtmp/chunk", "server/flv"},
	"server/internal/access":    {"server/config"},
	"server/internal/hook":      {"server/config"},
	"server/internal/health":    {"server/internal/media"},
	"server/internal/roster":    {"server/config", "server/internal/access", "server/internal/media", "server/internal/stream"},
	"server/internal/bandwidth": {},
	"server/internal/session": {
		"server/internal/bandwidth",
		"server/config", "server/rtmp", "server/rtmp/message", "server/amf", "server/internal/media", "server/internal/stream",
		"server/internal/access", "server/internal/hook", "server/internal/health", "server/internal/roster",
	},
	"server/internal/relay": {
		"server/config", "server/rtmp", "server/internal/media", "server/internal/stream",
		"server/internal/access", "server/internal/hook", "server/internal/health", "server/internal/roster",
	},
	"server/internal/httpflv": {
		"server/config", "server/internal/media", "server/internal/stream",
		"server/internal/access", "server/internal/hook", "server/internal/health", "server/internal/roster",
	},
	"server":              {"server/config", "server/internal/*"},
	"migrations":          {},
	"web":                 {},
	"api/store":           {"server/config", "migrations"},
	"api/store/storetest": {},
	"api/auth":            {"server/config", "api/store"},
	"api/apply":           {"server", "server/config", "api/store"},
	"api/outbox":          {"server", "server/config", "api/store"},
	"api/feed":            {"server", "server/config", "api/store", "api/auth"},
	"api": {
		"server", "server/config", "api/store", "api/auth", "api/apply", "api/outbox", "api/feed",
	},
	"cmd/*": {"server", "server/*", "api", "api/*", "web", "migrations"},
}

// pure are the packages that turn bytes into values: no socket, no clock, no
// goroutine, no log.
var pure = []string{
	"server/amf", "server/flv", "server/codec",
	"server/rtmp/handshake", "server/rtmp/chunk", "server/rtmp/message",
}

type file struct {
	path string // slash-separated, from the root of the repository
	dir  string // the package's directory
	test bool
	ast  *ast.File
	fset *token.FileSet
}

// tree parses every Go file of the repository.
func tree(t *testing.T) []file {
	t.Helper()
	if _, err := os.Stat("go.mod"); err != nil {
		t.Fatalf("the test does not run at the root of the repository: %v", err)
	}
	var files []file
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if p != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules" || name == "bin" || name == "data") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, p, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		slash := filepath.ToSlash(p)
		files = append(files, file{
			path: slash, dir: path.Dir(slash),
			test: strings.HasSuffix(name, "_test.go"), ast: parsed, fset: fset,
		})
		return nil
	})
	if err != nil {
		t.Fatalf("read the tree: %v", err)
	}
	return files
}

// imports lists the import paths of a file.
func (f file) imports(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, spec := range f.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatalf("%s: import %s: %v", f.path, spec.Path.Value, err)
		}
		paths = append(paths, p)
	}
	return paths
}

// row finds the line of the table for a package.
func row(dir string) (allow []string, ok bool) {
	if allow, ok = allowed[dir]; ok {
		return allow, true
	}
	for pattern, allow := range allowed {
		if matches(pattern, dir) {
			return allow, true
		}
	}
	return nil, false
}

func matches(pattern, dir string) bool {
	if above, ok := strings.CutSuffix(pattern, "/*"); ok {
		return strings.HasPrefix(dir, above+"/")
	}
	return pattern == dir
}

func TestImportTable(t *testing.T) {
	for _, f := range tree(t) {
		if f.test || f.dir == "." {
			continue
		}
		allow, ok := row(f.dir)
		// A folder that only its parent's tests import stands outside the table.
		if !ok && strings.HasSuffix(f.dir, "test") {
			continue
		}
		if !ok {
			t.Errorf("%s: package %s has no row in the import table", f.path, f.dir)
			continue
		}
		for _, p := range f.imports(t) {
			ours, isOurs := strings.CutPrefix(p, module+"/")
			if !isOurs {
				continue
			}
			if !slices.ContainsFunc(allow, func(pattern string) bool { return matches(pattern, ours) }) {
				t.Errorf("%s imports %s: %s may import %v", f.path, ours, f.dir, allow)
			}
			if strings.HasPrefix(f.dir, "cmd/") && strings.Contains(ours, "/internal/") {
				t.Errorf("%s imports %s: a command only wires, it does not reach inside the engine", f.path, ours)
			}
		}
	}
}

// TestImportTableBites proves that the table refuses what it should.
func TestImportTableBites(t *testing.T) {
	for _, c := range []struct {
		dir, imports string
		want         bool
	}{
		{"server/internal/stream", "server/rtmp/chunk", true},
		{"server/internal/stream", "server/rtmp", false},
		{"server/internal/stream", "server/internal/session", false},
		{"server/rtmp", "server/internal/stream", false},
		{"server/rtmp", "server/config", false},
		{"server", "server/internal/stream", true},
		{"cmd/penstock", "api/store", true},
		{"web", "api", false},
	} {
		allow, ok := row(c.dir)
		if !ok {
			t.Errorf("no row for %s", c.dir)
			continue
		}
		got := slices.ContainsFunc(allow, func(pattern string) bool { return matches(pattern, c.imports) })
		if got != c.want {
			t.Errorf("%s importing %s: allowed %v, want %v", c.dir, c.imports, got, c.want)
		}
	}
}

func TestWirePackagesArePure(t *testing.T) {
	banned := []string{"net", "net/http", "log", "log/slog", "os", "os/exec", "sync", "sync/atomic", "context"}
	clock := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"}
	for _, f := range tree(t) {
		if f.test || !slices.Contains(pure, f.dir) {
			continue
		}
		for _, p := range f.imports(t) {
			if slices.Contains(banned, p) {
				t.Errorf("%s imports %s: a wire package turns bytes into values and does nothing else", f.path, p)
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: a wire package starts no goroutine", f.fset.Position(n.Pos()))
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" && slices.Contains(clock, n.Sel.Name) {
					t.Errorf("%s: a wire package reads no clock (time.%s)", f.fset.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		})
	}
}

func TestNoInit(t *testing.T) {
	for _, f := range tree(t) {
		for _, decl := range f.ast.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s: func init: wire it where a reader can see it", f.fset.Position(fn.Pos()))
			}
		}
	}
}
