package feed

import (
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"
)

// client is one socket: a reader, which is the request's own goroutine, and a
// writer, which takes from a queue that Run fills without ever waiting.
type client struct {
	feed   *Feed
	viewer Viewer
	wake   chan struct{} // the queue has something, or the end has come
	done   chan struct{} // closed when the reader has ended

	mu      sync.Mutex
	queue   []*message // guarded by mu
	writing bool       // guarded by mu; a message is on its way
	behind  bool       // guarded by mu; messages were thrown away, snapshots have to follow
	ended   bool       // guarded by mu
	code    int        // guarded by mu; why it has to end
	why     string     // guarded by mu
}

func newClient(f *Feed, v Viewer) *client {
	return &client{feed: f, viewer: v, wake: make(chan struct{}, 1), done: make(chan struct{})}
}

// key names a topic as the client sees it.
func (c *client) key(topic string) topicKey { return topicKey{c.viewer.Audience, topic} }

// push queues a message. When the queue is full the client is too slow: all of
// it is thrown away, and snapshots follow once it has caught up.
func (c *client) push(m *message) {
	c.mu.Lock()
	switch {
	case c.ended || c.behind:
	case len(c.queue) >= queueLength:
		c.queue, c.behind = nil, true
	default:
		c.queue = append(c.queue, m)
	}
	c.mu.Unlock()
	c.ring()
}

// recovered says, once, that a client that was behind has caught up.
func (c *client) recovered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.behind || c.writing || c.ended {
		return false
	}
	c.behind = false
	return true
}

// close makes the writer say why and end.
func (c *client) close(code int, why string) {
	c.mu.Lock()
	if !c.ended {
		c.ended, c.code, c.why, c.queue = true, code, why, nil
	}
	c.mu.Unlock()
	c.ring()
}

func (c *client) ring() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// next takes a message off the queue.
func (c *client) next() (m *message, ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writing = false
	if len(c.queue) > 0 {
		m, c.queue, c.writing = c.queue[0], c.queue[1:], true
	}
	return m, c.ended
}

// complain tells the client what was wrong with what it asked.
func (c *client) complain(topic, code, detail string) {
	m, err := prepare(topic, 0, Error{Type: "error", Topic: topic, Code: code, Detail: detail})
	if err == nil {
		c.push(m)
	}
}

// serve reads until the socket ends, with the writer beside it. It closes conn.
func (c *client) serve(conn *websocket.Conn) {
	conn.SetReadLimit(int64(c.feed.cfg.MaxMessage))
	hello, err := prepare("", 0, Hello{
		Type: "hello", Epoch: c.feed.epoch(c.viewer.Audience), ServerTime: time.Now().UTC(),
		TickMS: int(c.feed.cfg.Tick / time.Millisecond), Topics: c.feed.names(),
	})
	if err != nil {
		conn.Close()
		return
	}
	c.push(hello)
	var writer sync.WaitGroup
	writer.Go(func() { c.write(conn) })
	c.read(conn)
	close(c.done)
	writer.Wait()
}

// read takes what the client sends until the socket ends.
func (c *client) read(conn *websocket.Conn) {
	frames := rate.NewLimiter(framesASecond, framesASecond)
	alive := func(string) error { return conn.SetReadDeadline(time.Now().Add(readPatience)) }
	conn.SetPongHandler(alive)
	if alive("") != nil {
		return
	}
	for {
		kind, b, err := readFrame(conn, c.feed.cfg.MaxMessage)
		if errors.Is(err, websocket.ErrReadLimit) {
			c.close(websocket.CloseMessageTooBig, "frames may have 16 KiB")
		}
		if err != nil {
			return
		}
		if !frames.Allow() {
			c.close(websocket.ClosePolicyViolation, "20 frames a second at most")
			continue // the writer ends the socket
		}
		var s Sub
		if kind != websocket.TextMessage || json.Unmarshal(b, &s) != nil || (s.Type != "sub" && s.Type != "unsub") || s.Topic == "" {
			c.complain("", "bad_message", `Send {"type":"sub","topic":"streams"}.`)
			continue
		}
		if !c.feed.ask(command{from: c, sub: s}) {
			return
		}
	}
}

// readFrame reads a message of at most so many bytes. The limit of the socket is
// for the bytes on the wire, which can be a thousand times fewer when they are
// compressed.
func readFrame(conn *websocket.Conn, most int) (kind int, b []byte, err error) {
	kind, r, err := conn.NextReader()
	if err != nil {
		return kind, nil, err //nolint:wrapcheck // the caller asks which one it is
	}
	if b, err = io.ReadAll(io.LimitReader(r, int64(most)+1)); err == nil && len(b) > most {
		err = websocket.ErrReadLimit
	}
	return kind, b, err //nolint:wrapcheck // as above
}

// write empties the queue into the socket until either ends. It closes conn,
// which ends the reader.
func (c *client) write(conn *websocket.Conn) {
	defer conn.Close()
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		m, ended := c.next()
		switch {
		case ended:
			c.goodbye(conn)
			return
		case m != nil:
			patience := writePatience + time.Duration(m.bytes/slowestBytes)*time.Second
			if conn.SetWriteDeadline(time.Now().Add(patience)) != nil || conn.WritePreparedMessage(m.prepared) != nil {
				return
			}
			continue
		}
		select {
		case <-c.wake:
		case <-c.done:
			c.goodbye(conn)
			return
		case <-ping.C:
			if conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writePatience)) != nil {
				return
			}
		}
	}
}

// goodbye says why the socket ends, if there is a reason to say.
func (c *client) goodbye(conn *websocket.Conn) {
	c.mu.Lock()
	code, why := c.code, c.why
	c.mu.Unlock()
	if code == 0 {
		return
	}
	text := websocket.FormatCloseMessage(code, why)
	_ = conn.WriteControl(websocket.CloseMessage, text, time.Now().Add(time.Second)) // the peer may be gone
}
