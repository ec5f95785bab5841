package message

import "iter"

// Split yields the audio, video and data messages inside an aggregate, the
// payload of a message of TypeAggregate at time at. Payloads are parts of the
// aggregate's. A tail that is not whole ends it.
//
//	type 8 │ size 24 │ time 24 │ time bits 24 to 31 │ stream id 24 │ body │ back pointer 32
//
// The times inside may be those of another server's stream: they count from the
// first one, which is at the aggregate's own time.
func Split(at uint32, payload []byte) iter.Seq[Media] {
	const head, tail = 11, 4
	return func(yield func(Media) bool) {
		var first uint32
		for begun := false; len(payload) >= head; {
			n := int(payload[1])<<16 | int(payload[2])<<8 | int(payload[3])
			if n > len(payload)-head {
				return
			}
			t := uint32(payload[7])<<24 | uint32(payload[4])<<16 | uint32(payload[5])<<8 | uint32(payload[6])
			if !begun {
				first, begun = t, true
			}
			m := Media{Type: payload[0] & 0x1F, Timestamp: at + t - first, Payload: payload[head : head+n : head+n]}
			switch m.Type {
			case TypeAudio, TypeVideo, TypeData:
				if !yield(m) {
					return
				}
			}
			payload = payload[head+n:]
			payload = payload[min(tail, len(payload)):]
		}
	}
}
