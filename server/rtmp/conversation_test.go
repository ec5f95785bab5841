package rtmp

import (
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the server says into the conversations")

// Conversations with the peers of the field, one a file: "C:" what the client
// sends, "S:" what the server answers, "E:" what the server's caller is told.
// C lines that follow each other go out in one write, and byte by byte the second
// time. "C: close" ends the
// client's side. After the S and E lines of a block, in their order, nothing else
// may come.
//
// S0-18, S0-24, S0-25, S0-28, S0-29, S0-30, S0-31, S0-32, S0-33, S0-34, S0-35, S0-40, S0-47,
// S0-48, S0-59, S0-60, S0-61, S0-62, S0-63, S0-68, S2-10, S2-12, S2-15, S2-16, S2-17, S2-18, S2-19,
// S2-32, S4-03, S4-04, S4-05, S4-06, S4-07, S4-08, S4-09, S4-10, S4-13.
func TestConversations(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("testdata", "conversations", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := converse(t, string(b), 0)
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(b), got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(string(b), converse(t, string(b), 1)); diff != "" {
				t.Errorf("byte by byte: %s", diff)
			}
		})
	}
}

// welcomeOf reads a "# profile: ..." line: whose habits the server of the conversation
// has. It has an identity in all but the modern conversations that say nothing of it.
func welcomeOf(t *testing.T, text string) Welcome {
	t.Helper()
	_, rest, ok := strings.Cut(text, "# profile: ")
	if !ok {
		return Welcome{}
	}
	word, _, _ := strings.Cut(rest, "\n")
	p, ok := map[string]Profile{"modern": ProfileModern, "srs2": ProfileSRS2, "nginx": ProfileNginx}[word]
	if !ok {
		t.Fatalf("no profile: %q", word)
	}
	return Welcome{Profile: p, ChunkSize: 60_000, Identity: Identity{
		Server: "Penstock", Version: "1.2.3", Address: "192.0.2.1", PID: 7, Connection: "ses_1", Number: 12,
	}}
}

// block is what a client says at once and what comes of it.
type block struct {
	notes, c, s, e []string
}

func blocks(t *testing.T, text string) []block {
	t.Helper()
	all := []block{{}}
	for l := range strings.Lines(text) {
		l = strings.TrimSuffix(l, "\n")
		last := &all[len(all)-1]
		answered := len(last.s)+len(last.e) > 0
		word, rest, _ := strings.Cut(l, " ")
		if answered && (word == "C:" || word == "#") {
			all = append(all, block{})
			last = &all[len(all)-1]
		}
		switch word {
		case "C:":
			last.c = append(last.c, rest)
		case "S:":
			last.s = append(last.s, rest)
		case "E:":
			last.e = append(last.e, rest)
		case "#":
			last.notes = append(last.notes, l)
		default:
			t.Fatalf("what is %q?", l)
		}
	}
	return all
}

// converse plays the client of a conversation and returns how it went. What the
// client says at once goes out in pieces of so many bytes, 0 for whole.
func converse(t *testing.T, text string, piece int) string {
	t.Helper()
	server, client := pair(t)
	events := make(chan string, 1000)
	done := make(chan struct{})
	go func() {
		defer close(done)
		serveAs(server, Config{}, welcomeOf(t, text), func(format string, args ...any) { events <- fmt.Sprintf(format, args...) })
	}()
	p := newPeer(t, client)
	var out strings.Builder
	for _, b := range blocks(t, text) {
		for _, n := range b.notes {
			fmt.Fprintln(&out, n)
		}
		var wire []byte
		ends := false
		for _, l := range b.c {
			fmt.Fprintln(&out, "C:", l)
			if l == "close" {
				ends = true
				continue
			}
			wire = append(wire, p.wire(l)...)
		}
		for piece > 0 && len(wire) > piece {
			p.write(wire[:piece])
			wire = wire[piece:]
		}
		p.write(wire)
		if ends {
			closeWrite(t, client)
		}
		hear(&out, "S:", p.in, len(b.s))
		hear(&out, "E:", events, len(b.e))
	}
	_ = client.Close()
	<-done
	for range p.in {
	}
	return out.String()
}

func closeWrite(t *testing.T, nc *net.TCPConn) {
	t.Helper()
	if err := nc.CloseWrite(); err != nil {
		t.Fatal(err)
	}
}

// hear notes n lines, and those that come without being expected.
func hear(out *strings.Builder, mark string, lines <-chan string, n int) {
	wait := 10 * time.Second
	for {
		if n <= 0 {
			wait = 5 * time.Millisecond // what comes later is one too many in the next block
			if *update {
				wait = 200 * time.Millisecond
			}
		}
		select {
		case l, ok := <-lines:
			if !ok {
				return
			}
			fmt.Fprintln(out, mark, l)
			n--
		case <-time.After(wait):
			return
		}
	}
}
