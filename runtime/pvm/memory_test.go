package pvm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// TestHeapStaysWithinLimit runs the hostile programs and the corpus under limits
// of many sizes: whatever they do, no count finds more than the limit, and the
// programs end in MemoryError or on their own.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (per-call memory 10 MiB).
func TestHeapStaysWithinLimit(t *testing.T) {
	within := func(name string, limit int64, m *pvm.Machine) {
		if peak := m.Inner().Peak(); peak > limit {
			t.Errorf("%s: peak %d of %d bytes", name, peak, limit)
		}
	}
	for _, p := range append(hostilePrograms(t), memoryPrograms...) {
		program, err := pvm.Compile("actor", []byte(p.source))
		if err != nil {
			continue
		}
		limits := []int64{300_000}
		if strings.HasPrefix(p.name, "memory ") && !testing.Short() {
			limits = append(limits, 10<<20)
		}
		for _, limit := range limits {
			m := pvm.New(pvm.Config{Meter: pvm.NewMeter(uint64(500_000+limit/8), 1<<30), MemoryLimit: limit})
			mod, fault := m.Load(program)
			if fault == nil {
				if attack, ok := mod.Lookup("attack"); ok {
					_, _ = m.Call(attack, object.None)
				}
			}
			within(p.name, limit, m)
		}
	}
	files, _ := filepath.Glob("testdata/*.py")
	for _, path := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		program, err := pvm.CompileFile("__main__", path, source)
		if err != nil {
			continue // record.py is not for the machine
		}
		for _, limit := range []int64{40_000, 150_000} {
			m := pvm.New(pvm.Config{Meter: pvm.NewMeter(1_000_000, 1<<30), MemoryLimit: limit})
			_, _ = m.Load(program)
			within(path, limit, m)
		}
	}
}

// TestCountIsPaidFor: looking at a full memory is paid for by what there is to look at, so that running into the limit again
// and again is no way to make the machine work for nothing.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestCountIsPaidFor(t *testing.T) {
	const source = `
def attack(times):
    d = {}
    n = 0
    try:
        while True:
            d[n] = n
            n += 1
    except MemoryError:
        pass
    for _ in range(times):
        try:
            d[n] = n
        except MemoryError:
            pass
    return len(d)
`
	program, err := pvm.Compile("actor", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	run := func(times int64) (used uint64, entries int64) {
		meter := pvm.NewMeter(1<<40, 0)
		m := pvm.New(pvm.Config{Meter: meter, MemoryLimit: 4 << 20})
		mod, fault := m.Load(program)
		if fault != nil {
			t.Fatal(fault)
		}
		attack, _ := mod.Lookup("attack")
		v, fault := m.Call(attack, object.Int(times))
		if fault != nil {
			t.Fatal(fault)
		}
		return meter.Used(), v.Int64()
	}
	few, entries := run(10)
	many, _ := run(30)
	// A key and a value of each entry, four references for a cycle.
	if each := int64(many-few) / 20; entries < 10_000 || each < entries/2 {
		t.Errorf("%d cycles to look at %d entries", each, entries)
	}
}

// memoryPrograms fill the memory by growing one thing of each kind, and go on
// when it does not grow any more.
var memoryPrograms = []microProgram{
	{"memory list append", "def attack(p):\n    a = []\n    while True:\n        try:\n            a.append(len(a))\n" +
		"        except MemoryError:\n            pass\n"},
	{"memory comprehension", "def attack(p):\n    while True:\n        try:\n            [i for i in range(10**9)]\n" +
		"        except MemoryError:\n            pass\n"},
	{"memory dict", "def attack(p):\n    d = {}\n    n = 0\n    while True:\n        n += 1\n        try:\n" +
		"            d[n] = n\n        except MemoryError:\n            n -= 1\n"},
	{"memory set", "def attack(p):\n    d = set()\n    n = 0\n    while True:\n        n += 1\n        try:\n            d.add(n)\n" +
		"        except MemoryError:\n            n -= 1\n"},
	{"memory attributes", "class C: pass\ndef attack(p):\n    c = C()\n    n = 0\n    while True:\n        n += 1\n        setattr(c, 'n%d' % n, n)\n"},
	{"memory globals", "def attack(p):\n    g = globals()\n    n = 0\n    while True:\n        n += 1\n        g['n%d' % n] = n\n"},
	{"memory text", "def attack(p):\n    s = 'ab' * 1000\n    while True:\n        try:\n            s += s\n" +
		"        except MemoryError:\n            s += 'x' * 999\n"},
	{"memory text in place", "def attack(p):\n    s = 'ab' * 1000\n    keep = []\n    while True:\n        s += 'x' * 999\n        keep.append(s)\n"},
	{"memory bytes", "def attack(p):\n    s = bytearray(b'ab' * 1000)\n    while True:\n        try:\n            s += s\n" +
		"        except MemoryError:\n            s += b'x' * 999\n"},
	{"memory deque", "from collections import deque\ndef attack(p):\n    d = deque()\n    while True:\n        try:\n" +
		"            d.append(1)\n        except MemoryError:\n            d.appendleft(2)\n"},
	{"memory cycle", "from itertools import cycle, islice\ndef attack(p):\n    for x in cycle(range(10**9)):\n        pass\n"},
	{"memory star", "def f(*a): return f(*a, *a)\ndef attack(p):\n    f(*range(1000))\n"},
	{"memory tuples", "def attack(p):\n    t = (1,) * 1000\n    while True:\n        try:\n            t += t\n" +
		"        except MemoryError:\n            t += t[:99]\n"},
	{"memory nested lists", "def attack(p):\n    t = []\n    while True:\n        try:\n            t = [t, t]\n" +
		"        except MemoryError:\n            t = t[0]\n"},
	{"memory classes", "def attack(p):\n    keep = []\n    while True:\n        try:\n            class C:\n" +
		"                def f(self): pass\n            keep.append(C)\n        except MemoryError:\n            pass\n"},
	{"memory generators", "def g():\n    a = b = c = d = 1\n    yield\ndef attack(p):\n    keep = []\n    while True:\n" +
		"        x = g()\n        next(x)\n        keep.append(x)\n"},
	{"memory big ints", "def attack(p):\n    keep = []\n    n = 1 << 4000\n    while True:\n        n += 1\n        keep.append(n)\n"},
	{"memory exceptions", "def attack(p):\n    keep = []\n    while True:\n        try:\n            raise ValueError('x' * 1000)\n" +
		"        except ValueError as e:\n            keep.append(e)\n"},
	{"memory copies", "def attack(p):\n    d = {i: i for i in range(20000)}\n    s = set(d)\n    keep = []\n    while True:\n" +
		"        keep.append((d.copy(), s.copy(), dict(d), s | s, list(d), d | d))\n"},
	{"memory split", "def attack(p):\n    s = 'a b ' * 100000\n    keep = []\n    while True:\n        keep.append(s.split())\n"},
}
