package codec

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// Parameter sets of a real encoder: 320x180, Constrained Baseline; 25 frames a second.
const (
	spsHex  = "6742c00ddaa0a0bfe7011000000300100000030320f142aa"
	sps2Hex = "6742c01fdaa0a0bfe7011000000300100000030320f142aa"
	ppsHex  = "68ce0fc8"
)

// stream is units with start codes in front; words are hexadecimal.
func stream(tb testing.TB, units ...string) []byte {
	tb.Helper()
	var b []byte
	for i, u := range units {
		if i%2 == 0 {
			b = append(b, 0) // both lengths of start code
		}
		n, err := hex.DecodeString(u)
		if err != nil {
			tb.Fatal(err)
		}
		b = append(append(b, 0, 0, 1), n...)
	}
	return b
}

// list says units in a line: what is new, key frames, the heads of NAL units.
func list(u *UnitReader) (string, error) {
	var out []string
	for {
		unit, err := u.Next()
		if err != nil {
			return strings.Join(out, "|"), err
		}
		s := ""
		if unit.Config != nil {
			s = "config+"
		}
		if unit.Key {
			s += "key"
		}
		for _, nal := range unit.NALs {
			s += fmt.Sprintf("/%x", nal[0])
		}
		out = append(out, s)
	}
}

// S2-28: the configuration is told with the first picture behind both parameter sets, and
// again only when one of them changed; pictures are cut where they begin.
func TestAVCUnits(t *testing.T) {
	const idr, second, inter, sei, aud, filler = "6588aa", "6548aa", "4188aa", "0605aa", "0910", "0cff"
	for name, c := range map[string]struct {
		units []string
		want  string
	}{
		"sets, a key frame, others":          {[]string{spsHex, ppsHex, idr, inter, inter}, "config+key/65|/41|/41"},
		"slices of one picture":              {[]string{spsHex, ppsHex, idr, second, inter, "4148bb"}, "config+key/65/65|/41/41"},
		"SEI belongs to what follows":        {[]string{spsHex, ppsHex, sei, idr, sei, inter}, "config+key/6/65|/6/41"},
		"delimiters and filler are left out": {[]string{aud, spsHex, ppsHex, idr, filler, aud, inter, "0b"}, "config+key/65|/41"},
		"no PPS: nothing":                    {[]string{spsHex, idr, inter}, ""},
		"no SPS: nothing":                    {[]string{ppsHex, idr, inter}, ""},
		"the PPS comes late":                 {[]string{spsHex, idr, inter, ppsHex, idr, inter}, "config+key/65|/41"},
		"the same sets at each key frame":    {[]string{spsHex, ppsHex, idr, inter, spsHex, ppsHex, idr, inter}, "config+key/65|/41|key/65|/41"},
		"another SPS":                        {[]string{spsHex, ppsHex, idr, sps2Hex, ppsHex, idr, inter}, "config+key/65|config+key/65|/41"},
		"another PPS":                        {[]string{spsHex, ppsHex, idr, "68ce0fc9", idr}, "config+key/65|config+key/65"},
		"a second PPS":                       {[]string{spsHex, ppsHex, "685e0fc9", idr}, "config+key/65"},
		"an SPS that cannot be read":         {[]string{"6742c0", ppsHex, idr}, ""},
		"sets without pictures":              {[]string{spsHex, ppsHex}, ""},
		"nothing":                            {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := stream(t, c.units...)
			for how, r := range map[string]io.Reader{"whole": bytes.NewReader(b), "byte by byte": iotest.OneByteReader(bytes.NewReader(b))} {
				got, err := list(NewAVCReader(r))
				if got != c.want || !errors.Is(err, io.EOF) {
					t.Errorf("%s: %q, %v; want %q", how, got, err, c.want)
				}
			}
		})
	}
}

// What is made of parameter sets says what they say.
func TestAVCRecord(t *testing.T) {
	r := NewAVCReader(bytes.NewReader(stream(t, spsHex, ppsHex, "6588aa")))
	u, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	c, err := ParseAVC(u.Config)
	if err != nil || c.Profile != "Constrained Baseline" || c.LengthSize != 4 || c.Width == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if got := u.AppendNALs([]byte{7}); !bytes.Equal(got, []byte{7, 0, 0, 0, 3, 0x65, 0x88, 0xAA}) {
		t.Errorf("% x", got)
	}
	if r.FrameRate() < 0 {
		t.Error(r.FrameRate())
	}
}

// Pictures that are decoded I, P, B1, B2 are shown I, B1, B2, P; order counts wrap.
func TestOrder(t *testing.T) {
	for name, c := range map[string]struct {
		lsbs   []int
		counts string // x where a picture counts
		want   []int
	}{
		"in order":       {[]int{0, 2, 4, 6}, "xxxx", []int{2, 2, 2, 2}},
		"two B":          {[]int{0, 6, 2, 4, 12, 8, 10}, "xx--x--", []int{2, 4, 1, 1, 4, 1, 1}},
		"over the wrap":  {[]int{0, 4, 8, 12, 0, 4}, "xxxxxx", []int{2, 3, 4, 5, 5, 5}},
		"nonsense stays": {[]int{0, 14, 1, 15}, "xxxx", []int{2, 0, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var o order
			var got []int
			for i, lsb := range c.lsbs {
				got = append(got, o.shown(lsb, 4, 2, 2, i == 0, c.counts[i] == 'x'))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRawFilesThatAreNone(t *testing.T) {
	long := bytes.Repeat([]byte{7}, 70<<10)
	for name, b := range map[string][]byte{"text": []byte("hello"), "long": long, "something in front": append([]byte{1}, stream(t, "6588")...)} {
		if _, err := NewAVCReader(bytes.NewReader(b)).Next(); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	boom := errors.New("boom")
	for _, r := range []interface{ Next() (Unit, error) }{NewAVCReader(iotest.ErrReader(boom)), NewHEVCReader(iotest.ErrReader(boom))} {
		if _, err := r.Next(); !errors.Is(err, boom) {
			t.Error(err)
		}
	}
	for _, r := range []*SoundReader{NewADTSReader(iotest.ErrReader(boom)), NewMP3Reader(iotest.ErrReader(boom))} {
		if _, err := r.Next(); !errors.Is(err, boom) {
			t.Error(err)
		}
	}
}

// adts is a frame of n bytes: AAC-LC, 48 kHz, stereo.
func adts(n int, crc bool) []byte {
	head := 7
	b := []byte{0xFF, 0xF1, 0x4C, 0x80, 0, 0x1F, 0xFC}
	if crc {
		b[1], head = 0xF0, 9
		b = append(b, 1, 2)
	}
	size := head + n
	b[3] |= byte(size >> 11)
	b[4] = byte(size >> 3)
	b[5] |= byte(size << 5)
	return append(b, bytes.Repeat([]byte{0x21}, n)...)
}

func mp3(n byte) []byte { // MPEG-1, 32 kbit/s, 48 kHz, mono: 96 bytes
	return append([]byte{0xFF, 0xFB, 0x14, 0xC0}, bytes.Repeat([]byte{n}, 92)...)
}

// S2-28: AAC's configuration is told when it changes, and once otherwise.
func TestSoundReader(t *testing.T) {
	other := adts(20, false)
	other[2] = 0x50 // 44.1 kHz
	id3 := append([]byte("ID3\x04\x00\x00\x00\x00\x00\x05"), "hello"...)
	xing := mp3(0)
	copy(xing[21:], "Xing")
	table := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for name, c := range map[string]struct {
		mp3  bool
		file []byte
		want string // config? bytes@samples/rate/channels …
		err  error
	}{
		"ADTS":                     {false, table(adts(10, false), adts(20, false)), "1190 10@1024/48000/2 20@1024/48000/2", io.EOF},
		"ADTS with CRC":            {false, adts(10, true), "1190 10@1024/48000/2", io.EOF},
		"ADTS behind a tag":        {false, table(id3, adts(10, false)), "1190 10@1024/48000/2", io.EOF},
		"another configuration":    {false, table(adts(10, false), other), "1190 10@1024/48000/2 1210 20@1024/44100/2", io.EOF},
		"cut off":                  {false, table(adts(10, false), adts(20, false)[:15]), "1190 10@1024/48000/2", io.EOF},
		"rubbish behind":           {false, table(adts(10, false), []byte("rubbish behind it")), "1190 10@1024/48000/2", ErrInvalid},
		"no ADTS":                  {false, mp3(1), "", ErrInvalid},
		"empty":                    {false, nil, "", io.EOF},
		"MP3":                      {true, table(mp3(1), mp3(2)), "96@1152/48000/1 96@1152/48000/1", io.EOF},
		"MP3 with tags and table":  {true, table(id3, xing, mp3(1), append([]byte("TAG"), make([]byte, 125)...)), "96@1152/48000/1", io.EOF},
		"MPEG-2":                   {true, append([]byte{0xFF, 0xF3, 0x40, 0x00}, make([]byte, 100)...), "104@576/22050/2", io.EOF},
		"MPEG-2.5":                 {true, append([]byte{0xFF, 0xE3, 0x48, 0x00}, make([]byte, 284)...), "288@576/8000/2", io.EOF},
		"layer II":                 {true, []byte{0xFF, 0xFD, 0x14, 0xC0}, "", ErrInvalid},
		"a reserved rate":          {true, []byte{0xFF, 0xFB, 0x1C, 0xC0}, "", ErrInvalid},
		"free bit rate is refused": {true, []byte{0xFF, 0xFB, 0x04, 0xC0}, "", ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "MPEG-2" {
				c.file = c.file[:104]
			}
			open := NewADTSReader
			if c.mp3 {
				open = NewMP3Reader
			}
			r := open(iotest.HalfReader(bytes.NewReader(c.file)))
			var got []string
			for {
				f, err := r.Next()
				if err != nil {
					if !errors.Is(err, c.err) {
						t.Errorf("ended with %v, want %v", err, c.err)
					}
					break
				}
				if f.Config != nil {
					got = append(got, hex.EncodeToString(f.Config))
				}
				got = append(got, fmt.Sprintf("%d@%d/%d/%d", len(f.Data), f.Samples, f.SampleRate, f.Channels))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

// Whatever a file holds: no panic, nothing for ever, and no unit that was not in it.
func FuzzRawFiles(f *testing.F) {
	f.Add(stream(f, spsHex, ppsHex, "6588aa", "4188aa", "0605aa"))
	f.Add(stream(f, "40010c01ffff", "420101016000000300900000030000", "4401c172", "2601af", "0201d0"))
	f.Add(append(adts(10, false), adts(5, true)...))
	f.Add(append(mp3(1), "TAG"...))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, u := range []*UnitReader{NewAVCReader(bytes.NewReader(b)), NewHEVCReader(bytes.NewReader(b))} {
			total := 0
			for {
				unit, err := u.Next()
				if err != nil {
					break
				}
				for _, nal := range unit.NALs {
					total += len(nal)
				}
				if unit.Shown < 0 {
					t.Fatal("shown before it is decoded")
				}
			}
			if total > len(b) {
				t.Fatalf("%d bytes of units in %d", total, len(b))
			}
		}
		for _, s := range []*SoundReader{NewADTSReader(bytes.NewReader(b)), NewMP3Reader(bytes.NewReader(b))} {
			total := 0
			for {
				frame, err := s.Next()
				if err != nil {
					break
				}
				total += len(frame.Data)
			}
			if total > len(b) {
				t.Fatalf("%d bytes of frames in %d", total, len(b))
			}
		}
	})
}
