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
// An object that is being made, a comprehension's list for example, is out of
// reach: storing into it closes no cycle.
//
// Classes and modules are not part of the graph; a cycle of functions, cells,
// methods and descriptors alone (a recursive inner function) does not count.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (creating reference cycles MUST raise DeterminismError).

// noteStore registers o as a candidate after the value v was stored into it.
func (m *Machine) noteStore(o *Object, v Value) {
	if v.ref.kind&^Sub >= KindSlice && o.flags&(flagCandidate|flagStatic|flagOutside) == 0 && m.tracking && v.ref.kind&^Sub != KindType {
		o.flags |= flagCandidate
		m.candidates = append(m.candidates, o)
	}
}

// noteBulk registers o as a candidate after many values were stored into it.
func (m *Machine) noteBulk(o *Object) {
	if o.flags&(flagCandidate|flagStatic|flagOutside) == 0 && m.tracking {
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
	return m.Charge(visited * searchCost)
}

// CheckCycles is called when a call is over: it fails if the call left a
// reference cycle, and forgets the candidates.
func (m *Machine) CheckCycles() *Exception {
	candidates := m.candidates
	m.candidates = nil
	if !m.cycleFound && len(candidates) > 0 {
		found, visited := m.search(candidates)
		m.cycleFound = found
		if e := m.Charge(visited * searchCost); e != nil {
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
	edges int32 // where its edges begin in the stack of edges
	on    bool
	self  bool
}

// search looks for a strongly connected component with at least one data object
// among what the starting objects reach (Tarjan's algorithm, without recursion).
func (m *Machine) search(start []*Object) (found bool, visited int) {
	if m.searched > searchMark-1<<24 {
		m.searched = 0 // numbers of old searches are long overwritten by counts
	}
	s := m.finder
	if s == nil {
		s = newTarjan()
		m.finder = s
	}
	s.base = m.searched
	spent := 0
	for _, o := range start {
		if o.spent() {
			spent++
		} else if _, seen := s.number(o); !seen && s.from(o) {
			found = true
			break
		}
	}
	visited = len(s.nodes)
	m.searched += uint32(visited)
	if spent > 0 { // each is visited once, by the search or here
		for _, o := range start {
			if o.spent() {
				if _, seen := s.number(o); !seen {
					visited++
				}
			}
		}
	}
	s.forget()
	return found, visited
}

// spent says whether o is a generator that ended and left no result: it refers to nothing any more. Most of the generators
// that were ever suspended are such.
func (o *Object) spent() bool {
	if o.kind != KindGenerator {
		return false
	}
	g := Value{ref: o}.generator()
	return g.Done && g.Delegate.ref == nil && (g.Result.ref == nil || g.Result.ref.flags&flagStatic != 0)
}

// searchMark tells numbers of a search from epochs of counts.
const searchMark = 1 << 31

// tarjan is the state of a search. A machine keeps one, because searches follow
// each other and their stacks grow to the size of what is searched.
type tarjan struct {
	base  uint32 // of the numbers of this search
	nodes []vertex
	stack []int32 // Tarjan's
	path  []int32 // of the depth-first search
	edges []*Object
	most  int         // edges there were at a time
	at    *Object     // whose edges are being listed
	visit func(Value) // lists an edge of at
}

func newTarjan() *tarjan {
	s := &tarjan{}
	s.visit = func(w Value) { s.edge(s.at, w) }
	return s
}

// forget lets go of the objects of a search.
func (s *tarjan) forget() {
	clear(s.nodes)
	clear(s.edges[:s.most])
	s.nodes, s.stack, s.path, s.edges, s.most, s.at = s.nodes[:0], s.stack[:0], s.path[:0], s.edges[:0], 0, nil
}

// number returns the vertex of an object if the search has met it.
func (s *tarjan) number(o *Object) (int32, bool) {
	if o.epoch&searchMark == 0 {
		return 0, false
	}
	n := o.epoch&^searchMark - s.base
	if n >= uint32(len(s.nodes)) || s.nodes[n].o != o {
		return 0, false
	}
	return int32(n), true
}

// open numbers an object and lists its edges. One without edges is a component
// by itself and never enters the stacks.
func (s *tarjan) open(o *Object) {
	n, edges := int32(len(s.nodes)), len(s.edges)
	o.epoch = searchMark | (s.base + uint32(n))
	s.nodes = append(s.nodes, vertex{o: o, low: n, edges: int32(edges)})
	switch o.kind {
	case KindList:
		s.each(o, Value{ref: o}.list().items)
	case KindTuple:
		s.each(o, Value{ref: o}.tuple().items)
	default:
		s.at = o
		refs(o, s.visit)
	}
	s.most = max(s.most, len(s.edges))
	if v := &s.nodes[n]; len(s.edges) > edges || v.self {
		v.on = true
		s.stack = append(s.stack, n)
		s.path = append(s.path, n)
	}
}

func (s *tarjan) each(o *Object, items []Value) {
	for _, w := range items {
		if r := w.ref; r != nil && r.kind&^Sub >= KindSlice {
			s.edge(o, w)
		}
	}
}

// edge notes that o refers to w, if w can be part of a cycle.
func (s *tarjan) edge(o *Object, w Value) {
	r := w.ref
	if r == nil || r.kind&^Sub < KindSlice || r.flags&(flagStatic|flagOutside) != 0 || r.kind&^Sub == KindType || r.kind&^Sub == KindModule {
		return
	}
	if r == o {
		s.nodes[len(s.nodes)-1].self = true
		return
	}
	s.edges = append(s.edges, r)
}

func (s *tarjan) from(o *Object) bool {
	s.open(o)
	for len(s.path) > 0 {
		n := s.path[len(s.path)-1]
		v := &s.nodes[n]
		if len(s.edges) > int(v.edges) {
			w := s.edges[len(s.edges)-1]
			s.edges = s.edges[:len(s.edges)-1]
			i, seen := s.number(w)
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
