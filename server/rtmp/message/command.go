package message

import (
	"bytes"
	"fmt"

	"github.com/penstock-media/penstock/server/amf"
)

// Command is a remote procedure call or an answer to one (section 7.2).
type Command struct {
	Name string
	// Transaction pairs a call with its answer. 0: no answer is wanted.
	Transaction float64
	// Object is the command object: amf.Object, amf.ECMAArray, nil, ...
	Object amf.Value
	Args   []amf.Value
}

// Arg returns argument i, or nil where the peer sent fewer.
func (c Command) Arg(i int) amf.Value {
	if i < 0 || i >= len(c.Args) {
		return nil
	}
	return c.Args[i]
}

// ParseCommand reads a command of typ TypeCommand or TypeCommandAMF3. The
// latter begins with a format byte 0, which some peers leave out.
//
// What peers leave out besides is forgiven: the transaction id, the command
// object, the end of an object. Values after something unreadable are lost, but
// those before it count, so that a broken optional property does not lock an
// encoder out. Only a missing name is an error (ErrMalformed).
func ParseCommand(typ uint8, payload []byte, lim amf.Limits) (Command, error) {
	if typ == TypeCommandAMF3 && len(payload) > 0 && payload[0] == 0 {
		payload = payload[1:]
	}
	values, err := amf.Decode(payload, lim)
	if len(values) == 0 {
		if err != nil {
			return Command{}, fmt.Errorf("message: command without a name: %w: %w", ErrMalformed, err)
		}
		return Command{}, fmt.Errorf("message: empty command: %w", ErrMalformed)
	}
	var c Command
	var ok bool
	if c.Name, ok = amf.String(values[0]); !ok {
		return Command{}, fmt.Errorf("message: command whose name is a %T: %w", values[0], ErrMalformed)
	}
	values = values[1:]
	if len(values) > 0 {
		if c.Transaction, ok = amf.Number(values[0]); ok {
			values = values[1:]
		}
	}
	if len(values) > 0 && isObject(values[0]) {
		c.Object, values = values[0], values[1:]
	}
	if len(values) > 0 {
		c.Args = values
	}
	return c, nil
}

// isObject says whether v may stand in the place of the command object.
func isObject(v amf.Value) bool {
	switch v.(type) {
	case nil, amf.Undefined:
		return true
	default:
		_, ok := amf.Properties(v)
		return ok
	}
}

// AppendCommand appends the payload of c in AMF0, which every peer reads.
func AppendCommand(dst []byte, c Command) []byte {
	dst = amf.Append(dst, c.Name, c.Transaction, c.Object)
	return amf.Append(dst, c.Args...)
}

// DataPayload returns the payload of a data message in the form of TypeData: a message
// of TypeDataAMF3 loses its format byte, where it has one, and values in AMF3, which
// either type may hold, become AMF0. A message that cannot be read whole keeps them.
func DataPayload(typ uint8, payload []byte, lim amf.Limits) []byte {
	if typ == TypeDataAMF3 && len(payload) > 0 && payload[0] == 0 {
		payload = payload[1:]
	}
	const amf3 = 0x11 // the marker in front of each value in AMF3
	if bytes.IndexByte(payload, amf3) < 0 {
		return payload
	}
	return amf.Plain(payload, lim)
}
