package mutual

import (
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

const (
	// Version is the first byte of each frame.
	Version = 1
	// MaxBody is how many bytes a frame holds beside its head: a MiB, and room for what stands around it.
	//
	// Spec: storage-cbfs §3.3.
	MaxBody  = 1<<20 + 64<<10
	headSize = 5
)

// ErrFrame reports a frame of another version, or one that is too long.
var ErrFrame = errors.New("mutual: not a frame of this version, or too long")

// appendHead appends what stands before a body.
func appendHead(dst []byte, size int) []byte {
	return binary.BigEndian.AppendUint32(append(dst, Version), uint32(size))
}

// readHead reads what stands before a body, and gives its length.
func readHead(r io.Reader) (int, error) {
	var head [headSize]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, err
	}
	size := binary.BigEndian.Uint32(head[1:])
	if head[0] != Version || size > MaxBody {
		return 0, ErrFrame
	}
	return int(size), nil
}

// Body is a body in memory. Whoever has read it may give the memory back by Free: what is fresh from the system costs more than all that is done with it.
type Body struct {
	Bytes []byte
	whole *[]byte // nil for none of bodies
}

// small is up to which size a body is none of bodies.
const small = 16 << 10

var bodies = sync.Pool{New: func() any {
	whole := make([]byte, MaxBody)
	return &whole
}}

// Take gives memory for size bytes, at most MaxBody, which hold anything. What is large ends where a page does, so that a chunk at the end of a question, which
// has a whole number of pages, begins where one does, and can be written past the page cache from there.
func Take(size int) *Body {
	if size <= small {
		return &Body{Bytes: make([]byte, size)}
	}
	whole := bodies.Get().(*[]byte)
	return &Body{(*whole)[MaxBody-size:], whole}
}

// Free gives the memory back, once. Nobody looks at the bytes any more.
func (b *Body) Free() {
	if b != nil && b.whole != nil {
		bodies.Put(b.whole)
		b.Bytes, b.whole = nil, nil
	}
}

// readBody reads a body. Its memory is there before the bytes are, so the caller bounds how many are read at a time.
func readBody(r io.Reader, size int) (*Body, error) {
	body := Take(size)
	if _, err := io.ReadFull(r, body.Bytes); err != nil {
		body.Free()
		return nil, err
	}
	return body, nil
}

// writeFrame writes a frame; its body comes in parts, so that what is large need not be copied behind what stands before it.
func writeFrame(w io.Writer, body ...[]byte) error {
	size := 0
	for _, part := range body {
		size += len(part)
	}
	if size > MaxBody {
		return ErrFrame
	}
	if _, err := w.Write(appendHead(nil, size)); err != nil {
		return err
	}
	for _, part := range body {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
