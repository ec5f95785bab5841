package message

import (
	"encoding/binary"
	"fmt"
)

// User control events (section 7.1.7 and practice).
const (
	EventStreamBegin      uint16 = 0
	EventStreamEOF        uint16 = 1
	EventStreamDry        uint16 = 2
	EventSetBufferLength  uint16 = 3
	EventStreamIsRecorded uint16 = 4
	EventPingRequest      uint16 = 6
	EventPingResponse     uint16 = 7
)

// UserControl is a message of type 4.
//
//	+------------------------------+-------------------------
//	|     event type (16 bits)     | event data
//	+------------------------------+-------------------------
type UserControl struct {
	Event uint16
	// Value is the first 4 bytes of the data: a message stream id, or the time
	// of a ping. 0 where there are fewer.
	Value uint32
	// Buffer is the second 4 bytes, which only SetBufferLength has: ms.
	Buffer uint32
}

// ParseUserControl reads a user control message. Events nobody has documented
// exist (31 and 32 from FMS 3.5) and are no error.
func ParseUserControl(payload []byte) (UserControl, error) {
	if len(payload) < 2 {
		return UserControl{}, fmt.Errorf("message: user control of %d bytes: %w", len(payload), ErrMalformed)
	}
	u := UserControl{Event: binary.BigEndian.Uint16(payload)}
	if len(payload) >= 6 {
		u.Value = binary.BigEndian.Uint32(payload[2:])
	}
	if len(payload) >= 10 {
		u.Buffer = binary.BigEndian.Uint32(payload[6:])
	}
	return u, nil
}

// AppendUserControl appends the payload of u.
func AppendUserControl(dst []byte, u UserControl) []byte {
	dst = binary.BigEndian.AppendUint16(dst, u.Event)
	dst = binary.BigEndian.AppendUint32(dst, u.Value)
	if u.Event == EventSetBufferLength {
		dst = binary.BigEndian.AppendUint32(dst, u.Buffer)
	}
	return dst
}
