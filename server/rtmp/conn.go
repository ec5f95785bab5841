package rtmp

import (
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

// Read-ahead buffers in bytes: a connection that only speaks commands needs
// little, a publisher saves system calls with more.
const (
	bufferIdle  = 4 << 10
	bufferMedia = 64 << 10
)

// Conn is an RTMP connection. See the package comment for who may call what.
type Conn struct {
	nc    net.Conn
	cfg   Config
	begun time.Time

	in, out  atomic.Uint64 // bytes on the socket
	idle     atomic.Int64  // nanoseconds a read may wait; 0: deadlines are absolute
	closing  sync.Once
	closeErr error

	// The rest up to mu belongs to the reading goroutine.

	chunks   *chunk.Reader
	window   uint64 // bytes after which the peer wants an Ack; 0: never
	acked    uint64 // in, when the last was sent
	ackBase  uint64 // added to the count that is sent: tests begin near a wrap
	control  bucket
	unauth   int // messages before the peer was accepted; -1: it was
	maxVideo int // SetMaxMessage

	connect    Connect
	connectTxn float64
	welcome    Welcome // what AcceptConnectAs was given
	streams    netStreams
	fmle       bool            // the peer announced itself with releaseStream or FCPublish, as FMLE does
	limits     chunk.Limits    // of a publisher; zero before there is one
	fcPublish  bool            // the peer sent FCPublish: it wants onFCPublish
	said       bool            // the peer said that it ends its last stream
	measured   bool            // it asked for its bandwidth and was told onBWDone
	waiting    bool            // it has been given a time to ask for something
	ready      []Event         // what comes before anything else is read
	rest       []message.Media // what an aggregate held
	restOf     uint32          // and on which message stream

	mu sync.Mutex // guards what follows, and the order of writes
	// output takes the messages in place of the socket.
	output    func(frame []byte) error
	chunkSize int // outgoing
	windowOut uint32
	buf       []byte
	writeErr  error
}

func newConn(nc net.Conn, cfg Config) *Conn {
	c := &Conn{nc: nc, cfg: cfg, begun: time.Now(), chunkSize: chunk.DefaultSize}
	c.control = bucket{rate: float64(cfg.ControlRate), level: 2 * float64(cfg.ControlRate), last: c.begun}
	if tcp, ok := nc.(*net.TCPConn); ok {
		_ = tcp.SetNoDelay(true) // whole messages are written at once; the default, said once more
	}
	return c
}

// NetConn is the connection underneath. It may be looked at; bytes that are
// read or written there break the protocol.
func (c *Conn) NetConn() net.Conn { return c.nc }

// BytesRead counts what came in on the socket, handshake included.
func (c *Conn) BytesRead() uint64 { return c.in.Load() }

// BytesWritten counts what the Conn itself wrote to the socket, handshake
// included. What went through SetOutput is counted there.
func (c *Conn) BytesWritten() uint64 { return c.out.Load() }

// Unread is how many bytes have come that Next has not made an event of. To be called
// by the reading goroutine.
func (c *Conn) Unread() int {
	n := c.chunks.Buffered()
	for _, m := range c.rest {
		n += len(m.Payload)
	}
	return n
}

// Close closes the connection. Reading and writing goroutines return with an
// error. Only the first call does anything.
func (c *Conn) Close() error {
	c.closing.Do(func() { c.closeErr = c.nc.Close() })
	return c.closeErr
}

// SetIdleTimeout makes reading fail (IsTimeout) when no byte has come for d. 0
// waits forever. NextRequest ends its effect.
func (c *Conn) SetIdleTimeout(d time.Duration) {
	c.idle.Store(int64(d))
	if d <= 0 {
		_ = c.nc.SetReadDeadline(time.Time{})
	}
}

// SetMaxMessage sets the longest video message that is taken after
// AcceptPublish, in place of Config.MaxVideo; audio is never allowed more than
// video. To be called before AcceptPublish.
func (c *Conn) SetMaxMessage(bytes int) { c.maxVideo = bytes }

// until sets an absolute deadline for reading.
func (c *Conn) until(t time.Time) error {
	c.idle.Store(0)
	if err := c.nc.SetReadDeadline(t); err != nil {
		return fmt.Errorf("rtmp: set deadline: %w", err)
	}
	return nil
}

// socket is the Conn as the chunk reader's source: it counts bytes, sends Acks
// while a long message is still coming in (some senders stop when the window is
// full), and moves the idle deadline.
type socket struct{ c *Conn }

func (s socket) Read(p []byte) (int, error) {
	c := s.c
	if d := time.Duration(c.idle.Load()); d > 0 {
		_ = c.nc.SetReadDeadline(time.Now().Add(d)) // fails only on a closed connection, as Read does
	}
	n, err := c.nc.Read(p)
	if n > 0 {
		in := c.in.Add(uint64(n))
		if c.window > 0 && in-c.acked >= c.window/2 {
			c.acked = in
			if werr := c.send(ack(uint32(in + c.ackBase))); werr != nil && err == nil {
				err = werr
			}
		}
	}
	return n, err
}

// startChunks begins the chunk stream, after the handshake.
func (c *Conn) startChunks(limits chunk.Limits) {
	c.chunks = chunk.NewReader(socket{c}, bufferIdle, limits)
}

// next returns the next message that is not for the connection itself. Those
// are dealt with here: above it they do not exist.
func (c *Conn) next() (chunk.Message, error) {
	for {
		m, err := c.chunks.Next()
		if err != nil {
			return chunk.Message{}, c.readError(err)
		}
		if err := c.admit(m.Type); err != nil {
			return chunk.Message{}, err
		}
		switch m.Type {
		case message.TypeAudio, message.TypeVideo, message.TypeAggregate,
			message.TypeData, message.TypeDataAMF3, message.TypeCommand, message.TypeCommandAMF3:
			return m, nil
		case message.TypeUserControl, message.TypeWindowAckSize, message.TypeSetPeerBandwidth:
			err = c.control4(m)
		default: // Ack, SetChunkSize, Abort; shared objects and types nobody knows
		}
		if err != nil {
			return chunk.Message{}, err
		}
	}
}

// admit holds the message limits: how many before the peer was accepted, how
// many a second afterwards.
func (c *Conn) admit(typ uint8) error {
	if c.unauth >= 0 {
		c.unauth++
		if c.unauth > c.cfg.UnauthMessages {
			return fmt.Errorf("rtmp: more than %d messages before publish or play: %w", c.cfg.UnauthMessages, ErrTooLarge)
		}
		if n := c.chunks.Consumed(); n > uint64(c.cfg.UnauthBytes) {
			return fmt.Errorf("rtmp: %d bytes before publish or play, at most %d allowed: %w", n, c.cfg.UnauthBytes, ErrTooLarge)
		}
	}
	switch typ {
	case message.TypeAudio, message.TypeVideo, message.TypeAggregate, message.TypeData, message.TypeDataAMF3:
		return nil
	}
	if !c.control.take(time.Now()) {
		return fmt.Errorf("rtmp: more than %d control messages a second: %w", c.cfg.ControlRate, ErrProtocol)
	}
	return nil
}

// readError makes the end of a connection whose peer had said goodbye a clean
// one, whatever way it took: encoders close with answers of ours unread, and
// that looks like a reset.
func (c *Conn) readError(err error) error {
	if c.said && !IsTimeout(err) {
		return io.EOF
	}
	if err == io.EOF { //nolint:errorlint // wrapped ones are not clean
		return io.EOF
	}
	return fmt.Errorf("rtmp: read: %w", err)
}

// bucket is a token bucket that holds two seconds' worth.
type bucket struct {
	rate, level float64
	last        time.Time
}

func (b *bucket) take(now time.Time) bool {
	if b.rate == 0 {
		return true // without limit
	}
	b.level = min(2*b.rate, b.level+now.Sub(b.last).Seconds()*b.rate)
	b.last = now
	if b.level < 1 {
		return false
	}
	b.level--
	return true
}
