package flv

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bytesOf turns hexadecimal digits with spaces, and quoted text among them, into bytes.
func bytesOf(tb testing.TB, s string) []byte {
	tb.Helper()
	var out []byte
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			out = append(out, part...)
			continue
		}
		b, err := hex.DecodeString(strings.ReplaceAll(part, " ", ""))
		if err != nil {
			tb.Fatalf("%q: %v", s, err)
		}
		out = append(out, b...)
	}
	return out
}

// samples returns the folder of the sample media, which lie beside the repository.
func samples(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("PENSTOCK_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "samples")
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no sample media in %s: set PENSTOCK_SHARED to the folder that has samples/", dir)
	}
	return dir
}
