package rtmp

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/penstock-media/penstock/server/amf"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
	"github.com/penstock-media/penstock/server/rtmp/message"
)

const habitsFile = "testdata/habits.txt"

// TestHabits keeps docs/peers.md honest: testdata/habits.txt says in what order, on which
// chunk streams and with which handshake each captured client speaks, and this is what
// is in the captures.
func TestHabits(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(samples(t), "captures", "*.c2s.bin"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	var got strings.Builder
	for _, path := range paths {
		wire, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s\n%s", strings.TrimSuffix(filepath.Base(path), ".c2s.bin"), habits(t, wire))
	}
	if *update {
		if err := os.WriteFile(habitsFile, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(habitsFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Error(diff)
	}
}

// habits are how a client shook hands, what it said up to its first media, one word a
// message, and which chunk streams it used for what.
func habits(t *testing.T, wire []byte) string {
	t.Helper()
	c1 := wire[1:1537]
	hello := "simple"
	if !bytes.Equal(c1[4:8], make([]byte, 4)) {
		hello = fmt.Sprintf("digest, version % X", c1[4:8])
	}
	var said []string
	on := map[string]map[uint32]bool{}
	media := false
	r := chunk.NewReader(bytes.NewReader(wire[3073:]), 0, chunk.Limits{Video: chunk.MaxLength})
	for {
		m, err := r.Next()
		if err != nil {
			break
		}
		word, kind := utterance(t, m)
		if on[kind] == nil {
			on[kind] = map[uint32]bool{}
		}
		on[kind][m.CSID] = true
		if media = media || kind == "audio" || kind == "video"; !media {
			said = append(said, word)
		}
	}
	var csids []string
	for _, kind := range slices.Sorted(maps.Keys(on)) {
		csids = append(csids, fmt.Sprintf("%s %v", kind, slices.Sorted(maps.Keys(on[kind]))))
	}
	return fmt.Sprintf("  handshake: %s\n  says: %s\n  chunk streams: %s\n", hello, strings.Join(said, ", "), strings.Join(csids, ", "))
}

// utterance is a message in a word, and what kind it is.
func utterance(t *testing.T, m chunk.Message) (word, kind string) {
	t.Helper()
	switch m.Type {
	case message.TypeCommand:
		cmd, err := message.ParseCommand(m.Type, m.Payload, amf.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if kind = "command"; m.StreamID > 0 {
			kind = cmd.Name
		}
		return fmt.Sprintf("%s(%v)", cmd.Name, cmd.Transaction), kind
	case message.TypeData:
		return "data", "data"
	case message.TypeAudio:
		return "audio", "audio"
	case message.TypeVideo:
		return "video", "video"
	}
	return line(m), "control"
}
