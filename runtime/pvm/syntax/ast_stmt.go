package syntax

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
