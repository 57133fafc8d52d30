package regex

// kind is the type of a node of a parsed pattern.
type kind uint8

const (
	literal kind = iota
	notLiteral
	anyChar
	inSet
	position
	branch
	repeat
	group // with number 0: a non-capturing group that changes flags
	atomic
	look
	backref
	conditional
)

// maxRepeat stands for no upper limit; counts in a pattern must be below it.
const maxRepeat = 1<<32 - 1

// node is one item of a pattern. Which fields count depends on the kind.
type node struct {
	kind       kind
	char       rune      // literal, notLiteral
	set        []setItem // inSet
	negate     bool      // inSet, look
	where      anchor    // position
	alts       []seq     // branch; conditional: yes and perhaps no
	body       seq       // repeat, group, atomic, look
	min, max   int64     // repeat
	style      style     // repeat
	number     int       // group, backref, conditional
	add, clear Flags     // group
	behind     bool      // look
	measured   bool      // size is known
	size       width
}

// seq is a sequence of items.
type seq []*node

// style is how a repeat gives back.
type style uint8

const (
	greedy style = iota
	lazy
	possessive
)

// anchor is a position that consumes nothing.
type anchor uint8

const (
	atBeginning       anchor = iota // ^
	atBeginningString               // \A
	atEnd                           // $
	atEndString                     // \Z
	atBoundary                      // \b
	atNonBoundary                   // \B
	atBeginningLine                 // ^ under MULTILINE
	atEndLine                       // $ under MULTILINE
	atBoundaryASCII
	atNonBoundaryASCII
)

// setItem is a member of a character set: a range, or a category when lo is negative.
type setItem struct {
	lo, hi   rune
	category category
}

// category is a class of characters a backslash names.
type category uint8

const (
	noCategory category = iota
	digit
	notDigit
	space
	notSpace
	word
	notWord
)

func single(r rune) setItem         { return setItem{lo: r, hi: r} }
func ofCategory(c category) setItem { return setItem{lo: -1, hi: -1, category: c} }
func (i setItem) isSingle() bool    { return i.category == noCategory && i.lo == i.hi }
func (n *node) isUnit() bool        { return n.kind <= inSet }
func plainGroup(n *node) bool       { return n.kind == group && n.number == 0 && n.add == 0 && n.clear == 0 }
func literalNode(r rune) *node      { return &node{kind: literal, char: r} }
func anchorNode(a anchor) *node     { return &node{kind: position, where: a} }
func categoryNode(c category) *node { return &node{kind: inSet, set: []setItem{ofCategory(c)}} }
func (s seq) isSimple() bool {
	if len(s) != 1 {
		return false
	}
	if n := s[0]; n.kind == group {
		return n.number == 0 && n.body.isSimple()
	}
	return s[0].isUnit()
}
