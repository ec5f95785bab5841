package penstock_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

//go:generate go test . -run TestSeeds -update

var update = flag.Bool("update", false, "write the tests' column of docs/seeds.md")

const seedsFile = "docs/seeds.md"

var (
	seedRow   = regexp.MustCompile(`^\| ((?:S\d|C|R)-[\d.]+[a-f]?) \| (.+) \| (.*?) ?\|$`)
	seedTag   = regexp.MustCompile(`\b(?:S[0-4]-\d\d[a-f]?|C-\d\d|R-\d\.\d+)\b`)
	seedRange = regexp.MustCompile(`(?:S[0-4]|C|R)-[\d.]+(?: to |\.\.|…)`)
)

// docs/seeds.md names a test for every behaviour, no comment in a test names a
// behaviour that is not there, and the file is as -update would write it.
func TestSeeds(t *testing.T) {
	if testing.Short() && !*update {
		t.Skip("the list is brought up to date when work is put together, not with each piece of it")
	}
	old, err := os.ReadFile(seedsFile)
	if err != nil {
		t.Fatal(err)
	}
	tests := tagged(t)
	var fresh strings.Builder
	seen := map[string]bool{}
	for line := range strings.Lines(string(old)) {
		m := seedRow.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			fresh.WriteString(line)
			continue
		}
		id, behaviour := m[1], m[2]
		if seen[id] {
			t.Errorf("%s: two rows are called %s", seedsFile, id)
		}
		seen[id] = true
		later := ""
		if strings.HasPrefix(m[3], "later") {
			later, _, _ = strings.Cut(m[3], "<br>")
		}
		held := tests[id]
		if len(held) == 0 && !strings.HasPrefix(later, "later:") {
			t.Errorf("%s: no test names it: %s", id, behaviour)
		}
		fmt.Fprintf(&fresh, "| %s | %s | %s |\n", id, behaviour, cell(later, held))
	}
	for _, id := range slices.Sorted(maps.Keys(tests)) {
		if !seen[id] {
			t.Errorf("%s has no row in %s, and is named by %s", id, seedsFile, strings.Join(tests[id], ", "))
		}
	}
	if *update {
		if err := os.WriteFile(seedsFile, []byte(fresh.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if fresh.String() != string(old) {
		t.Errorf("%s is stale: run go generate .", seedsFile)
	}
}

// cell is the tests' column: files in their order, each with its tests.
func cell(later string, held []string) string {
	var parts []string
	byFile := map[string][]string{}
	for _, h := range held {
		file, name, _ := strings.Cut(h, " ")
		byFile[file] = append(byFile[file], name)
	}
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		parts = append(parts, fmt.Sprintf("[%s](../%s) %s", file, file, strings.Join(byFile[file], ", ")))
	}
	out := strings.Join(parts, "; ")
	if later != "" && out != "" {
		return later + "<br>" + out
	}
	return later + out
}

// tagged is, for each row that a comment in a test names, which tests those are:
// "file TestName". A comment at a table or helper stands for the tests that use it.
func tagged(t *testing.T) map[string][]string {
	t.Helper()
	files := tree(t)
	users := map[string]map[string][]string{} // directory, name, declarations that use it
	for _, f := range files {
		if !f.test {
			continue
		}
		if users[f.dir] == nil {
			users[f.dir] = map[string][]string{}
		}
		for _, d := range f.ast.Decls {
			for _, name := range declared(d) {
				ast.Inspect(d, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && id.Name != name {
						users[f.dir][id.Name] = append(users[f.dir][id.Name], f.path+" "+name)
					}
					return true
				})
			}
		}
	}
	rows := map[string]map[string]bool{}
	for _, f := range files {
		if !f.test || f.dir == "." {
			continue
		}
		for _, group := range f.ast.Comments {
			text := group.Text()
			at := fmt.Sprintf("%s:%d", f.path, f.fset.Position(group.Pos()).Line)
			if seedRange.MatchString(text) {
				t.Errorf("%s: write the rows of %q out one by one", at, seedRange.FindString(text))
			}
			ids := seedTag.FindAllString(text, -1)
			if len(ids) == 0 {
				continue
			}
			held := heldBy(f, group.Pos(), users[f.dir])
			if len(held) == 0 {
				t.Errorf("%s: %s stands at no test", at, ids[0])
			}
			for _, id := range ids {
				if rows[id] == nil {
					rows[id] = map[string]bool{}
				}
				for _, h := range held {
					rows[id][h] = true
				}
			}
		}
	}
	out := map[string][]string{}
	for id, held := range rows {
		out[id] = slices.Sorted(maps.Keys(held))
	}
	return out
}

// heldBy is which tests a comment stands at.
func heldBy(f file, at token.Pos, users map[string][]string) []string {
	var names []string
	for _, d := range f.ast.Decls {
		begin := d.Pos()
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc != nil {
				begin = d.Doc.Pos()
			}
		case *ast.GenDecl:
			if d.Doc != nil {
				begin = d.Doc.Pos()
			}
		}
		if begin <= at && at <= d.End() {
			names = declared(d)
		}
	}
	held := map[string]bool{}
	done := map[string]bool{}
	var climb func(decl string)
	climb = func(decl string) {
		_, name, _ := strings.Cut(decl, " ")
		if isTest(name) {
			held[decl] = true
			return
		}
		if done[name] {
			return
		}
		done[name] = true
		for _, user := range users[name] {
			climb(user)
		}
	}
	for _, name := range names {
		climb(f.path + " " + name)
	}
	return slices.Sorted(maps.Keys(held))
}

func isTest(name string) bool {
	for _, kind := range []string{"Test", "Fuzz", "Example", "Benchmark"} {
		if strings.HasPrefix(name, kind) && name != "TestMain" {
			return true
		}
	}
	return false
}

// declared are the names that a declaration makes.
func declared(d ast.Decl) []string {
	var names []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		names = append(names, d.Name.Name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			}
		}
	}
	return names
}
