package stream

import (
	"slices"
	"time"

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
	if moreVideo && s.at.seg != nil {
		s.awaitKey(true, 0, time.Now())
	} else {
		s.awaitKey(video && s.needKey, s.keyFrom, s.keySince)
	}
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
		return s.video && (m.intro || !s.needKey && (!s.thin || !m.least))
	case media.Data:
	}
	return true
}

// wanted returns the first run of wanted messages between the cursor and limit in
// its segment, and puts the cursor before it, or at limit if there is none.
func (s *Subscription) wanted(limit int) []byte {
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	if s.needKey && s.keyFrom == 0 && time.Since(s.keySince) >= keyPatience {
		s.awaitKey(false, 0, time.Time{}) // a stream that marks none
	}
	seg := s.at.seg
	from, to := s.at.off, s.at.off
	for i := seg.find(from); i < len(seg.marks) && int(seg.marks[i].end) <= limit; i++ {
		m := seg.marks[i]
		if m.key && seg.seq+uint64(i) >= s.keyFrom {
			s.thin = false
			s.awaitKey(false, 0, time.Time{})
		}
		switch {
		case s.wants(m):
			to = int(m.end)
		case to > from:
			s.at.off = from
			return seg.buf[from:to:to]
		default:
			if s.late && m.kind == media.Video || s.thin && m.least {
				s.drop(m)
			}
			s.from++ // not delivered
			from, to = int(m.end), int(m.end)
		}
	}
	s.at.off = from
	return seg.buf[from:to:to]
}
