package chunk

// AppendMessage appends a message as chunks: one full header (fmt 0) with the
// absolute time, then fmt 3 continuations.
//
//	 0                   1                   2                   3
//	+-+-+-+-+-+-+-+-+
//	|fmt|   csid    |  (1 to 3 bytes)
//	+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//	|                   timestamp                   |message length |
//	+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//	|     message length (cont)     |message type id| msg stream id |
//	+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//	|    message stream id (cont, little-endian)    |
//	+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//
// A time of 0xFFFFFF and above goes into the extended field, which is repeated
// on each continuation: Flash, FFmpeg and the text of the specification want it
// so, and a player that does not find it there reads it as payload.
//
// A chunkSize below 1 means DefaultSize. A payload longer than MaxLength cannot
// be said in RTMP and is cut to it.
func AppendMessage(dst []byte, h Header, payload []byte, chunkSize int) []byte {
	if chunkSize < 1 {
		chunkSize = DefaultSize
	}
	if len(payload) > MaxLength {
		payload = payload[:MaxLength]
	}
	field := min(h.Timestamp, extended)
	n := len(payload)
	dst = appendBasic(dst, 0, h.CSID)
	dst = append(
		dst,
		byte(field>>16), byte(field>>8), byte(field),
		byte(n>>16), byte(n>>8), byte(n),
		h.Type,
		byte(h.StreamID), byte(h.StreamID>>8), byte(h.StreamID>>16), byte(h.StreamID>>24),
	)
	for {
		if field == extended {
			dst = append(
				dst,
				byte(h.Timestamp>>24), byte(h.Timestamp>>16), byte(h.Timestamp>>8), byte(h.Timestamp),
			)
		}
		if len(payload) <= chunkSize {
			return append(dst, payload...)
		}
		dst = append(dst, payload[:chunkSize]...)
		payload = payload[chunkSize:]
		dst = appendBasic(dst, 3, h.CSID)
	}
}

// MessageSize is the number of bytes AppendMessage appends for a payload of
// payloadLen bytes.
func MessageSize(h Header, payloadLen, chunkSize int) int {
	if chunkSize < 1 {
		chunkSize = DefaultSize
	}
	if payloadLen > MaxLength {
		payloadLen = MaxLength
	}
	per := basicSize(h.CSID)
	if h.Timestamp >= extended {
		per += 4
	}
	chunks := 1
	if payloadLen > 0 {
		chunks = (payloadLen + chunkSize - 1) / chunkSize
	}
	return 11 + chunks*per + payloadLen
}

// appendBasic appends the basic header: 1 byte for csid 2 to 63, 2 bytes for 64
// to 319, 3 bytes (little-endian) up to 65599.
func appendBasic(dst []byte, format byte, csid uint32) []byte {
	switch {
	case csid < 64:
		return append(dst, format<<6|byte(csid))
	case csid < 320:
		return append(dst, format<<6, byte(csid-64))
	default:
		return append(dst, format<<6|1, byte(csid-64), byte((csid-64)>>8))
	}
}

func basicSize(csid uint32) int {
	switch {
	case csid < 64:
		return 1
	case csid < 320:
		return 2
	default:
		return 3
	}
}
