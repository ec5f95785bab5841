package stream

import (
	"slices"

	"github.com/penstock-media/penstock/server/internal/media"
)

// pick returns the next run of messages of the kinds wanted, for a player that
// does not want all. The bytes are the shared ones: the others are stepped over.
// s.mu is held.
func (s *Subscription) pick() []byte {
	for {
		b := s.at.peek()
		if b == nil {
			return nil
		}
		if run := s.wanted(s.at.off + len(b)); len(run) > 0 {
			return run
		}
	}
}

// receive changes the kinds wanted. What is switched on begins with its decoder
// configurations. s.mu is held.
func (s *Subscription) receive(audio, video bool) {
	moreAudio, moreVideo := audio && !s.audio, video && !s.video
	s.audio, s.video = audio, video
	s.needKey = video && (s.needKey || moreVideo && s.at.seg != nil)
	s.narrow = !audio || !video || s.needKey
	if s.at.seg == nil || !moreAudio && !moreVideo {
		return
	}
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	lg := &s.stream.log
	h := lg.heads
	h.meta = media.Packet{}
	s.intro = h.append(slices.Clip(s.intro), s.layout, lg.toldOf(s.at.seq()), moreAudio, moreVideo)
}

// wants reports whether a message is of a kind the player wants.
func (s *Subscription) wants(m mark) bool {
	switch m.kind {
	case media.Audio:
		return s.audio
	case media.Video:
		return s.video && (!s.needKey || m.intro)
	case media.Data:
	}
	return true
}

// wanted returns the first run of wanted messages between the cursor and limit in
// its segment, and puts the cursor before it, or at limit if there is none.
func (s *Subscription) wanted(limit int) []byte {
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	seg := s.at.seg
	from, to := s.at.off, s.at.off
	for i := seg.find(from); i < len(seg.marks) && int(seg.marks[i].end) <= limit; i++ {
		m := seg.marks[i]
		if s.needKey && m.key {
			s.needKey = false
			s.narrow = !s.audio || !s.video
		}
		switch {
		case s.wants(m):
			to = int(m.end)
		case to > from:
			s.at.off = from
			return seg.buf[from:to:to]
		default:
			from, to = int(m.end), int(m.end)
		}
	}
	s.at.off = from
	return seg.buf[from:to:to]
}
