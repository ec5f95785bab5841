package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bluenviron/gortmplib"
	"github.com/bluenviron/gortmplib/pkg/codecs"
)

// accessUnit makes a coded picture that tells its number; every 25th is one a
// decoder can start at.
func accessUnit(i int) [][]byte {
	nal := make([]byte, 5+i*7)
	nal[0] = 0x41
	if i%25 == 0 {
		nal[0] = 0x65
	}
	binary.BigEndian.PutUint32(nal[1:], uint32(i))
	return [][]byte{nal}
}

func gortmp(ctx context.Context, t *testing.T, rawURL string, publish bool) *gortmplib.Client {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal(err)
	}
	client := &gortmplib.Client{URL: u, Publish: publish}
	if err := client.Initialize(ctx); err != nil {
		t.Fatalf("gortmplib: %v", err)
	}
	t.Cleanup(client.Close)
	_ = client.NetConn().SetDeadline(time.Now().Add(30 * time.Second))
	return client
}

// TestGortmplibPublishesAndPlays has an implementation of RTMP that is not ours on
// both ends.
func TestGortmplibPublishesAndPlays(t *testing.T) {
	p := open(t)
	ctx := within(t, time.Minute)
	const pictures = 150

	publisher := gortmp(ctx, t, p.url("peer"), true)
	video := &gortmplib.Track{Codec: &codecs.H264{
		SPS: []byte{0x67, 0x64, 0x00, 0x0c, 0xac, 0x3b, 0x50, 0xb0, 0x4b, 0x42, 0x00, 0x00, 0x03, 0x00, 0x02, 0x00, 0x00, 0x03, 0x00, 0x3d, 0x08},
		PPS: []byte{0x68, 0xee, 0x3c, 0x80},
	}}
	audio := &gortmplib.Track{Codec: &codecs.G711{MULaw: true, ChannelCount: 1}}
	writer := &gortmplib.Writer{Conn: publisher, Tracks: []*gortmplib.Track{video, audio}}
	if err := writer.Initialize(); err != nil {
		t.Fatal(err)
	}
	var sending sync.WaitGroup
	sending.Go(func() {
		for i := range pictures {
			at := time.Duration(i) * 40 * time.Millisecond
			if err := writer.WriteH264(video, at, at, accessUnit(i)); err != nil {
				t.Errorf("publish picture %d: %v", i, err)
				return
			}
			if err := writer.WriteG711(audio, at, bytes.Repeat([]byte{byte(i)}, 320)); err != nil {
				t.Errorf("publish sound %d: %v", i, err)
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
	defer sending.Wait()

	reader := &gortmplib.Reader{Conn: gortmp(ctx, t, p.url("peer"), false)}
	if err := reader.Initialize(); err != nil {
		t.Fatalf("play: %v", err)
	}
	var got []int
	var sounds int
	for _, track := range reader.Tracks() {
		switch track.Codec.(type) {
		case *codecs.H264:
			reader.OnDataH264(track, func(_, _ time.Duration, unit [][]byte) {
				nal := unit[len(unit)-1]
				if nal[0]&0x1f >= 7 { // parameter sets, in front of key frames or alone
					return
				}
				i := int(binary.BigEndian.Uint32(nal[1:]))
				if !bytes.Equal(nal, accessUnit(i)[0]) {
					t.Errorf("picture %d differs", i)
				}
				got = append(got, i)
			})
		case *codecs.G711:
			reader.OnDataG711(track, func(_ time.Duration, _ []byte) { sounds++ })
		default:
			t.Errorf("unexpected track %T", track.Codec)
		}
	}
	for len(got) == 0 || got[len(got)-1] < pictures-1 {
		if err := reader.Read(); err != nil {
			t.Fatalf("play, after pictures %v: %v", got, err)
		}
	}
	if got[0]%25 != 0 {
		t.Errorf("starts at picture %d, which is no key frame", got[0])
	}
	want := make([]int, len(got))
	for i := range want {
		want[i] = got[0] + i
	}
	if !slices.Equal(got, want) || sounds < len(got)-25 {
		t.Errorf("got pictures %v and %d sounds", got, sounds)
	}
}
