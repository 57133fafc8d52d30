package syntax

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

func (*MatchValue) pattern()     {}
func (*MatchSingleton) pattern() {}
func (*MatchSequence) pattern()  {}
func (*MatchMapping) pattern()   {}
func (*MatchClass) pattern()     {}
func (*MatchStar) pattern()      {}
func (*MatchAs) pattern()        {}
func (*MatchOr) pattern()        {}
