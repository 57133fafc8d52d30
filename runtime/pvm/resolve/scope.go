package resolve

// Kind is the kind of a scope.
type Kind uint8

// The kinds of scope. Lambdas are functions; a Comprehension scope belongs to
// one comprehension or generator expression.
const (
	Module Kind = iota
	Class
	Function
	Comprehension
)

// Table holds the scopes of one module. Nodes refer to them by index; Scopes[0]
// is the module's. Scopes are numbered in the order in which they begin in the
// source text as CPython visits it (defaults, decorators and bases before the
// body).
type Table struct {
	Scopes []*Scope
	// Annotations says that "from __future__ import annotations" is in force:
	// annotations are stored as text (syntax.Unparse) and never evaluated.
	Annotations bool
}

// Scope is one block of code with names of its own.
//
// A frame is what a running piece of code occupies: registers, owned cells and
// received cells. Modules, classes, functions, lambdas and generator
// expressions run in a frame of their own; list, set and dict comprehensions
// run inside the frame of the code around them, with registers and cells of
// that frame set apart for them (OwnLocals, OwnCells).
type Scope struct {
	Kind   Kind
	Index  int32
	Parent int32 // enclosing scope; -1 for the module
	Frame  int32 // scope in whose frame the code runs; Index itself unless inlined
	Line   int32 // first line

	Name     string // "<module>", "<lambda>", "<listcomp>", … or the identifier
	Qualname string // as __qualname__

	// Class is the name of the nearest class around the scope (itself included)
	// for mangling, or empty.
	Class string

	// Signature, for functions: counts of parameters. Registers hold them from 0
	// in the order positional-only, positional, keyword-only, *args, **kwargs.
	// A generator expression has one parameter: the iterator of its first clause.
	PosOnly, Pos, KwOnly int32 // Pos includes PosOnly
	VarArg, KwArg        bool

	// Locals names the registers of a frame: parameters, then locals in order of
	// first appearance, then hidden ones (empty name) shared by inlined
	// comprehensions. Empty unless Frame == Index.
	Locals []string
	// Cells lists the cells that a frame owns, Frees those it is given when its
	// function, class or generator is made.
	Cells []Cell
	Frees []Free

	// OwnLocals and OwnCells, for an inlined comprehension, are the registers to
	// set unbound when it begins and to drop when it ends, and the cells to renew
	// when it begins.
	OwnLocals []int32
	OwnCells  []int32

	// ClassCell, for a class, is the slot of the cell that super and __class__
	// use in its methods, or -1. ClassFree, for any frame, is the slot at which it
	// receives that cell from the class around it, or -1: super() without
	// arguments reads it.
	ClassCell, ClassFree int32

	Generator bool // contains yield, or is a generator expression
	Coroutine bool // async def, or awaits; with Generator: an async generator

	// Doc is the docstring of a module, class or function; HasDoc tells an empty
	// one from none. The statement stays in the tree as its first.
	Doc    string
	HasDoc bool
}

// Cell is a variable that inner frames capture, without a name if it belongs to an inlined comprehension. Param is the parameter register
// whose value the cell takes over when the frame starts, or -1.
type Cell struct {
	Name  string
	Param int32
}

// Free is a cell received from the frame around: its cell number Slot if Owned,
// else its received cell number Slot.
type Free struct {
	Name  string
	Slot  int32
	Owned bool
}

// Inlined says whether the scope runs inside another scope's frame.
func (s *Scope) Inlined() bool { return s.Frame != s.Index }

// AsyncGenerator says whether calling the scope's function makes an
// asynchronous generator.
func (s *Scope) AsyncGenerator() bool { return s.Generator && s.Coroutine }
