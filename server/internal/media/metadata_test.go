package media

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const metaName = `02 000A "onMetaData"`

func TestMetadata(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        Metadata
	}{
		{
			"all of it", `08 00000006 0005 "width" 00 409E000000000000 0006 "height" 00 4090E00000000000 0009 "frameRate" 00 403E000000000000
			000D "videodatarate" 00 40A3880000000000 000D "audiodatarate" 00 4064000000000000 0007 "encoder" 02 000D "Lavf62.19.101" 000009`,
			Metadata{1920, 1080, 30, 2500, 160, "Lavf62.19.101"},
		},
		{"among other values", `03 0001 "a" 0A 00000002 05 0B 00000000000000000000 0001 "b" 03 0001 "c" 01 01 000009 0001 "d" 10 0001 "x" 000009
			0001 "e" 0C 00000001 "x" 0001 "f" 07 0000 0001 "g" 08 00000000 000009 0001 "h" 0D 0005 "width" 00 4084000000000000 000009`, Metadata{Width: 640}},
		{"not a number", `08 00000001 0005 "width" 00 7FF8000000000000 0006 "height" 00 C084000000000000 0009 "framerate" 00 7FF0000000000000 000009`, Metadata{}},
		{"strings in the place of numbers", `08 00000001 0005 "width" 02 0003 "640" 000009`, Metadata{}},
		{"32 NULs of nginx-rtmp", `08 00000001 0007 "encoder" 02 0006 "Ab" 00000000 000009`, Metadata{Encoder: "Ab"}},
		{"what is no UTF-8, and control characters", `08 00000001 0007 "encoder" 02 0006 "a" FF 0A 1B C3A9 000009`, Metadata{Encoder: "aé"}},
		{"no end", `08 000003E8 0005 "width" 00 4084000000000000`, Metadata{Width: 640}},
		{"cut", `08 000003E8 0005 "width" 00 4084000000000000 0006 "height" 00 4084`, Metadata{Width: 640}},
		{"AMF3", `11 09 01 01`, Metadata{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := NewData(0, bytesOf(t, metaName+strings.Join(strings.Fields(c.value), " ")))
			got, ok := p.Metadata()
			if !ok {
				t.Fatalf("no metadata: %+v", p)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
	if _, ok := New(Video, 0, []byte{0x17}).Metadata(); ok {
		t.Error("video has metadata")
	}
}

func TestLive(t *testing.T) {
	const (
		duration = `0008 "duration" 00 0000000000000000`
		size     = `0008 "fileSize" 00 0000000000000000`
		width    = `0005 "width" 00 4084000000000000`
		end      = `000009`
	)
	for _, c := range []struct{ name, value, want string }{
		{"FFmpeg", `08 00000003` + duration + width + size + end, `08 00000001` + width + end},
		{"at the end", `08 00000002` + width + duration + end, `08 00000001` + width + end},
		{"object", `03` + duration + width + end, `03` + width + end},
		{"count of 0, from librtmp", `08 00000000` + duration + width + end, `08 00000001` + width + end},
		{"count that is wrong", `08 000003E8` + width + end, `08 00000001` + width + end},
		{"no end", `08 00000002` + duration + width, `08 00000001` + width},
		{"trailing bytes stay", `08 00000001` + duration + end + `05`, `08 00000000` + end + `05`},
		{"nested ones stay", `03 0001 "a" 03` + duration + end + end, `03 0001 "a" 03` + duration + end + end},
		{"nothing to remove", `03` + width + end, `03` + width + end},
		{"complex values stay, references count them", `03 0008 "duration" 03 000009` + end, `03 0008 "duration" 03 000009` + end},
		{"unreadable stays", `03` + duration + `0001 "a" FF`, `03` + duration + `0001 "a" FF`},
		{"nested too deep stays", `03` + duration + strings.Repeat(`0001 "a" 03`, 10), `03` + duration + strings.Repeat(`0001 "a" 03`, 10)},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := bytesOf(t, metaName+c.value)
			before := string(body)
			got := NewData(5, body).Live("")
			if want := bytesOf(t, metaName+c.want); string(got.Payload) != string(want) {
				t.Errorf("got  %x\nwant %x", got.Payload, want)
			}
			if string(body) != before {
				t.Error("the payload was written to")
			}
			if !got.Meta || got.Time != 5 {
				t.Errorf("%+v", got)
			}
		})
	}
	if p := New(Audio, 0, []byte{0xAF, 1, 2}); string(p.Live("").Payload) != string(p.Payload) {
		t.Error("audio was changed")
	}
}

// S0-80b: players learn which server they are on.
func TestLiveNamesTheServer(t *testing.T) {
	const (
		ours   = `0006 "server" 02 0008 "Penstock"`
		theirs = `0006 "server" 02 0003 "SRS"`
		width  = `0005 "width" 00 4084000000000000`
		end    = `000009`
	)
	for _, c := range []struct{ name, value, want string }{
		{"array", `08 00000001` + width + end, `08 00000002` + ours + width + end},
		{"object", `03` + width + end, `03` + ours + width + end},
		{"an empty one", `08 00000000` + end, `08 00000001` + ours + end},
		{"another server's name", `08 00000002` + theirs + width + end, `08 00000002` + ours + width + end},
		{"no end", `03` + width, `03` + ours + width},
		{"unreadable stays", `03` + width + `0001 "a" FF`, `03` + width + `0001 "a" FF`},
		{"AMF3 stays", `11 09 01 01`, `11 09 01 01`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := NewData(5, bytesOf(t, metaName+c.value)).Live("Penstock")
			if want := bytesOf(t, metaName+c.want); string(got.Payload) != string(want) {
				t.Errorf("got  %x\nwant %x", got.Payload, want)
			}
		})
	}
}

func ExamplePacket_Metadata() {
	p := New(Data, 0, []byte("\x02\x00\x0donMetaData...")) // not even AMF
	_, ok := p.Metadata()
	fmt.Println(ok)
	p = New(Data, 0, []byte("\x02\x00\x0aonMetaData\x08\x00\x00\x00\x01\x00\x05width\x00\x40\x84\x00\x00\x00\x00\x00\x00\x00\x00\x09"))
	m, ok := p.Metadata()
	fmt.Println(m.Width, ok)
	// Output:
	// false
	// 640 true
}

// S0-80c: bravo_atc in the forms that encoders write.
func TestATC(t *testing.T) {
	const name = `02 000A "onMetaData" 03 `
	for body, want := range map[string]bool{
		name + `0009 "bravo_atc" 02 0004 "true" 000009`:             true,
		name + `0009 "bravo_atc" 01 01 000009`:                      true,
		name + `0009 "Bravo_ATC" 00 3FF0000000000000 000009`:        true,
		name + `0009 "bravo_atc" 02 0005 "false" 000009`:            false,
		name + `0009 "bravo_atc" 02 0001 "0" 000009`:                false,
		name + `0009 "bravo_atc" 02 0000 000009`:                    false,
		name + `0009 "bravo_atc" 01 00 000009`:                      false,
		name + `0009 "bravo_atc" 00 0000000000000000 000009`:        false,
		name + `0009 "bravo_atc" 05 000009`:                         false,
		name + `0005 "other" 01 01 000009`:                          false,
		`02 0005 "other" 03 0009 "bravo_atc" 02 0004 "true" 000009`: false,
	} {
		p := NewData(0, bytesOf(t, body))
		if got := p.ATC(); got != want {
			t.Errorf("%s: %t", body, got)
		}
		if got := p.Live("x").ATC(); got != want {
			t.Errorf("%s, as players get it: %t", body, got)
		}
	}
}
