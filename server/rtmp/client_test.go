package rtmp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/penstock-media/penstock/server/rtmp/message"
)

// PROTOCOL 8: answers come in other orders, on other streams, with other
// transaction ids; S2 may come after C2 (C-06).
//
// S2-25.
func TestClientOddServers(t *testing.T) {
	for name, steps := range map[string][][]string{
		"onBWDone first, answers to all": {
			{`command@0 "connect"`, `window 2500000`, `bandwidth 2500000 2`, `command@0 "onBWDone" 0 null 8192`, sayConnected},
			{
				`command@0 "createStream" 4`, `command@0 "_result" 2 null undefined`, `command@0 "onFCPublish" 0 null {}`,
				`command@0 "_error" 3 null {"level": "error"}`, `command@0 "_result" 4 null 1`,
			},
			{
				`command@1 "publish"`, `command@1 "onStatus" 0 null {"level": "status", "code": "NetStream.Publish.Idle"}`,
				`user 6 5`, sayStarted,
			},
			{`user 7 5`},
			{`audio@1 7 af01`, `video@1 0 17`},
		},
		"transaction 0, stream 0": {
			{`command@0 "connect"`, `command@0 "_result" 0 {} {}`},
			{`command@0 "createStream"`, `command@0 "_result" 0 null 5`},
			{`command@5 "publish"`, `command@0 "onStatus" 5 null {"level": "status", "code": "NetStream.Publish.Start"}`},
			{`audio@5 7 af01`, `video@1 0 17`},
		},
		"all with transaction 0": {
			{`command@0 "connect"`, `command@0 "_result" 0 {} {}`},
			{
				`command@0 "createStream"`, `command@0 "_error" 0 null {"level": "error"}`, `command@0 "_result" 0 null undefined`,
				`command@0 "_result" 3 null 7`, `command@0 "_result" 0 null 1`,
			},
			{`command@1 "publish"`, sayStarted},
			{`audio@1 7 af01`, `video@1 0 17`},
		},
		"AMF3": {
			{`command@0 "connect"`, `command3@0 "_result" 1 {} {}`},
			{`command@0 "createStream"`, `command3@0 "_result" 4 null 1`},
			{`command@1 "publish"`, `command3@1 "onStatus" 0 null {"level": "status", "code": "NetStream.Publish.Start"}`},
			{`audio@1 7 af01`, `video@1 0 17`},
		},
	} {
		for _, lateS2 := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, late S2 %v", name, lateS2), func(t *testing.T) {
				l := listen(t)
				scripted(t, l, lateS2, steps)
				c, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam", DialConfig{})
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = c.Close() }()
				if err := c.Publish(t.Context(), ""); err != nil {
					t.Fatal(err)
				}
				if err := c.WriteMedia(message.TypeAudio, 7, []byte{0xAF, 1}); err != nil {
					t.Fatal(err)
				}
				if m, err := c.ReadMedia(); err != nil || m.Type != message.TypeVideo {
					t.Errorf("%+v, %v", m, err)
				}
			})
		}
	}
}

// A player takes media for the answer (some servers send no Play.Start), and
// loses none of it.
func TestClientMediaFirst(t *testing.T) {
	l := listen(t)
	scripted(t, l, false, [][]string{
		{`command@0 "connect"`, sayConnected},
		{`command@0 "createStream"`, `command@0 "_result" 2 null 1`},
		{`command@1 "play" 3 null "cam" -2000`, `data@1 0 "onMetaData" ecma{}`, `video@1 1 17`, `audio@1 2 af01`},
	})
	c, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam", DialConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if err := c.Play(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []uint8{message.TypeData, message.TypeVideo, message.TypeAudio} {
		if m, err := c.ReadMedia(); err != nil || m.Type != want {
			t.Errorf("%+v, %v, want type %d", m, err, want)
		}
	}
}

func TestClientTimeouts(t *testing.T) {
	t.Parallel()
	const short = 2 * time.Second // the steps that are answered need some of it on a busy machine
	for name, steps := range map[string][][]string{
		"no answer to connect":      {},
		"no answer to createStream": {{`command@0 "connect"`, sayConnected}},
		"no answer to publish": {
			{`command@0 "connect"`, sayConnected},
			{`command@0 "createStream"`, `command@0 "_result" 4 null 1`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := listen(t)
			scripted(t, l, false, steps)
			c, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam", DialConfig{Timeout: short})
			if err == nil {
				defer func() { _ = c.Close() }()
				err = c.Publish(t.Context(), "")
			}
			call := name[strings.LastIndexByte(name, ' ')+1:]
			if !IsTimeout(err) || !strings.HasPrefix(err.Error(), "rtmp: "+call+": no answer within 2s") {
				t.Errorf("%v", err)
			}
		})
	}
	t.Run("no handshake, context ends", func(t *testing.T) {
		t.Parallel()
		l := listen(t)
		ctx, cancel := context.WithTimeout(t.Context(), 80*time.Millisecond)
		defer cancel()
		if _, err := Dial(ctx, "rtmp://"+l.Addr().String()+"/live", DialConfig{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	})
}

// The ways servers have to refuse, before and after the answer that is due.
func TestClientRefusals(t *testing.T) {
	connect := []string{`command@0 "connect"`, sayConnected}
	create := []string{`command@0 "createStream"`, `command@0 "_result" 4 null 1`}
	for name, test := range map[string]struct {
		steps [][]string
		want  string
	}{
		"connect, by onStatus": {
			[][]string{{connect[0], `command@0 "onStatus" 0 null {"level": "error", "code": "NetConnection.Connect.Rejected", "description": "no"}`}},
			"rtmp: connect: NetConnection.Connect.Rejected: no",
		},
		"connect, without null": {
			[][]string{{connect[0], `command@0 "_error" 1 {"level": "error", "code": "NetConnection.Connect.InvalidApp"}`}},
			"rtmp: connect: NetConnection.Connect.InvalidApp",
		},
		"connect, without a word": {
			[][]string{{connect[0], `command@0 "_error" 0 null`}},
			"rtmp: connect: NetConnection.Call.Failed",
		},
		"createStream": {
			[][]string{connect, {create[0], `command@0 "_error" 2 null`, `command@0 "_error" 4 null {"code": "x"}`}},
			"rtmp: createStream: x",
		},
		"publish, before createStream's answer": {
			[][]string{connect, {create[0], `command@0 "onStatus" 0 null {"code": "NetStream.Publish.BadName"}`, create[1]}},
			"rtmp: createStream: NetStream.Publish.BadName",
		},
		"publish, by _error": {
			[][]string{connect, create, {`command@1 "publish"`, `command@1 "_error" 2 null`, `command@1 "_error" 5 null {"code": "y"}`}},
			"rtmp: publish: y",
		},
		"publish, as a mere warning": {
			[][]string{connect, create, {`command@1 "publish"`, `command@1 "onStatus" 0 null {"level": "warning", "code": "NetStream.Publish.Denied"}`}},
			"rtmp: publish: NetStream.Publish.Denied",
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := listen(t)
			scripted(t, l, false, test.steps)
			c, err := Dial(t.Context(), "rtmp://"+l.Addr().String()+"/live/cam", DialConfig{})
			if err == nil {
				err = c.Publish(t.Context(), "")
				_ = c.Close()
			}
			if _, ok := errors.AsType[*StatusError](err); !ok || err.Error() != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

// A server that hangs up is said to have done so, and at which step.
func TestClientHungUp(t *testing.T) {
	for step, want := range []string{"handshake", "connect", "createStream", "publish"} {
		l := listen(t)
		connections(t, l, func(_ int, p *peer, _ Connect) {
			if step > 1 {
				p.say(sayConnected)
			}
			for step > 2 {
				if strings.HasPrefix(p.hear(), `command@0 "createStream"`) {
					p.say(`command@0 "_result" 4 null 1`)
					break
				}
			}
		})
		addr := l.Addr().String()
		if step == 0 {
			addr = hangUp(t)
		}
		c, err := Dial(t.Context(), "rtmp://"+addr+"/live/cam", DialConfig{})
		if err == nil {
			err = c.Publish(t.Context(), "")
			_ = c.Close()
		}
		if err == nil || !strings.HasPrefix(err.Error(), "rtmp: "+want+": the server closed the connection: ") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// hangUp is the address of a server that takes C0 and C1 and is gone.
func hangUp(t *testing.T) string {
	t.Helper()
	l := listen(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if nc, err := l.Accept(); err == nil {
			_, _ = io.ReadFull(nc, make([]byte, 1537))
			_ = nc.Close()
		}
	}()
	t.Cleanup(func() { _, _ = l.Close(), <-done })
	return l.Addr().String()
}
