package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// built is where TestMain put the program.
var built string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "penstock-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	built = filepath.Join(dir, "penstock")
	// These tests wait for media in real time and for other programs, not for a CPU.
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set("12")
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// build makes the program once, as it is released: without cgo and without the
// race detector, whatever the tests themselves run with. PENSTOCK_BIN names one
// that was built already.
var build = sync.OnceValue(func() error {
	if path := os.Getenv("PENSTOCK_BIN"); path != "" {
		built = path
		return nil
	}
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", built, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return nil
})

// program is a running penstock.
type program struct {
	t        *testing.T
	database []string // the flags that name data directory and database
	rtmp     string   // host:port
	http     string   // host:port
	rtmps    string   // host:port, empty where it is off
	https    string   // host:port, empty where it is off
	setup    string   // one-time set-up link, while there is no user
	cmd      *exec.Cmd
	exited   chan struct{}
	state    error // what Wait said; read after exited is closed

	signing sync.Mutex
	signed  string // the token of operator; guarded by signing

	mu  sync.Mutex
	log bytes.Buffer // guarded by mu
	// players counts those that began to play a stream or to wait for it; guarded by mu.
	players map[string]int
	// secrets must not be in the log when the test ends; guarded by mu.
	secrets []string
}

// places are the databases the tests run on: SQLite, and PostgreSQL where
// PENSTOCK_TEST_POSTGRES names a server.
func places(t *testing.T) map[string]func(*testing.T) []string {
	t.Helper()
	all := map[string]func(*testing.T) []string{
		"sqlite": func(t *testing.T) []string {
			t.Helper()
			return []string{"--data-dir", t.TempDir()}
		},
	}
	if server := os.Getenv("PENSTOCK_TEST_POSTGRES"); server != "" {
		all["postgres"] = func(t *testing.T) []string {
			t.Helper()
			return []string{"--data-dir", t.TempDir(), "--database", newDatabase(t, server)}
		}
	}
	return all
}

// prepare returns a program on a fresh SQLite database, not yet started.
func prepare(t *testing.T) *program {
	t.Helper()
	return prepareOn(t, []string{"--data-dir", t.TempDir()})
}

func prepareOn(t *testing.T, database []string) *program {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the real program: not with -short")
	}
	if err := build(); err != nil {
		t.Fatal(err)
	}
	return &program{t: t, database: database, players: map[string]int{}}
}

// open returns a running program whose default vhost lets anybody publish, and
// whose players may lag far behind: tests send faster than real time. Players get
// every track.
func open(t *testing.T) *program {
	t.Helper()
	p := prepare(t)
	p.withAdmin()
	p.tool("vhost", "set", "default", "publish_policy=open", "queue_ms=60000", "multitrack_to_players=all")
	p.start()
	return p
}

// tool runs a command of the program and returns its standard output.
func (p *program) tool(args ...string) string {
	p.t.Helper()
	out, err := p.try("", args...)
	if err != nil {
		p.t.Fatalf("penstock %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(out)
}

// try runs a command of the program with something on its standard input.
func (p *program) try(stdin string, args ...string) (string, error) {
	p.t.Helper()
	cmd := exec.Command(built, append(args, p.database...)...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}

// start runs `penstock serve` on free ports and waits until it listens. The
// program is stopped at the end of the test, and its log searched for secrets.
func (p *program) start(args ...string) {
	p.t.Helper()
	args = append([]string{"serve", "--rtmp", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log-format", "json", "--log-level", "debug"}, args...)
	p.signed = "" // a token of before may not do any more
	p.cmd = exec.Command(built, append(args, p.database...)...)
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.exited = make(chan struct{})
	ready := make(chan struct{})
	go p.follow(stderr, ready)
	p.t.Cleanup(p.finish)
	select {
	case <-ready:
	case <-p.exited:
		p.t.Fatalf("penstock serve ended: %v\n%s", p.state, p.logged())
	case <-time.After(30 * time.Second):
		p.t.Fatalf("penstock serve does not listen\n%s", p.logged())
	}
}

// follow collects the log and closes ready at the line that says where the
// program listens. It ends with the program.
func (p *program) follow(stderr io.Reader, ready chan<- struct{}) {
	defer close(p.exited)
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	setup := "" // has a line of its own, before
	for lines.Scan() {
		var line struct {
			Msg   string `json:"msg"`
			RTMP  string `json:"rtmp"`
			HTTP  string `json:"http"`
			RTMPS string `json:"rtmps"`
			HTTPS string `json:"https"`
			Setup string `json:"setup"`

			Role   string `json:"role"`
			Stream string `json:"stream"`
		}
		_ = json.Unmarshal(lines.Bytes(), &line)
		p.mu.Lock()
		p.log.Write(lines.Bytes())
		p.log.WriteByte('\n')
		if line.Msg == "began" && line.Role == "player" || line.Msg == "waits for a publisher" {
			p.players[line.Stream]++
		}
		p.mu.Unlock()
		setup = cmp.Or(line.Setup, setup)
		if ready != nil && line.Msg == "started" {
			p.rtmp, p.http, p.setup = firstOf(line.RTMP), firstOf(line.HTTP), setup
			p.rtmps, p.https = firstOf(line.RTMPS), firstOf(line.HTTPS)
			close(ready)
			ready = nil
		}
	}
	p.state = p.cmd.Wait()
}

// firstOf is the first of a list of addresses.
func firstOf(list string) string {
	first, _, _ := strings.Cut(list, ",")
	return first
}

func (p *program) logged() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// plant names a secret that must never be logged.
func (p *program) plant(secret string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.secrets = append(p.secrets, secret)
	return secret
}

// stop asks the program to end and returns how it ended.
func (p *program) stop(timeout time.Duration) error {
	p.t.Helper()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
		return p.state
	case <-time.After(timeout):
		return errors.New("still running")
	}
}

func (p *program) finish() {
	if err := p.stop(20 * time.Second); err != nil {
		p.t.Errorf("penstock serve: %v", err)
		_ = p.cmd.Process.Kill()
		<-p.exited
	}
	log := p.logged()
	for _, secret := range p.secrets {
		if strings.Contains(log, secret) {
			p.t.Errorf("a secret is in the log (%.6s…)", secret)
		}
	}
	if strings.Contains(log, "panic:") || strings.Contains(log, "DATA RACE") {
		p.t.Errorf("the program is not well")
	}
	if p.t.Failed() {
		p.t.Logf("log of penstock serve:\n%s", tail(log, 16<<10))
	}
}

// url is the address of a stream over RTMP.
func (p *program) url(name string) string { return "rtmp://" + p.rtmp + "/live/" + name }

func tail(s string, most int) string {
	if len(s) > most {
		return "…" + s[len(s)-most:]
	}
	return s
}

// within gives a context that ends with the test or after d.
func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// eventually waits until ok, and fails the test when that takes longer than d.
func eventually(t *testing.T, d time.Duration, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("not within %v: %s", d, what)
}
