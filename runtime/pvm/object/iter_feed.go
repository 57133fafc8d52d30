package object

import "unsafe"

// A native function that takes one value of a generator after the other (sum, any, list) mostly does with it what runs no
// Python code and cannot fail. It gives the generator a sink, and the interpreter, instead of leaving the generator with each
// value and entering it again, offers the value to the sink and goes on. Price and effects are those of leaving it.

// feed is exhaust but that sink is asked first. It says whether it took the value; it must not run Python code, not fail
// and not let the heap grow by more than what the next charge may find too much.
func (m *Machine) feed(it Value, sink func(x Value) bool, fn func(x Value) (bool, *Exception)) *Exception {
	if it.ref.typ != &TypeGenerator || it.generator().sink != nil {
		return m.exhaust(it, fn)
	}
	g := it.generator()
	g.sink = sink
	e := m.exhaust(it, fn)
	g.sink = nil
	return e
}

// Feed offers a value that g yields to native code to its sink, and says whether g goes on.
func (m *Machine) Feed(g *Generator, v Value) bool {
	if g.sink == nil || m.meter.left < iterCost || !g.sink(v) {
		return false
	}
	m.meter.left -= iterCost // of asking for the next value
	m.NoteSuspended(g)
	return true
}

// feedFrom is exhaust that appends to a list.
func (l *List) feedFrom(m *Machine, it Value) *Exception {
	return m.feed(it, func(x Value) bool {
		if len(l.items) == cap(l.items) {
			return false
		}
		l.Append(m, x)
		return true
	}, func(x Value) (bool, *Exception) {
		l.Append(m, x)
		return true, nil
	})
}

// takeAll appends what an iterator still has, at the price of exhaust.
func (l *List) takeAll(m *Machine, it Value) *Exception {
	if l.drain(m, it) {
		return nil
	}
	if t := it.ref.typ; t == &TypeASCIIIter || t == &TypeStrIter {
		return l.extendText(m, it)
	}
	return l.feedFrom(m, it)
}

// extendText appends the characters that an iterator of a text still has, at
// the price of exhaust.
func (l *List) extendText(m *Machine, it Value) *Exception {
	pins := len(m.pins)
	m.Pin(it)
	defer m.Unpin(pins)
	s, runes := (*SeqIter)(unsafe.Pointer(it.ref)), []rune(nil)
	for {
		if e := m.Charge(iterCost + nativeStep); e != nil {
			return e
		}
		if m.natives+m.depth >= m.limit {
			return m.Enter()
		}
		if n := len(runes); n > 0 && s.at < n { // what stepText does, of a text that it has decoded
			s.at++
			l.Append(m, m.char(runes[s.at-1]))
			continue
		}
		x, e := s.stepText(m)
		if e != nil || x.ref == nil {
			return e
		}
		l.Append(m, x)
		if t := s.seq.str(); !t.ASCII() {
			runes = t.Runes()
		}
	}
}
