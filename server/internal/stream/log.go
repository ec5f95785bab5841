package stream

import (
	"bytes"
	"slices"
	"time"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/internal/media"
)

// log is a stream's messages: an index of the packets that are kept for new
// players, and the same messages as bytes in each framing that has players.
//
//	             newest key frame                          newest
//	                    ▼                                     ▼
//	kept       · · · · [K][a][p][a][p][p][a][p][a][p][a][p][a]    packets, trimmed
//	                    │                                     │    at the key frame
//	RTMP chunks  ──▶ ┌──┴──────────────┐   ┌──────────────────┴─ ─ ┐
//	                 │ segment         │──▶│ segment               │
//	                 └───────▲─────────┘   └──────▲────────────▲─ ─┘
//	                         slow player          │            all others
//	FLV tags     ──▶ ┌───────┴────────────────────┴───────┴─ ─┐
//	                 │ made when its first player comes,      │
//	                 │ from the kept packets; gone with the   │
//	                 │ last one                               │
//	                 └────────────────────────────────────────┘
//
// A player is a position in a framing. What lies before all positions and before
// the newest key frame is garbage, and collected as such.
type log struct {
	seq      uint64 // of the next message
	kept     deque[entry]
	bytes    int // payload bytes in kept
	framings []*framing
	timeline timeline
	stamps   stamps

	heads    heads // the latest
	keyHeads heads // as they were at the newest key frame

	// Of the present publication:
	inband    bool  // the video configuration is one found in key frames
	inbandAAC bool  // the audio configuration is one found in frames
	video     bool  // some video came, if only a configuration
	audio     bool  // some audio came
	atc       bool  // its metadata says that its times are not to be touched
	media     bool  // something else than introductions came
	closed    bool  // video waits for its first key frame
	closedAt  int64 // when the first frame was held back, or -1
	pictured  bool  // a frame of video came
	sounding  int64 // when the first sound came since the last frame of video, or -1

	closedSince time.Time // closedAt on our clock
}

// entry is a packet the log keeps.
type entry struct {
	packet media.Packet
	time   uint32 // on the stream's timeline, ms
	told   uint32 // the time players are told, ms
	seq    uint64
	key    bool // a key frame of the default track
}

// restart forgets what a new player could begin with: the publication is another
// one or none. Players that are under way keep what they have not read yet.
func (l *log) restart() {
	l.timeline.restart()
	l.stamps.restart()
	l.drop(l.kept.len())
	l.heads, l.keyHeads, l.inband, l.inbandAAC = heads{}, heads{}, false, false
	l.video, l.audio, l.atc, l.media, l.closed, l.closedAt = false, false, false, false, true, -1
	l.pictured, l.sounding = false, -1
}

// append adds a packet and reports whether players have something new.
func (l *log) append(p media.Packet, s Settings) bool {
	if p.Clear {
		l.clearMeta()
	}
	if p.Empty {
		return false
	}
	switch {
	case p.Key && (l.inband || l.heads.video.Payload == nil):
		l.inband = l.appendInband(p, l.heads.video, s)
	case p.AAC != 0 && (l.inbandAAC || l.heads.audio.Payload == nil):
		l.inbandAAC = l.appendInband(p, l.heads.audio, s)
	}
	return l.add(p, s)
}

// appendInband puts the configuration in front that a frame brings along, and reports
// whether there is one. Some drones and cameras send it nowhere else, and a player
// needs it first.
func (l *log) appendInband(p, old media.Packet, s Settings) bool {
	c, ok := p.InbandConfig()
	if !ok || p.Config || p.Track != 0 {
		return old.Payload != nil
	}
	if !bytes.Equal(c.Payload, old.Payload) {
		l.add(c, s)
	}
	return true
}

// clearMeta forgets the metadata: whoever joins from now on gets none.
func (l *log) clearMeta() {
	l.heads.meta, l.keyHeads.meta, l.atc = media.Packet{}, media.Packet{}, false
	for _, f := range l.framings {
		f.prologue = nil
	}
}

func (l *log) add(p media.Packet, s Settings) bool {
	intro := introduces(p)
	if p.Config && p.Track == 0 {
		l.inband = l.inband && p.Kind != media.Video
		l.inbandAAC = l.inbandAAC && p.Kind != media.Audio
	}
	l.video = l.video || p.Kind == media.Video
	l.audio = l.audio || p.Kind == media.Audio
	if intro && !l.heads.set(p) && (p.Meta || s.ReduceHeaders) {
		return false
	}
	l.atc = l.atc || p.Kind == media.Data && p.ATC()
	l.stamps.set(l.policy(s), &l.timeline)
	at := l.timeline.stamp(p, intro)
	told := l.stamps.tell(p, intro, at)
	key := p.Kind == media.Video && p.Key && !intro && p.Track == 0
	if !intro {
		l.listen(p.Kind, at)
	}
	if p.Kind == media.Video && !intro && !l.open(key, at) {
		return false
	}
	e := entry{packet: p, time: uint32(at), told: told, seq: l.seq, key: key} // modulo 2^32 is what is meant
	l.seq++
	l.media = l.media || !intro && p.Kind != media.Data
	if key {
		l.keyHeads = l.heads
		l.drop(l.kept.len())
	}
	l.kept.push(e)
	l.bytes += len(p.Payload)
	for _, f := range l.framings {
		f.append(&e)
	}
	l.trim(s.MaxBytes)
	return true
}

// listen finds out that sound has come alone for so long that the video is over, or never
// was more than a configuration. From then on the stream is one of sound: what was kept
// is given up, nobody waits for a picture, and one that comes begins with a key frame.
func (l *log) listen(kind media.Kind, time int64) {
	switch kind {
	case media.Video:
		l.pictured, l.sounding = true, -1
		return
	case media.Data:
		return
	case media.Audio:
	}
	if l.sounding < 0 {
		l.sounding = time
	}
	patience := keyPatience
	if !l.pictured {
		patience = configPatience
	}
	if l.video && time-l.sounding >= patience.Milliseconds() {
		l.video, l.pictured, l.closed, l.closedAt = false, false, true, -1
		l.drop(l.kept.len())
	}
}

// open reports whether a video frame may pass: a publication's video begins with a
// key frame, because nobody can show what comes before. If none comes for a long
// time, by the stream's clock or ours (some stand still, C-41), the codec is taken for
// one that marks none.
func (l *log) open(key bool, at int64) bool {
	if !l.closed {
		return true
	}
	if l.closedAt < 0 {
		l.closedAt, l.closedSince = at, time.Now()
	}
	l.closed = !key && at-l.closedAt < keyPatience.Milliseconds() && time.Since(l.closedSince) < keyPatience
	return !l.closed
}

// trim forgets packets that no player will begin with. It keeps a whole GOP or
// none: half of one is of no use.
func (l *log) trim(maxBytes int) {
	age := func() int64 {
		return int64(int32(l.kept.at(l.kept.len()-1).time - l.kept.at(0).time)) // modulo 2^32 is what is meant
	}
	full := func() bool { return l.bytes > maxBytes || l.kept.len() > maxKept }
	switch {
	case l.keyed():
		if full() || age() > keepTime.Milliseconds() {
			l.drop(l.kept.len())
		}
	case !l.soundOnly():
		l.drop(l.kept.len())
	default:
		for l.kept.len() > 0 && (full() || age() > keepSound.Milliseconds()) {
			l.drop(1)
		}
	}
}

// drop forgets the k oldest packets.
func (l *log) drop(k int) {
	if k == l.kept.len() {
		l.bytes = 0
	} else {
		for i := range k {
			l.bytes -= len(l.kept.at(i).packet.Payload)
		}
	}
	l.kept.drop(k)
	for _, f := range l.framings {
		f.places.drop(k)
	}
}

// keyed reports whether the log is kept from a key frame on.
func (l *log) keyed() bool { return l.kept.len() > 0 && l.kept.at(0).key }

// newestKey returns the number of the newest key frame if there is one ahead, else 0.
func (l *log) newestKey(ahead bool) uint64 {
	if !ahead {
		return 0
	}
	return l.kept.at(0).seq
}

// soundOnly reports whether there are no pictures yet, or none any more.
func (l *log) soundOnly() bool { return l.closed }

// framing returns the framing of a layout, made if there is none, and counts one
// more player of it.
func (l *log) framing(lay layout) *framing {
	i := slices.IndexFunc(l.framings, func(f *framing) bool { return f.layout == lay })
	if i < 0 {
		i = len(l.framings)
		l.framings = append(l.framings, newFraming(lay, l))
	}
	l.framings[i].players++
	return l.framings[i]
}

// leave counts a player of a framing off. A framing without players is forgotten.
func (l *log) leave(f *framing) {
	if f.players--; f.players == 0 {
		l.framings = slices.DeleteFunc(l.framings, func(g *framing) bool { return g == f })
	}
}

// prologue returns what goes before the newest key frame in a framing.
func (l *log) prologue(f *framing) []byte {
	first := l.kept.at(0)
	if f.prologue == nil || f.prologueSeq != first.seq {
		f.prologue = l.keyHeads.append(nil, f.layout, first.told, true, true)
		f.prologueSeq = first.seq
	}
	return f.prologue
}

// fileHeader returns the FLV file header for a player that wants those kinds.
func (l *log) fileHeader(audio, video bool) []byte {
	hasAudio, hasVideo := l.audio && audio, l.video && video
	if !hasAudio && !hasVideo { // nothing known yet
		hasAudio, hasVideo = audio, video
	}
	return flv.AppendHeader(nil, hasAudio, hasVideo)
}

// describe returns the packet that tells most about the default track of a kind.
func (l *log) describe(kind media.Kind) media.Packet {
	p := l.heads.audio
	if kind == media.Video {
		p = l.heads.video
	}
	for i := l.kept.len() - 1; p.Payload == nil && i >= 0; i-- {
		if e := l.kept.at(i); e.packet.Kind == kind && !introduces(e.packet) && e.packet.Track == 0 {
			p = e.packet
		}
	}
	return p
}

// find returns message seq if it is kept.
func (l *log) find(seq uint64) (*entry, bool) {
	n := l.kept.len()
	if n == 0 {
		return nil, false
	}
	if first := l.kept.at(0).seq; seq >= first && seq-first < uint64(n) {
		return l.kept.at(int(seq - first)), true
	}
	return nil, false
}

// timeOf returns the time of message seq if it is kept, else of the newest.
func (l *log) timeOf(seq uint64) uint32 {
	if e, ok := l.find(seq); ok {
		return e.time
	}
	return uint32(l.timeline.now()) // modulo 2^32 is what is meant
}

// toldOf returns the time players are told of message seq if it is kept, else of the
// newest.
func (l *log) toldOf(seq uint64) uint32 {
	if e, ok := l.find(seq); ok {
		return e.told
	}
	return l.stamps.latest
}
