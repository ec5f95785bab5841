package stream

import "testing"

// What the kernel holds for a player that does not read is little: it would be old
// when it arrives.
func TestLittleIsQueued(t *testing.T) {
	h := runHub(t, 1)
	p := publish(t, h, PublishOptions{Settings: withGOP})
	defer p.Close()
	near, _ := sockets(t, 0)
	s := attach(t, h, SubscribeOptions{Conn: rawConn(t, near)})
	defer s.Close()
	s.Start()
	write(t, p, keyFrame(0, 12<<20))
	eventually(t, "parked", s.parked.Load)
	n, ok := unacknowledged(s.wire)
	if !ok {
		t.Skip("this system does not tell what a peer has taken")
	}
	const way = 256 << 10 // on its way, and what a segment is longer
	if n > unsentLimit+way {
		t.Errorf("%d bytes wait in the kernel", n)
	}
}
