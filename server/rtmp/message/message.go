// Package message reads and writes the payloads of RTMP messages: protocol
// control, user control, commands, aggregates. It is pure: bytes in, values
// out.
package message

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Message type ids.
const (
	TypeSetChunkSize     uint8 = 1
	TypeAbort            uint8 = 2
	TypeAck              uint8 = 3
	TypeUserControl      uint8 = 4
	TypeWindowAckSize    uint8 = 5
	TypeSetPeerBandwidth uint8 = 6
	TypeAudio            uint8 = 8
	TypeVideo            uint8 = 9
	TypeDataAMF3         uint8 = 15
	TypeSharedAMF3       uint8 = 16
	TypeCommandAMF3      uint8 = 17
	TypeData             uint8 = 18
	TypeShared           uint8 = 19
	TypeCommand          uint8 = 20
	TypeAggregate        uint8 = 22
)

// ErrMalformed says that a payload is not what its type promises. It is wrapped
// with what is wrong.
var ErrMalformed = errors.New("malformed message")

// Media is one audio, video or data message.
type Media struct {
	Type      uint8  // TypeAudio, TypeVideo or TypeData
	Timestamp uint32 // ms, modulo 2^32
	Payload   []byte
}

// ParseUint32 reads the payload of SetChunkSize, Abort, Ack and WindowAckSize.
// Bytes after it are ignored.
func ParseUint32(payload []byte) (uint32, error) {
	if len(payload) < 4 {
		return 0, fmt.Errorf("message: %d bytes for a number of 4: %w", len(payload), ErrMalformed)
	}
	return binary.BigEndian.Uint32(payload), nil
}

// AppendUint32 appends the payload of SetChunkSize, Abort, Ack or WindowAckSize.
func AppendUint32(dst []byte, v uint32) []byte {
	return binary.BigEndian.AppendUint32(dst, v)
}

// BandwidthDynamic is the limit type of SetPeerBandwidth that every server
// sends: take it as hard if the last was hard, else as no limit.
const BandwidthDynamic uint8 = 2

// AppendPeerBandwidth appends the payload of SetPeerBandwidth.
func AppendPeerBandwidth(dst []byte, window uint32, limit uint8) []byte {
	return append(binary.BigEndian.AppendUint32(dst, window), limit)
}
