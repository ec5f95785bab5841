package handshake

import (
	"crypto/hmac"
	"crypto/sha256"
	"io"
)

// The keys are ASCII text, for second packets followed by 32 bytes that all
// implementations share.
const (
	clientKey     = "Genuine Adobe Flash Player 001"
	serverKey     = "Genuine Adobe Flash Media Server 001"
	clientKeyLong = clientKey + sharedKey
	serverKeyLong = serverKey + sharedKey

	sharedKey = "\xF0\xEE\xC2\x4A\x80\x68\xBE\xE8\x2E\x00\xD0\xD1\x02\x9E\x7E\x57" +
		"\x6E\xEC\x5D\x2D\x29\x80\x6F\xAB\x93\xB8\xE6\x36\xCF\xEB\x31\xAE"

	// Version words, bytes 4 to 8: those of FFmpeg and nginx-rtmp.
	clientVersion = "\x09\x00\x7C\x02"
	serverVersion = "\x0D\x0E\x0A\x0D"
)

// scheme says where the four bytes lie whose sum places the digest, and where
// the 728 places it may have begin.
//
//	scheme 0   head 8 │ digest block: 4 offset bytes, 760 │ key block 764
//	scheme 1   head 8 │ key block 764 │ digest block: 4 offset bytes, 760
type scheme struct{ offset, base int }

// schemes are the two there are, in the order in which to try them.
//
// A client sends scheme 0: FMS takes no other.
func schemes() [2]scheme { return [...]scheme{{8, 12}, {772, 776}} }

// place is where the digest is. The bytes are summed, not read as a number.
func (s scheme) place(b []byte) int {
	sum := 0
	for _, v := range b[s.offset : s.offset+4] {
		sum += int(v)
	}
	return sum%728 + s.base
}

// mac is HMAC-SHA256 over the parts.
func mac(key string, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, []byte(key))
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// find looks for the digest in a C1 or S1. ok is false where there is none: the
// version word is zero, or no scheme's digest is right (Larix sends such).
func find(b []byte, key string) (sch scheme, digest []byte, ok bool) {
	if len(b) != Size || b[4]|b[5]|b[6]|b[7] == 0 {
		return scheme{}, nil, false
	}
	for _, sch := range schemes() {
		at := sch.place(b)
		digest := b[at : at+sha256.Size]
		if hmac.Equal(digest, mac(key, b[:at], b[at+sha256.Size:])) {
			return sch, digest, true
		}
	}
	return scheme{}, nil, false
}

// sign puts the digest into a C1 or S1.
func sign(b []byte, sch scheme, key string) {
	at := sch.place(b)
	copy(b[at:], mac(key, b[:at], b[at+sha256.Size:]))
}

// seal makes a C2 or S2 that answers first, a packet with the given digest: its
// time, random bytes, and a digest over them whose key comes from that of first.
// The time is there because some origins look for it.
func seal(b, first, digest []byte, key string, random io.Reader) error {
	body, end := b[:Size-sha256.Size], b[Size-sha256.Size:]
	copy(body, first[:4])
	if _, err := io.ReadFull(random, body[4:]); err != nil {
		return err
	}
	copy(end, mac(string(mac(key, digest)), body))
	return nil
}
