package server_test

import (
	"bytes"
	"encoding/csv"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// rawPlayer speaks RTMP by hand, to say what the client role does not say.
type rawPlayer struct {
	t        *testing.T
	nc       net.Conn
	r        *chunk.Reader
	txn      float64
	pictures int
}

func newRawPlayer(t *testing.T, l *lab, app, name string) *rawPlayer {
	t.Helper()
	p := connectRaw(t, l, app)
	p.command(0, "createStream")
	p.command(1, "play", name, -2000.0)
	return p
}

// connectRaw goes up to the connect command.
func connectRaw(t *testing.T, l *lab, app string) *rawPlayer {
	t.Helper()
	return connectOn(t, l, l.plain(), app)
}

// connectOn does so on a connection that is there.
func connectOn(t *testing.T, l *lab, nc net.Conn, app string) *rawPlayer {
	t.Helper()
	p := &rawPlayer{t: t, nc: nc}
	_ = p.nc.SetDeadline(time.Now().Add(6 * patience))
	hello := make([]byte, 1+1536)
	hello[0] = 3
	p.write(hello)
	answer := make([]byte, 1+2*1536)
	if _, err := io.ReadFull(p.nc, answer); err != nil {
		t.Fatal(err)
	}
	p.write(answer[1 : 1+1536])
	p.r = chunk.NewReader(p.nc, 4096, chunk.Limits{})
	p.command(0, "connect", amf.Object{{Key: "app", Value: app}, {Key: "tcUrl", Value: l.url(app)}})
	return p
}

func (p *rawPlayer) write(b []byte) {
	p.t.Helper()
	if _, err := p.nc.Write(b); err != nil {
		p.t.Fatalf("write: %v", err)
	}
}

// command sends a command; connect's object takes the command object's place.
func (p *rawPlayer) command(msid uint32, name string, args ...amf.Value) {
	p.t.Helper()
	p.txn++
	cmd := message.Command{Name: name, Transaction: p.txn, Args: args}
	if name == "connect" {
		cmd.Object, cmd.Args = args[0], nil
	}
	h := chunk.Header{CSID: chunk.CommandCSID, Type: message.TypeCommand, StreamID: msid}
	p.write(chunk.AppendMessage(nil, h, message.AppendCommand(nil, cmd), chunk.DefaultSize))
}

// until reads until a status with the code and returns how many audio and video
// messages came before it.
func (p *rawPlayer) until(code string) (media int) {
	p.t.Helper()
	for {
		m, err := p.r.Next()
		if err != nil {
			p.t.Fatalf("waiting for %s: %v", code, err)
		}
		switch m.Type {
		case message.TypeVideo:
			p.pictures++
			media++
		case message.TypeAudio:
			media++
		case message.TypeCommand:
			if bytes.Contains(m.Payload, []byte(code)) {
				return media
			}
		}
	}
}

// media reads n audio or video messages.
func (p *rawPlayer) media(n int) {
	p.t.Helper()
	for n > 0 {
		m, err := p.r.Next()
		if err != nil {
			p.t.Fatalf("waiting for media: %v", err)
		}
		if m.Type == message.TypeAudio || m.Type == message.TypeVideo {
			n--
		}
	}
}

// What real encoders sent once, byte for byte and in their pieces, publishes.
func TestCapturedPublishersPublish(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(shared(t, "samples/captures"), "*publish*.c2s.bin"))
	if err != nil || len(names) == 0 {
		t.Skip("no captures of publishers")
	}
	push, _ := filepath.Glob(filepath.Join(shared(t, "samples/captures"), "nginxrtmp_push_client.c2s.bin"))
	for _, path := range append(names, push...) {
		name := strings.TrimSuffix(filepath.Base(path), ".c2s.bin")
		t.Run(name, func(t *testing.T) {
			switch name {
			case "ffmpeg51_publish_path1", "ffmpeg51_publish_path4":
				t.Skip("the capture ends before publish: its server hung up")
			}
			replay(t, path)
		})
	}
}

func replay(t *testing.T, path string) {
	t.Helper()
	l := newLab(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	nc := l.plain()
	go func() { _, _ = io.Copy(io.Discard, nc) }()
	for _, n := range pieces(t, strings.TrimSuffix(path, ".c2s.bin")+".seg.tsv", len(data)) {
		if _, err := nc.Write(data[:n]); err != nil {
			break // an encoder that said goodbye is hung up on
		}
		data = data[n:]
	}
	e := l.event("stream.published")
	if e.Name == "" || e.App == "" {
		t.Errorf("event: %+v", e)
	}
	_ = nc.Close()
	end := l.event("stream.unpublished")
	s := end.Session
	if s.BytesIn < 10_000 || s.Video == "" && s.Audio == "" {
		t.Errorf("session: %+v", s)
	}
	if r := l.engine.Refusals(); len(r) != 0 {
		t.Errorf("refusals: %+v", r)
	}
	t.Logf("%s/%s: %s, %s, %s, ended as %s", s.App, s.Name, s.Agent, s.Video, s.Audio, s.Reason)
}

// pieces are the lengths of the reads the capture was made of.
func pieces(t *testing.T, path string, total int) []int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		return []int{total}
	}
	defer func() { _ = f.Close() }()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = '\t', -1, true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, row := range rows {
		if len(row) < 4 || row[1] != "c2s" && row[1] != "c" {
			continue
		}
		n, err := strconv.Atoi(row[3])
		if err != nil || n <= 0 {
			continue
		}
		n = min(n, total)
		out = append(out, n)
		if total -= n; total == 0 {
			return out
		}
	}
	return append(out, total)
}
