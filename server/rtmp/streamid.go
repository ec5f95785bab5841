package rtmp

// streamIDs are the message streams a client has created: a set of small
// numbers from 1 on. librtmp and some hardware take it for granted that the
// first is 1.
type streamIDs []bool

// create returns the lowest free id, or 0 when there are most already.
func (s *streamIDs) create(most int) uint32 {
	for i, used := range *s {
		if !used {
			(*s)[i] = true
			return uint32(i) + 1
		}
	}
	if len(*s) >= most {
		return 0
	}
	*s = append(*s, true)
	return uint32(len(*s))
}

// remove gives an id back, if it was one.
func (s *streamIDs) remove(id uint32) {
	if s.has(id) {
		(*s)[id-1] = false
	}
}

func (s *streamIDs) has(id uint32) bool {
	return id >= 1 && int64(id) <= int64(len(*s)) && (*s)[id-1]
}
