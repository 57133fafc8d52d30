package object

import "unsafe"

// Window is a frame's registers. The type is larger than any frame so that a
// 16-bit register number needs no bounds check; instructions name only registers
// the frame has.
type Window = [1 << 16]Value

// windowAt views the storage at p as a window, whose type is larger than what is
// there.
//
//go:nocheckptr
func windowAt(p unsafe.Pointer) *Window { return (*Window)(p) }

// How a frame gives back its result.
const (
	ToRegister uint8 = iota // Dst of the frame below
	ToNative                // ends the interpreter loop that ran it
	ToInit                  // dropped: the new instance is already in Dst
	ToIterate               // a generator stepped by a for loop
	ToDelegate              // a generator stepped by yield from or await
)

// Frame is a running or suspended piece of Python code.
type Frame struct {
	L       *Loaded
	Fn      *Function // nil for modules and class bodies
	Closure []*Cell
	Regs    *Window
	Limit   int // values from Regs[0] to the end of its storage
	PC      int // of the instruction running
	Prev    *Frame
	Gen     *Generator
	NS      Value // namespace of a class body
	Dst     uint16
	Ret     uint8
	chunk   int32
	// Above and Room are where a generator's callees get their windows: the
	// stack above whoever resumed it.
	Above *Window
	Room  int
	// Outer is the exception that was being handled when the frame was entered.
	Outer *Exception
}

// firstChunk is the size of the stack's first piece, in values; each further
// piece is four times the one before, up to lastChunk.
const (
	firstChunk = 512
	lastChunk  = 1 << 15
)

// refs calls visit for the values a frame holds.
func (f *Frame) refs(visit func(Value)) {
	f.liveRefs(visit)
	if f.NS.ref != nil {
		visit(f.NS)
	}
	if f.Fn != nil {
		visit(f.Fn.Value())
	} else {
		visit(f.L.Image.Module.Value())
		for _, cell := range f.Closure {
			visit(cell.Value())
		}
	}
	if f.Gen != nil {
		visit(f.Gen.Value())
	}
	if f.Outer != nil {
		visit(f.Outer.Value())
	}
}

// liveRefs visits the variables and the temporaries that are still needed.
func (f *Frame) liveRefs(visit func(Value)) {
	c := f.L.Code
	if c.ClearAll {
		each(f.Regs[:c.Regs], visit)
		return
	}
	each(f.Regs[:c.Locals+c.Cells], visit)
	for _, r := range c.LiveSets[c.Live[f.PC]] {
		each(f.Regs[r.From:int(r.From)+int(r.N)], visit)
	}
}

// PushFrame enters a frame for l above the current one, with its window at
// regs if room values are enough there, else on fresh stack with the first n
// values of regs copied. It fails at the recursion limit.
func (m *Machine) PushFrame(l *Loaded, regs *Window, room, n int) (*Frame, *Exception) {
	if m.depth+m.natives >= m.limit {
		return nil, m.Raise(&ExcRecursionError, "maximum recursion depth exceeded")
	}
	m.depth++
	var f *Frame
	if m.used < len(m.pool) {
		f = m.pool[m.used]
	} else {
		f = m.nextFrame()
	}
	m.used++
	f.L, f.Regs, f.Limit, f.PC = l, regs, room, 0
	prev := m.Frame
	f.Prev = prev
	f.chunk = 0
	if prev != nil {
		f.chunk = prev.chunk
	}
	if l.Code.Regs > room {
		if e := m.moveWindow(f, regs, n); e != nil {
			m.depth--
			m.used--
			return nil, e
		}
	}
	m.Frame = f
	return f, nil
}

// moveWindow gives f a window on the next piece of the stack.
func (m *Machine) moveWindow(f *Frame, args *Window, n int) *Exception {
	next := int(f.chunk) + 1
	need := f.L.Code.Regs
	for next < len(m.chunks) && len(m.chunks[next]) < need {
		next++
	}
	if len(m.chunks) == 0 {
		m.chunks = append(m.chunks, nil) // piece 0 stands for "none yet"
	}
	if next >= len(m.chunks) {
		size := max(pieceSize(len(m.chunks)), need+64)
		if e := m.Reserve(size * valueSize); e != nil {
			return e
		}
		m.hold(size * valueSize)
		m.chunks = append(m.chunks, m.newPiece(len(m.chunks), size))
		next = len(m.chunks) - 1
	}
	chunk := m.chunks[next]
	f.chunk = int32(next)
	f.Regs = windowAt(unsafe.Pointer(unsafe.SliceData(chunk)))
	f.Limit = len(chunk)
	if n > 0 {
		copy(chunk[:n], args[:n])
	}
	return nil
}

// stackSize is the memory of the stack, in bytes.
func (m *Machine) stackSize() (n int64) {
	for _, c := range m.chunks {
		n += int64(len(c)) * valueSize
	}
	return n
}

// PopFrame leaves the current frame, which is not a generator's.
func (m *Machine) PopFrame() {
	f := m.Frame
	m.Frame = f.Prev
	m.depth--
	m.used--
	f.Fn, f.Closure, f.NS, f.Gen, f.Outer = nil, nil, Value{}, nil, nil
}

// Top returns the free stack above the current frame and its size.
func (m *Machine) Top() (*Window, int) {
	f := m.Frame
	if f == nil {
		return nil, 0
	}
	return f.Top()
}

// Top returns the free stack above the frame and its size.
func (f *Frame) Top() (*Window, int) {
	if f.Gen != nil {
		return f.Above, f.Room
	}
	n := f.L.Code.Regs
	return windowAt(unsafe.Pointer(&f.Regs[n])), f.Limit - n
}

// EnterGenerator puts a suspended generator's frame on top of the stack.
func (m *Machine) EnterGenerator(g *Generator) *Exception {
	if m.depth+m.natives >= m.limit {
		return m.Raise(&ExcRecursionError, "maximum recursion depth exceeded")
	}
	m.depth++
	f := &g.frame
	f.Prev = m.Frame
	f.chunk = 0
	if m.Frame != nil {
		f.chunk = m.Frame.chunk
		f.Above, f.Room = m.Frame.Top()
	} else {
		f.Above, f.Room = nil, 0
	}
	m.Frame = f
	g.Running = true
	f.Outer = m.handled
	if g.handled != nil {
		m.handled = g.handled
	}
	return nil
}

// LeaveGenerator takes a generator's frame off the stack, suspended or done.
func (m *Machine) LeaveGenerator(g *Generator) {
	f := &g.frame
	m.depth--
	m.Frame = f.Prev
	f.Prev, f.Above, f.Room = nil, nil, 0
	g.Running = false
	g.handled = nil
	if g.Handling > 0 {
		g.handled = m.handled
	}
	m.handled = f.Outer
	f.Outer = nil
}

// Generator is a generator, coroutine or asynchronous generator: a saved window.
//
// What says whether it ended stands beside the header: the search for cycles asks many for it.
type Generator struct {
	Object
	Started  bool
	Running  bool
	Done     bool
	Closing  bool  // asynchronous generators: aclose was called, or the end was met
	Stepping bool  // asynchronous generators: a step has begun and not come to a yield or the end
	Result   Value // once Done by returning
	Delegate Value // what it waits for in yield from or await, or zero
	Handling int   // except and finally blocks entered, while suspended or running
	handled  *Exception
	sink     func(v Value) bool // takes what it yields to native code; see feed
	Name     *Str
	Qualname *Str
	frame    Frame
}

// generatorCost is the price of making a generator, beside the call and its memory.
const generatorCost = 24

// NewGenerator turns the current frame's code into a suspended generator: args
// are the first values of its window.
func (m *Machine) NewGenerator(l *Loaded, fn *Function, args []Value) *Generator {
	n := l.Code.Regs
	g, regs := newWindowed(n)
	g.Name, g.Qualname = l.Code.Name, l.Code.Qualname
	if fn != nil {
		g.Name, g.Qualname = fn.Name, fn.Qualname
	}
	g.kind = KindGenerator
	switch l.Code.Flags & (IsGenerator | IsCoroutine) {
	case IsGenerator | IsCoroutine:
		g.typ = &TypeAsyncGenerator
	case IsCoroutine:
		g.typ = &TypeCoroutine
	default:
		g.typ = &TypeGenerator
	}
	copy(regs, args)
	f := &g.frame
	f.L, f.Fn, f.Gen, f.Limit = l, fn, g, n
	if fn != nil {
		f.Closure = fn.Closure
	}
	f.Regs = windowAt(unsafe.Pointer(unsafe.SliceData(regs)))
	m.account(generatorSize + n*valueSize)
	m.meter.Owe(generatorCost)
	return g
}

// generator8 and generator16 are generators whose window lies beside them.
type (
	generator8 struct {
		Generator
		window [8]Value
	}
	generator16 struct {
		Generator
		window [16]Value
	}
)

// newWindowed returns a generator and its window of n values.
func newWindowed(n int) (*Generator, []Value) {
	switch {
	case n <= 8:
		g := new(generator8)
		return &g.Generator, g.window[:n]
	case n <= 16:
		g := new(generator16)
		return &g.Generator, g.window[:n]
	}
	return new(Generator), make([]Value, n)
}

// Value returns the generator as a value.
func (g *Generator) Value() Value { return Value{ref: &g.Object} }

// Frame returns the generator's saved frame.
func (g *Generator) Frame() *Frame { return &g.frame }

// Finish marks the generator as done and drops its window.
func (g *Generator) Finish(result Value) {
	g.Done, g.Result = true, result
	f := &g.frame
	if f.Regs != nil {
		clear(f.Regs[:f.Limit]) // it may lie beside the generator, which lives on
	}
	f.Regs, f.Limit, f.Fn, f.Closure = nil, 0, nil, nil
	g.handled, g.Handling, g.Delegate = nil, 0, Value{}
}

func (g *Generator) window() int {
	if g.Done {
		return 0
	}
	return g.frame.Limit
}

func (g *Generator) refs(visit func(Value)) {
	if g.Result.ref != nil {
		visit(g.Result)
	}
	if g.Delegate.ref != nil {
		visit(g.Delegate)
	}
	if g.Done {
		return
	}
	f := &g.frame
	f.liveRefs(visit)
	if f.Fn != nil {
		visit(f.Fn.Value())
	}
	if g.handled != nil {
		visit(g.handled.Value())
	}
}

// NoteSuspended registers a generator that was suspended: its window may now
// refer to what refers to it.
func (m *Machine) NoteSuspended(g *Generator) { m.noteBulk(&g.Object) }
