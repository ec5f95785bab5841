package penstock_test

import (
	"go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPackageDoc: every package says in one place, in a sentence with a verb,
// what it does.
func TestPackageDoc(t *testing.T) {
	type doc struct {
		name string
		text []string
		in   []string
	}
	packages := map[string]*doc{}
	for _, f := range tree(t) {
		if f.test || f.dir == "." {
			continue
		}
		p := packages[f.dir]
		if p == nil {
			p = &doc{name: f.ast.Name.Name}
			packages[f.dir] = p
		}
		if f.ast.Doc != nil {
			p.text, p.in = append(p.text, f.ast.Doc.Text()), append(p.in, f.path)
		}
	}
	for dir, p := range packages {
		if len(p.text) != 1 {
			t.Errorf("package %s has %d package comments, want one (%v)", dir, len(p.text), p.in)
			continue
		}
		if problem := judge(p.name, path.Base(dir), p.text[0]); problem != "" {
			t.Errorf("%s: %s", p.in[0], problem)
		}
	}
}

// judge says what is wrong with a package comment, or nothing.
func judge(name, dir, text string) string {
	start := "Package " + name + " "
	if name == "main" {
		start = "Command " + dir + " "
	}
	if !strings.HasPrefix(text, start) {
		return "the package comment starts with " + start
	}
	sentence, _, ended := strings.Cut(strings.Join(strings.Fields(text), " ")+" ", ". ")
	if !ended {
		return "the package comment's first sentence does not end"
	}
	words := strings.Fields(sentence)
	if len(words) < 4 {
		return "the package comment says too little: " + sentence
	}
	if !strings.HasSuffix(words[2], "s") {
		return "the word after the name is not a verb (\"turns\", \"holds\", \"is\"): " + words[2]
	}
	return ""
}

func TestPackageDocJudge(t *testing.T) {
	for _, c := range []struct {
		name, dir, text string
		ok              bool
	}{
		{"amf", "amf", "Package amf reads and writes AMF values.\n", true},
		{"main", "penstock", "Command penstock runs the gateway.\n\nMore.\n", true},
		{"amf", "amf", "Package amf AMF values.\n", false},
		{"amf", "amf", "amf reads values.\n", false},
		{"amf", "amf", "Package amf reads values", false},
		{"main", "penstock", "Package main runs it all.\n", false},
	} {
		if problem := judge(c.name, c.dir, c.text); (problem == "") != c.ok {
			t.Errorf("judge(%q): %q", c.text, problem)
		}
	}
}

// TestPackageNames: no package is a drawer for anything, and none has the name
// of one of the standard library.
func TestPackageNames(t *testing.T) {
	drawers := []string{"util", "utils", "common", "helper", "helpers", "types", "models", "misc", "base", "shared"}
	std := standardNames()
	seen := map[string]bool{}
	for _, f := range tree(t) {
		name := f.ast.Name.Name
		if f.test || seen[f.dir] || name == "main" {
			continue
		}
		seen[f.dir] = true
		if slices.Contains(drawers, name) {
			t.Errorf("package %s: the name says nothing about what is in it", f.dir)
		}
		if std[name] {
			t.Errorf("package %s has the name of a package of the standard library", f.dir)
		}
	}
}

// standardNames are the last path elements of the standard library's packages;
// none where its source is not installed.
func standardNames() map[string]bool {
	names := map[string]bool{}
	root := filepath.Join(build.Default.GOROOT, "src")
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil //nolint:nilerr // a tree that cannot be read names nothing
		}
		switch d.Name() {
		case "internal", "vendor", "testdata", "cmd", "builtin":
			return filepath.SkipDir
		}
		if entries, err := os.ReadDir(p); err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".go") }) {
			names[d.Name()] = true
		}
		return nil
	})
	return names
}

// TestFileLength: a file that no longer fits in a head is split.
func TestFileLength(t *testing.T) {
	const most = 600
	for _, f := range tree(t) {
		if lines := f.fset.Position(f.ast.End()).Line; lines > most {
			t.Errorf("%s has %d lines, want at most %d", f.path, lines, most)
		}
	}
}
