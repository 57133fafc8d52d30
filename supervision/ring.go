package supervision

// ring is a first-in first-out queue that grows on demand and gives its memory
// back once a burst has passed.
type ring struct {
	buf     []any
	head, n int
}

// ringKeep is the number of slots a queue may hold on to while empty.
const ringKeep = 64

func (r *ring) push(v any) {
	if r.n == len(r.buf) {
		r.resize(max(8, 2*r.n))
	}
	r.buf[(r.head+r.n)&(len(r.buf)-1)] = v
	r.n++
}

func (r *ring) pop() (any, bool) {
	if r.n == 0 {
		return nil, false
	}
	v := r.buf[r.head]
	r.buf[r.head] = nil
	r.head = (r.head + 1) & (len(r.buf) - 1)
	r.n--
	if len(r.buf) > ringKeep && r.n <= len(r.buf)/8 {
		r.resize(len(r.buf) / 4)
	}
	return v, true
}

// resize moves the queue into a buffer of the given power of two, at least r.n.
func (r *ring) resize(size int) {
	buf := make([]any, size)
	for i := range r.n {
		buf[i] = r.buf[(r.head+i)&(len(r.buf)-1)]
	}
	r.buf, r.head = buf, 0
}
