package pyiter

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

var typeProduct, typePermutations, typeCombinations, typeReplacement object.Type

// selection is a tool that gives tuples of elements of one or more pools, chosen
// by indices that step through an order.
type selection struct {
	object.Object
	pools   [][]value // position i takes from pool i modulo their number
	indices []int
	cycles  []int   // of permutations
	row     []value // the last tuple
	started bool
	done    bool
}

func (s *selection) visit(visit func(value)) {
	for _, p := range s.pools {
		visitAll(p, visit)
	}
}

func (s *selection) bytes() int {
	n := 8*(len(s.indices)+len(s.cycles)+3*len(s.pools)) + 16*len(s.row)
	for _, p := range s.pools {
		n += 16 * len(p)
	}
	return n
}

func selectionTool(name string, new func(m *machine, t *object.Type, a object.Args) (value, *exception),
	advance func(m *machine, s *selection) (bool, *exception)) tool[selection] {
	return tool[selection]{
		keywords: true,
		name:     name, new: new, traverse: (*selection).visit, size: (*selection).bytes,
		next: func(m *machine, s *selection) (value, *exception) {
			if s.done {
				return value{}, nil
			}
			n := s.length()
			if e := m.ChargeLen(tupleCost, n, 1); e != nil {
				return value{}, e
			}
			if e := m.Reserve(16 * n); e != nil {
				return value{}, e
			}
			if s.started {
				more, e := advance(m, s)
				if e != nil {
					return value{}, e
				}
				if !more {
					s.done, s.row = true, nil
					return value{}, nil
				}
			}
			s.started = true
			return m.Tuple(s.next()...), nil
		},
	}
}

// next returns the elements that the indices choose.
func (s *selection) next() []value {
	if s.row == nil {
		s.row = make([]value, s.length())
	}
	k := 0
	for i := range s.row {
		s.row[i] = s.pools[k][s.indices[i]]
		if k++; k == len(s.pools) {
			k = 0
		}
	}
	return s.row
}

// length is that of the tuples: permutations keep all indices of the pool.
func (s *selection) length() int {
	if s.cycles != nil {
		return len(s.cycles)
	}
	return len(s.indices)
}

// newSelection allocates a selection over one pool with n indices.
func newSelection(m *machine, t *object.Type, pool []value, n int) (*selection, *exception) {
	if e := m.ChargeLen(0, n, 4); e != nil {
		return nil, e
	}
	if e := m.Reserve(24 * n); e != nil {
		return nil, e
	}
	s := object.Alloc[selection](m, t, 16*len(pool)+24*n)
	s.pools, s.indices = [][]value{pool}, make([]int, n)
	return s, nil
}

// poolAndLength reads the arguments "iterable, r"; r is -1 if it is missing or
// None, which only optional allows.
func poolAndLength(m *machine, name string, a object.Args, optional bool) (pool []value, r int, e *exception) {
	p := parameters{function: name, names: []string{"iterable", "r"}, required: 2}
	if optional {
		p.required = 1
	}
	args, e := p.bind(m, a)
	if e != nil {
		return nil, 0, e
	}
	if pool, e = items(m, args[0]); e != nil {
		return nil, 0, e
	}
	if optional && (args[1].IsZero() || args[1].IsNone()) {
		return pool, -1, nil
	}
	if optional {
		if _, ok := args[1].AsInt(); !ok {
			return nil, 0, m.TypeError("Expected int as r")
		}
	}
	if r, e = m.IndexInt(args[1], nil); e != nil {
		return nil, 0, e
	}
	if r < 0 {
		return nil, 0, m.ValueError("r must be non-negative")
	}
	return pool, r, nil
}

var _ = define(&typeCombinations, selectionTool("combinations", func(m *machine, t *object.Type, a object.Args) (value, *exception) {
	pool, r, e := poolAndLength(m, "combinations", a, false)
	if e != nil {
		return value{}, e
	}
	s, e := newSelection(m, t, pool, min(r, len(pool)))
	if e != nil {
		return value{}, e
	}
	for i := range s.indices {
		s.indices[i] = i
	}
	s.done = r > len(pool)
	return object.Of(&s.Object), nil
}, func(m *machine, s *selection) (bool, *exception) {
	n, r := len(s.pools[0]), len(s.indices)
	i := r - 1
	for i >= 0 && s.indices[i] == i+n-r {
		i--
	}
	if i < 0 {
		return false, nil
	}
	s.indices[i]++
	for j := i + 1; j < r; j++ {
		s.indices[j] = s.indices[j-1] + 1
	}
	return true, nil
}))

var _ = define(&typeReplacement, selectionTool("combinations_with_replacement", func(m *machine, t *object.Type, a object.Args) (value, *exception) {
	pool, r, e := poolAndLength(m, "combinations_with_replacement", a, false)
	if e != nil {
		return value{}, e
	}
	empty := len(pool) == 0 && r > 0
	if empty {
		r = 0
	}
	s, e := newSelection(m, t, pool, r)
	if e != nil {
		return value{}, e
	}
	s.done = empty
	return object.Of(&s.Object), nil
}, func(m *machine, s *selection) (bool, *exception) {
	last, i := len(s.pools[0])-1, len(s.indices)-1
	for i >= 0 && s.indices[i] == last {
		i--
	}
	if i < 0 {
		return false, nil
	}
	next := s.indices[i] + 1
	for ; i < len(s.indices); i++ {
		s.indices[i] = next
	}
	return true, nil
}))

var _ = define(&typePermutations, selectionTool("permutations", func(m *machine, t *object.Type, a object.Args) (value, *exception) {
	pool, r, e := poolAndLength(m, "permutations", a, true)
	if e != nil {
		return value{}, e
	}
	n := len(pool)
	if r < 0 {
		r = n
	}
	done := r > n
	if done {
		r = 0
	}
	s, e := newSelection(m, t, pool, n)
	if e != nil {
		return value{}, e
	}
	s.done, s.cycles = done, make([]int, r)
	m.Account(24 * r)
	for i := range s.indices {
		s.indices[i] = i
	}
	for i := range s.cycles {
		s.cycles[i] = n - i
	}
	return object.Of(&s.Object), nil
}, func(m *machine, s *selection) (bool, *exception) {
	n := len(s.indices)
	for i := len(s.cycles) - 1; i >= 0; i-- {
		if s.cycles[i] > 1 {
			s.cycles[i]--
			j := n - s.cycles[i]
			s.indices[i], s.indices[j] = s.indices[j], s.indices[i]
			return true, nil
		}
		if e := m.ChargeLen(0, n-i, 16); e != nil {
			return false, e
		}
		first := s.indices[i]
		copy(s.indices[i:], s.indices[i+1:])
		s.indices[n-1] = first
		s.cycles[i] = n - i
	}
	return false, nil
}))

var _ = define(&typeProduct, selectionTool("product", func(m *machine, t *object.Type, a object.Args) (value, *exception) {
	times := 1
	for i, name := range a.Names {
		if name.String() != "repeat" {
			return value{}, m.TypeError("'%s' is an invalid keyword argument for product()", name)
		}
		var e *exception
		if times, e = m.IndexInt(a.V[len(a.Pos())+i], nil); e != nil {
			return value{}, e
		}
		if times < 0 {
			return value{}, m.ValueError("repeat argument cannot be negative")
		}
	}
	args := a.Pos()
	if e := m.Charge(object.IteratorCost * 2 * len(args)); e != nil {
		return value{}, e
	}
	if len(args) == 0 {
		times = 0
	}
	if len(args) > 0 && times > (1<<30)/len(args) {
		return value{}, m.OverflowError("repeat argument too large")
	}
	n := times * len(args)
	if e := m.ChargeLen(0, n, 4); e != nil {
		return value{}, e
	}
	if e := m.Reserve(24 * min(n, 1<<26)); e != nil {
		return value{}, e
	}
	s := object.Alloc[selection](m, t, 24*n+24*len(args))
	m.Pin(object.Of(&s.Object))
	for _, v := range args {
		pool, e := items(m, v)
		if e != nil {
			return value{}, e
		}
		m.Account(16 * len(pool))
		s.pools = append(s.pools, pool)
		s.done = s.done || len(pool) == 0 && times > 0
	}
	s.indices = make([]int, n)
	return object.Of(&s.Object), nil
}, func(m *machine, s *selection) (bool, *exception) {
	for i := len(s.indices) - 1; i >= 0; i-- {
		if s.indices[i]++; s.indices[i] < len(s.pools[i%len(s.pools)]) {
			return true, nil
		}
		s.indices[i] = 0
	}
	return false, nil
}))
