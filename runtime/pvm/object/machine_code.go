package object

// Instr is one instruction of the register machine. A, B and C name registers
// of the frame's window or small counts; D is a jump target, an index into a
// table of the code or an immediate; E is the number of an inline cache or a
// second table index. Package compile defines the operations.
type Instr struct {
	Op      uint16
	A, B, C uint16
	D       int32
	E       uint32
}

// Position is a range of source text: lines from 1, columns in UTF-8 bytes from 0.
type Position struct {
	Line, Col, EndLine, EndCol int32
}

// Flags of a Code.
const (
	VarArgs uint16 = 1 << iota
	VarKeywords
	IsGenerator
	IsCoroutine
	IsClassBody
	IsModule
	Internal // of a library module: left out of tracebacks
)

// Code is a compiled function, class body or module. It is immutable and may be
// shared by machines on different goroutines.
type Code struct {
	Object
	Name, Qualname *Str
	File           string
	Unit           *Unit
	Index          int // within its unit
	Flags          uint16

	PosOnly, Pos, KwOnly int // parameters; Pos includes PosOnly
	Params               int // registers that hold parameters, * and ** included
	Locals               int // registers of named variables, from 0
	Cells                int // registers of owned cells, behind the locals
	Regs                 int // all registers
	VarNames             []*Str
	CellNames, FreeNames []*Str
	CellParams           []int16 // parameter register that each owned cell takes over, or -1

	Instrs    []Instr
	Block     []uint32 // cost of the basic block that starts at an instruction
	Rest      []uint32 // cost of the instructions behind one in its block
	Live      []uint32 // which of LiveSets holds the temporaries needed at an instruction
	LiveSets  [][]Run
	ClearAll  bool // not analysed: all temporaries count, and are cleared when the frame is entered
	Pos4      []Position
	Consts    []Value
	Names     []*Str
	KwNames   [][]*Str // keyword names of call sites
	Children  []*Code
	Handlers  []Handler
	Guard     []int32 // handler of each instruction, -1 if none; nil without handlers
	Plain     bool    // only plain positional parameters
	Caches    int
	Binds     int // of a module or class body: names it stores at the most, as far as is known
	FirstLine int32
	Doc       Value // None if absent
	FreeFrom  []FreeFrom
	ClassCell int // for class bodies: owned cell of __class__, or -1
}

// Run is a run of consecutive registers.
type Run struct{ From, N uint16 }

// FreeFrom says where the maker of a function finds a cell to hand over: its own
// cell register, or its received cell.
type FreeFrom struct {
	Owned bool
	Slot  int
}

// Handler is where an exception continues and which register receives it.
type Handler struct {
	Target int32
	Reg    uint16
}

// Unit is the code of one source file. Codes[0] is the module's.
type Unit struct {
	Name  string
	File  string
	Codes []*Code
	Lines []string // source text for tracebacks; nil if it was not kept
	// Functions is how many functions without closures the module and its classes
	// define, those in branches and loops once.
	Functions int
	Globals   int // how many names the code reads or writes globally
}

// Size is about how many bytes the unit takes in Go's memory.
func (u *Unit) Size() int {
	const (
		header   = 1024 // of a code: its fields, its slices' own headers and rounding
		perInstr = 48   // with its place, its costs and its sets
		perEntry = 24   // of a table
	)
	n := 0
	for _, c := range u.Codes {
		n += header + perInstr*len(c.Instrs) + perEntry*(len(c.Consts)+len(c.Names)+len(c.VarNames)+len(c.LiveSets)+len(c.KwNames)+len(c.Children))
		for _, v := range c.Consts {
			switch v.Kind() {
			case KindStr:
				n += strSize + len(v.str().s) + 8*(len(v.str().s)-v.str().n)
			case KindBytes:
				n += bytesSize + len(v.bytes().b)
			case KindBig, KindTuple, KindFrozenSet, KindComplex:
				n += sizeOf(v.ref)
			}
		}
	}
	for _, line := range u.Lines {
		n += 16 + len(line)
	}
	return n
}

// Value returns the code as a value.
func (c *Code) Value() Value { return Value{ref: &c.Object} }

// Image is a unit loaded into a machine: its codes' inline caches and its
// namespace.
type Image struct {
	Unit    *Unit
	Globals *Dict
	Module  *Module
	places  []place // of global names by their number; made when the first is looked for
	codes   []Loaded
	spare   []Function // for the functions the module defines
	number  uint32     // in a template, from 1
}

// Loaded is a code in a machine.
type Loaded struct {
	Code   *Code
	Image  *Image
	Caches []Cache // nil at first; see learn
	cold   int     // how often an instruction found no caches
}

// Cache returns the cache with a number: an empty one as long as the code has none.
func (m *Machine) Cache(l *Loaded, i uint32) *Cache {
	if uint(i) < uint(len(l.Caches)) {
		return &l.Caches[i]
	}
	return m.learn(l, i)
}

// Cache is an inline cache: what one instruction learned. It changes speed only.
type Cache struct {
	Type    *Type
	Shape   *Shape
	Next    *Shape // after the store
	Version uint32
	Index   int32
	State   uint8
	Val     Value
}

// NewImage loads a unit into a machine.
func NewImage(u *Unit, mod *Module) *Image {
	mod.Dict.Expect(u.Codes[0].Binds)
	return &Image{Unit: u, Globals: mod.Dict, Module: mod, codes: make([]Loaded, len(u.Codes)), spare: make([]Function, min(u.Functions, mostSpare))}
}

// mostSpare bounds the functions made at one time.
const mostSpare = 64

// Load returns code i of the unit, loaded.
func (im *Image) Load(i int) *Loaded {
	l := &im.codes[i]
	l.Code, l.Image = im.Unit.Codes[i], im
	return l
}

// Cell is a variable shared by functions.
type Cell struct {
	Object
	V Value // zero while unbound
}

// NewCell returns a cell holding v.
func (m *Machine) NewCell(v Value) *Cell {
	c := &Cell{V: v}
	c.typ, c.kind = &TypeCell, KindCell
	m.account(32)
	return c
}

// Set stores into the cell.
func (c *Cell) Set(m *Machine, v Value) {
	c.V = v
	if v.ref != nil {
		m.noteStore(&c.Object, v)
	}
}

// Value returns the cell as a value.
func (c *Cell) Value() Value { return Value{ref: &c.Object} }

// Function is a Python function.
type Function struct {
	Object
	L          *Loaded
	Name       *Str
	Qualname   *Str
	Defaults   []Value // of the last positional parameters
	KwDefaults []Value // of each keyword-only parameter, zero if required; nil if none has one
	Closure    []*Cell
	more       *functionMore
}

// functionMore holds what most functions never need.
type functionMore struct {
	dict        *Dict
	annotations Value
	doc         Value
	module      Value
	kwDefaults  *Dict // decides over the function's KwDefaults, once a program has seen it
}

// function2 and function4 are functions whose closure lies beside them.
type (
	function2 struct {
		Function
		cells [2]*Cell
	}
	function4 struct {
		Function
		cells [4]*Cell
	}
)

// newClosure returns a function with room for n cells.
func newClosure(n int) *Function {
	switch {
	case n == 0:
		return new(Function)
	case n <= 2:
		f := new(function2)
		f.Closure = f.cells[:n:n]
		return &f.Function
	case n <= 4:
		f := new(function4)
		f.Closure = f.cells[:n:n]
		return &f.Function
	}
	return &Function{Closure: make([]*Cell, n)}
}

// NewFunction returns a function of a loaded code; the caller sets its closure's
// cells.
func (m *Machine) NewFunction(l *Loaded) *Function {
	var f *Function
	if im := l.Image; len(im.spare) > 0 && len(l.Code.FreeFrom) == 0 {
		f, im.spare = &im.spare[0], im.spare[1:]
	} else {
		f = newClosure(len(l.Code.FreeFrom))
	}
	f.L, f.Name, f.Qualname = l, l.Code.Name, l.Code.Qualname
	f.typ, f.kind = &TypeFunction, KindFunction
	m.account(functionSize)
	return f
}

// Value returns the function as a value.
func (f *Function) Value() Value { return Value{ref: &f.Object} }

func (f *Function) extra() *functionMore {
	if f.more == nil {
		f.more = &functionMore{}
	}
	return f.more
}

// SetAnnotations stores the function's __annotations__.
func (f *Function) SetAnnotations(v Value) { f.extra().annotations = v }

func (f *Function) refs(visit func(Value)) {
	each(f.Defaults, visit)
	each(f.KwDefaults, visit)
	for _, c := range f.Closure {
		visit(c.Value())
	}
	visit(f.L.Image.Module.Value())
	if f.more != nil {
		if f.more.dict != nil {
			visit(f.more.dict.Value())
		}
		if f.more.kwDefaults != nil {
			visit(f.more.kwDefaults.Value())
		}
		each([]Value{f.more.annotations, f.more.doc, f.more.module}, visit)
	}
}

// BoundMethod is a callable with its first argument.
type BoundMethod struct {
	Object
	Func, Self Value
}

// methodCost is the price of making a bound method, beside that of the attribute.
const methodCost = 6

// methodSize is what a bound method counts for.
const methodSize = 48

// NewMethod binds a callable to its first argument.
func (m *Machine) NewMethod(fn, self Value) Value {
	b := &BoundMethod{Func: fn, Self: self}
	b.typ, b.kind = &TypeMethod, KindMethod
	if fn.ref.kind == KindBuiltin {
		b.typ = &TypeBuiltin
		if fn.builtin().wrapper {
			b.typ = &TypeMethodWrapper
		}
	}
	m.skipMethod()
	return Value{ref: &b.Object}
}

// skipMethod pays for and counts what NewMethod makes, for a caller that would drop it.
func (m *Machine) skipMethod() {
	m.account(methodSize)
	m.meter.Owe(methodCost)
}

// Module is an imported module.
type Module struct {
	Object
	Name string
	Dict *Dict
	// Frozen forbids setting attributes from outside.
	Frozen bool
}

// NewModule returns a module with an empty namespace but for its name.
func (m *Machine) NewModule(name string) *Module {
	left := m.meter.Left() // the price of an import has this in it
	mod := &Module{Name: name, Dict: m.NewDict(), Frozen: true}
	mod.typ, mod.kind = &TypeModule, KindModule
	mod.Dict.flags |= flagOutside
	mod.Dict.setStr(m, nName, m.Str(name))
	mod.Dict.setStr(m, nDoc, None)
	m.meter.left += int64(left - m.meter.Left())
	return mod
}

// Value returns the module as a value.
func (mod *Module) Value() Value { return Value{ref: &mod.Object} }

// Lookup returns the module's attribute called name.
func (mod *Module) Lookup(name string) (Value, bool) { return mod.Dict.getStr(NewStatic(name)) }

// Define sets an attribute of a module that is being built.
func (mod *Module) Define(m *Machine, name string, v Value) {
	n, ok := KnownName(name)
	if !ok {
		n = NewStatic(name)
	}
	mod.Dict.setStr(m, n, v)
}

// DefineFunc adds native functions to a module that is being built.
func (mod *Module) DefineFunc(m *Machine, methods ...*Builtin) {
	for _, b := range methods {
		mod.Define(m, b.Name, b.Value())
	}
}

// InitCode gives a code made by a compiler its header.
func InitCode(c *Code) { c.typ, c.kind, c.flags = &TypeCode, KindCode, flagStatic }
