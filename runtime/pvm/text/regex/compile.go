package regex

import (
	"math"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Compile parses and compiles a pattern: text as code points, bytes as Latin-1. The errors are *Error, *FlagError,
// ErrRepeat and ErrNesting.
//
// Spec: Python 3.11 library reference, re, "Regular Expression Syntax".
func Compile(pattern []rune, isText bool, flags Flags) (*Program, error) {
	p, body, err := parse(pattern, isText, flags)
	if err != nil {
		return nil, err
	}
	c := compiler{widths: p.widths}
	c.slots = int32(2*p.groups() - 1)
	if err := c.seq(body, p.flags); err != nil {
		return nil, err
	}
	c.emit(inst{op: opMatch})
	c.relax()
	prog := &Program{
		code: c.code, slots: int(c.slots), groups: p.groups() - 1, named: p.named, flags: p.flags, isText: isText,
		least: int(min(body.width(p.widths).lo, math.MaxInt32)),
	}
	prog.findStart(c.starts(body, p.flags))
	return prog, nil
}

// compiler writes instructions.
type compiler struct {
	code   []inst
	slots  int32
	widths []width
}

func (c *compiler) emit(i inst) int {
	c.code = append(c.code, i)
	return len(c.code) - 1
}

func (c *compiler) here() int32 { return int32(len(c.code)) }

// slot reserves n slots.
func (c *compiler) slot(n int32) int32 {
	c.slots += n
	return c.slots - n
}

func (c *compiler) seq(s seq, flags Flags) error {
	for i := 0; i < len(s); i++ {
		if run := literalRun(s[i:], flags); len(run) > 1 {
			c.emit(inst{op: opString, text: run})
			i += len(run) - 1
			continue
		}
		if err := c.node(s[i], flags); err != nil {
			return err
		}
	}
	return nil
}

// literalRun answers the characters at the beginning of a sequence that are compared as they are.
func literalRun(s seq, flags Flags) []rune {
	var run []rune
	for _, n := range s {
		if n.kind != literal || len(variants(n.char, flags)) > 1 {
			break
		}
		run = append(run, n.char)
	}
	return run
}

// variants answers the characters a literal matches.
func variants(r rune, flags Flags) []rune {
	switch {
	case flags&IgnoreCase == 0:
		return []rune{r}
	case flags&Unicode != 0:
		return text.AppendCaseVariants(nil, text.SimpleLower(r))
	case isLetterASCII(r):
		return []rune{r | 0x20, r &^ 0x20}
	default:
		return []rune{r}
	}
}

func (c *compiler) node(n *node, flags Flags) error {
	switch n.kind {
	case literal, notLiteral, anyChar, inSet:
		c.emit(unit(n, flags))
	case position:
		c.emit(inst{op: opAt, where: n.where.under(flags)})
	case branch:
		return c.branch(n.alts, flags)
	case repeat:
		return c.repeat(n, flags)
	case group:
		return c.group(n, flags.within(n.add, n.clear))
	case atomic:
		return c.atomic(func() error { return c.seq(n.body, flags) })
	case look:
		return c.look(n, flags)
	case backref:
		i := inst{op: opBackref, y: int32(n.number)}
		if flags&IgnoreCase != 0 {
			i.op, i.fold = opBackrefFold, flags&Unicode != 0
		}
		c.emit(i)
	case conditional:
		return c.conditional(n, flags)
	}
	return nil
}

// unit is the instruction for an item of one character.
func unit(n *node, flags Flags) inst {
	switch n.kind {
	case anyChar:
		if flags&DotAll != 0 {
			return inst{op: opAnyAll}
		}
		return inst{op: opAny}
	case inSet:
		c := newClass(n.set, n.negate, flags)
		return inst{op: opClass, class: c, extra: c.extra()}
	default:
		chars := variants(n.char, flags)
		if len(chars) == 1 && n.kind == literal {
			return inst{op: opChar, char: n.char}
		}
		var set []setItem
		for _, r := range chars {
			set = append(set, single(r))
		}
		return inst{op: opClass, class: newClass(set, n.kind == notLiteral, flags&^IgnoreCase)}
	}
}

func (a anchor) under(flags Flags) anchor {
	switch {
	case a == atBeginning && flags&Multiline != 0:
		return atBeginningLine
	case a == atEnd && flags&Multiline != 0:
		return atEndLine
	case a == atBoundary && flags&Unicode == 0:
		return atBoundaryASCII
	case a == atNonBoundary && flags&Unicode == 0:
		return atNonBoundaryASCII
	default:
		return a
	}
}

func (c *compiler) group(n *node, flags Flags) error {
	if n.number == 0 {
		return c.seq(n.body, flags)
	}
	c.emit(inst{op: opMark, x: startSlot(n.number)})
	if err := c.seq(n.body, flags); err != nil {
		return err
	}
	c.emit(inst{op: opMarkEnd, x: endSlot(n.number), y: int32(n.number)})
	return nil
}

func (c *compiler) branch(alts []seq, flags Flags) error {
	var ends []int
	for i, a := range alts {
		if i == len(alts)-1 {
			if err := c.seq(a, flags); err != nil {
				return err
			}
			break
		}
		split := c.emit(inst{op: opSplit, class: c.starts(a, flags)})
		if err := c.seq(a, flags); err != nil {
			return err
		}
		ends = append(ends, c.emit(inst{op: opJump}))
		c.code[split].x = c.here()
	}
	for _, e := range ends {
		c.code[e].x = c.here()
	}
	return nil
}

func (c *compiler) conditional(n *node, flags Flags) error {
	test := c.emit(inst{op: opCondition, y: int32(n.number)})
	if err := c.seq(n.alts[0], flags); err != nil {
		return err
	}
	if len(n.alts) == 2 {
		jump := c.emit(inst{op: opJump})
		c.code[test].x = c.here()
		if err := c.seq(n.alts[1], flags); err != nil {
			return err
		}
		test = jump
	}
	c.code[test].x = c.here()
	return nil
}

// atomic surrounds what body emits by instructions that forget its choices.
func (c *compiler) atomic(body func() error) error {
	y := c.slot(1)
	c.emit(inst{op: opHold, y: y})
	if err := body(); err != nil {
		return err
	}
	c.emit(inst{op: opCut, y: y})
	return nil
}

func (c *compiler) look(n *node, flags Flags) error {
	begin := inst{op: opLook, y: c.slot(2)}
	finish := inst{op: opLookEnd, y: begin.y}
	if n.negate {
		begin.op, finish.op = opLookNot, opLookNotEnd
	}
	if n.behind {
		w := n.body.width(c.widths)
		if w.lo > maxLookBehind {
			return &Error{"looks too much behind", -1}
		}
		if w.lo != w.hi {
			return &Error{"look-behind requires fixed-width pattern", -1}
		}
		begin.min = clamp(w.lo)
	}
	at := c.emit(begin)
	if err := c.seq(n.body, flags); err != nil {
		return err
	}
	c.emit(finish)
	c.code[at].x = c.here()
	return nil
}

// clamp brings a count into the range of subject lengths; no subject is longer than MaxInt32-1.
func clamp(n int64) int32 { return int32(min(n, math.MaxInt32)) }

func (c *compiler) repeat(n *node, flags Flags) error {
	if flags&Template != 0 {
		return &Error{"internal: unsupported template operator", -1}
	}
	if n.body.isSimple() {
		c.repeatUnit(n, flags)
		return nil
	}
	if n.style == possessive {
		return c.atomic(func() error { return c.loop(n, flags) })
	}
	return c.loop(n, flags)
}

func (c *compiler) repeatUnit(n *node, flags Flags) {
	item := n.body[0]
	for item.kind == group {
		flags = flags.within(item.add, item.clear)
		item = item.body[0]
	}
	i := inst{op: opRepeat, min: clamp(n.min), max: clamp(n.max), next: none, possessive: n.style == possessive}
	if n.style == lazy {
		i.op = opRepeatLazy
	}
	at := c.emit(i)
	c.emit(unit(item, flags))
	c.code[at].x = c.here()
}

// body emits what a loop repeats; the turns of a possessive loop are atomic one by one.
func (c *compiler) body(n *node, flags Flags) error {
	if n.style == possessive {
		return c.atomic(func() error { return c.seq(n.body, flags) })
	}
	return c.seq(n.body, flags)
}

// loop emits a repeat of something longer than a character. The frequent forms need neither counter nor guard against
// turns that consume nothing.
func (c *compiler) loop(n *node, flags Flags) error {
	consumes := n.body.width(c.widths).lo > 0
	switch {
	case n.max == 0:
		return c.never(n, flags)
	case n.min == 0 && n.max == 1:
		return c.optional(n, flags)
	case n.min <= 1 && n.max == maxRepeat && consumes:
		return c.plainLoop(n, flags)
	}
	y := c.slot(2)
	begin := c.emit(inst{op: opLoop, y: y})
	body := c.here()
	if err := c.body(n, flags); err != nil {
		return err
	}
	c.code[begin].x = c.here()
	until := inst{op: opUntil, x: body, y: y, min: clamp(n.min), max: clamp(n.max)}
	if n.style == lazy {
		until.op = opUntilLazy
		c.emit(until)
		until.op = opMore
	}
	c.emit(until)
	return nil
}

// never emits a body that is repeated zero times: it cannot be reached, but what it refers to is checked.
func (c *compiler) never(n *node, flags Flags) error {
	jump := c.emit(inst{op: opJump})
	if err := c.body(n, flags); err != nil {
		return err
	}
	c.code[jump].x = c.here()
	return nil
}

func (c *compiler) optional(n *node, flags Flags) error {
	i := inst{op: opSplit, class: c.starts(n.body, flags)}
	if n.style == lazy {
		i = inst{op: opSplitLazy}
	}
	split := c.emit(i)
	if err := c.body(n, flags); err != nil {
		return err
	}
	c.code[split].x = c.here()
	return nil
}

// plainLoop emits X* and X+ where X always consumes something.
func (c *compiler) plainLoop(n *node, flags Flags) error {
	jump := -1
	if n.min == 0 {
		jump = c.emit(inst{op: opJump})
	}
	body := c.here()
	if err := c.body(n, flags); err != nil {
		return err
	}
	if jump >= 0 {
		c.code[jump].x = c.here()
	}
	i := inst{op: opSplit, class: c.starts(n.body, flags)}
	if n.style == lazy {
		i = inst{op: opSplitLazy}
	}
	split := c.emit(i)
	c.emit(inst{op: opJump, x: body})
	c.code[split].x = c.here()
	return nil
}
