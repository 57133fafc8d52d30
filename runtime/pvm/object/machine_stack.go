package object

// Stack is what machines that follow each other hand on: the first pieces of their
// stack, and frames. It holds nothing of any of them, and belongs to one goroutine
// at a time.
type Stack struct {
	pieces [keptPieces][]Value // by their number, from 1; nil: none
	frames []*Frame
}

// Bounds of what a stack keeps: the frames and the pieces of a recursion as deep as a call may go.
const (
	keptFrames = 256
	keptPieces = 2
)

// frameSlab is how many frames are made at once.
const frameSlab = 16

// nextFrame makes the frame that the pool lacks, and others with it.
func (m *Machine) nextFrame() *Frame {
	slab := new([frameSlab]Frame)
	for i := range slab {
		m.pool = append(m.pool, &slab[i])
	}
	return &slab[0]
}

// UseStack gives a machine that has not run yet what the machine before left.
func (m *Machine) UseStack(s *Stack) {
	m.stack = s
	m.pool, s.frames = s.frames, nil
}

// Release leaves the stack of a machine that will not run again to the next.
func (m *Machine) Release() {
	s := m.stack
	if s == nil {
		return
	}
	for i := 1; i < len(m.chunks) && i <= keptPieces; i++ {
		if len(m.chunks[i]) == pieceSize(i) {
			s.pieces[i-1] = m.chunks[i]
			clear(m.chunks[i])
		}
	}
	m.pool = m.pool[:min(len(m.pool), keptFrames)]
	for _, f := range m.pool {
		if f.L == nil { // neither this one nor those behind it were entered
			break
		}
		*f = Frame{}
	}
	s.frames = m.pool
	m.stack, m.chunks, m.pool, m.Frame = nil, nil, nil, nil
	if a := m.arena; a != nil {
		a.clear()
		m.template.spare, m.template, m.arena, m.caches = a, nil, nil, nil
	}
}

// pieceSize is the size of piece i of the stack, unless a window asks for more.
func pieceSize(i int) int { return min(firstChunk<<(2*i-2), lastChunk) }

// newPiece returns piece i of the stack, for n values.
func (m *Machine) newPiece(i, n int) []Value {
	if s := m.stack; s != nil && i <= keptPieces && len(s.pieces[i-1]) == n {
		piece := s.pieces[i-1]
		s.pieces[i-1] = nil
		return piece
	}
	return make([]Value, n)
}

// learn returns a cache for an instruction of a code that has none. A code is given its caches when it has needed them as often as it has places for
// them, so that making them costs no more than what ran: much of a program runs once, or never.
func (m *Machine) learn(l *Loaded, i uint32) *Cache {
	if l.cold++; l.cold <= l.Code.Caches {
		m.learning = Cache{}
		return &m.learning
	}
	n := l.Code.Caches
	if n <= len(m.caches) {
		l.Caches, m.caches = m.caches[:n:n], m.caches[n:]
	} else {
		l.Caches = make([]Cache, n)
	}
	return &l.Caches[i]
}
