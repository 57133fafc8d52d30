package object

// A call must not leave a reference cycle among its own objects: CPython's
// reference counts would never free it, and its collector is off.
//
// The last store that closes a cycle goes into an object that existed before, so
// every cycle contains an object that was stored into after its creation. Such
// objects are registered as candidates (noteStore), and a depth-first search
// over what the candidates reach finds every cycle, reachable from the program
// or not, at the end of the call. A count of live memory drops the candidates it
// did not reach after searching them, so that the register never keeps more
// alive than the memory limit allows.
//
// Classes and modules are not part of the graph; a cycle of functions, cells,
// methods and descriptors alone (a recursive inner function) does not count.
//
// Spec: WP "PVM" (creating reference cycles MUST raise DeterminismError).

// noteStore registers o as a candidate after the value v was stored into it.
func (m *Machine) noteStore(o *Object, v Value) {
	if v.ref.kind&^Sub >= KindSlice && o.flags&(flagCandidate|flagStatic) == 0 && m.tracking && v.ref.kind&^Sub != KindType {
		o.flags |= flagCandidate
		m.candidates = append(m.candidates, o)
	}
}

// noteBulk registers o as a candidate after many values were stored into it.
func (m *Machine) noteBulk(o *Object) {
	if o.flags&(flagCandidate|flagStatic) == 0 && m.tracking {
		o.flags |= flagCandidate
		m.candidates = append(m.candidates, o)
	}
}

// NoteStore tells the search for reference cycles that a native object of
// another package took v into itself after its creation.
func (m *Machine) NoteStore(o *Object, v Value) { m.noteStore(o, v) }

// Track switches the search for reference cycles on or off and returns what it
// was: objects changed while library modules load are not the program's own.
func (m *Machine) Track(on bool) bool {
	was := m.tracking
	m.tracking = on
	return was
}

// sweepCandidates is called after a count: candidates it did not reach are
// searched for cycles, which nothing can break any more, and dropped.
func (m *Machine) sweepCandidates() *Exception {
	var dead []*Object
	live := m.candidates[:0]
	for _, o := range m.candidates {
		if o.epoch == m.epoch {
			live = append(live, o)
		} else {
			dead = append(dead, o)
		}
	}
	clear(m.candidates[len(live):])
	m.candidates = live
	if len(dead) == 0 || m.cycleFound {
		return nil
	}
	found, visited := m.search(dead)
	m.cycleFound = found
	return m.Charge(visited / countCost)
}

// CheckCycles is called when a call is over: it fails if the call left a
// reference cycle, and forgets the candidates.
func (m *Machine) CheckCycles() *Exception {
	candidates := m.candidates
	m.candidates = nil
	if !m.cycleFound && len(candidates) > 0 {
		found, visited := m.search(candidates)
		m.cycleFound = found
		if e := m.Charge(visited / countCost); e != nil {
			return e
		}
	}
	for _, o := range candidates {
		o.flags &^= flagCandidate
	}
	if m.cycleFound {
		m.cycleFound = false
		return m.DeterminismError("the call leaves a reference cycle among its own objects")
	}
	return nil
}

// functional says whether objects of kind k may form cycles by themselves.
func functional(o *Object) bool {
	switch o.kind &^ Sub {
	case KindFunction, KindCell, KindMethod, KindDescriptor, KindBuiltin, KindCode:
		return true
	case KindNative:
		return nativeType(o.typ).Call != nil
	}
	return false
}

// vertex is one object of the search, numbered in the order of discovery.
type vertex struct {
	o     *Object
	low   int32
	on    bool
	self  bool
	edges []*Object
}

// search looks for a strongly connected component with at least one data object
// among what the starting objects reach (Tarjan's algorithm, without recursion).
func (m *Machine) search(start []*Object) (found bool, visited int) {
	s := &tarjan{index: map[*Object]int32{}}
	for _, o := range start {
		if _, seen := s.index[o]; !seen && s.from(o) {
			return true, len(s.nodes)
		}
	}
	return false, len(s.nodes)
}

type tarjan struct {
	index map[*Object]int32
	nodes []vertex
	stack []int32 // Tarjan's
	path  []int32 // of the depth-first search
}

func (s *tarjan) open(o *Object) int32 {
	n := int32(len(s.nodes))
	s.index[o] = n
	s.nodes = append(s.nodes, vertex{o: o, low: n, on: true})
	v := &s.nodes[n]
	refs(o, func(w Value) {
		r := w.ref
		if r == nil {
			return
		}
		if r == o {
			v.self = true
		}
		if r.flags&flagStatic == 0 && r.kind&^Sub >= KindSlice && r.kind&^Sub != KindType && r.kind&^Sub != KindModule {
			v.edges = append(v.edges, r)
		}
	})
	s.stack = append(s.stack, n)
	s.path = append(s.path, n)
	return n
}

func (s *tarjan) from(o *Object) bool {
	s.open(o)
	for len(s.path) > 0 {
		n := s.path[len(s.path)-1]
		v := &s.nodes[n]
		if len(v.edges) > 0 {
			w := v.edges[len(v.edges)-1]
			v.edges = v.edges[:len(v.edges)-1]
			i, seen := s.index[w]
			if !seen {
				s.open(w)
			} else if s.nodes[i].on {
				v.low = min(v.low, i)
			}
			continue
		}
		s.path = s.path[:len(s.path)-1]
		if len(s.path) > 0 {
			p := &s.nodes[s.path[len(s.path)-1]]
			p.low = min(p.low, v.low)
		}
		if v.low == n && s.close(n) {
			return true
		}
	}
	return false
}

// close takes the component whose root is n off the stack and says whether it is
// a cycle that counts.
func (s *tarjan) close(n int32) bool {
	size, data := 0, false
	for {
		w := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		s.nodes[w].on = false
		size++
		if !functional(s.nodes[w].o) {
			data = true
		}
		if w == n {
			break
		}
	}
	return data && (size > 1 || s.nodes[n].self)
}
