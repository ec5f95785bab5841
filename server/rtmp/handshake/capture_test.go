package handshake

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Digests that FFmpeg, nginx-rtmp and mpv made and took.
func TestCaptures(t *testing.T) {
	dir := os.Getenv("PENSTOCK_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "samples", "captures", "*.c2s.bin"))
	if err != nil || len(paths) == 0 {
		t.Skipf("captures are missing in %s", dir)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".c2s.bin")
		t.Run(name, func(t *testing.T) {
			c2s, s2c := packets(t, path), packets(t, strings.TrimSuffix(path, ".c2s.bin")+".s2c.bin")
			c1, c2 := c2s[:Size], c2s[Size:]
			s1, s2 := s2c[:Size], s2c[Size:]
			digest := false
			for _, client := range []string{"ffmpeg", "nginxrtmp", "mpv"} {
				digest = digest || strings.HasPrefix(name, client)
			}
			sch, c1Digest, ok := find(c1, clientKey)
			if ok != digest {
				t.Fatalf("digest in C1: %v, want %v", ok, digest)
			}
			if !digest {
				if !bytes.Equal(s1[8:], c1[8:]) || !bytes.Equal(s2[8:], c1[8:]) {
					t.Error("nginx-rtmp was expected to answer with copies of C1")
				}
				return
			}
			if sch != schemes()[0] {
				t.Errorf("scheme %v", sch)
			}
			_, s1Digest, ok := find(s1, serverKey)
			if !ok {
				t.Fatal("no digest in S1")
			}
			if !sealed(s2, c1Digest, serverKeyLong) {
				t.Error("S2 does not answer C1")
			}
			// FFmpeg echoes S1 when it publishes, and answers it when it plays.
			echoes := strings.HasPrefix(name, "ffmpeg") && strings.Contains(name, "_publish_")
			if sealed(c2, s1Digest, clientKeyLong) == echoes || bytes.Equal(c2, s1) != echoes {
				t.Errorf("C2: an echo was expected: %v", echoes)
			}
			// What we answer to the same C1 is of the same kind.
			answer, err := Respond(c1, 1, random())
			if err != nil {
				t.Fatal(err)
			}
			if _, _, ok := find(answer[1:1+Size], serverKey); !ok || !sealed(answer[1+Size:], c1Digest, serverKeyLong) {
				t.Error("our answer has no digest")
			}
		})
	}
}

// packets are C1 and C2, or S1 and S2.
func packets(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) < 1+2*Size || b[0] != Version {
		t.Fatalf("%s is no capture of a handshake", path)
	}
	return b[1 : 1+2*Size]
}
