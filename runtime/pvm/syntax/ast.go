package syntax

// Span says where a node lies in the source: from Line and Col up to, not
// including, EndLine and EndCol. Lines count from 1. Columns count UTF-8 bytes
// from 0, as CPython's ast module counts them.
type Span struct {
	Line, Col, EndLine, EndCol int32
}

// At returns the span itself; embedding Span gives every node this method.
func (s *Span) At() Span { return *s }

// Node is any part of the tree that has a place in the source.
type Node interface {
	At() Span
}

// Stmt is a statement: one of *FunctionDef, *ClassDef, *Return, *Delete,
// *Assign, *AugAssign, *AnnAssign, *For, *While, *If, *With, *Match, *Raise,
// *Try, *Assert, *Import, *ImportFrom, *Global, *Nonlocal, *ExprStmt, *Pass,
// *Break, *Continue.
type Stmt interface {
	Node
	stmt()
}

// Expr is an expression: one of *BoolOp, *NamedExpr, *BinOp, *UnaryOp, *Lambda,
// *IfExp, *Dict, *Set, *Comp, *Await, *Yield, *YieldFrom, *Compare, *Call,
// *FormattedValue, *JoinedStr, *Constant, *Attribute, *Subscript, *Starred,
// *Name, *List, *Tuple, *Slice. A Slice stands only as (an element of) the
// index of a Subscript.
type Expr interface {
	Node
	expr()
}

// Pattern is a pattern of a case clause: one of *MatchValue, *MatchSingleton,
// *MatchSequence, *MatchMapping, *MatchClass, *MatchStar, *MatchAs, *MatchOr.
type Pattern interface {
	Node
	pattern()
}

// Access says how a name is reached from the code that uses it. The parser
// leaves it AccessNone; package resolve fills it in.
type Access uint8

// The ways to reach a name.
const (
	AccessNone      Access = iota // not resolved
	AccessLocal                   // Slot numbers a register of the frame
	AccessCell                    // Slot numbers a cell the frame owns
	AccessFree                    // Slot numbers a cell the frame received from its maker
	AccessGlobal                  // module namespace, then built-ins
	AccessClass                   // class body: class namespace, then module namespace, then built-ins
	AccessClassFree               // class body: class namespace, then received cell Slot; stores and deletes go to the cell
)

// Binding is what package resolve decided about one occurrence of a name. Name
// is the identifier after mangling of private names.
type Binding struct {
	Name   string
	Slot   int32
	Access Access
	Outer  bool // used in an inlined comprehension, held by the frame around it
}

// Context says whether an expression is read, assigned or deleted.
type Context uint8

// The contexts.
const (
	Load Context = iota
	Store
	Del
)

// Module is a whole source file.
type Module struct {
	Body  []Stmt
	Lines int32 // number of source lines
	// Tokens counts those of the source, the ones inside f-strings with it.
	Tokens int
}
