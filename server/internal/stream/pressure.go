package stream

import (
	"time"

	"github.com/penstock-media/penstock/server/internal/media"
)

// Drops counts the messages that a player did not get because it was behind.
type Drops struct {
	Disposable uint64 // frames that no other needs
	Video      uint64 // all other video
	Audio      uint64
	Data       uint64
}

// Total is the number of messages.
func (d Drops) Total() uint64 { return d.Disposable + d.Video + d.Audio + d.Data }

// Plus adds two counts up.
func (d Drops) Plus(e Drops) Drops {
	return Drops{d.Disposable + e.Disposable, d.Video + e.Video, d.Audio + e.Audio, d.Data + e.Data}
}

// catchUp lets a player that is behind have less. s.mu is held.
//
//	behind by   what it does not get
//	queue/2     disposable frames, up to the next key frame
//	queue       video, up to the newest key frame; sound goes on
//	2 × queue   anything, up to the newest key frame
//
// Metadata and decoder configurations it gets in any case. When no key frame is
// ahead, the second step waits for one, but not for longer than four times the queue,
// and not when too many bytes wait; the third then is at five times.
//
// A player that was given a long GOP to begin with is allowed to be as far behind
// as that until it caught up once.
func (s *Subscription) catchUp(now time.Time) {
	if s.at.seg == nil || s.run != started {
		return
	}
	if s.backlog() == 0 {
		s.slackBytes, s.slackTime = 0, 0
		return
	}
	st := s.stream
	st.mu.Lock()
	defer st.mu.Unlock()
	bytes, lag := s.behind()
	bytes, lag = bytes-s.slackBytes, lag-s.slackTime
	queue, lg := st.settings.Queue, &st.log
	if bytes <= s.maxBytes/2 && lag <= queue/2 {
		return
	}
	heavy := bytes > s.maxBytes
	key := lg.keyed() && lg.kept.at(0).seq > s.at.seq()
	ahead := key || lg.media && lg.soundOnly()
	patience := queue
	if !ahead {
		patience = 4 * queue
	}
	switch {
	case !heavy && lag <= patience:
		s.thin, s.narrow = true, true
	case s.video && lg.video && !s.needKey:
		s.late = true
		s.awaitKey(true, lg.newestKey(key), now)
	case bytes > 2*s.maxBytes || lag > patience+queue || !s.video || !lg.video:
		s.jump(now)
	case key:
		s.awaitKey(true, lg.newestKey(key), now)
	}
}

// jump moves the cursor to the newest key frame, or else to the end of the log. Both
// mutexes are held.
func (s *Subscription) jump(now time.Time) {
	if !s.stream.log.media {
		return // nothing to go on with: it may have the rest
	}
	s.finishMessageLocked()
	from := s.at
	s.leave(atLoss)
	to := s.placeToBegin()
	s.lose(from, to.seq)
	s.put(to, now)
	s.late = s.needKey
}

// lose counts what is between a position and message seq. Both mutexes are held.
func (s *Subscription) lose(from position, seq uint64) {
	for n := from.seq(); n < seq; n++ {
		i := n - from.seg.seq
		for i == uint64(len(from.seg.marks)) {
			from, i = position{seg: from.seg.next.Load()}, 0
		}
		s.drop(from.seg.marks[i])
	}
}

// drop counts a message that the player does not get because it is behind.
func (s *Subscription) drop(m mark) {
	switch {
	case m.least:
		s.drops.Disposable++
	case m.kind == media.Video:
		s.drops.Video++
	case m.kind == media.Audio:
		s.drops.Audio++
	default:
		s.drops.Data++
	}
	s.group.dropped.Add(1)
}

// awaitKey withholds video up to a key frame that is message seq or a later one, or
// no longer does. s.mu is held.
func (s *Subscription) awaitKey(on bool, seq uint64, now time.Time) {
	s.needKey, s.keyFrom, s.keySince = on, seq, now
	s.late = s.late && on
	s.narrow = !s.audio || !s.video || s.needKey || s.thin
}
