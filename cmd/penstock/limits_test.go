package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/penstock-media/penstock/server/config"
)

// The table of the documentation is what the program says.
func TestLimitsAreDocumented(t *testing.T) {
	docs, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(docs), markdown(config.Limits{})) {
		t.Errorf("docs/operations.md lacks the table of limits as it is: put there what penstock limits --markdown prints\n%s", markdown(config.Limits{}))
	}
}

// A limit comes from the command line, else from the environment, else from the file.
func TestLimitsComeFromEverywhere(t *testing.T) {
	file := write(t, "max_sessions: 11\nlimits:\n  first_timeout: 1s\n  tls_timeout: 1s\n  audio_message: 8192\n  control_rate: 20\n")
	t.Setenv("PENSTOCK_CONFIG", file)
	t.Setenv("PENSTOCK_LIMIT_TLS_TIMEOUT", "2s")
	t.Setenv("PENSTOCK_LIMIT_AUDIO_MESSAGE", "16KiB")
	t.Setenv("PENSTOCK_MAX_PENDING", "0")
	var out, errs bytes.Buffer
	env := environment{stdout: &out, stderr: &errs}
	if code := run(t.Context(), []string{"limits", "--limit", "audio_message=32KiB", "--limit", "key_block=1m"}, env); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	for name, want := range map[string]string{
		"first_timeout": "1s", "tls_timeout": "2s", "audio_message": "32KiB", "key_block": "1m", "control_rate": "20",
		"max_sessions": "11", "max_pending": "none", "max_per_address": "256",
	} {
		for line := range strings.Lines(out.String()) {
			if cells := strings.Fields(line); cells[0] == name && cells[2] != want {
				t.Errorf("%s is %s, want %s", name, cells[2], want)
			}
		}
	}
	if strings.Count(out.String(), "\n") < len(config.Limits{}.List()) {
		t.Errorf("not a list of all limits:\n%s", out.String())
	}
}

// A mistake is said, with what would be right, and serve does not start with it.
func TestLimitsThatAreWrong(t *testing.T) {
	for _, c := range []struct {
		name, file, variable, value string
		args                        []string
		want                        string
	}{
		{name: "flag", args: []string{"--limit", "first_timeout=5"}, want: "use a value from 500ms to 1m, with a unit (ms, s, m, h)"},
		{name: "no such limit", args: []string{"--limit", "frist_timeout=5s"}, want: "there is no limit"},
		{name: "no value", args: []string{"--limit", "first_timeout"}, want: "first_timeout"},
		{name: "environment", variable: "PENSTOCK_LIMIT_AMF_DEPTH", value: "1000", want: "use a value from 2 to 64"},
		{name: "variable", variable: "PENSTOCK_LIMIT_AMFDEPTH", value: "8", want: "environment: there is no limit"},
		{name: "file", file: "limits:\n  amf_depth: deep\n", want: "use a value from 2 to 64"},
		{name: "file, no limits", file: "limits: none\n", want: "name: value"},
		{name: "max_sessions", args: []string{"--max-sessions=-5"}, want: "--max-sessions: limit max_sessions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.variable != "" {
				t.Setenv(c.variable, c.value)
			}
			args := append([]string{"serve", "--data-dir", t.TempDir()}, c.args...)
			if c.file != "" {
				args = append(args, "--config", write(t, c.file))
			}
			var out, errs bytes.Buffer
			if code := run(t.Context(), args, environment{stdout: &out, stderr: &errs}); code == 0 || !strings.Contains(errs.String(), c.want) {
				t.Errorf("exit code %d, %q, want it to say %q", code, errs.String(), c.want)
			}
		})
	}
}
