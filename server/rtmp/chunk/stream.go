package chunk

// stream is what has to be remembered of one chunk stream: the last header,
// against which the shorter forms are read, and the message under way.
type stream struct {
	csid     uint32
	time     uint32 // of the last message that began, absolute
	delta    uint32 // what a fmt 3 that begins a message adds
	length   int
	typ      uint8
	streamID uint32

	// ext: the last fmt 0 to 2 header had an extended field, whose value was
	// extValue; fmt 3 headers may repeat it.
	ext      bool
	extValue uint32

	known   bool // a header was seen: fmt 2 and 3 have something to refer to
	pending bool // a message is under way
	got     int  // bytes of it
	buf     []byte
}

func (s *stream) header() Header {
	return Header{CSID: s.csid, Timestamp: s.time, Type: s.typ, StreamID: s.streamID}
}
