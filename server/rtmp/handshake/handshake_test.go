package handshake

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

func random() io.Reader { return rand.NewChaCha8([32]byte{1}) }

// c1 is a C1 with a digest of the given scheme.
func c1(tb testing.TB, sch scheme) []byte {
	tb.Helper()
	b := make([]byte, Size)
	if err := fill(b, 7, random()); err != nil {
		tb.Fatal(err)
	}
	copy(b[4:8], []byte{0x80, 0, 7, 2})
	sign(b, sch, clientKey)
	return b
}

// C-03.
func TestCheckVersion(t *testing.T) {
	if err := CheckVersion(3); err != nil {
		t.Error(err)
	}
	for first, what := range map[byte]string{
		6: "RTMPE", 8: "RTMPE", 9: "RTMPE",
		'G': "HTTP", 'P': "HTTP", 'H': "HTTP", 'O': "HTTP",
		0x16: "TLS",
		0:    "unknown", 0xFF: "unknown", 31: "unknown",
	} {
		err := CheckVersion(first)
		nr, ok := errors.AsType[*NotRTMPError](err)
		if !ok || nr.What != what || nr.First != first || !errors.Is(err, ErrNotRTMP) {
			t.Errorf("0x%02x: %v, want %s", first, err, what)
		}
	}
}

// C-02, C-05.
func TestRespondSimple(t *testing.T) {
	zero := c1(t, schemes()[0])
	copy(zero[4:8], []byte{0, 0, 0, 0})
	wrong := c1(t, schemes()[0])
	wrong[1000] ^= 1 // Larix sends such
	for name, c1 := range map[string][]byte{"version zero": zero, "digest wrong": wrong} {
		b, err := Respond(c1, 0x01020304, random())
		if err != nil {
			t.Fatal(err)
		}
		if len(b) != 1+2*Size || b[0] != Version {
			t.Fatalf("%s: %d bytes, version %d", name, len(b), b[0])
		}
		s1, s2 := b[1:1+Size], b[1+Size:]
		if !bytes.Equal(s1[:8], []byte{1, 2, 3, 4, 0, 0, 0, 0}) {
			t.Errorf("%s: S1 begins %x", name, s1[:8])
		}
		if !bytes.Equal(s2, c1) {
			t.Errorf("%s: S2 is not C1", name)
		}
	}
}

// S0-03, C-04: both schemes, without a Diffie-Hellman key.
func TestRespondDigest(t *testing.T) {
	for i, sch := range schemes() {
		c1 := c1(t, sch)
		b, err := Respond(c1, 1, random())
		if err != nil {
			t.Fatal(err)
		}
		s1, s2 := b[1:1+Size], b[1+Size:]
		got, digest, ok := find(s1, serverKey)
		if !ok || got != sch {
			t.Errorf("scheme %d: S1 has scheme %v, %v", i, got, ok)
		}
		_, c1Digest, _ := find(c1, clientKey)
		if !sealed(s2, c1Digest, serverKeyLong) {
			t.Errorf("scheme %d: S2 does not answer C1", i)
		}
		if !bytes.Equal(s2[:4], c1[:4]) {
			t.Errorf("scheme %d: S2 has another time", i)
		}
		c2, err := Reply(s1, random(), true)
		if err != nil {
			t.Fatal(err)
		}
		if !sealed(c2, digest, clientKeyLong) {
			t.Errorf("scheme %d: C2 does not answer S1", i)
		}
	}
}

// sealed checks the digest at the end of a C2 or S2.
func sealed(b, digest []byte, key string) bool {
	at := Size - sha256.Size
	return bytes.Equal(b[at:], mac(string(mac(key, digest)), b[:at]))
}

// C-06: our own two sides understand each other, and C2 has S1's time.
func TestHello(t *testing.T) {
	for _, digest := range []bool{false, true} {
		hello, err := Hello(5, random(), digest)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, ok := find(hello[1:], clientKey); len(hello) != 1+Size || hello[0] != Version || ok != digest {
			t.Errorf("digest %v: %d bytes, version %d, found %v", digest, len(hello), hello[0], ok)
		}
		answer, err := Respond(hello[1:], 6, random())
		if err != nil {
			t.Fatal(err)
		}
		s1 := answer[1 : 1+Size]
		c2, err := Reply(s1, random(), digest)
		if err != nil {
			t.Fatal(err)
		}
		if echo := bytes.Equal(c2, s1); echo == digest {
			t.Errorf("digest %v: C2 is an echo: %v", digest, echo)
		}
		if !bytes.Equal(c2[:4], s1[:4]) {
			t.Errorf("digest %v: C2 has another time than S1", digest)
		}
	}
}

// C-01: a server without digest gets an echo, even if C1 had one (nginx-rtmp in simple
// mode answers with C1 itself).
func TestReplyFallsBack(t *testing.T) {
	c1 := c1(t, schemes()[0])
	c2, err := Reply(c1, random(), true)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(c2, c1) {
		t.Error("no echo")
	}
}

func TestNoRandom(t *testing.T) {
	boom := errors.New("boom")
	bad := iotest.ErrReader(boom)
	if _, err := Hello(0, bad, false); !errors.Is(err, boom) {
		t.Error(err)
	}
	if _, err := Respond(make([]byte, Size), 0, bad); !errors.Is(err, boom) {
		t.Error(err)
	}
	half := io.MultiReader(io.LimitReader(random(), Size-8), bad)
	if _, err := Respond(c1(t, schemes()[1]), 0, half); !errors.Is(err, boom) {
		t.Error(err)
	}
	s1 := make([]byte, Size)
	s1[4] = 1
	sign(s1, schemes()[0], serverKey)
	if _, err := Reply(s1, bad, true); !errors.Is(err, boom) {
		t.Error(err)
	}
}

// Whatever a peer sends as C1 or S1 is answered.
func FuzzRespond(f *testing.F) {
	f.Add(c1(f, schemes()[0]), true)
	f.Add(c1(f, schemes()[1]), false)
	f.Add(make([]byte, Size), true)
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"), false)
	f.Fuzz(func(t *testing.T, b []byte, digest bool) {
		first := make([]byte, Size)
		copy(first, b)
		answer, err := Respond(first, 1, random())
		if err != nil {
			t.Fatal(err)
		}
		if len(answer) != 1+2*Size {
			t.Fatalf("%d bytes", len(answer))
		}
		_, _, hasDigest := find(first, clientKey)
		if _, _, ok := find(answer[1:1+Size], serverKey); ok != hasDigest {
			t.Fatalf("digest in C1 %v, in S1 %v", hasDigest, ok)
		}
		if c2, err := Reply(first, random(), digest); err != nil || len(c2) != Size {
			t.Fatalf("%d bytes, %v", len(c2), err)
		}
	})
}
