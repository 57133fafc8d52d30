package resolve

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// flag is what a block does with a name.
type flag uint16

const (
	isGlobal   flag = 1 << iota // global statement, or target of a named expression in a module's comprehension
	isLocal                     // assigned
	isParam                     // parameter
	isNonlocal                  // nonlocal statement
	isUsed                      // read
	isImported                  // bound by import
	isAnnotated
	isIteration // iteration variable of a comprehension

	isBound = isLocal | isParam | isImported
)

// reach is how the second pass found a block to reach a name.
type reach uint8

const (
	reachGlobal   reach = iota // implicit: not bound in any function around
	reachExplicit              // by a global statement
	reachLocal                 // bound in the block itself
	reachOuter                 // bound in a function (or, for __class__, class) around
)

// symbol is one name in one block.
type symbol struct {
	name  string
	flags flag
	reach reach
	owner *symbol // reachOuter: the symbol that holds the variable

	// For symbols that hold a variable:
	block    *block
	captured bool
	slot     int32 // cell if captured, else register
	param    int32 // register of a parameter, or -1

	refs      []*syntax.Binding // occurrences to fill in
	directive syntax.Span       // of the first global or nonlocal statement
}

// declare records where a name is declared global or nonlocal.
func (s *symbol) declare(at syntax.Span) {
	if s.directive.Line == 0 {
		s.directive = at
	}
}

// block is a scope while it is being resolved.
type block struct {
	scope    *Scope
	parent   *block
	children []*block
	comp     compKind

	symbols []*symbol // in order of first appearance
	index   map[string]*symbol

	// iterTarget: the targets of a clause are being visited. iterExpr counts
	// iterables being visited.
	iterTarget bool
	iterExpr   int

	// For frames: symbols received from outside, in order.
	frees     []*symbol
	freeIndex map[*symbol]int32
	cells     []Cell
	hidden    int32 // most hidden registers in use at one time

	class *symbol // for a class: the cell __class__ of its methods
}

// compKind names the kind of comprehension a block is, for messages.
type compKind string

// lookup returns the flags of an already mangled name.
func (b *block) lookup(name string) flag {
	if s := b.index[name]; s != nil {
		return s.flags
	}
	return 0
}

// define adds flags to a name, creating its symbol if need be.
func (b *block) define(name string, f flag) *symbol {
	s := b.index[name]
	if s == nil {
		s = &symbol{name: name, block: b, param: -1}
		b.index[name] = s
		b.symbols = append(b.symbols, s)
	}
	s.flags |= f
	return s
}

// function says whether names bound in the block are visible to blocks inside.
func (b *block) function() bool { return b.scope.Kind == Function || b.scope.Kind == Comprehension }
