package rtmp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// The states a connection can be in, and what the client says to get there.
var states = []struct {
	name string
	say  []string
}{
	{"before", nil},
	{"connected", []string{sayConnect}},
	{"created", []string{sayConnect, sayCreate}},
	{"publishing", []string{sayConnect, sayCreate, sayPublish}},
	{"playing", []string{sayConnect, sayCreate, sayPlay}},
	{"paused", []string{sayConnect, sayCreate, sayPlay, `command@1 "pause" 0 null true 0`}},
	{"unpublished", []string{sayConnect, sayCreate, sayPublish, `command@1 "closeStream" 0 null`}},
	{"stopped", []string{sayConnect, sayCreate, sayPlay, `command@1 "closeStream" 0 null`}},
	{"both", []string{
		sayConnect, sayCreate, sayPublish,
		`command@0 "createStream" 4 null`, `command@2 "play" 0 null "other"`,
	}},
}

// In every state every message has an outcome that is written down, in
// testdata/states.txt: a message a paragraph, and of it what the server says (S) and
// its caller is told (E), by state. Behind each a ping is answered, unless the
// connection has ended.
//
// S0-28, S0-35, S0-60, S0-61, S0-62, S0-63, S0-75, S0-76, S2-32, C-26, C-29.
func TestEveryMessageInEveryState(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "states.txt")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for paragraph := range strings.SplitSeq(string(b), "\n\n") {
		if strings.HasPrefix(paragraph, "#") {
			got.WriteString(strings.TrimSpace(paragraph) + "\n")
			continue
		}
		say, _, _ := strings.Cut(paragraph, "\n")
		if say == "" {
			continue
		}
		fmt.Fprintf(&got, "\n%s\n", say)
		var outcomes []string
		in := map[string][]string{} // states, by outcome
		for _, s := range states {
			o := outcome(t, s.say, say)
			if in[o] == nil {
				outcomes = append(outcomes, o)
			}
			in[o] = append(in[o], s.name)
		}
		for _, o := range outcomes {
			fmt.Fprintf(&got, "  %s: %s\n", strings.Join(in[o], " "), o)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(b), got.String()); diff != "" {
		t.Error(diff)
	}
}

// outcome is what comes of a message behind others.
func outcome(t *testing.T, before []string, say string) string {
	t.Helper()
	server, client := pair(t)
	// Both ends close here, not at the end of the test: there are hundreds.
	defer func() { _, _ = server.Close(), client.Close() }()
	var told []string // by the goroutine below, until it answered a ping or ended
	done := make(chan struct{})
	go func() {
		defer close(done)
		serve(server, Config{}, func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) })
	}()
	p := newPeer(t, client)
	p.say(append(before, "user 6 1")...)
	until := func(pong string) (all []string, alive bool) {
		for {
			switch l := p.hear(); l {
			case pong:
				return all, true
			case "close":
				return all, false
			case "nothing":
				t.Fatalf("%s\nis stuck after %v", say, before)
			default:
				all = append(all, l)
			}
		}
	}
	if _, alive := until("user 7 1"); !alive {
		t.Fatalf("%v ends the connection", before)
	}
	known := len(told)
	// What ends the connection may do so before the ping has gone out.
	_, _ = client.Write(p.wire(say, "user 6 2"))
	var parts []string
	said, alive := until("user 7 2")
	for _, l := range said {
		parts = append(parts, "S "+short(t, l))
	}
	_ = client.CloseWrite()
	<-done
	_ = server.Close()
	for range p.in {
	}
	events := told[known:]
	if alive { // and the last is what CloseWrite did
		events = events[:len(events)-1]
	}
	for _, e := range events {
		parts = append(parts, "E "+e)
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// short is a message of the server without what is the same in all of its kind.
func short(t *testing.T, l string) string {
	t.Helper()
	if !strings.HasPrefix(l, "command@") {
		return l
	}
	f := parseLine(t, l)
	cmd, err := message.ParseCommand(f.header.Type, f.payload, amf.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	s := fmt.Sprintf("%s@%d", cmd.Name, f.header.StreamID)
	for i := range cmd.Args {
		if st := parseStatus(cmd.Arg(i)); st.Code != "" {
			s += " " + st.Code
		} else {
			s += " " + value(cmd.Arg(i))
		}
	}
	return s
}
