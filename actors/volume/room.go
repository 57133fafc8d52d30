package volume

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// Bounds of rooms.
const (
	roomLeast = 4 << 20   // a smaller one is plain memory
	roomsKept = 256 << 20 // bytes of rooms that nobody uses and that are kept for the next file
)

// room is memory for a file that can be read only once. What is fresh from the system, page by page, costs more than sealing does: so it comes in large pages
// where the system has them, and what one file had is the next one's.
type room struct {
	bytes []byte
	plain bool // and not the system's
}

var rooms struct {
	mu   sync.Mutex
	free []*room // the smallest first
	size int
}

// takeRoom gives a room of so many bytes at least, which hold anything.
func takeRoom(size int) (*room, error) {
	if size < roomLeast {
		return &room{make([]byte, size), true}, nil
	}
	rooms.mu.Lock()
	defer rooms.mu.Unlock()
	if i := slices.IndexFunc(rooms.free, func(r *room) bool { return len(r.bytes) >= size }); i >= 0 {
		r := rooms.free[i]
		rooms.free = slices.Delete(rooms.free, i, i+1)
		rooms.size -= len(r.bytes)
		return r, nil
	}
	bytes, err := mapRoom(size)
	return &room{bytes, false}, err
}

// leave gives a room back. Nobody looks at its bytes any more.
func (r *room) leave() {
	if r.plain || r.bytes == nil {
		return
	}
	rooms.mu.Lock()
	defer rooms.mu.Unlock()
	if rooms.size+len(r.bytes) > roomsKept {
		unmapRoom(r.bytes)
		return
	}
	rooms.size += len(r.bytes)
	rooms.free = append(rooms.free, r)
	slices.SortFunc(rooms.free, func(a, b *room) int { return len(a.bytes) - len(b.bytes) })
}

// readRoom reads to the end, or one byte more than most, into a room. likely is how much there is, as far as it is known.
func readRoom(in io.Reader, likely, most int) (r *room, size int, err error) {
	if r, err = takeRoom(min(max(likely, 0), most) + 1); err != nil {
		return nil, 0, err
	}
	for {
		n, err := io.ReadFull(in, r.bytes[size:min(len(r.bytes), most+1)])
		size += n
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), err == nil && size > most:
			return r, size, nil
		case err != nil:
			r.leave()
			return nil, 0, err
		}
		larger, err := takeRoom(min(2*len(r.bytes), most+1))
		if err != nil {
			r.leave()
			return nil, 0, err
		}
		copy(larger.bytes, r.bytes[:size])
		r.leave()
		r = larger
	}
}
