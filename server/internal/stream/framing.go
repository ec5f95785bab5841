package stream

import (
	"sync/atomic"

	"github.com/penstock-media/penstock/server/flv"
	"github.com/penstock-media/penstock/server/internal/media"
	"github.com/penstock-media/penstock/server/rtmp/chunk"
)

// layout is what makes two framings different bytes.
type layout struct {
	framing Framing
	chunk   int    // RTMP chunk size; 0 for FLV
	stream  uint32 // RTMP message stream; 0 for FLV
	on      ChunkStreams
	form    media.Form
}

// messageType is the RTMP message type of a kind, which is also its FLV tag type.
func messageType(k media.Kind) uint8 {
	switch k {
	case media.Audio:
		return flv.TagAudio
	case media.Video:
		return flv.TagVideo
	case media.Data:
	}
	return flv.TagData
}

// ChunkStreams are the RTMP chunk streams that the kinds of media go out on. Players
// that want others than DefaultChunkStreams cost a framing of their own.
type ChunkStreams struct{ Audio, Video, Data uint32 }

// DefaultChunkStreams are the chunk streams of a player that names none.
func DefaultChunkStreams() ChunkStreams {
	return ChunkStreams{Audio: chunk.AudioCSID, Video: chunk.VideoCSID, Data: chunk.DataCSID}
}

// header is a packet's RTMP header.
func (l layout) header(p media.Packet, time uint32) chunk.Header {
	csid := l.on.Data
	switch p.Kind {
	case media.Audio:
		csid = l.on.Audio
	case media.Video:
		csid = l.on.Video
	case media.Data:
	}
	return chunk.Header{CSID: csid, Timestamp: wireTime(p, time), Type: messageType(p.Kind), StreamID: l.stream}
}

// wireTime returns the timestamp a packet is sent with. That of metadata is always
// 0: FFmpeg's FLV demuxer makes a phantom text stream of an onMetaData with any
// other.
func wireTime(p media.Packet, time uint32) uint32 {
	if p.Meta {
		return 0
	}
	return time
}

// size returns how many bytes a packet takes that has the layout's form.
func (l layout) size(p media.Packet, time uint32) int {
	if l.framing == FLV {
		return flv.TagSize(len(p.Payload))
	}
	return chunk.MessageSize(l.header(p, time), len(p.Payload), l.chunk)
}

// appendMessage appends the bytes of a packet that has the layout's form to dst.
func (l layout) appendMessage(dst []byte, p media.Packet, time uint32) []byte {
	if l.framing == FLV {
		return flv.AppendTag(dst, messageType(p.Kind), wireTime(p, time), p.Payload)
	}
	return chunk.AppendMessage(dst, l.header(p, time), p.Payload, l.chunk)
}

// framing is the log in the form that its players get: a chain of segments, and
// the place in it of each packet the log keeps. It exists while it has players.
type framing struct {
	layout
	players int             // subscriptions that were started; guarded by the stream's mu
	end     atomic.Int64    // bytes published since the framing was made
	tail    *segment        // guarded by the stream's mu, as is all that follows
	places  deque[position] // of the log's kept packets, in step with them
	size    int             // of the next segment
	began   uint32          // time of the tail's first message

	// The prologue of the newest key frame, made when the first player needs it.
	prologue    []byte
	prologueSeq uint64
}

// newFraming makes the framing of a log and fills it with what the log keeps.
func newFraming(l layout, lg *log) *framing {
	f := &framing{layout: l, size: minSegment}
	f.tail = &segment{seq: lg.seq}
	if lg.kept.len() > 0 {
		f.tail.seq = lg.kept.at(0).seq
	}
	for i := range lg.kept.len() {
		f.append(lg.kept.at(i))
	}
	return f
}

// append adds a packet that the log just took and publishes it. One that has nothing
// for players of this form is a message of no bytes: all framings count alike.
func (f *framing) append(e *entry) {
	p, ok := f.form.Apply(e.packet)
	size := 0
	if ok {
		size = f.layout.size(p, e.told)
	}
	seg, off := f.tail, int(f.tail.published.Load())
	if len(seg.buf)-off < size {
		seg, off = f.extend(size, e), 0
	}
	if ok {
		f.appendMessage(seg.buf[:off:off+size], p, e.told)
	}
	seg.marks = append(seg.marks, mark{
		end: uint32(off + size), time: e.time,
		kind: e.packet.Kind, key: e.key, intro: introduces(e.packet), least: e.packet.Disposable,
	})
	f.places.push(position{seg, off})
	seg.published.Store(int64(off + size))
	f.end.Store(seg.base + int64(off+size))
}

// extend seals the tail and begins a segment that holds at least size bytes.
func (f *framing) extend(size int, e *entry) *segment {
	old := f.tail
	if len(old.buf) == f.size { // a segment of its own for one large message says nothing
		switch lasted := e.time - f.began; {
		case lasted < shortSegment:
			f.size = min(2*f.size, maxSegment)
		case lasted > longSegment:
			f.size = max(f.size/2, minSegment)
		}
	}
	f.began = e.time
	seg := &segment{
		buf: make([]byte, max(f.size, size)), base: f.end.Load(), seq: e.seq,
		marks: make([]mark, 0, max(8, len(old.marks))),
	}
	f.tail = seg
	old.next.Store(seg)
	return seg
}

// last returns the place behind the last message.
func (f *framing) last() position { return position{f.tail, int(f.tail.published.Load())} }
