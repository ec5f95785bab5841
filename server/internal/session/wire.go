package session

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// wire is the connection under a session. It counts, knows when the peer last
// said something, and can be interrupted: from then on reads fail at once,
// whatever deadlines the protocol sets.
type wire struct {
	net.Conn

	born    time.Time
	in, out atomic.Uint64
	unread  atomic.Int64 // bytes that came after the end and were forgotten
	heard   atomic.Int64 // when the last byte came, as time since born

	mu sync.Mutex
	// guarded by mu
	interrupted bool
	writing     bool // a write deadline is set

	shared bool // there is a descriptor, which may be the fan-out's
}

func newWire(nc net.Conn) *wire {
	_, shared := nc.(syscall.Conn)
	return &wire{Conn: nc, born: time.Now(), shared: shared}
}

// Read implements net.Conn.
func (w *wire) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	if n > 0 {
		w.in.Add(uint64(n))
		w.heard.Store(int64(time.Since(w.born)))
	}
	return n, err
}

// Write implements net.Conn.
func (w *wire) Write(b []byte) (int, error) {
	n, err := w.Conn.Write(b)
	w.out.Add(uint64(n))
	return n, err
}

// quiet is for how long the peer has said nothing.
func (w *wire) quiet() time.Duration {
	return time.Since(w.born) - time.Duration(w.heard.Load())
}

// SyscallConn implements syscall.Conn where the connection below does.
func (w *wire) SyscallConn() (syscall.RawConn, error) {
	sc, ok := w.Conn.(syscall.Conn)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return sc.SyscallConn()
}

// interrupt makes the present read and all later ones fail. Writes get a moment
// more, to say goodbye in. The write deadline of a socket that may be the fan-out's is
// left alone; reading from one under TLS can write, and has to end too.
func (w *wire) interrupt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.interrupted = true
	_ = w.Conn.SetReadDeadline(time.Unix(1, 0))
	if w.writing || !w.shared {
		_ = w.Conn.SetWriteDeadline(time.Now().Add(farewellTimeout))
	}
}

// SetReadDeadline implements net.Conn.
func (w *wire) SetReadDeadline(t time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.interrupted {
		return nil
	}
	return w.Conn.SetReadDeadline(t)
}

// SetWriteDeadline implements net.Conn.
func (w *wire) SetWriteDeadline(t time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writing = !t.IsZero()
	if latest := time.Now().Add(farewellTimeout); w.interrupted && w.writing && t.After(latest) {
		t = latest
	}
	return w.Conn.SetWriteDeadline(t)
}

// SetDeadline implements net.Conn.
func (w *wire) SetDeadline(t time.Time) error {
	if err := w.SetReadDeadline(t); err != nil {
		return err
	}
	return w.SetWriteDeadline(t)
}

// Close implements net.Conn. TLS takes up to 5 s to say the end to a peer that does not
// read; it gets less.
func (w *wire) Close() error {
	if under, ok := w.Conn.(interface{ NetConn() net.Conn }); ok {
		cut := time.AfterFunc(farewellTimeout, func() { _ = under.NetConn().Close() })
		defer cut.Stop()
	}
	return w.Conn.Close()
}

// CloseWrite ends our side, where the connection below has two: behind what it was
// told last, the peer sees the end.
func (w *wire) CloseWrite() error {
	half, ok := w.Conn.(interface{ CloseWrite() error })
	if !ok {
		return errors.ErrUnsupported
	}
	return half.CloseWrite()
}

// linger reads and forgets what the peer still sends until it closes, or for a moment.
// A close with unread bytes would reset the connection, and the peer might never
// see what it was told.
func (w *wire) linger() {
	_ = w.Conn.SetReadDeadline(time.Now().Add(lingerFor))
	var sink [512]byte
	for {
		n, err := w.Conn.Read(sink[:])
		w.unread.Add(int64(n))
		if err != nil {
			return
		}
	}
}
