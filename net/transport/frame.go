package transport

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// Frame is one received payload. Data belongs to whoever accepted the frame.
//
// The bytes count against what a peer may have unhandled on the channel until Done is called: a receiver that is slow to call it
// slows that peer on that channel and nobody else.
type Frame struct {
	From    ID
	Channel Channel
	Data    []byte

	credit *credit
}

// Done says that the frame has been handled. Further calls do nothing.
func (f *Frame) Done() {
	if f.credit != nil {
		f.credit.release(len(f.Data))
		f.credit = nil
	}
}

// lengthMax is the most bytes of a frame's length: 28 bits.
const lengthMax = 4

// step is how much of an announced frame is allocated before its bytes arrive.
const step = 32 << 10

var (
	errFrameEmpty  = errors.New("empty frame")
	errFrameLength = errors.New("length of a frame not minimal")
)

// errFrameLong says by how much a stranger's frame exceeds its channel's limit.
type errFrameLong struct{ length, limit int }

func (e errFrameLong) Error() string {
	return fmt.Sprintf("frame of %d bytes, the limit is %d", e.length, e.limit)
}

// appendLength writes a frame's length: base 128, least significant group first, minimal, 1 to 4 bytes.
func appendLength(dst []byte, n int) []byte {
	for n >= 0x80 {
		dst = append(dst, byte(n)|0x80)
		n >>= 7
	}
	return append(dst, byte(n))
}

// readLength takes a frame's length, at most limit. Only io.EOF means that the stream ended between frames.
func readLength(r io.ByteReader, limit int) (int, error) {
	n := 0
	for i := range lengthMax {
		b, err := r.ReadByte()
		if err != nil {
			if err == io.EOF && i > 0 {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		n |= int(b&0x7f) << (7 * i)
		if b >= 0x80 {
			continue
		}
		switch {
		case b == 0 && i > 0:
			return 0, errFrameLength
		case n == 0:
			return 0, errFrameEmpty
		case n > limit:
			return 0, errFrameLong{n, limit}
		}
		return n, nil
	}
	return 0, errFrameLength
}

// readBody takes n bytes. Memory grows with the bytes that have arrived, at most doubling, never with what was announced; more is called whenever so many of
// them are there that it is to grow by some bytes, and says whether it may. Where it may not, what was read until then is the answer.
func readBody(r *bufio.Reader, n int, more func(bytes int) bool) ([]byte, error) {
	body := make([]byte, min(n, step))
	for have := 0; ; {
		if _, err := io.ReadFull(r, body[have:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return body, err
		}
		if have = len(body); have == n || !more(min(n, 2*have)-have) {
			return body, nil
		}
		grown := make([]byte, min(n, 2*have))
		copy(grown, body)
		body = grown
	}
}

// skip reads over n bytes; progress is called whenever more of them are there.
func skip(r *bufio.Reader, n int, progress func()) error {
	for n > 0 {
		part, err := r.Discard(min(n, step))
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if n -= part; err != nil {
			return err
		}
		progress()
	}
	return nil
}

// credit bounds the bytes of one peer on one channel that were delivered and are not done.
type credit struct {
	limit int64
	used  atomic.Int64
	mu    sync.Mutex
	room  chan struct{} // closed when used falls below the limit; nil while nobody waits
}

// take counts n bytes, over the limit if need be; wait then holds the next frame back.
func (c *credit) take(n int) { c.used.Add(int64(n)) }

func (c *credit) release(n int) {
	if c.used.Add(int64(-n)) >= c.limit {
		return
	}
	c.mu.Lock()
	if c.room != nil {
		close(c.room)
		c.room = nil
	}
	c.mu.Unlock()
}

// wait returns nil when there is room, or a channel to wait on before asking again.
func (c *credit) wait() <-chan struct{} {
	if c.used.Load() < c.limit {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.room == nil {
		c.room = make(chan struct{})
	}
	if c.used.Load() < c.limit { // it was released between the two looks
		close(c.room)
		room := c.room
		c.room = nil
		return room
	}
	return c.room
}
