package syntax

// Operator is a binary arithmetic or bitwise operator.
type Operator uint8

// The binary operators.
const (
	Add Operator = iota
	Sub
	Mult
	MatMult
	Div
	Mod
	Pow
	LShift
	RShift
	BitOr
	BitXor
	BitAnd
	FloorDiv
)

// String returns the operator as written in source.
func (op Operator) String() string {
	return [...]string{"+", "-", "*", "@", "/", "%", "**", "<<", ">>", "|", "^", "&", "//"}[op]
}

// BoolOperator is and or or.
type BoolOperator uint8

// The boolean operators.
const (
	And BoolOperator = iota
	Or
)

// String returns the operator as written in source.
func (op BoolOperator) String() string { return [...]string{"and", "or"}[op] }

// UnaryOperator is a prefix operator.
type UnaryOperator uint8

// The unary operators.
const (
	Invert UnaryOperator = iota
	Not
	UAdd
	USub
)

// String returns the operator as written in source.
func (op UnaryOperator) String() string { return [...]string{"~", "not", "+", "-"}[op] }

// CmpOperator is a comparison operator.
type CmpOperator uint8

// The comparison operators.
const (
	Eq CmpOperator = iota
	NotEq
	Lt
	LtE
	Gt
	GtE
	Is
	IsNot
	In
	NotIn
)

// String returns the operator as written in source.
func (op CmpOperator) String() string {
	return [...]string{"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"}[op]
}
