package rtmp

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
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

// cut is a connection whose bytes come as a network cut them: each read gives what
// is left of one segment.
type cut struct {
	net.Conn

	r    *bufio.Reader
	next func() int // length of the next segment
	left int        // of this one
}

func (c *cut) Read(b []byte) (int, error) {
	if c.left == 0 {
		c.left = c.next()
	}
	n, err := c.r.Read(b[:min(len(b), c.left)])
	c.left -= n
	return n, err
}

// asTheyCame are the sizes in which a client's bytes came when it was captured.
func asTheyCame(t *testing.T, path string) func() int {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for l := range strings.Lines(string(text)) {
		if f := strings.Fields(l); len(f) == 4 && f[1] == "c2s" {
			n, err := strconv.Atoi(f[3])
			if err != nil || n <= 0 {
				t.Fatalf("%s: %q", path, l)
			}
			sizes = append(sizes, n)
		}
	}
	if len(sizes) < 3 {
		t.Fatalf("%s: %d segments", path, len(sizes))
	}
	return func() int {
		if len(sizes) == 0 {
			return 1460 // the capture was cut off
		}
		n := sizes[0]
		sizes = sizes[1:]
		return n
	}
}

func every(n int) func() int { return func() int { return n } }

// replay feeds what a client sent to a server, in segments, and returns what the
// server's caller was told.
func replay(t *testing.T, wire []byte, next func() int) []string {
	t.Helper()
	server, client := pair(t)
	var events []string
	done := make(chan struct{})
	go func() {
		defer close(done)
		serve(&cut{Conn: server, r: bufio.NewReader(server), next: next}, Config{}, func(format string, args ...any) {
			events = append(events, fmt.Sprintf(format, args...))
		})
	}()
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = discard(client)
	}()
	_, _ = client.Write(wire) // the server may have heard enough: its events tell
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
// however they are cut: as the network did it then, into segments, into bytes.
//
// S2-07. C-01: ffmpeg51_publish_* (C2 is no echo of this S1). C-06: ffmpeg51_*. C-20:
// ffmpeg8_publish_hevc_aac_fourcclist. C-32: gst122_rtmp2src_play_live.
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
			whole := replay(t, wire, every(len(wire)))
			for how, next := range map[string]func() int{
				"as they came": asTheyCame(t, strings.TrimSuffix(path, ".c2s.bin")+".seg.tsv"), "1460 bytes": every(1460), "1 byte": every(1),
			} {
				if diff := cmp.Diff(whole, replay(t, wire, next)); diff != "" {
					t.Errorf("segments: %s: %s", how, diff)
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
//
// C-07, C-09, C-11, C-12, C-13, C-15, C-17, C-21, C-29: the vectors of these names.
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
			for _, one := range b { // each a segment of its own, mostly
				p.write([]byte{one})
			}
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
