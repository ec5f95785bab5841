package main

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/rtmp"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// TestClientOnNginx: what our client publishes to nginx-rtmp, as FMLE and as Flash does and
// with each handshake, our client gets from there.
//
// S2-20, S2-16, S2-17.
func TestClientOnNginx(t *testing.T) {
	base := nginxRTMP(t, "")
	for name, test := range map[string]struct {
		handshake rtmp.Handshake
		flash     bool
	}{
		"simple":      {rtmp.HandshakeSimple, false},
		"digest":      {rtmp.HandshakeDigest, true},
		"digest-only": {rtmp.HandshakeDigestOnly, false},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			cfg := rtmp.DialConfig{Handshake: test.handshake, ReadTimeout: patience}
			publisher, err := rtmp.Dial(ctx, base+name, cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = publisher.Close() }()
			if err := publisher.PublishWith(ctx, rtmp.PublishOptions{Flash: test.flash}); err != nil {
				t.Fatal(err)
			}
			if got := publisher.Server().FMSVer; got != "FMS/3,0,1,123" {
				t.Errorf("nginx-rtmp calls itself %q", got)
			}
			player, err := rtmp.Dial(ctx, base+name, cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = player.Close() }()
			if err := player.Play(ctx, ""); err != nil {
				t.Fatal(err)
			}
			// nginx-rtmp passes on what comes after a player is there, and that it is
			// there no answer tells: sound is sent until some of it arrives.
			heard := make(chan error, 1)
			go func() {
				for {
					m, err := player.ReadMedia()
					if err != nil || m.Type == message.TypeAudio && bytes.Equal(m.Payload, mp3Frame()) {
						heard <- err
						return
					}
				}
			}()
			tick := time.NewTicker(20 * time.Millisecond)
			defer tick.Stop()
			for at := uint32(0); ; at += 20 {
				if err := publisher.WriteMedia(message.TypeAudio, at, mp3Frame()); err != nil {
					t.Fatal(err)
				}
				select {
				case err := <-heard:
					if err != nil {
						t.Fatal(err)
					}
					return
				case <-tick.C:
				}
			}
		})
	}
	if _, err := rtmp.Dial(t.Context(), base+"x", rtmp.DialConfig{Connect: rtmp.Connect{App: "nowhere"}}); err == nil {
		t.Error("nginx-rtmp let a client into an application it does not have")
	}
}

// mp3Frame is an audio message that needs no configuration in front.
func mp3Frame() []byte {
	return append([]byte{0x2F, 0xFF, 0xFB, 0x90, 0x64}, make([]byte, 300)...)
}
