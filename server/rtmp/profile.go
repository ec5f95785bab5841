package rtmp

import (
	"fmt"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// Profile says whose habits the server's side has where servers differ: the order of
// its answers and what it sends beside the media.
type Profile uint8

// The profiles. Their numbers say nothing.
const (
	ProfileModern Profile = iota // what today's encoders and players want
	ProfileSRS2                  // SRS 2.0
	ProfileNginx                 // nginx-rtmp
)

// Welcome is how a client is let in, and the server's habits from then on. The zero
// Welcome is a modern server that says nothing of itself.
type Welcome struct {
	Profile Profile
	// ChunkSize is the outgoing chunk size where the profile announces it before
	// AcceptPlay does. 0 means Config.ChunkSize.
	ChunkSize int
	// Identity is what the answer tells of the server.
	Identity Identity
}

// Identity is what a server's answer to connect tells of the server, so that a client
// can be traced from one server to the next. What is empty is not sent or did not come.
type Identity struct {
	Server     string // the product's name
	Version    string // its version
	Address    string // IP address of the server, as it sees itself
	PID        int    // process id
	Connection string // the server's name for the connection
	Number     int    // the same as a number, which SRS 2.0 has in its place
}

// window is what WindowAckSize and SetPeerBandwidth say, in bytes.
func (w Welcome) window() uint32 {
	if w.Profile == ProfileNginx {
		return 5_000_000
	}
	return 2_500_000
}

// chunkSize is what SetChunkSize says, within what a message can hold.
func chunkSize(n int) frame {
	return number(message.TypeSetChunkSize, uint32(min(max(n, 1), chunk.MaxLength)))
}

// AcceptConnectAs lets the client in with these habits.
func (c *Conn) AcceptConnectAs(w Welcome) error {
	if w.ChunkSize <= 0 {
		w.ChunkSize = c.cfg.ChunkSize
	}
	c.welcome = w
	window := number(message.TypeWindowAckSize, w.window())
	bandwidth := frame{
		chunk.Header{CSID: chunk.ControlCSID, Type: message.TypeSetPeerBandwidth},
		message.AppendPeerBandwidth(nil, w.window(), message.BandwidthDynamic),
	}
	result := command(0, "_result", c.connectTxn, c.connect.properties(w.Profile), w.info(c.connect.objectEncoding()))
	switch w.Profile {
	case ProfileSRS2:
		// The chunk size waits for publish or play. PRISM Live Studio hangs up on
		// onBWDone, so nobody else gets one.
		return c.send(window, bandwidth, result, command(0, "onBWDone", 0, nil))
	case ProfileNginx:
		return c.send(window, bandwidth, userControl(message.EventStreamBegin, 0), chunkSize(w.ChunkSize), result)
	default:
		return c.send(window, bandwidth, chunkSize(c.cfg.ChunkSize), result)
	}
}

// info is the second object of the answer to connect.
func (w Welcome) info(encoding float64) amf.Object {
	s := Status{Level: LevelStatus, Code: CodeConnectSuccess, Description: "Connection succeeded."}
	if w.Profile == ProfileSRS2 {
		s.Description = "Connection succeeded"
	}
	o := append(s.object(), amf.Property{Key: "objectEncoding", Value: encoding})
	if data := w.identity(); len(data) > 0 {
		o = append(o, amf.Property{Key: "data", Value: data})
	}
	return o
}

// identity is the array with what the server says of itself. nginx-rtmp says nothing.
// In the keys of SRS it is what its edges and librtmp read.
func (w Welcome) identity() amf.ECMAArray {
	id := w.Identity
	if w.Profile == ProfileNginx || id == (Identity{}) {
		return nil
	}
	var a amf.ECMAArray
	text := func(key, v string) {
		if v != "" {
			a = append(a, amf.Property{Key: key, Value: v})
		}
	}
	whole := func(key string, n int) {
		if n > 0 {
			a = append(a, amf.Property{Key: key, Value: float64(n)})
		}
	}
	if w.Profile != ProfileSRS2 {
		text("version", fmsVersion)
		text("server", id.Server)
		text("server_version", id.Version)
		text("server_ip", id.Address)
		whole("pid", id.PID)
		text("connection", id.Connection)
		return a
	}
	text("version", srsVersion)
	text("srs_sig", id.Server)
	text("srs_server", id.Server)
	text("srs_version", id.Version)
	text("srs_server_ip", id.Address)
	whole("srs_pid", id.PID)
	whole("srs_id", id.Number)
	return a
}

// The version of Flash Media Server that a profile claims to be, as in fmsVer.
const (
	fmsVersion   = "3,5,7,7009"
	srsVersion   = "3,5,3,888"
	nginxVersion = "3,0,1,123"
)

// objectEncoding is what the client asked for, if there is such a thing: from then on
// it may send AMF3, which is read, and gets AMF0, which every client reads.
func (c Connect) objectEncoding() float64 {
	const amf3 = 3
	if c.ObjectEncoding == amf3 {
		return amf3
	}
	return 0
}

// publishAnswer is what a client that may publish is told.
func (c *Conn) publishAnswer(req *PublishRequest) []frame {
	start := onStatus(req.StreamID, Status{Level: LevelStatus, Code: CodePublishStart, Description: "Publishing."})
	begin := userControl(message.EventStreamBegin, req.StreamID)
	if c.welcome.Profile == ProfileNginx {
		return []frame{begin, start}
	}
	var frames []frame
	if c.fcPublish {
		frames = append(frames, onFCPublish(req.Name))
	}
	if c.welcome.Profile == ProfileSRS2 {
		return append(c.lateChunkSize(c.welcome.ChunkSize), append(frames, start)...)
	}
	return append(frames, begin, start)
}

// onFCPublish tells who announced itself with FCPublish that it may. It has a
// transaction id: Livestream Studio wants one.
func onFCPublish(name string) frame {
	return command(0, "onFCPublish", 0, nil, amf.Object{
		{Key: "code", Value: CodePublishStart},
		{Key: "description", Value: name},
	})
}

// playAnswer is what a client that may play is told.
func (c *Conn) playAnswer(req *PlayRequest, size int) []frame {
	begin := userControl(message.EventStreamBegin, req.StreamID)
	status := func(code, description string) frame {
		return onStatus(req.StreamID, Status{Level: LevelStatus, Code: code, Description: description})
	}
	reset, start := status(CodePlayReset, "Resetting."), status(CodePlayStart, "Playing.")
	if c.welcome.Profile == ProfileModern {
		frames := []frame{chunkSize(size), begin}
		if req.Reset {
			frames = append(frames, reset)
		}
		// Neither |RtmpSampleAccess nor Data.Start: FFmpeg shows a data stream that
		// never brings anything.
		return append(frames, start)
	}
	open := c.welcome.Profile == ProfileSRS2 // Flash may take pictures of the video
	return append(c.lateChunkSize(size), begin, reset, start,
		c.data(req.StreamID, "|RtmpSampleAccess", open, open),
		c.data(req.StreamID, "onStatus", amf.Object{{Key: "code", Value: CodeDataStart}}),
	)
}

// lateChunkSize announces a chunk size, if it is not what the client knows already.
func (c *Conn) lateChunkSize(size int) []frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.chunkSize == size {
		return nil
	}
	return []frame{chunkSize(size)}
}

// data is a data message on a stream.
func (*Conn) data(streamID uint32, values ...amf.Value) frame {
	h := chunk.Header{CSID: chunk.StatusCSID, Type: message.TypeData, StreamID: streamID}
	return frame{h, amf.Append(nil, values...)}
}

// result answers a call that wants an answer and has none to get: with null, and with
// undefined where Flash Media Server and SRS have that.
func (c *Conn) result(cmd message.Command) error {
	if cmd.Transaction <= 0 {
		return nil
	}
	var nothing amf.Value
	switch cmd.Name {
	case "getStreamLength": // FFmpeg takes nothing but a number
		nothing = 0.0
	case "releaseStream", "FCPublish", "FCUnpublish":
		if c.welcome.Profile != ProfileNginx {
			nothing = amf.Undefined{}
		}
	}
	return c.send(command(0, "_result", cmd.Transaction, nil, nothing))
}

// connectAgain answers a second connect on one connection. Only nginx-rtmp minds.
func (c *Conn) connectAgain(cmd message.Command) error {
	if c.welcome.Profile != ProfileNginx {
		return nil
	}
	s := Status{Level: LevelError, Code: CodeConnectRejected, Description: "This connection has already joined."}
	return c.send(command(0, "_error", cmd.Transaction, nil, s.object()))
}

// mediaTooEarly is what media of a client that does not publish means between requests:
// for most servers nothing (DJI drones send before they are answered), for nginx-rtmp
// the end. A client that has said that it is done may have had some under way.
func (c *Conn) mediaTooEarly(m chunk.Message) error {
	switch m.Type {
	case message.TypeAudio, message.TypeVideo, message.TypeAggregate:
		if c.welcome.Profile == ProfileNginx && !c.said {
			return fmt.Errorf("rtmp: media from a client that does not publish: %w", ErrProtocol)
		}
	}
	return nil
}
