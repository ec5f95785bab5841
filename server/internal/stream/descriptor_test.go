package stream

import (
	"crypto/tls"
	"net"
	"testing"
)

func TestDescriptor(t *testing.T) {
	near, _ := sockets(t, 0)
	if Descriptor(near) == nil || Beneath(near) == nil {
		t.Error("a socket has no descriptor")
	}
	secure := tls.Client(near, &tls.Config{MinVersion: tls.VersionTLS12})
	if Descriptor(secure) != nil {
		t.Error("bytes would go past TLS")
	}
	if _, ok := unacknowledged(Beneath(secure)); !ok && directWrites {
		t.Error("nothing is found beneath TLS")
	}
	type hidden struct{ net.Conn }
	if Descriptor(hidden{near}) != nil || Beneath(hidden{near}) != nil {
		t.Error("something is found where it was hidden")
	}
}
