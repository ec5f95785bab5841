package handshake

import (
	"crypto/hmac"
	"crypto/sha256"
	"io"
)

// The keys are ASCII text, for second packets followed by 32 bytes that all
// implementations share.
var (
	clientKey     = []byte("Genuine Adobe Flash Player 001")
	serverKey     = []byte("Genuine Adobe Flash Media Server 001")
	clientKeyLong = append(clientKey[:len(clientKey):len(clientKey)], sharedKey[:]...)
	serverKeyLong = append(serverKey[:len(serverKey):len(serverKey)], sharedKey[:]...)

	sharedKey = [...]byte{
		0xF0, 0xEE, 0xC2, 0x4A, 0x80, 0x68, 0xBE, 0xE8, 0x2E, 0x00, 0xD0, 0xD1, 0x02, 0x9E, 0x7E, 0x57,
		0x6E, 0xEC, 0x5D, 0x2D, 0x29, 0x80, 0x6F, 0xAB, 0x93, 0xB8, 0xE6, 0x36, 0xCF, 0xEB, 0x31, 0xAE,
	}

	// Version words, bytes 4 to 8: those of FFmpeg and nginx-rtmp.
	clientVersion = [...]byte{0x09, 0x00, 0x7C, 0x02}
	serverVersion = [...]byte{0x0D, 0x0E, 0x0A, 0x0D}
)

// scheme says where the four bytes lie whose sum places the digest, and where
// the 728 places it may have begin.
//
//	scheme 0   head 8 │ digest block: 4 offset bytes, 760 │ key block 764
//	scheme 1   head 8 │ key block 764 │ digest block: 4 offset bytes, 760
type scheme struct{ offset, base int }

var schemes = [...]scheme{{8, 12}, {772, 776}}

// place is where the digest is. The bytes are summed, not read as a number.
func (s scheme) place(b []byte) int {
	sum := 0
	for _, v := range b[s.offset : s.offset+4] {
		sum += int(v)
	}
	return sum%728 + s.base
}

// mac is HMAC-SHA256 over the parts.
func mac(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// find looks for the digest in a C1 or S1. ok is false where there is none: the
// version word is zero, or no scheme's digest is right (Larix sends such).
func find(b, key []byte) (sch scheme, digest []byte, ok bool) {
	if len(b) != Size || b[4]|b[5]|b[6]|b[7] == 0 {
		return scheme{}, nil, false
	}
	for _, sch := range schemes {
		at := sch.place(b)
		digest := b[at : at+sha256.Size]
		if hmac.Equal(digest, mac(key, b[:at], b[at+sha256.Size:])) {
			return sch, digest, true
		}
	}
	return scheme{}, nil, false
}

// sign puts the digest into a C1 or S1.
func sign(b []byte, sch scheme, key []byte) {
	at := sch.place(b)
	copy(b[at:], mac(key, b[:at], b[at+sha256.Size:]))
}

// seal makes a C2 or S2 that answers first, a packet with the given digest: its
// time, random bytes, and a digest over them whose key comes from that of first.
// The time is there because some origins look for it.
func seal(b, first, digest, key []byte, random io.Reader) error {
	body, end := b[:Size-sha256.Size], b[Size-sha256.Size:]
	copy(body, first[:4])
	if _, err := io.ReadFull(random, body[4:]); err != nil {
		return err
	}
	copy(end, mac(mac(key, digest), body))
	return nil
}
