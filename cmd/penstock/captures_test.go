package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
)

// handshake is C0, C1 and C2.
const handshake = 1 + 2*1536

// TestCapturesPublish writes what real encoders sent, byte for byte from C0 on, and
// wants a player to get the media in it.
func TestCapturesPublish(t *testing.T) {
	t.Parallel()
	// These end before publish: the server they were made with had closed.
	cut := []string{"ffmpeg51_publish_path1", "ffmpeg51_publish_path4"}
	// Streams whose address is not app "live" and the name in the publish command.
	where := map[string]string{
		"ffmpeg51_publish_appquery": "stream1",
		"ffmpeg51_publish_query":    "key%20name",
		"obs29_publish":             "obskey",
	}
	files := samples(t, "captures/*publish*.c2s.bin", "captures/nginxrtmp_push_client.c2s.bin")
	p := open(t)
	for _, file := range files {
		capture := strings.TrimSuffix(name(file), ".c2s")
		t.Run(capture, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sent, stream := mediaOf(t, data)
			if stream == "" {
				if !slices.Contains(cut, capture) {
					t.Fatal("no publish command in the capture")
				}
				replay(t, p, data)
				return
			}
			if other, ok := where[capture]; ok {
				stream = other
			}
			ctx := within(t, time.Minute)
			player := p.playRTMP(ctx, t, p.url(stream))
			replay(t, p, data)
			if err := compare(sent, player.collect()); err != nil {
				t.Error(err)
			}
		})
	}
}

// mediaOf reads the media messages and the published name in what a client sent.
func mediaOf(t *testing.T, data []byte) (media []flv.Tag, stream string) {
	t.Helper()
	reader := chunk.NewReader(bytes.NewReader(data[handshake:]), 4096, chunk.Limits{})
	for {
		m, err := reader.Next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return media, stream
		case err != nil:
			t.Fatal(err)
		}
		switch m.Type {
		case flv.TagAudio, flv.TagVideo:
			media = append(media, flv.Tag{Type: m.Type, Timestamp: m.Timestamp, Body: m.Payload})
		case 20:
			if published, ok := publishedName(m.Payload); ok {
				stream = published
			}
		}
	}
}

// publishedName finds the name in a publish command: the first string after
// the null, behind command, transaction id.
func publishedName(payload []byte) (string, bool) {
	head := append([]byte{2, 0, 7}, "publish"...)
	if !bytes.HasPrefix(payload, head) {
		return "", false
	}
	rest := payload[len(head)+9:] // a number
	if len(rest) < 4 || rest[0] != 5 || rest[1] != 2 {
		return "", false
	}
	length := int(rest[2])<<8 | int(rest[3])
	return string(rest[4 : 4+length]), true
}

// replay writes a capture to the server, whatever it answers, and ends its side. It
// returns when the server has read all of it and hung up.
func replay(t *testing.T, p *program, data []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", p.rtmp)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(io.Discard, conn)
	}()
	// In pieces, as a network would.
	for len(data) > 0 {
		n := min(len(data), 4<<10)
		if _, err := conn.Write(data[:n]); err != nil {
			break // the capture's end may be a hang-up of its own
		}
		data = data[n:]
		time.Sleep(5 * time.Millisecond)
	}
	_ = conn.(*net.TCPConn).CloseWrite()
	<-read
}
