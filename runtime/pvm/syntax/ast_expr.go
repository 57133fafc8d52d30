package syntax

import "math/big"

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
