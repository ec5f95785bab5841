package rtmp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Conversations with the servers of the field, one a file: "D:" what the client is
// told to do, with what comes of it behind "->" ("ok" if nothing stands there), "C:"
// what it says, all of it and in that order, "S:" what the server says. "..." stands
// for the rest of a line. "S: close" ends the server's side, "N:" begins the next
// connection. The second time S lines come byte by byte, and S2 after C2.
//
// S2-16, S2-17, S2-18, S2-19, S2-20, S2-22, S2-25, S2-26, C-06, C-18, C-34.
func TestServers(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("testdata", "servers", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, path := range paths {
		for _, slow := range []bool{false, true} {
			name := strings.TrimSuffix(filepath.Base(path), ".txt")
			t.Run(fmt.Sprintf("%s, byte by byte %v", name, slow), func(t *testing.T) {
				t.Parallel()
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				converseAsClient(t, string(b), slow)
			})
		}
	}
}

func converseAsClient(t *testing.T, text string, slow bool) {
	t.Helper()
	l := listen(t)
	var does, says []string
	for s := range strings.Lines(text) {
		s = strings.TrimSuffix(s, "\n")
		switch word, rest, _ := strings.Cut(s, " "); word {
		case "D:":
			does = append(does, rest)
		case "C:", "S:", "N:":
			says = append(says, s)
		case "#":
		default:
			t.Fatalf("what is %q?", s)
		}
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { serveScript(t, l, says, slow) })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	a := &actor{ctx: ctx, cfg: DialConfig{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, l.Addr().String())
		},
	}}
	a.cfg.OnStatus = func(s Status) { a.codes = append(a.codes, strings.TrimPrefix(s.Code, "NetStream.")) }
	defer func() { _ = l.Close() }()
	defer a.close()
	for _, d := range does {
		todo, want, ok := strings.Cut(d, " -> ")
		if !ok {
			want = "ok"
		}
		begin, cut := strings.CutSuffix(want, "...")
		if got := a.do(t, todo); got != want && (!cut || !strings.HasPrefix(got, begin)) {
			t.Fatalf("%s\n-> %s\nwant %s", todo, got, want)
		}
	}
}

// serveScript is the server's side.
func serveScript(t *testing.T, l net.Listener, says []string, slow bool) {
	t.Helper()
	for len(says) > 0 {
		nc, err := l.Accept()
		if err != nil {
			t.Errorf("the client did not come for %s", says[0])
			return
		}
		p := greet(t, nc, slow)
		if p == nil {
			return
		}
		rest, ok := scriptOfOne(t, p, says, slow)
		for heard := range p.in {
			if ok && !strings.HasPrefix(heard, "ack ") {
				t.Errorf("the client said %s in the end", heard)
			}
		}
		_ = nc.Close()
		if !ok {
			return
		}
		says = rest
	}
}

func scriptOfOne(t *testing.T, p *peer, says []string, slow bool) (rest []string, ok bool) {
	t.Helper()
	for i, said := range says {
		word, what, _ := strings.Cut(said, " ")
		switch {
		case word == "N:":
			return says[i+1:], true
		case word == "C:":
			heard := p.hear()
			begin, cut := strings.CutSuffix(what, "...")
			if heard != what && (!cut || !strings.HasPrefix(heard, begin)) {
				t.Errorf("the client said\n%s\nwant\n%s", heard, what)
				_ = p.nc.Close()
				return nil, false
			}
		case what == "close":
			_ = p.nc.(*net.TCPConn).CloseWrite()
		default:
			b := p.wire(what)
			for slow && len(b) > 1 {
				_, _ = p.nc.Write(b[:1])
				b = b[1:]
			}
			_, _ = p.nc.Write(b) // the client may have heard enough
		}
	}
	return nil, true
}

// actor is a client that does what it is told in words.
type actor struct {
	ctx   context.Context
	cfg   DialConfig
	c     *Client
	codes []string
}

func (a *actor) close() {
	if a.c != nil {
		_ = a.c.Close()
	}
}

// do does one thing and says how it went.
func (a *actor) do(t *testing.T, todo string) string {
	t.Helper()
	words := append(strings.Fields(todo), "", "", "", "")
	millis := func(s string) time.Duration {
		if s == "" {
			return 0
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%s: %v", todo, err)
		}
		return time.Duration(n) * time.Millisecond
	}
	var err error
	switch words[0] {
	case "dial":
		a.c, err = Dial(a.ctx, words[1], a.cfg)
	case "publish":
		err = a.c.Publish(a.ctx, words[1])
	case "publish-flash":
		err = a.c.PublishWith(a.ctx, PublishOptions{Name: words[1], Flash: true, Type: words[2]})
	case "play":
		err = a.c.Play(a.ctx, words[1])
	case "play-recorded": // name start duration reset
		o := PlayOptions{Name: words[1], Recorded: true, Start: millis(words[2]), Duration: millis(words[3])}
		if words[4] != "" {
			o.Reset = new(words[4] == "true")
		}
		err = a.c.PlayWith(a.ctx, o)
	case "write":
		f := parseLine(t, strings.TrimPrefix(todo, "write "))
		err = a.c.WriteMedia(f.header.Type, f.header.Timestamp, f.payload)
	case "read":
		m, err := a.c.ReadMedia()
		if err == nil {
			return fmt.Sprintf("%d %d %x", m.Type, m.Timestamp, m.Payload)
		}
		if errors.Is(err, io.EOF) {
			return "EOF"
		}
		return err.Error()
	case "codes":
		return strings.Join(a.codes, " ")
	case "server":
		s := a.c.Server()
		return strings.Join([]string{s.FMSVer, s.Name, s.Version, s.IP, s.PID, s.ID}, "|")
	case "pause":
		err = a.c.Pause(words[1] == "on", millis(words[2]))
	case "seek":
		err = a.c.Seek(millis(words[1]))
	case "audio":
		err = a.c.ReceiveAudio(words[1] == "on")
	case "video":
		err = a.c.ReceiveVideo(words[1] == "on")
	case "unpublish":
		err = a.c.Unpublish()
	case "close":
		err = a.c.Close()
	default:
		t.Fatalf("how does one do %q?", todo)
	}
	if err != nil {
		return err.Error()
	}
	return "ok"
}
