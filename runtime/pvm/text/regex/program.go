package regex

// opcode is the operation of an instruction.
type opcode uint8

const (
	opMatch       opcode = iota // the whole pattern matched
	opChar                      // one character equal to char
	opString                    // the characters of text
	opAny                       // any character but a line feed
	opAnyAll                    // any character
	opClass                     // a character of the class
	opAt                        // position where
	opMark                      // slot x = position
	opMarkEnd                   // slot x = position, and the group is the last one closed
	opSplit                     // go on; should that fail, at x. With a class: go to x at once unless it holds the next character
	opSplitLazy                 // go on at x; should that fail, here
	opJump                      // go on at x
	opRepeat                    // min to max times the character after, greedily; go on at x
	opRepeatLazy                // the same, as few as possible
	opLoop                      // slot y = -1, slot y+1 = -1 (count and last position of a loop); go on at x
	opUntil                     // end of the body at x of the greedy loop of slot y
	opUntilLazy                 // end of the body at x of the lazy loop of slot y; its continuation is the next
	opMore                      // one more turn of the lazy loop of slot y with the body at x
	opHold                      // slot y = number of open choices
	opCut                       // drop the choices made since opHold of slot y
	opLook                      // like opHold, keep the position in slot y+1, step back by min; off the start: fail
	opLookEnd                   // like opCut, return to the position in slot y+1
	opLookNot                   // a negative look: should the following fail, go on at x; off the start: go on at x
	opLookNotEnd                // drop the choices made since opLookNot, and fail
	opBackref                   // the text of group y again
	opBackrefFold               // the same without regard to case
	opCondition                 // go to x unless group y matched
	opFail
)

// inst is one instruction.
type inst struct {
	op         opcode
	where      anchor
	possessive bool  // opRepeat: giving characters back cannot help
	fold       bool  // opBackrefFold: by Unicode, not ASCII
	char       rune  // opChar
	next       rune  // opRepeat, opRepeatLazy: the character that must follow, or none
	extra      int32 // opClass: steps a character costs beside its own
	x, y       int32
	min, max   int32
	class      *class // opClass; opSplit and opSplitLazy: what the branch can begin with
	text       []rune // opString
}

// Program is a compiled pattern. It is immutable and can be shared.
type Program struct {
	code   []inst
	slots  int
	groups int // group 0 not counted
	named  []string
	flags  Flags
	isText bool

	least    int    // a match is at least so long
	anchored bool   // a match begins at the beginning of the subject only
	prefix   []rune // every match begins with this text
	first    *class // every match begins with one of these characters; nil when not known
}

// Groups answers the number of groups, the whole match not counted.
func (p *Program) Groups() int { return p.groups }

// GroupName answers the name of a group, or "".
func (p *Program) GroupName(g int) string { return p.named[g] }

// GroupNumber answers the number of the group with a name.
func (p *Program) GroupNumber(name string) (int, bool) {
	for g, n := range p.named {
		if n == name && n != "" {
			return g, true
		}
	}
	return 0, false
}

// Flags answers the flags given and those in the pattern.
func (p *Program) Flags() Flags { return p.flags }

// IsText reports whether the pattern is for str rather than for bytes.
func (p *Program) IsText() bool { return p.isText }

// Size answers the number of instructions, a measure of the memory the program takes.
func (p *Program) Size() int { return len(p.code) }

// Slots after the marks of the groups.
const lastClosed = 0 // slot 0: number of the group closed last; marks of group g at 2g-1 and 2g

func startSlot(g int) int32 { return int32(2*g - 1) }
func endSlot(g int) int32   { return int32(2 * g) }
