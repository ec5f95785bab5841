package rtmp

import (
	"bufio"
	"crypto/rand"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/handshake"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// Demo is the server of the examples: it lets everybody publish, plays one picture,
// wants a password in app "private", and sends players of "moving" elsewhere. conf may
// be nil.
func Demo(conf *tls.Config) (addr string, stop func()) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			if conf != nil {
				nc = tls.Server(nc, conf)
			}
			wg.Go(func() {
				demo(nc)
				_ = nc.Close()
			})
		}
	})
	return l.Addr().String(), func() {
		_ = l.Close()
		wg.Wait()
	}
}

func demo(nc net.Conn) {
	in := bufio.NewReader(nc)
	hello := make([]byte, 1+handshake.Size)
	if _, err := io.ReadFull(in, hello); err != nil {
		return
	}
	answer, err := handshake.Respond(hello[1:], 1, rand.Reader)
	if err != nil {
		return
	}
	_, _ = nc.Write(answer)
	_, _ = io.ReadFull(in, hello[1:])
	say := func(frames ...frame) {
		var b []byte
		for _, f := range frames {
			b = chunk.AppendMessage(b, f.header, f.payload, chunk.DefaultSize)
		}
		_, _ = nc.Write(b)
	}
	r := chunk.NewReader(in, 0, chunk.Limits{Audio: 1 << 20, Video: 1 << 20, Other: 1 << 20})
	for {
		m, err := r.Next()
		if err != nil {
			return
		}
		if m.Type != message.TypeCommand {
			continue
		}
		cmd, err := message.ParseCommand(m.Type, m.Payload, amf.DefaultLimits())
		if err != nil {
			return
		}
		name, _ := amf.String(cmd.Arg(0))
		switch cmd.Name {
		case "connect":
			if app := parseConnect(cmd).App; strings.HasPrefix(app, "private") {
				why := "code=403 need auth; authmod=adobe"
				if strings.Contains(app, "user=") {
					why = "authmod=adobe ?reason=nosuchuser"
				}
				say(command(0, "_error", 1, nil, Status{LevelError, CodeConnectRejected, why}.object()))
				return
			}
			say(command(0, "_result", 1, amf.Object{{Key: "fmsVer", Value: "FMS/3,5,7,7009"}}, Status{Code: CodeConnectSuccess}.object()))
		case "createStream":
			say(command(0, "_result", cmd.Transaction, nil, 1.0))
		case "publish":
			say(onStatus(1, Status{LevelStatus, CodePublishStart, ""}))
		case "pause":
			say(onStatus(1, Status{LevelStatus, CodePauseNotify, ""}), demoPicture(40))
		case "play":
			all := []frame{onStatus(1, Status{LevelStatus, CodePlayStart, ""})}
			if name == "moving" {
				all = append(all, onStatus(0, Status{LevelStatus, CodeConnectReconnect, "maintenance"}))
			}
			say(append(all, demoPicture(0), onStatus(1, Status{LevelStatus, CodePlayUnpublishNotify, ""}))...)
		}
	}
}

func demoPicture(at uint32) frame {
	return frame{chunk.Header{CSID: chunk.VideoCSID, Type: message.TypeVideo, StreamID: 1, Timestamp: at}, []byte{0x17, 1, 0, 0, 0}}
}
