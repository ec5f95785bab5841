package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
		out  string
	}{
		{[]string{"version"}, 0, "penstock " + version},
		{[]string{"--help"}, 0, "Usage: penstock"},
		{[]string{"fly"}, 2, ""},
		{[]string{"serve", "--no-such-flag"}, 2, ""},
	} {
		var out, errs bytes.Buffer
		got := run(t.Context(), c.args, environment{stdin: strings.NewReader(""), stdout: &out, stderr: &errs})
		if got != c.want || !strings.Contains(out.String(), c.out) {
			t.Errorf("penstock %v: exit code %d, want %d\n%s%s", c.args, got, c.want, out.String(), errs.String())
		}
		if c.want != 0 && errs.Len() == 0 {
			t.Errorf("penstock %v says nothing about what is wrong", c.args)
		}
	}
}

// TestHelpShowsDefaults: where somebody looks for a flag they find what it is without.
func TestHelpShowsDefaults(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), []string{"serve", "--help"}, environment{stdin: &out, stdout: &out, stderr: &out}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	said := strings.Join(strings.Fields(out.String()), " ")
	for flag, want := range map[string]string{
		"--rtmp=": ":1935", "--http=": ":8080", "--max-sessions=": "20000", "--max-per-address=": "256", "--max-pending=": "64",
	} {
		_, rest, _ := strings.Cut(said, " "+flag)
		help, _, _ := strings.Cut(rest, " --")
		if !strings.Contains(help, "Default: "+want+" ") {
			t.Errorf("%s: %q does not say that the default is %s", flag, help, want)
		}
	}
}

// TestSettingsAreDocumented: docs/operations.md has a line for every setting of
// serve, with its flag, its variable and its key in the file.
func TestSettingsAreDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	parser, err := kong.New(&cli{}, kong.Name("penstock"))
	if err != nil {
		t.Fatal(err)
	}
	settings := slices.Clone(parser.Model.Flags)
	for _, child := range parser.Model.Children {
		if child.Name == "serve" {
			settings = append(settings, child.Flags...)
		}
	}
	if len(settings) < 10 {
		t.Fatalf("found only %d settings", len(settings))
	}
	for _, setting := range settings {
		if setting.Name == "help" {
			continue
		}
		if setting.Name == "limit" { // has a variable for each limit
			if row := "| `--limit NAME=VALUE` | `" + limitVariable + "NAME` | `" + limitsKey + "` |"; !bytes.Contains(page, []byte(row)) {
				t.Errorf("docs/operations.md has no line %s", row)
			}
			continue
		}
		if len(setting.Envs) != 1 {
			t.Errorf("--%s has no environment variable", setting.Name)
			continue
		}
		line := "`--" + setting.Name + " "
		i := bytes.Index(page, []byte("| "+line))
		if i < 0 {
			t.Errorf("docs/operations.md has no line for --%s", setting.Name)
			continue
		}
		row, _, _ := strings.Cut(string(page[i:]), "\n")
		if !strings.Contains(row, "`"+setting.Envs[0]+"`") {
			t.Errorf("docs/operations.md does not say that --%s is %s", setting.Name, setting.Envs[0])
		}
		if key := "`" + fileKey(setting.Name) + "`"; setting.Name != "config" && !strings.Contains(row, key) {
			t.Errorf("docs/operations.md does not say that --%s is %s in the file", setting.Name, key)
		}
	}
}
