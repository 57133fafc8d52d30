package object

// Stack is what machines that follow each other hand on: the first piece of their
// stack, frames, and the caches of modules, which run once. It holds nothing of
// any of them, and belongs to one goroutine at a time.
type Stack struct {
	piece  []Value
	frames []*Frame
	caches [][]Cache
}

// Bounds of what a stack keeps.
const (
	keptFrames = 64
	keptCaches = 8
)

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
	if len(m.chunks) > 1 && len(m.chunks[1]) == firstChunk {
		s.piece = m.chunks[1]
		clear(s.piece)
	}
	m.pool = m.pool[:min(len(m.pool), keptFrames)]
	for _, f := range m.pool {
		*f = Frame{}
	}
	s.frames = m.pool
	m.stack, m.chunks, m.pool, m.Frame = nil, nil, nil, nil
	if a := m.arena; a != nil {
		a.clear()
		m.template.spare, m.template, m.arena, m.caches = a, nil, nil, nil
	}
}

// newPiece returns a piece of stack for n values.
func (m *Machine) newPiece(n int) []Value {
	if s := m.stack; s != nil && len(s.piece) == n {
		piece := s.piece
		s.piece = nil
		return piece
	}
	return make([]Value, n)
}

// makeCaches makes the caches of a code that runs for the first time. Most functions
// of a module never do.
func (m *Machine) makeCaches(l *Loaded) {
	n := l.Code.Caches
	if s := m.stack; s != nil && l.Code.Flags&IsModule != 0 && len(s.caches) > 0 {
		last := len(s.caches) - 1
		if kept := s.caches[last]; cap(kept) >= n {
			l.Caches, s.caches = kept[:n], s.caches[:last]
			return
		}
	}
	if n <= len(m.caches) && l.Code.Flags&IsModule == 0 {
		l.Caches, m.caches = m.caches[:n:n], m.caches[n:]
		return
	}
	l.Caches = make([]Cache, n)
}

// Ran takes the caches back of a module's code, which does not run again.
func (m *Machine) Ran(l *Loaded) {
	if s := m.stack; s != nil && l.Caches != nil && len(s.caches) < keptCaches {
		clear(l.Caches)
		s.caches = append(s.caches, l.Caches)
		l.Caches = nil
	}
}
