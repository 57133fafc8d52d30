package object

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"io"
	"math/big"
)

// Evaluator runs Python code; package interp provides it.
type Evaluator interface {
	// CallFunction calls a Python function from native code.
	CallFunction(m *Machine, fn *Function, a Args) (Value, *Exception)
	// Resume continues a generator or coroutine with the value sent in, or with
	// an exception to raise at its yield. The zero Value without an exception
	// means that it returned; the result is then in g.Result.
	Resume(m *Machine, g *Generator, sent Value, thrown *Exception) (Value, *Exception)
}

// Importer finds the modules a program may import.
type Importer interface {
	// Import returns the module called name ("a.b" for a submodule), running its
	// code if this is the first time.
	Import(m *Machine, name string) (*Module, *Exception)
}

// Settings are what a machine is made with.
type Settings struct {
	Meter          *Meter
	Prices         *cost.Prices // nil: those of version 1
	MemoryLimit    int64        // bytes by formula, live at any time
	RecursionLimit int          // Python frames
	Stdout         io.Writer
	Open           Func // the built-in function; nil: there are no files
	Evaluator      Evaluator
	Importer       Importer
	// Units keeps what the library compiled for these prices, for all machines of one owner; nil: this machine keeps its own.
	Units map[string]*Unit
}

// Machine is one Python machine: one call's heap, stack and modules. It belongs
// to one goroutine. Native functions get it as their first argument and reach
// everything through it.
type Machine struct {
	meter *Meter
	costs *cost.Prices
	units map[string]*Unit

	heap      int64 // bytes allocated since the last count, plus what lived then
	heapLimit int64
	learning  Cache // of an instruction whose code has no caches yet
	spare     int64 // what heapLimit leaves of the limit for handlers
	peak      int64
	lenient   bool // heapLimit has the room for handlers in it
	overflow  bool // a container could not grow: the next charge raises MemoryError
	epoch     uint32
	pins      []Value // held by native code across calls back into Python
	lent      []Value // arguments of calls that native code makes

	candidates []*Object // containers stored into after their creation
	tracking   bool      // candidates are recorded
	cycleFound bool      // an unreachable reference cycle was met
	searched   uint32    // vertices numbered by searches so far
	finder     *tarjan   // of the last search

	Frame    *Frame // running now; nil outside Python code
	depth    int    // Python frames on the stack
	natives  int    // native calls that called back
	nested   int    // loops of the interpreter that native code runs now
	deepest  int    // most of them so far
	inmost   int    // most natives so far
	limit    int
	versions uint32
	lastID   uint64
	ids      map[*Object]uint64
	handled  *Exception // being handled, as sys.exception()
	thrown   thrown     // by throw() into a generator that delegates

	template *Template // the machine began with copies of what it holds,
	arena    *arena    // which lie here
	caches   []Cache   // of the arena, for functions that run

	stack  *Stack   // of the machine before; nil for none
	pool   []*Frame // frames for reuse; pool[:used] are on the stack
	used   int
	chunks [][]Value

	Stdout    io.Writer
	Files     Value // what open() keeps; the zero Value before its first file
	open      Func
	evaluator Evaluator
	importer  Importer
	Modules   map[string]*Module // imported so far, by full name
	subs      []derived          // classes made by the program directly under static types
	halves    bigHalves
	scratch   [4]big.Int // operands and results of big int arithmetic
	digits    []byte     // of a number being written
	drafts    [][]byte   // for texts being written; see builder
	found     []int32    // positions of elements chosen for a set
	showing   []*Object  // containers whose repr is being made
	watch     Watcher    // nil but for tools
	seen      int64      // cycles left at the last report to watch
	ready     []*Task    // coroutines waiting for their turn, first in first out
	Host      any        // belongs to the native modules of whoever made the machine
}

// NewMachine returns a machine with nothing loaded.
func NewMachine(s Settings) *Machine {
	if s.Prices == nil {
		s.Prices = cost.First()
	}
	spare := min(handlerRoom, s.MemoryLimit/8)
	m := &Machine{
		meter: s.Meter, costs: s.Prices, units: s.Units, heapLimit: s.MemoryLimit - spare, spare: spare, limit: s.RecursionLimit,
		Stdout: s.Stdout, open: s.Open, evaluator: s.Evaluator, importer: s.Importer,
		Modules: map[string]*Module{}, tracking: true, versions: 1,
	}
	return m
}

// Unit gives a source of the library as it was compiled for the machine's prices.
func (m *Machine) Unit(file string, compile func() *Unit) *Unit {
	u := m.units[file]
	if u == nil {
		if u = compile(); m.units == nil {
			m.units = map[string]*Unit{}
		}
		m.units[file] = u
	}
	return u
}

// Meter returns the meter the machine charges.
func (m *Machine) Meter() *Meter { return m.meter }

// Costs are the prices the machine charges.
func (m *Machine) Costs() *cost.Prices { return m.costs }

// Charge takes n cycles before the work they pay for is done.
func (m *Machine) Charge(n int) *Exception {
	t := m.meter
	if int64(n) > t.left {
		return m.shortOf(int64(n))
	}
	t.left -= int64(n)
	return nil
}

// ChargeLen takes base cycles and one more for each started run of per units of
// work: the price of an operation that is linear in n.
func (m *Machine) ChargeLen(base, n, per int) *Exception {
	return m.Charge(base + (n+per-1)/per)
}

// ChargeCells takes n cells.
func (m *Machine) ChargeCells(n int) *Exception {
	if !m.meter.SpendCells(uint64(n)) {
		return &Exception{Fatal: OutOfCells}
	}
	return nil
}

// shortOf is the rare end of Charge: an armed or empty meter.
func (m *Machine) shortOf(n int64) *Exception {
	t := m.meter
	if t.trapped {
		if e := m.settle(); e != nil {
			return e
		}
		if n <= t.left {
			t.left -= n
			if m.watch != nil {
				m.report(false)
			}
			return nil
		}
	}
	t.disarm()
	if t.gather(); n <= t.left {
		t.left -= n
		e := m.heed()
		if e == nil && m.watch != nil {
			m.report(false)
		}
		return e
	}
	t.left = 0
	return &Exception{Fatal: OutOfCycles}
}

// heed goes on with the next ration of the meter, unless the execution is to end.
func (m *Machine) heed() *Exception {
	t := m.meter
	t.put()
	if t.stop != nil && t.stop.Raised() {
		return m.Fail(ErrInterrupted)
	}
	return nil
}

// CheckMeter is called by the interpreter when the meter went below zero after
// the cost of a block was taken.
func (m *Machine) CheckMeter() *Exception {
	t := m.meter
	if t.trapped {
		if e := m.settle(); e != nil {
			return e
		}
	}
	if t.left < 0 {
		if t.gather(); t.left < 0 {
			t.left = 0
			return &Exception{Fatal: OutOfCycles}
		}
		if e := m.heed(); e != nil {
			return e
		}
	}
	if m.watch != nil {
		m.report(true)
	}
	return nil
}

// settle disarms the meter and counts the heap if it seems too large. A heap that
// another machine on the same meter armed for is looked at when that machine
// allocates again.
func (m *Machine) settle() *Exception {
	m.meter.disarm()
	if m.overflow {
		m.overflow = false
		return m.exceeded()
	}
	if m.heap <= m.heapLimit {
		return nil
	}
	if m.meter.left+m.meter.reserve < 0 {
		return nil // the caller finds the meter empty
	}
	if e := m.count(); e != nil {
		return e
	}
	if m.heap > m.heapLimit {
		return m.exceeded()
	}
	return nil
}

// exceeded raises MemoryError, and opens the room for handlers.
func (m *Machine) exceeded() *Exception {
	if !m.lenient {
		m.lenient = true
		m.heapLimit += m.handlers()
	}
	return m.Raise(&ExcMemoryError, "")
}

// handlerRoom is what the first MemoryError leaves of the limit, so that a handler
// can run that lets go of something; it is closed again when a count finds less
// than the limit without it. A quarter of it is never given out: objects of
// bounded size are made before the charge that finds them too many, so the heap
// stays within the limit at every time.
const handlerRoom = 64 << 10

// handlers is the part of the room that handlers may fill.
func (m *Machine) handlers() int64 { return m.spare / 4 * 3 }

// Settle ends a machine's use of a meter that others go on using.
func (m *Machine) Settle() { m.meter.disarm() }

// account counts n bytes just allocated and charges for them. Passing the limit,
// or the end of the cycles, is looked at by the next charge, so an allocation of
// bounded size needs no error path.
//
// Spec: CIP-3 §2.2.1 (memory allocation is metered).
func (m *Machine) account(n int) {
	m.meter.left -= int64(n) >> (m.costs.ByteShift & 63)
	m.hold(n)
}

// hold counts n bytes just allocated whose making has a price of its own: texts
// pay for their characters, big ints for their bits, a list that grows for what
// is appended.
func (m *Machine) hold(n int) {
	m.heap += int64(n)
	if m.heap > m.heapLimit {
		m.meter.arm()
	}
}

// Hold counts n bytes whose making has a price of its own.
func (m *Machine) Hold(n int) { m.hold(n) }

// Account counts n bytes that a native type allocated beside its structure.
// Whatever a program can make large must go through Reserve first.
func (m *Machine) Account(n int) { m.account(n) }

// Reserve says whether n more bytes fit the memory limit. An operation whose
// result has a size that the program chooses asks before it allocates; the
// allocation is counted when it happens, not here.
func (m *Machine) Reserve(n int) *Exception {
	if n < 0 || int64(n) > m.heapLimit {
		return m.exceeded()
	}
	if m.heap+int64(n) <= m.heapLimit {
		return nil
	}
	m.meter.disarm()
	e := m.count()
	if e == nil && m.heap+int64(n) > m.heapLimit {
		e = m.exceeded()
	}
	if m.watch != nil {
		m.meter.arm()
	}
	return e
}

// Grow says whether a container may grow by n bytes. It is Reserve for where no
// exception can be raised: the container then stays as it is, and the next
// charge, which comes before the program's next step, raises MemoryError. The
// values are held by the caller alone.
func (m *Machine) Grow(n int, held ...Value) bool {
	if m.heap+int64(n) <= m.heapLimit {
		return true
	}
	pins := len(m.pins)
	m.pins = append(m.pins, held...)
	e := m.Reserve(n)
	m.Unpin(pins)
	if e == nil {
		return true
	}
	m.overflow = e.Fatal == NotFatal
	m.meter.arm()
	return false
}

// Enter is called by native code before it calls something that may come back
// to it (comparison of nested containers, repr of lists, calls into Python).
// Every successful Enter is followed by a Leave.
func (m *Machine) Enter() *Exception {
	if m.natives+m.depth >= m.limit {
		return m.Raise(&ExcRecursionError, "maximum recursion depth exceeded")
	}
	m.natives++
	if m.natives <= m.inmost {
		return nil
	}
	m.inmost = m.natives
	if m.natives <= m.costs.ShallowNest {
		return nil
	}
	e := m.Charge(m.costs.Deeper)
	if e != nil {
		m.natives--
	}
	return e
}

// Leave ends what Enter began.
func (m *Machine) Leave() { m.natives-- }

// Nest is called where native code runs Python code, and Unnest when that is
// done. Levels that were not reached before cost more: the stack of the process
// grows, which what happens on it does not pay for.
func (m *Machine) Nest() *Exception {
	m.nested++
	if m.nested <= m.deepest {
		return nil
	}
	m.deepest = m.nested
	if m.nested <= m.costs.ShallowNest {
		return nil
	}
	e := m.Charge(m.costs.Deeper)
	if e != nil {
		m.nested--
	}
	return e
}

// Unnest ends what Nest began.
func (m *Machine) Unnest() { m.nested-- }

// Pin keeps v counted as live memory while native code holds it across calls
// into Python. The pins of a native call are dropped when it returns.
func (m *Machine) Pin(v Value) { m.pins = append(m.pins, v) }

// Unpin drops the pins made since Pinned returned n.
func (m *Machine) Unpin(n int) {
	clear(m.pins[n:])
	m.pins = m.pins[:n]
}

// Pinned returns the number of pins.
func (m *Machine) Pinned() int { return len(m.pins) }

// Handled returns the exception that is being handled, or nil.
func (m *Machine) Handled() *Exception { return m.handled }

// SetHandled changes what Handled returns.
func (m *Machine) SetHandled(e *Exception) { m.handled = e }

// Heap returns the bytes counted now, and Peak the most after any count.
func (m *Machine) Heap() int64 { return m.heap }

// Depth returns the number of Python frames on the stack.
func (m *Machine) Depth() int { return m.depth }
