package chunk

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

const handshakeSize = 1 + 2*1536

// samples is the directory with captures and vectors of real clients, which are
// kept beside the repository.
func samples(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("PENSTOCK_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "samples")
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("captures and vectors are missing: no %s", dir)
	}
	return dir
}

// pieces hands out at most n bytes a read.
type pieces struct {
	r io.Reader
	n int
}

func (p pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), p.n)]) }

var dissected = regexp.MustCompile(`^@0x[0-9a-f]+ fmt\d csid=(\d+) ts=(\d+) .*?\w+\((\d+)\) .*?msid=(\d+) len=(\d+) `)

// dissection reads the first messages of a capture as another program saw them.
func dissection(t *testing.T, path string) []got {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []got
	for line := range strings.Lines(string(text)) {
		m := dissected.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var n [5]uint64
		for i := range n {
			if n[i], err = strconv.ParseUint(m[i+1], 10, 32); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, got{uint32(n[0]), uint32(n[1]), uint8(n[2]), uint32(n[3]), int(n[4])})
	}
	return all
}

// C-07, S2-04, S2-07: what real clients and servers sent comes out as another program read it, and
// the same whatever the network cuts it into.
func TestCaptures(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(samples(t), "captures", "*.bin"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".bin"), func(t *testing.T) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(b) < handshakeSize {
				t.Fatal("shorter than a handshake")
			}
			b = b[handshakeSize:]
			read := func(src io.Reader) string {
				r := NewReader(src, 4096, Limits{})
				var list strings.Builder
				for {
					m, err := r.Next()
					if err != nil {
						fmt.Fprintln(&list, err)
						return list.String()
					}
					fmt.Fprintf(&list, "%+v %x\n", m.Header, m.Payload)
				}
			}
			whole := read(bytes.NewReader(b))
			if read(iotest.OneByteReader(bytes.NewReader(b))) != whole {
				t.Error("another list byte by byte")
			}
			if read(pieces{bytes.NewReader(b), 1460}) != whole {
				t.Error("another list in segments of 1460 bytes")
			}
			if !strings.HasSuffix(whole, "EOF\n") {
				t.Errorf("ended with %q", whole[strings.LastIndexByte(strings.TrimSpace(whole), '\n')+1:])
			}

			all, _ := readAll(NewReader(bytes.NewReader(b), 0, Limits{}))
			want := dissection(t, strings.TrimSuffix(path, ".bin")+".txt")
			if diff := cmp.Diff(want, all[:min(len(all), len(want))]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// C-07, C-09, C-11, C-12, C-13, C-15, C-17, C-29: the vectors of the interoperability cases, whose names they bear.
func TestVectors(t *testing.T) {
	dir := filepath.Join(samples(t), "vectors")
	for name, want := range map[string][]got{
		"C-07_fmt3_new_message":             {{4, 10, 9, 1, 2}, {4, 50, 9, 1, 2}, {4, 90, 9, 1, 2}, {4, 130, 9, 1, 2}},
		"C-09_ext_delta_fmt1":               {{4, 11000, 9, 1, 128}, {4, 16787216, 9, 1, 128}},
		"C-11a_ext_on_continuation":         {{4, 20000000, 9, 1, 200}, {4, 20000040, 9, 1, 5}},
		"C-11b_ext_omitted_on_continuation": {{4, 20000000, 9, 1, 200}, {4, 20000040, 9, 1, 5}},
		"C-11c_ext_delta_continuation":      {{6, 0, 9, 1, 5}, {6, 20000000, 9, 1, 300}},
		"C-12_abort":                        {{2, 0, 2, 0, 4}, {6, 140, 9, 1, 5}},
		"C-13_interleave":                   {{4, 101, 8, 1, 200}, {6, 100, 9, 1, 300}},
		"C-15_virgin_fmt1_ping_response":    {{2, 0, 4, 0, 6}, {4, 5, 9, 1, 5}},
		"C-17_chunk_sizes":                  {{2, 0, 1, 0, 4}, {4, 0, 9, 1, 3}},
		"C-17b_chunk_size_huge":             {{2, 0, 1, 0, 4}, {4, 0, 9, 1, 300}},
		"C-21_unterminated_array":           {{4, 0, 18, 1, 34}},
		"C-29_zero_length": {
			{4, 0, 8, 1, 0}, {6, 0, 9, 1, 0}, {6, 0, 9, 1, 0}, {5, 0, 18, 1, 0}, {7, 3, 9, 1, 5},
		},
		"C-36_negative_cts":         {{6, 1000, 9, 1, 6}},
		"C-38b_wrap_32bit":          {{6, 0xFFFFFFF0, 9, 1, 5}, {6, 24, 9, 1, 5}},
		"C-39_empty_asc":            {{4, 0, 8, 1, 2}, {4, 0, 8, 1, 4}},
		"C-49_colorinfo_frametype5": {{6, 0, 9, 1, 38}},
		"agg_rebase":                {{6, 900, 22, 1, 57}},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join(dir, name+".bin"))
			if err != nil {
				t.Fatal(err)
			}
			all, err := readAll(NewReader(bytes.NewReader(b), 0, Limits{}))
			if err != io.EOF { //nolint:errorlint // wrapped would be another
				t.Errorf("ended with %v", err)
			}
			if diff := cmp.Diff(want, all); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("C-11 payloads are the same", func(t *testing.T) {
		var payloads [2][]byte
		for i, name := range []string{"C-11a_ext_on_continuation", "C-11b_ext_omitted_on_continuation"} {
			b, err := os.ReadFile(filepath.Join(dir, name+".bin"))
			if err != nil {
				t.Fatal(err)
			}
			m, err := NewReader(bytes.NewReader(b), 0, Limits{}).Next()
			if err != nil {
				t.Fatal(err)
			}
			payloads[i] = m.Payload
		}
		if !bytes.Equal(payloads[0], payloads[1]) {
			t.Error("they are not")
		}
	})
}
