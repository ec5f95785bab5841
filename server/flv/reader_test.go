package flv

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// readAll reads tags up to an error other than io.EOF.
func readAll(r io.Reader) ([]Tag, error) {
	var tags []Tag
	reader := NewReader(r)
	for {
		tag, err := reader.Next()
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return tags, nil
		}
		if err != nil {
			return tags, err
		}
		tags = append(tags, tag)
	}
}

func appendAll(dst []byte, tags []Tag) []byte {
	for _, t := range tags {
		dst = AppendTag(dst, t.Type, t.Timestamp, t.Body)
	}
	return dst
}

// TestSampleFiles: each sample file is read, and written again byte for byte.
func TestSampleFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(samples(t), "*", "*.flv"))
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			whole, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tags, err := readAll(bufio.NewReader(bytes.NewReader(whole)))
			if err != nil {
				t.Fatal(err)
			}
			again := appendAll(AppendHeader(nil, whole[4]&4 != 0, whole[4]&1 != 0), tags)
			if !bytes.Equal(whole, again) {
				t.Errorf("%d tags are written as %d bytes, not the %d of the file", len(tags), len(again), len(whole))
			}
			for _, tag := range tags {
				switch tag.Type {
				case TagVideo:
					if _, err := ParseVideo(tag.Body); err != nil {
						t.Errorf("video at %d ms: %v", tag.Timestamp, err)
					}
				case TagAudio:
					if _, err := ParseAudio(tag.Body); err != nil {
						t.Errorf("audio at %d ms: %v", tag.Timestamp, err)
					}
				case TagData:
				default:
					t.Errorf("tag type %d", tag.Type)
				}
			}
		})
	}
}

func TestReadAppendIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Tag {
			return Tag{
				Type:      rapid.Uint8Range(0, 31).Draw(t, "type"),
				Timestamp: rapid.Uint32().Draw(t, "timestamp"),
				Body:      rapid.SliceOf(rapid.Byte()).Draw(t, "body"),
			}
		})).Draw(t, "tags")
		size := headerSize + backPointerSize
		for _, tag := range want {
			size += TagSize(len(tag.Body))
		}
		wire := appendAll(AppendHeader(nil, true, true), want)
		if len(wire) != size {
			t.Fatalf("%d bytes, TagSize says %d", len(wire), size)
		}
		got, err := readAll(iotest.OneByteReader(bytes.NewReader(wire)))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
	})
}

// TestCutFiles: every prefix of a file gives its whole tags. Only one that ends in
// a tag is an error, and a missing last back pointer is none.
func TestCutFiles(t *testing.T) {
	head := AppendHeader(nil, true, false)
	first := AppendTag(head, TagAudio, 0, []byte{0xAF, 0})
	whole := AppendTag(first, TagVideo, 0xFEDCBA98, []byte{0x17, 2, 0, 0, 0})
	for n := range whole {
		tags, err := readAll(bytes.NewReader(whole[:n]))
		wantTags, wantErr := 0, error(nil)
		switch second := n - len(first); {
		case n < headerSize:
			wantErr = ErrSignature
		case second >= tagHeadSize+5:
			wantTags = 2
		case second > 0:
			wantTags, wantErr = 1, io.ErrUnexpectedEOF
		case n >= len(first)-backPointerSize:
			wantTags = 1
		case n > len(head):
			wantErr = io.ErrUnexpectedEOF
		}
		if len(tags) != wantTags || !errors.Is(err, wantErr) {
			t.Errorf("%d bytes: %d tags, %v; want %d, %v", n, len(tags), err, wantTags, wantErr)
		}
	}
}

func TestHeader(t *testing.T) {
	tag := AppendTag(nil, TagData, 7, []byte("x"))
	for name, c := range map[string]struct {
		head string
		err  error
	}{
		"as written":      {`"FLV" 01 05 00000009 00000000`, nil},
		"longer header":   {`"FLV" 01 05 0000000B AAAA 00000000`, nil},
		"offset 0":        {`"FLV" 01 05 00000000 00000000`, nil},
		"no FLV":          {`"FLX" 01 05 00000009 00000000`, ErrSignature},
		"HTML":            {`"<html><body>not found"`, ErrSignature},
		"absurdly longer": {`"FLV" 01 05 FFFFFFFF`, nil},
	} {
		tags, err := readAll(bytes.NewReader(append(bytesOf(t, c.head), tag...)))
		if !errors.Is(err, c.err) {
			t.Errorf("%s: error %v, want %v", name, err, c.err)
		}
		if c.err == nil && name != "absurdly longer" && (len(tags) != 1 || tags[0].Timestamp != 7) {
			t.Errorf("%s: %v", name, tags)
		}
	}
	if got := AppendHeader(nil, true, true); string(got) != "FLV\x01\x05\x00\x00\x00\x09\x00\x00\x00\x00" {
		t.Errorf("header %x", got)
	}
}

// TestReaderGrowsWithData: a tag that announces 16 MB and does not have them costs
// what arrived.
func TestReaderGrowsWithData(t *testing.T) {
	b := append(AppendHeader(nil, true, true), TagVideo, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readAll(bytes.NewReader(b)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 256<<10 {
		t.Errorf("%d bytes allocated", n)
	}
}

func TestBodyTooLong(t *testing.T) {
	b := AppendTag(nil, TagVideo, 0, make([]byte, MaxBody+1))
	if len(b) != TagSize(MaxBody+1) {
		t.Errorf("%d bytes, TagSize says %d", len(b), TagSize(MaxBody+1))
	}
}

func TestFourCC(t *testing.T) {
	for f, want := range map[FourCC]string{AVC1: "avc1", MP3: ".mp3", AC3: "ac-3", 0: "", 0x00610A7F: "?a??"} {
		if got := f.String(); got != want {
			t.Errorf("%08x: %q, want %q", uint32(f), got, want)
		}
	}
	if HVC1 != 1752589105 || AV01 != 1635135537 || VP09 != 1987063865 || Opus != 1332770163 || FLAC != 1716281667 {
		t.Error("a FourCC is not the number that metadata has for it")
	}
}

// FuzzReader: no input panics, and tags that are read can be written and read again.
func FuzzReader(f *testing.F) {
	f.Add(appendAll(AppendHeader(nil, true, true), []Tag{{TagAudio, 1, []byte{0xAF, 0}}, {TagVideo, 1 << 31, []byte{0x17}}, {TagData, 0, nil}}))
	f.Add(bytesOf(f, `"FLV" 01 05 0000000B AAAA 00000000 09 000009 000000 00 000000`))
	f.Add([]byte("<html>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		tags, _ := readAll(bytes.NewReader(b))
		again, err := readAll(bytes.NewReader(appendAll(AppendHeader(nil, true, true), tags)))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tags, again, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("(-first +second)\n%s", d)
		}
	})
}
