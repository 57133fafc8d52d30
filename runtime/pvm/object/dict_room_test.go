package object

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestExpectedDict: a dict that was told how large it will be pays, holds and answers what one that grows does.
//
// Spec: CIP-3 §2.2; WP "The Cowboy Actor VM (PVM)" (per-call memory).
func TestExpectedDict(t *testing.T) {
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 1))
		plain, told := roomOf(seed, -1), roomOf(seed, r.IntN(300))
		if plain != told {
			t.Fatalf("seed %d: %s\ntold how large it will be: %s", seed, plain, told)
		}
	}
}

// roomOf does what the seed says to a dict, and to a class namespace's copy of it, and writes down what can be seen.
func roomOf(seed uint64, expect int) (out string) {
	m := NewMachine(Settings{Meter: NewMeter(1<<40, 0), MemoryLimit: 1 << 30, RecursionLimit: 10})
	r := rand.New(rand.NewPCG(seed, 2))
	d := m.NewDict()
	note := func(d *Dict) {
		out += fmt.Sprintf("%d %d %d %d %d;", m.meter.Used(), m.heap, cap(d.entries), len(d.index), d.tableSize())
	}
	steps, first := r.IntN(300), r.IntN(3)
	for i := range steps {
		if i == first && expect >= 0 {
			d.Expect(expect)
		}
		name := NewStatic(fmt.Sprint("n", r.IntN(200)))
		switch k := r.IntN(100); {
		case k < 90:
			d.setStr(m, name, Int(int64(i)))
		case k < 94:
			d.deleteStr(name)
		case k < 96:
			if e := d.Set(m, Int(int64(i)), None); e != nil {
				panic(e)
			}
		case k == 96:
			d.trim()
		case k == 97 && r.IntN(20) == 0:
			d.Clear()
		default:
			note(d.Copy(m))
		}
		note(d)
	}
	c := &Dict{}
	if expect >= 0 {
		d.copyToGrow(m, c)
	} else {
		c = d.Copy(m)
	}
	for i := range 20 {
		c.setStr(m, NewStatic(fmt.Sprint("m", i)), None)
		note(c)
	}
	for _, x := range []*Dict{d, c} {
		x.Each(func(k, v Value) bool { out += fmt.Sprint(k.Bits(), k.Kind(), v.Bits(), ","); return true })
		for i := range 200 {
			out += fmt.Sprint(x.findStr(NewStatic(fmt.Sprint("n", i))), " ")
		}
	}
	return out
}

// TestMissedAttribute: that a function has no attribute of a name costs and counts the same whether the exception is made or not.
//
// Spec: CIP-3 §2.2.
func TestMissedAttribute(t *testing.T) {
	of := func(find func(*Machine, Value, *Str)) string {
		m := NewMachine(Settings{Meter: NewMeter(1<<40, 0), MemoryLimit: 1 << 30, RecursionLimit: 10})
		f := &Function{}
		f.typ, f.kind = &TypeFunction, KindFunction
		find(m, f.Value(), NewStatic("no_such_näme"))
		return fmt.Sprint(m.meter.Used(), m.heap)
	}
	made := of(func(m *Machine, v Value, name *Str) {
		if _, e := m.GetAttr(v, name); e == nil || !e.Is(&ExcAttributeError) {
			t.Error("no AttributeError")
		}
	})
	missed := of(func(m *Machine, v Value, name *Str) {
		if r, e := m.LookupAttr(v, name); e != nil || r.ref != nil {
			t.Error("found")
		}
	})
	if made != missed {
		t.Errorf("made: %s, missed: %s", made, missed)
	}
}

// TestNewDictFor: a dict that is made with its room costs the cycles and the bytes of one that grows to it, and has the same room afterwards.
func TestNewDictFor(t *testing.T) {
	fill := func(n int, d func(m *Machine) *Dict) (left, heap int64, room int) {
		m := NewMachine(Settings{Meter: NewMeter(1<<40, 0), MemoryLimit: 1 << 30, RecursionLimit: 10})
		made := d(m)
		for i := range n {
			if e := made.Set(m, Int(int64(i)), None); e != nil {
				t.Fatal(e)
			}
		}
		if e := m.Charge(0); e != nil {
			t.Fatal(e)
		}
		return m.meter.left, m.heap, cap(made.entries)
	}
	for n := range 300 {
		left, heap, room := fill(n, func(m *Machine) *Dict { return m.NewDictFor(n) })
		wantLeft, wantHeap, wantRoom := fill(n, (*Machine).NewDict)
		if left != wantLeft || heap != wantHeap || room != wantRoom {
			t.Errorf("%d entries: %d cycles left, %d bytes, room %d; grown: %d, %d, %d", n, left, heap, room, wantLeft, wantHeap, wantRoom)
		}
	}
}
