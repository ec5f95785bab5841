package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/penstock-media/penstock/server/flv"
)

// TestWebSocketPlays: what a browser's player gets is what was published.
func TestWebSocketPlays(t *testing.T) {
	t.Parallel()
	files := samples(t, "gen/h264_bframes_aac.flv", "eflv/enhanced_hevc_aac.flv")
	p := open(t)
	for _, file := range files {
		t.Run(name(file), func(t *testing.T) {
			t.Parallel()
			tags := readFLV(t, file)
			ctx := within(t, time.Minute)
			player := p.playWebSocket(ctx, t, "ws://"+p.http+"/live/"+name(file)+".flv")
			publish(ctx, t, p.url(name(file)), tags, 3)
			if err := compare(tags, player.collect()); err != nil {
				t.Error(err)
			}
		})
	}
}

// playWebSocket plays a stream over WebSocket-FLV. The stream may begin later.
func (p *program) playWebSocket(ctx context.Context, t *testing.T, rawURL string) *player {
	t.Helper()
	joined := p.joining(t, strings.Replace(rawURL, "ws", "http", 1))
	ctx, cancel := context.WithCancel(ctx)
	var reader *flv.Reader
	var conn *websocket.Conn
	return joined(newPlayer(t, cancel, func() (flv.Tag, error) {
		if reader == nil {
			c, response, err := websocket.Dial(ctx, rawURL, nil)
			if err != nil {
				return flv.Tag{}, err
			}
			if response.Body != nil {
				_ = response.Body.Close()
			}
			conn = c
			conn.SetReadLimit(-1)
			reader = flv.NewReader(websocket.NetConn(ctx, conn, websocket.MessageBinary))
		}
		tag, err := reader.Next()
		if err != nil {
			_ = conn.CloseNow()
		}
		return tag, err
	}))
}
