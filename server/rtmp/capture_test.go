package rtmp

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

func samples(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("PENSTOCK_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "samples")
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("captures and vectors are missing: no %s", dir)
	}
	return dir
}

// replay feeds what a client sent to a server, in pieces, and returns what the
// server's caller was told.
func replay(t *testing.T, wire []byte, piece int) []string {
	t.Helper()
	server, client := pair(t)
	var events []string
	done := make(chan struct{})
	go func() {
		defer close(done)
		serve(server, Config{}, func(format string, args ...any) { events = append(events, fmt.Sprintf(format, args...)) })
	}()
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = discard(client)
	}()
	for len(wire) > 0 {
		n := min(piece, len(wire))
		if _, err := client.Write(wire[:n]); err != nil {
			break // the server has heard enough: its events tell
		}
		wire = wire[n:]
	}
	_ = client.CloseWrite()
	<-done
	_ = client.Close()
	<-drained
	return events
}

func discard(nc net.Conn) (n int64, err error) {
	b := make([]byte, 4096)
	for {
		m, err := nc.Read(b)
		n += int64(m)
		if err != nil {
			return n, err
		}
	}
}

// Every publisher and player that was captured gets through with its own bytes,
// however they are cut.
func TestReplayCaptures(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(samples(t), "captures", "*.c2s.bin"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".c2s.bin"), func(t *testing.T) {
			wire, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			whole := replay(t, wire, len(wire))
			if diff := cmp.Diff(whole, replay(t, wire, 1460)); diff != "" {
				t.Errorf("in segments of 1460 bytes: %s", diff)
			}
			if len(wire) < 5000 || (strings.Contains(path, "obs29") && !testing.Short()) {
				if diff := cmp.Diff(whole, replay(t, wire[:min(len(wire), 60_000)], 1)); diff != "" && len(wire) < 5000 {
					t.Errorf("byte by byte: %s", diff)
				}
			}
			media, action := 0, ""
			for _, e := range whole {
				word, _, _ := strings.Cut(e, " ")
				switch word {
				case "media":
					media++
				case "publish", "play":
					action = word
				case "refused:":
					t.Error(e)
				}
			}
			want := "publish"
			if strings.Contains(path, "_play") || strings.Contains(path, "pull") {
				want = "play"
			}
			if strings.Contains(path, "_path") || strings.Contains(path, "mp4name") {
				want = "" // the server it was made with had hung up
			}
			if action != want {
				t.Errorf("%q, want %q: %v", action, want, whole[:min(len(whole), 5)])
			}
			if got, want := media, mediaMessages(t, wire); want != got && action == "publish" {
				t.Errorf("%d media messages, %d were sent", got, want)
			}
		})
	}
}

// mediaMessages counts audio, video and data messages.
func mediaMessages(t *testing.T, wire []byte) int {
	t.Helper()
	r := chunk.NewReader(strings.NewReader(string(wire[3073:])), 0, chunk.Limits{})
	n := 0
	for {
		m, err := r.Next()
		if err != nil {
			return n
		}
		switch m.Type {
		case message.TypeAudio, message.TypeVideo, message.TypeData:
			n++
		}
	}
}

// The vectors are what follows an accepted publish.
func TestReplayVectors(t *testing.T) {
	dir := filepath.Join(samples(t), "vectors")
	for name, want := range map[string]string{
		"C-07_fmt3_new_message":             "9@10 9@50 9@90 9@130",
		"C-09_ext_delta_fmt1":               "9@11000 9@16787216",
		"C-11a_ext_on_continuation":         "9@20000000 9@20000040",
		"C-11b_ext_omitted_on_continuation": "9@20000000 9@20000040",
		"C-11c_ext_delta_continuation":      "9@0 9@20000000",
		"C-12_abort":                        "9@140",
		"C-13_interleave":                   "8@101 9@100",
		"C-15_virgin_fmt1_ping_response":    "9@5",
		"C-17_chunk_sizes":                  "9@0",
		"C-17b_chunk_size_huge":             "9@0",
		"C-21_unterminated_array":           "18@0",
		"C-29_zero_length":                  "8@0 9@0 9@0 18@0 9@3",
		"C-36_negative_cts":                 "9@1000",
		"C-38b_wrap_32bit":                  "9@4294967280 9@24",
		"C-39_empty_asc":                    "8@0 8@0",
		"C-49_colorinfo_frametype5":         "9@0",
		"agg_rebase":                        "8@900 9@920 8@923",
	} {
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join(dir, name+".bin"))
			if err != nil {
				t.Fatal(err)
			}
			p, c := publishing(t, Config{})
			p.write(b)
			closeWrite(t, p.nc.(*net.TCPConn))
			var got []string
			for {
				m, err := readMedia(c)
				if err != nil {
					if brief(err) != "EOF" {
						t.Error(err)
					}
					break
				}
				got = append(got, fmt.Sprintf("%d@%d", m.Type, m.Timestamp))
			}
			if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
