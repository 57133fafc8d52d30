package regex

// Bounds on the search for first characters, so that compiling stays linear.
const (
	startsDepth        = 4
	startsAlternatives = 64
)

// starts answers a class that holds every character a sequence can begin with, or nil when it can match without a
// character or nothing is known.
func (c *compiler) starts(s seq, flags Flags) *class {
	out := &class{}
	if s.width(c.widths).lo > 0 && c.addStarts(out, s, flags, 0) {
		return out
	}
	return nil
}

// addStarts adds the first characters of a sequence, as far as its items up to the first that consumes something tell;
// false means that it may begin with anything.
func (c *compiler) addStarts(out *class, s seq, flags Flags, depth int) bool {
	if depth > startsDepth {
		return false
	}
	for _, n := range s {
		if n.kind == position || n.kind == look {
			continue // consumes nothing; the next item still has to match here
		}
		if !c.addNodeStarts(out, n, flags, depth) {
			return false
		}
		if n.width(c.widths).lo > 0 {
			break
		}
	}
	return true
}

func (c *compiler) addNodeStarts(out *class, n *node, flags Flags, depth int) bool {
	switch n.kind {
	case literal, notLiteral, inSet:
		i := unit(n, flags)
		if i.op == opChar {
			i.class = newClass([]setItem{single(i.char)}, false, 0)
		}
		out.include(i.class)
		return true
	case branch:
		if len(n.alts) > startsAlternatives {
			return false
		}
		for _, a := range n.alts {
			if !c.addStarts(out, a, flags, depth+1) {
				return false
			}
		}
		return true
	case repeat, atomic:
		return c.addStarts(out, n.body, flags, depth+1)
	case group:
		return c.addStarts(out, n.body, flags.within(n.add, n.clear), depth+1)
	default:
		return false
	}
}

// relax looks at what must follow each repeat of one character: a repeat that cannot give characters back with
// profit becomes possessive, any other learns the character it has to stop before.
func (c *compiler) relax() {
	for at := range c.code {
		i := &c.code[at]
		if i.op != opRepeat && i.op != opRepeatLazy {
			continue
		}
		item, follower := &c.code[at+1], c.follower(int(i.x))
		switch follower.op {
		case opChar:
			i.next = follower.char
		case opString:
			i.next = follower.text[0]
		case opClass:
			if item.op == opClass && item.class.disjoint(follower.class) {
				i.possessive = true
			}
		case opMatch:
			i.possessive = true
		}
		if i.next != none && !item.holds(i.next) {
			i.possessive = true
		}
	}
}

// follower answers the next instruction that looks at the subject.
func (c *compiler) follower(at int) *inst {
	for steps := 0; steps < len(c.code); steps++ {
		switch c.code[at].op {
		case opMark, opMarkEnd:
			at++
		case opJump:
			at = int(c.code[at].x)
		default:
			return &c.code[at]
		}
	}
	return &inst{op: opFail}
}

// holds says whether a one-character instruction matches r.
func (i *inst) holds(r rune) bool {
	switch i.op {
	case opChar:
		return i.char == r
	case opAny:
		return r != '\n'
	case opClass:
		return i.class.has(r)
	default:
		return true
	}
}

// findStart records what a search can look for before it tries to match.
func (p *Program) findStart(first *class) {
	p.first = first
	for at := 0; ; at++ {
		switch i := &p.code[at]; i.op {
		case opMark:
		case opAt:
			p.anchored = len(p.prefix) == 0 && (i.where == atBeginning || i.where == atBeginningString)
			return
		case opChar:
			p.prefix = append(p.prefix, i.char)
		case opString:
			p.prefix = append(p.prefix, i.text...)
		default:
			return
		}
	}
}
