package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

// parse runs the command line up to the point where the command would run.
func parse(t *testing.T, args ...string) (cli, error) {
	t.Helper()
	var c cli
	parser, err := kong.New(&c, kong.Name("penstock"), kong.Resolvers(&configFile{}), kong.Exit(func(int) { t.Error("exits") }))
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return c, err
}

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "penstock.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFlagsBeatEnvironmentBeatsFileBeatsDefault(t *testing.T) {
	file := write(t, "log_level: warn\nlog_format: json\ndatabase: sqlite:file.db\nrtmp: [\":1\", \":2\"]\nhttp: \":3\"\ndrain: 3s\n")
	t.Setenv("PENSTOCK_CONFIG", file)
	t.Setenv("PENSTOCK_LOG_LEVEL", "error")
	t.Setenv("PENSTOCK_DATABASE", "sqlite:env.db")
	got, err := parse(t, "serve", "--database", "sqlite:flag.db")
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", what, diff)
		}
	}
	check("flag", got.Database, "sqlite:flag.db")
	check("environment", got.LogLevel, "error")
	check("file", got.LogFormat, "json")
	check("file, a list", got.Serve.RTMP, []string{":1", ":2"})
	check("file, a flag of serve", got.Serve.HTTP, []string{":3"})
	check("file, a duration", got.Serve.Drain.String(), "3s")
	check("default", filepath.Base(got.DataDir), "data")
}

func TestConfigFileOfAnotherCommand(t *testing.T) {
	file := write(t, "# comment\nhttp: \":3\"\nlog_level: debug\n")
	got, err := parse(t, "version", "--config", file)
	if err != nil {
		t.Fatalf("a file with serve's keys does not do for another command: %v", err)
	}
	if got.LogLevel != "debug" {
		t.Errorf("log level %q", got.LogLevel)
	}
}

func TestConfigFileRefuses(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"unknown key", "http: \":1\"\nhtpp: \":2\"\n", `line 2: unknown key "htpp"`},
		{"twice", "http: \":1\"\nhttp: \":2\"\n", "http"},
		{"not YAML", "http: [\n", "YAML"},
		{"not a mapping", "- http\n", "key: value"},
		{"wrong value", "log_level: loud\n", "log-level"},
		{"wrong duration", "drain: soon\n", "drain"},
	} {
		_, err := parse(t, "serve", "--config", write(t, c.content))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want it to say %s", c.name, err, c.want)
		}
	}
	if _, err := parse(t, "serve", "--config", filepath.Join(t.TempDir(), "none.yaml")); err == nil {
		t.Error("a configuration file that is not there is no error")
	}
}
