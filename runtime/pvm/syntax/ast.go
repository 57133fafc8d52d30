package syntax

import "math/big"

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

// FunctionDef is a def or async def statement. Scope is filled in by resolve:
// the index of the function's scope in its table.
type FunctionDef struct {
	Span
	Name       string
	Args       *Arguments
	Body       []Stmt
	Decorators []Expr
	Returns    Expr // nil if absent
	Async      bool
	Scope      int32
	Bind       Binding
}

// ClassDef is a class statement.
type ClassDef struct {
	Span
	Name       string
	Bases      []Expr // may hold *Starred
	Keywords   []*Keyword
	Body       []Stmt
	Decorators []Expr
	Scope      int32
	Bind       Binding
}

// Return is a return statement; Value may be nil.
type Return struct {
	Span
	Value Expr
}

// Delete is a del statement.
type Delete struct {
	Span
	Targets []Expr
}

// Assign is t1 = t2 = … = Value.
type Assign struct {
	Span
	Targets []Expr
	Value   Expr
}

// AugAssign is Target Op= Value; the target's context is Store.
type AugAssign struct {
	Span
	Target Expr
	Op     Operator
	Value  Expr
}

// AnnAssign is Target: Annotation [= Value]. Simple is true for a bare name
// without parentheses, the only form stored in __annotations__.
type AnnAssign struct {
	Span
	Target     Expr
	Annotation Expr
	Value      Expr // nil if absent
	Simple     bool
}

// For is a for or async for loop.
type For struct {
	Span
	Target Expr
	Iter   Expr
	Body   []Stmt
	Else   []Stmt
	Async  bool
}

// While is a while loop.
type While struct {
	Span
	Test Expr
	Body []Stmt
	Else []Stmt
}

// If is an if statement; an elif is an If alone in Else.
type If struct {
	Span
	Test Expr
	Body []Stmt
	Else []Stmt
}

// With is a with or async with statement.
type With struct {
	Span
	Items []WithItem
	Body  []Stmt
	Async bool
}

// WithItem is one context manager of a With.
type WithItem struct {
	Context Expr
	Target  Expr // nil if absent
}

// Match is a match statement.
type Match struct {
	Span
	Subject Expr
	Cases   []MatchCase
}

// MatchCase is one case clause.
type MatchCase struct {
	Pattern Pattern
	Guard   Expr // nil if absent
	Body    []Stmt
}

// Raise is raise [Exc [from Cause]].
type Raise struct {
	Span
	Exc   Expr // nil if absent
	Cause Expr // nil if absent
}

// Try is a try statement; Star says its handlers are except* handlers.
type Try struct {
	Span
	Body     []Stmt
	Handlers []*ExceptHandler
	Else     []Stmt
	Final    []Stmt
	Star     bool
}

// ExceptHandler is one except clause. Type is nil for a bare except; Name is
// empty when nothing is bound.
type ExceptHandler struct {
	Span
	Type Expr
	Name string
	Body []Stmt
	Bind Binding
}

// Assert is assert Test[, Msg].
type Assert struct {
	Span
	Test Expr
	Msg  Expr // nil if absent
}

// Import is import a.b as c, ….
type Import struct {
	Span
	Names []Alias
}

// ImportFrom is from Module import …; Level counts the leading dots and Module
// is empty for "from . import x". A star import is one alias named "*".
type ImportFrom struct {
	Span
	Module string
	Names  []Alias
	Level  int32
}

// Alias is one imported name. Bind is the name that the statement stores: AsName
// if given, else the part of Name before the first dot; unset for "*".
type Alias struct {
	Span
	Name   string
	AsName string // empty if absent
	Bind   Binding
}

// Global is a global statement.
type Global struct {
	Span
	Names []string
}

// Nonlocal is a nonlocal statement.
type Nonlocal struct {
	Span
	Names []string
}

// ExprStmt is an expression used as a statement.
type ExprStmt struct {
	Span
	Value Expr
}

// Pass is a pass statement.
type Pass struct{ Span }

// Break is a break statement.
type Break struct{ Span }

// Continue is a continue statement.
type Continue struct{ Span }

// BoolOp is v1 and v2 and …, or the same with or.
type BoolOp struct {
	Span
	Op     BoolOperator
	Values []Expr
}

// NamedExpr is Target := Value.
type NamedExpr struct {
	Span
	Target *Name
	Value  Expr
}

// BinOp is Left Op Right.
type BinOp struct {
	Span
	Left  Expr
	Op    Operator
	Right Expr
}

// UnaryOp is Op Operand.
type UnaryOp struct {
	Span
	Op      UnaryOperator
	Operand Expr
}

// Lambda is a lambda expression.
type Lambda struct {
	Span
	Args  *Arguments
	Body  Expr
	Scope int32
}

// IfExp is Body if Test else Else.
type IfExp struct {
	Span
	Test Expr
	Body Expr
	Else Expr
}

// Dict is a dict display. A nil key stands for ** before the value.
type Dict struct {
	Span
	Keys   []Expr
	Values []Expr
}

// Set is a set display; it has at least one element.
type Set struct {
	Span
	Elts []Expr
}

// CompKind says what a comprehension builds.
type CompKind uint8

// The kinds of comprehension.
const (
	ListComp CompKind = iota
	SetComp
	DictComp
	GeneratorExp
)

// Comp is a list, set or dict comprehension or a generator expression. Value is
// set for a DictComp only, where Elt is the key.
type Comp struct {
	Span
	Kind    CompKind
	Elt     Expr
	Value   Expr
	Clauses []CompClause
	Scope   int32
}

// CompClause is for Target in Iter [if …]* of a comprehension.
type CompClause struct {
	Target Expr
	Iter   Expr
	Ifs    []Expr
	Async  bool
}

// Await is await Value.
type Await struct {
	Span
	Value Expr
}

// Yield is yield [Value].
type Yield struct {
	Span
	Value Expr // nil if absent
}

// YieldFrom is yield from Value.
type YieldFrom struct {
	Span
	Value Expr
}

// Compare is Left Ops[0] Comparators[0] Ops[1] ….
type Compare struct {
	Span
	Left        Expr
	Ops         []CmpOperator
	Comparators []Expr
}

// Call is Func(Args…, Keywords…). Args may hold *Starred.
type Call struct {
	Span
	Func     Expr
	Args     []Expr
	Keywords []*Keyword
}

// Keyword is Arg=Value in a call or class header; an empty Arg stands for
// **Value.
type Keyword struct {
	Span
	Arg   string
	Value Expr
}

// FormattedValue is one {…} of an f-string. Conversion is 's', 'r', 'a' or 0.
// Spec is nil if absent.
type FormattedValue struct {
	Span
	Value      Expr
	Conversion byte
	Spec       *JoinedStr
}

// JoinedStr is an f-string: *Constant (str) and *FormattedValue in turn.
type JoinedStr struct {
	Span
	Values []Expr
}

// ConstKind is the type of a constant.
type ConstKind uint8

// The kinds of constant.
const (
	None ConstKind = iota
	True
	False
	Ellipsis
	Int     // Int, or Big if it does not fit
	Float   // Bits
	Complex // Bits: the imaginary part; the real part is zero
	Str     // Text
	Bytes   // Text
)

// Constant is a literal. Text holds the bytes of a bytes literal, or the text
// of a str literal in UTF-8 where a lone surrogate (which an escape can write)
// takes its three-byte form ED A0..BF xx.
type Constant struct {
	Span
	Kind    ConstKind
	Unicode bool     // written with the prefix u
	Int     int64    // Kind Int and Big nil
	Big     *big.Int // Kind Int beyond int64; not to be modified
	Bits    uint64   // Kinds Float, Complex: IEEE-754 double
	Text    string   // Kinds Str, Bytes
}

// Attribute is Value.Attr. Mangled is filled in by resolve: Attr, or its mangled
// form for a private name in a class.
type Attribute struct {
	Span
	Value   Expr
	Attr    string
	Mangled string
	Ctx     Context
}

// Subscript is Value[Index].
type Subscript struct {
	Span
	Value Expr
	Index Expr
	Ctx   Context
}

// Starred is *Value.
type Starred struct {
	Span
	Value Expr
	Ctx   Context
}

// Name is an identifier, already NFKC-normalized.
type Name struct {
	Span
	ID   string
	Ctx  Context
	Bind Binding
}

// List is a list display or a list of targets.
type List struct {
	Span
	Elts []Expr
	Ctx  Context
}

// Tuple is a tuple display or a tuple of targets.
type Tuple struct {
	Span
	Elts []Expr
	Ctx  Context
}

// Slice is Lower:Upper:Step; each may be nil.
type Slice struct {
	Span
	Lower, Upper, Step Expr
}

// MatchValue matches what equals Value (a literal or a dotted name).
type MatchValue struct {
	Span
	Value Expr
}

// MatchSingleton matches None, True or False by identity.
type MatchSingleton struct {
	Span
	Kind ConstKind
}

// MatchSequence matches a sequence; at most one element is a *MatchStar.
type MatchSequence struct {
	Span
	Patterns []Pattern
}

// MatchMapping matches a mapping. Rest, if not empty, binds what Keys leave.
type MatchMapping struct {
	Span
	Keys     []Expr
	Patterns []Pattern
	Rest     string
	Bind     Binding // of Rest
}

// MatchClass matches an instance of Class.
type MatchClass struct {
	Span
	Class       Expr
	Patterns    []Pattern
	KwdAttrs    []string
	KwdPatterns []Pattern
}

// MatchStar is *Name in a sequence pattern; Name is empty for *_.
type MatchStar struct {
	Span
	Name string
	Bind Binding
}

// MatchAs is Pattern as Name; a capture if Pattern is nil; the wildcard _ if
// both are empty.
type MatchAs struct {
	Span
	Pattern Pattern
	Name    string
	Bind    Binding
}

// MatchOr is p1 | p2 | ….
type MatchOr struct {
	Span
	Patterns []Pattern
}

// Arguments is a parameter list. Defaults belong to the last len(Defaults) of
// PosOnly followed by Args. KwDefaults has an element for each of KwOnly, nil
// for a required one.
type Arguments struct {
	PosOnly    []*Arg
	Args       []*Arg
	VarArg     *Arg // nil if absent
	KwOnly     []*Arg
	KwDefaults []Expr
	KwArg      *Arg // nil if absent
	Defaults   []Expr
}

// Arg is one parameter. Its Bind is a local register, in the order PosOnly,
// Args, KwOnly, VarArg, KwArg from 0; a captured parameter is also listed among
// the scope's cells.
type Arg struct {
	Span
	Name       string
	Annotation Expr // nil if absent
	Bind       Binding
}

func (*FunctionDef) stmt() {}
func (*ClassDef) stmt()    {}
func (*Return) stmt()      {}
func (*Delete) stmt()      {}
func (*Assign) stmt()      {}
func (*AugAssign) stmt()   {}
func (*AnnAssign) stmt()   {}
func (*For) stmt()         {}
func (*While) stmt()       {}
func (*If) stmt()          {}
func (*With) stmt()        {}
func (*Match) stmt()       {}
func (*Raise) stmt()       {}
func (*Try) stmt()         {}
func (*Assert) stmt()      {}
func (*Import) stmt()      {}
func (*ImportFrom) stmt()  {}
func (*Global) stmt()      {}
func (*Nonlocal) stmt()    {}
func (*ExprStmt) stmt()    {}
func (*Pass) stmt()        {}
func (*Break) stmt()       {}
func (*Continue) stmt()    {}

func (*BoolOp) expr()         {}
func (*NamedExpr) expr()      {}
func (*BinOp) expr()          {}
func (*UnaryOp) expr()        {}
func (*Lambda) expr()         {}
func (*IfExp) expr()          {}
func (*Dict) expr()           {}
func (*Set) expr()            {}
func (*Comp) expr()           {}
func (*Await) expr()          {}
func (*Yield) expr()          {}
func (*YieldFrom) expr()      {}
func (*Compare) expr()        {}
func (*Call) expr()           {}
func (*FormattedValue) expr() {}
func (*JoinedStr) expr()      {}
func (*Constant) expr()       {}
func (*Attribute) expr()      {}
func (*Subscript) expr()      {}
func (*Starred) expr()        {}
func (*Name) expr()           {}
func (*List) expr()           {}
func (*Tuple) expr()          {}
func (*Slice) expr()          {}

func (*MatchValue) pattern()     {}
func (*MatchSingleton) pattern() {}
func (*MatchSequence) pattern()  {}
func (*MatchMapping) pattern()   {}
func (*MatchClass) pattern()     {}
func (*MatchStar) pattern()      {}
func (*MatchAs) pattern()        {}
func (*MatchOr) pattern()        {}
