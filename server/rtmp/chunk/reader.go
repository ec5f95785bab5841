package chunk

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Reader puts messages together from the chunks of one direction of a
// connection. SetChunkSize and Abort messages are obeyed here, and handed out
// like any other for whoever wants to count them.
//
//	 wire   [v1 a][v2 b][a1 c][v3 d]      chunks of csid 6 (v) and 4 (a)
//	           │     │     │     │
//	stream 6  a·····b·····│·····d ─▶ video message
//	stream 4              c ───────▶ audio message, which is complete first
//
// Memory follows what has arrived, not what headers announce. A Reader is for
// one goroutine and is of no use after an error.
type Reader struct {
	src    io.Reader
	br     *bufio.Reader
	off    uint64 // bytes consumed
	size   int    // chunk size of the peer
	limits Limits

	low        [64]*stream // csid 2 to 63
	high       map[uint32]*stream
	streams    int
	unfinished int // messages under way
	held       int // bytes of them

	// spare is where messages longer than Limits.Eager begin, so that a big
	// frame leaves nothing behind for the collector but itself.
	spare []byte
	ext   verdict
	// guessed: a header inside a message was taken for its continuation. If that was
	// wrong, types that do not exist follow soon.
	guessed bool
}

// NewReader returns a Reader on src that reads ahead by at most buffer bytes (at
// least 512).
func NewReader(src io.Reader, buffer int, limits Limits) *Reader {
	return &Reader{
		src:    src,
		br:     bufio.NewReaderSize(src, max(buffer, 512)),
		size:   DefaultSize,
		limits: limits.withDefaults(),
	}
}

// SetLimits replaces the limits, for the messages that begin from now on.
func (r *Reader) SetLimits(limits Limits) { r.limits = limits.withDefaults() }

// Grow makes the read-ahead buffer at least buffer bytes long. What was read
// ahead is kept.
func (r *Reader) Grow(buffer int) {
	if buffer <= r.br.Size() {
		return
	}
	src := r.src
	if n := r.br.Buffered(); n > 0 {
		ahead, _ := r.br.Peek(n) // cannot fail: they are there
		src = io.MultiReader(bytes.NewReader(bytes.Clone(ahead)), r.src)
	}
	r.br = bufio.NewReaderSize(src, buffer)
}

// Buffered is how many bytes have been read ahead.
func (r *Reader) Buffered() int { return r.br.Buffered() }

// ChunkSize is the chunk size the peer has set.
func (r *Reader) ChunkSize() int { return r.size }

// Consumed is the number of bytes of the chunk stream that were used up.
func (r *Reader) Consumed() uint64 { return r.off }

// Next returns the next message that is complete. It returns io.EOF where the
// stream ends between two messages, io.ErrUnexpectedEOF where it ends inside
// one, ErrProtocol or ErrTooLarge (wrapped), or what the source returned.
func (r *Reader) Next() (Message, error) {
	for {
		s, err := r.chunk()
		if err != nil {
			return Message{}, err
		}
		if s.pending && s.got < s.length {
			continue
		}
		m := Message{Header: s.header(), Payload: s.buf}
		r.drop(s)
		if err := r.obey(m); err != nil {
			return Message{}, err
		}
		return m, nil
	}
}

// obey does what SetChunkSize and Abort say (sections 5.4.1 and 5.4.2).
func (r *Reader) obey(m Message) error {
	if m.Type != typeSetChunkSize && m.Type != typeAbort {
		return nil
	}
	if len(m.Payload) == 0 {
		return nil // an empty message of any type means nothing
	}
	if len(m.Payload) < 4 {
		return r.errorf("control message of type %d with %d bytes", m.Type, len(m.Payload))
	}
	v := binary.BigEndian.Uint32(m.Payload)
	if m.Type == typeAbort {
		// The header stays the base of later ones; only the partial goes.
		if s := r.find(v); s != nil {
			r.drop(s)
		}
		return nil
	}
	// The top bit must be zero: encoders that set it mean the rest. Above
	// MaxLength all sizes say the same.
	v &= 0x7FFFFFFF
	if least := r.limits.ChunkSize; v < uint32(least) {
		return r.errorf("chunk size %d, at least %d is allowed", v, least)
	}
	r.size = int(min(v, MaxLength))
	return nil
}

// chunk reads one chunk and returns the stream it belongs to.
func (r *Reader) chunk() (*stream, error) {
	format, csid, err := r.basic()
	if err != nil {
		return nil, err
	}
	s, err := r.stream(csid, format)
	if err != nil {
		return nil, err
	}
	if format == 3 {
		err = r.short(s)
	} else {
		err = r.long(s, format)
	}
	if err != nil {
		return nil, err
	}
	if !s.pending {
		if err := r.begin(s); err != nil {
			return nil, err
		}
	}
	return s, r.body(s)
}

// basic reads the basic header (section 5.3.1.1).
func (r *Reader) basic() (format byte, csid uint32, err error) {
	b, err := r.br.ReadByte()
	if err != nil {
		if errors.Is(err, io.EOF) && r.unfinished > 0 {
			err = io.ErrUnexpectedEOF
		}
		return 0, 0, err
	}
	r.off++
	format, csid = b>>6, uint32(b&0x3F)
	if csid >= minCSID {
		return format, csid, nil
	}
	more, err := r.take(int(csid) + 1)
	if err != nil {
		return 0, 0, err
	}
	csid = 64 + uint32(more[0])
	if len(more) == 2 {
		csid += uint32(more[1]) << 8
	}
	return format, csid, nil
}

// stream finds the state of a chunk stream, or begins it. The first header on
// a chunk stream is fmt 0; librtmp's ping replies and some cameras begin with
// fmt 1, which stands for itself on the base of time 0 and stream 0. The
// shorter forms have nothing to refer to.
func (r *Reader) stream(csid uint32, format byte) (*stream, error) {
	s := r.find(csid)
	if s != nil {
		return s, nil
	}
	if format > 1 {
		return nil, r.errorf("fmt %d on chunk stream %d, which has no header yet", format, csid)
	}
	if r.streams >= r.limits.ChunkStreams {
		return nil, fmt.Errorf("chunk: at byte %d: more than %d chunk streams: %w", r.off, r.limits.ChunkStreams, ErrTooLarge)
	}
	s = &stream{csid: csid}
	r.streams++
	if csid < 64 {
		r.low[csid] = s
		return s, nil
	}
	if r.high == nil {
		r.high = make(map[uint32]*stream)
	}
	r.high[csid] = s
	return s, nil
}

func (r *Reader) find(csid uint32) *stream {
	if csid < 64 {
		return r.low[csid]
	}
	return r.high[csid]
}

// take consumes n bytes (n is small). They are valid until the next read.
func (r *Reader) take(n int) ([]byte, error) {
	b, err := r.br.Peek(n)
	if err != nil {
		return nil, unexpected(err)
	}
	_, _ = r.br.Discard(n) // cannot fail: they were just peeked
	r.off += uint64(n)
	return b, nil
}

func (r *Reader) errorf(format string, args ...any) error {
	return fmt.Errorf("chunk: at byte %d: %s: %w", r.off, fmt.Sprintf(format, args...), ErrProtocol)
}

// unexpected turns the end of the source inside a chunk into what it is.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
