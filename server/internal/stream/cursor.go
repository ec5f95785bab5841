package stream

import "time"

// arrival says where a player without a cursor begins.
type arrival uint8

const (
	atNewest arrival = iota // the newest key frame, however old
	atNext                  // the next key frame
	atPause                 // where it stopped, or at a key frame since then
	atLoss                  // the newest key frame it has not had; what it skips is lost to it
)

// pending returns the next contiguous bytes for the player, nil if there are none.
// The order is: what was begun, control, prologue, media. s.mu is held.
func (s *Subscription) pending(now time.Time) []byte {
	if s.run == over {
		return nil
	}
	if len(s.rest) > 0 {
		return s.rest
	}
	if s.mid && (len(s.control) > 0 || s.run == paused || s.narrow) {
		s.finishMessage()
		if len(s.rest) > 0 { // else the last write ended with a message after all
			return s.rest
		}
	}
	if len(s.control) > 0 {
		s.rest, s.control = s.control, nil
		return s.rest
	}
	if s.run != started {
		s.letGo()
		return nil
	}
	if s.at.seg == nil && !s.begin(now) {
		return nil
	}
	if len(s.rest) > 0 {
		return s.rest
	}
	if len(s.intro) > 0 {
		s.rest, s.intro = s.intro, nil
		return s.rest
	}
	if s.narrow {
		return s.pick()
	}
	return s.at.peek()
}

// advance counts n of the bytes that pending returned as delivered. s.mu is held.
func (s *Subscription) advance(n, of int) {
	s.bytes += uint64(n)
	if len(s.rest) > 0 {
		s.rest = s.rest[n:]
		return
	}
	s.at.off += n
	s.mid = n < of && (n > 0 || s.mid)
}

// finishMessage moves the cursor behind the message it is in, whose remaining
// bytes then go first. s.mu is held.
func (s *Subscription) finishMessage() {
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	s.finishMessageLocked()
}

// finishMessageLocked is finishMessage with the stream's mu held too.
func (s *Subscription) finishMessageLocked() {
	if !s.mid {
		return
	}
	seg := s.at.seg
	i := seg.find(s.at.off)
	s.mid = false
	if s.at.off == seg.start(i) { // the last write ended with a message after all
		return
	}
	end := int(seg.marks[i].end)
	s.rest = seg.buf[s.at.off:end:end]
	s.at.off = end
}

// letGo gives up the cursor of a paused player, so that it keeps no segment alive.
// s.mu is held.
func (s *Subscription) letGo() {
	if s.at.seg == nil {
		return
	}
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	s.leave(atPause)
}

// leave takes the cursor off the log. Both mutexes are held.
func (s *Subscription) leave(back arrival) {
	s.next = s.at.seq()
	s.messages += s.next - s.from
	s.bare = s.bare || len(s.intro) > 0
	s.at, s.intro = position{}, nil
	s.back, s.epoch = back, look
}

// begin places the cursor of a player that has none, if the log has a place for
// it, and reports that. s.mu is held.
func (s *Subscription) begin(now time.Time) bool {
	epoch := s.stream.epoch.Load()
	if epoch == s.epoch {
		return false
	}
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	if !s.stream.log.media {
		s.epoch = epoch
		return false
	}
	s.put(s.placeToBegin(), now)
	return true
}

// place is where a player begins.
type place struct {
	position
	seq uint64 // of the message there
	cut bool   // its pictures begin with the next key frame
}

// placeToBegin returns where a player without a cursor begins: at a key frame if the
// log has one for it, else at the end, where sound does not wait for pictures. Both
// mutexes are held.
func (s *Subscription) placeToBegin() place {
	lg, f := &s.stream.log, s.framing
	switch {
	case lg.keyed():
		first := lg.kept.at(0).seq
		if first >= s.next || s.back == atNewest {
			return place{position: *f.places.at(0), seq: first}
		}
		if i := int(s.next - first); s.back == atPause && i < lg.kept.len() {
			return place{position: *f.places.at(i), seq: s.next}
		}
	case lg.soundOnly():
		// With what came since the player began to wait.
		for i := range lg.kept.len() {
			if e := lg.kept.at(i); e.seq >= s.next && !introduces(e.packet) {
				return place{position: *f.places.at(i), seq: e.seq, cut: !lg.closed}
			}
		}
	}
	missed := s.back != atPause || s.next != lg.seq
	// Of a publication that had no picture yet the first one is a key frame.
	return place{position: f.last(), seq: lg.seq, cut: missed && !lg.closed}
}

// put puts the cursor there, with what a player needs in front. Both mutexes are held.
func (s *Subscription) put(to place, now time.Time) {
	seq := to.seq
	s.at, s.from = to.position, seq
	if !s.placed {
		s.placed, s.origin = true, s.stream.log.timeOf(seq)
	}
	if s.back != atPause || s.bare || seq != s.next {
		s.thin = false
		s.awaitKey(to.cut, 0, now)
		s.introduce(seq)
	}
	s.bare = false
	s.slackBytes, s.slackTime = s.behind()
}

// introduce sets what goes out before message seq. Both mutexes are held.
func (s *Subscription) introduce(seq uint64) {
	lg := &s.stream.log
	switch key := lg.keyed() && lg.kept.at(0).seq == seq; {
	case key && !s.narrow:
		s.intro = lg.prologue(s.framing)
	case key:
		s.intro = lg.keyHeads.append(nil, s.layout, lg.kept.at(0).told, s.audio, s.video)
	default:
		s.intro = lg.heads.append(nil, s.layout, lg.toldOf(seq), s.audio, s.video)
	}
	if s.layout.framing == FLV && !s.headed {
		s.headed = true
		s.rest = append(lg.fileHeader(s.audio, s.video), s.intro...)
		s.intro = nil
	}
}

// behind returns how far the cursor is from the end of the log. Both mutexes are
// held, and there is a cursor.
func (s *Subscription) behind() (bytes int64, lag time.Duration) {
	bytes = s.backlog()
	tail := s.framing.tail
	if bytes == 0 || len(tail.marks) == 0 {
		return bytes, 0
	}
	seg := s.at.seg
	i := seg.find(s.at.off)
	if i == len(seg.marks) {
		if seg = seg.next.Load(); seg == nil {
			return bytes, 0
		}
		i = 0
	}
	ms := int32(tail.marks[len(tail.marks)-1].time - seg.marks[i].time) // modulo 2^32 is what is meant
	return bytes, time.Duration(ms) * time.Millisecond
}

// backlog returns how many bytes of the log the player has not taken. s.mu is
// held, and there is a cursor.
func (s *Subscription) backlog() int64 {
	return s.framing.end.Load() - s.at.seg.base - int64(s.at.off)
}

// delivered returns the number of media messages delivered. s.mu is held.
func (s *Subscription) delivered() uint64 {
	if s.at.seg == nil {
		return s.messages
	}
	s.stream.mu.Lock()
	defer s.stream.mu.Unlock()
	return s.messages + s.at.seq() - s.from
}
