package regex

// parser turns a pattern into nodes.
type parser struct {
	*source
	flags   Flags
	names   map[string]int
	named   []string // by group number, "" without a name
	widths  []width  // by group number
	closed  []bool   // by group number
	behind  int      // groups there were when the outermost look-behind began, -1 outside
	pending []pendingGroup
	depth   int
}

// pendingGroup is a group number a conditional used, with the index to report if there is no such group.
type pendingGroup struct{ number, at int }

func parse(pattern []rune, isText bool, flags Flags) (*parser, seq, error) {
	src, err := newSource(pattern, isText)
	if err != nil {
		return nil, nil, err
	}
	p := &parser{
		source: src, flags: flags, names: map[string]int{},
		named: []string{""}, widths: []width{{}}, closed: []bool{false}, behind: -1,
	}
	body, err := p.alternation(flags&Verbose != 0, true)
	if err != nil {
		return nil, nil, err
	}
	if p.flags, err = p.flags.fix(isText); err != nil {
		return nil, nil, err
	}
	if p.next != end {
		return nil, nil, p.errorf(0, "unbalanced parenthesis")
	}
	for _, g := range p.pending {
		if g.number >= p.groups() {
			return nil, nil, &Error{"invalid group reference " + decimal(g.number), g.at}
		}
	}
	return p, body, nil
}

func (p *parser) groups() int         { return len(p.closed) }
func (p *parser) isClosed(g int) bool { return g < len(p.closed) && p.closed[g] }

// alternation reads a|b|c up to a closing parenthesis or the end.
func (p *parser) alternation(verbose, top bool) (seq, error) {
	if p.depth++; p.depth > MaxNesting {
		return nil, ErrNesting
	}
	defer func() { p.depth-- }()
	var alts []seq
	for {
		alt, err := p.sequence(verbose, top && alts == nil)
		if err != nil {
			return nil, err
		}
		alts = append(alts, alt)
		more, err := p.match('|')
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		if top {
			verbose = p.flags&Verbose != 0
		}
	}
	if len(alts) == 1 {
		return alts[0], nil
	}
	if set := commonSet(alts); set != nil {
		return seq{&node{kind: inSet, set: set}}, nil
	}
	return seq{&node{kind: branch, alts: alts}}, nil
}

// commonSet answers one character set for alternatives that are single characters or sets.
func commonSet(alts []seq) []setItem {
	var set []setItem
	for _, a := range alts {
		switch {
		case len(a) == 1 && a[0].kind == literal:
			set = append(set, single(a[0].char))
		case len(a) == 1 && a[0].kind == inSet && !a[0].negate:
			set = append(set, a[0].set...)
		default:
			return nil
		}
	}
	return set
}

// sequence reads items up to '|', ')' or the end. first is set at the very beginning of the pattern, the only place for
// global flags.
func (p *parser) sequence(verbose, first bool) (seq, error) {
	var out seq
	for p.escape != none || p.next != end && p.next != '|' && p.next != ')' {
		t, err := p.take()
		if err != nil {
			return nil, err
		}
		if verbose && !t.isEscape() {
			if isVerboseSpace(t.char) {
				continue
			}
			if t.char == '#' {
				if err := p.skipLine(); err != nil {
					return nil, err
				}
				continue
			}
		}
		switch {
		case t.isEscape():
			out, err = appendNode(out)(p.escapeItem(t))
		case t.char == '[':
			out, err = appendNode(out)(p.class())
		case t.char == '*' || t.char == '+' || t.char == '?' || t.char == '{':
			out, err = p.repetition(out, t.char)
		case t.char == '.':
			out = append(out, &node{kind: anyChar})
		case t.char == '^':
			out = append(out, anchorNode(atBeginning))
		case t.char == '$':
			out = append(out, anchorNode(atEnd))
		case t.char == '(':
			var n *node
			if n, err = p.parenthesis(&verbose, first && len(out) == 0); n != nil {
				out = append(out, n)
			}
		default:
			out = append(out, literalNode(t.char))
		}
		if err != nil {
			return nil, err
		}
	}
	return unpacked(out), nil
}

func appendNode(s seq) func(*node, error) (seq, error) {
	return func(n *node, err error) (seq, error) { return append(s, n), err }
}

// skipLine goes past a comment of a verbose pattern.
func (p *parser) skipLine() error {
	for {
		t, err := p.take()
		if err != nil || t.isEnd() || t.is('\n') {
			return err
		}
	}
}

// unpacked replaces groups that neither capture nor change flags by what they hold.
func unpacked(s seq) seq {
	plain := 0
	for _, n := range s {
		if plainGroup(n) {
			plain++
		}
	}
	if plain == 0 {
		return s
	}
	var out seq
	for _, n := range s {
		if plainGroup(n) {
			out = append(out, n.body...)
		} else {
			out = append(out, n)
		}
	}
	return out
}

// class reads a character set behind its opening bracket.
func (p *parser) class() (*node, error) {
	here := p.tell() - 1
	n := &node{kind: inSet}
	var err error
	if n.negate, err = p.match('^'); err != nil {
		return nil, err
	}
	for {
		t, err := p.take()
		if err != nil {
			return nil, err
		}
		if t.isEnd() {
			return nil, p.errorf(p.tell()-here, "unterminated character set")
		}
		if t.is(']') && n.set != nil {
			break
		}
		done, err := p.classItem(n, t, here)
		if err != nil {
			return nil, err
		}
		if done {
			break
		}
	}
	if len(n.set) == 1 && n.set[0].isSingle() {
		n.char = n.set[0].lo
		n.kind = literal
		if n.negate {
			n.kind = notLiteral
		}
	}
	return n, nil
}

// classItem reads a member of a set that begins with t, perhaps a range; done is set when the closing bracket followed a
// dash.
func (p *parser) classItem(n *node, t token, here int) (done bool, err error) {
	low, err := p.classMember(t)
	if err != nil {
		return false, err
	}
	dash, err := p.match('-')
	if err != nil {
		return false, err
	}
	if !dash {
		n.set = append(n.set, low)
		return false, nil
	}
	that, err := p.take()
	if err != nil {
		return false, err
	}
	if that.isEnd() {
		return false, p.errorf(p.tell()-here, "unterminated character set")
	}
	if that.is(']') {
		n.set = append(n.set, low, single('-'))
		return true, nil
	}
	high, err := p.classMember(that)
	if err != nil {
		return false, err
	}
	if low.category != noCategory || high.category != noCategory || high.lo < low.lo {
		return false, p.errorf(t.len()+1+that.len(), "bad character range %s-%s", t, that)
	}
	n.set = append(n.set, setItem{lo: low.lo, hi: high.lo})
	return false, nil
}

func (p *parser) classMember(t token) (setItem, error) {
	if t.isEscape() {
		return p.classEscape(t)
	}
	return single(t.char), nil
}

// repetition applies a quantifier to the last item.
func (p *parser) repetition(out seq, quantifier rune) (seq, error) {
	here := p.tell()
	n := &node{kind: repeat, max: maxRepeat}
	switch quantifier {
	case '?':
		n.max = 1
	case '+':
		n.min = 1
	case '{':
		isCount, err := p.braces(n, here)
		if err != nil {
			return nil, err
		}
		if !isCount {
			return append(out, literalNode('{')), nil
		}
	}
	if len(out) == 0 || out[len(out)-1].kind == position {
		return nil, p.errorf(p.tell()-here+1, "nothing to repeat")
	}
	item := out[len(out)-1]
	if item.kind == repeat {
		return nil, p.errorf(p.tell()-here+1, "multiple repeat")
	}
	n.body = seq{item}
	if plainGroup(item) {
		n.body = item.body
	}
	if ok, err := p.match('?'); err != nil {
		return nil, err
	} else if ok {
		n.style = lazy
	} else if ok, err := p.match('+'); err != nil {
		return nil, err
	} else if ok {
		n.style = possessive
	}
	out[len(out)-1] = n
	return out, nil
}

// braces reads {m,n} behind its brace; if that is not what stands there, the brace is an ordinary character.
func (p *parser) braces(n *node, here int) (bool, error) {
	if p.peek().is('}') {
		return false, nil
	}
	low, err := p.while(len(p.text), isDigit)
	if err != nil {
		return false, err
	}
	high := low
	comma, err := p.match(',')
	if err != nil {
		return false, err
	}
	if comma {
		if high, err = p.while(len(p.text), isDigit); err != nil {
			return false, err
		}
	}
	if ok, err := p.match('}'); err != nil {
		return false, err
	} else if !ok {
		return false, p.seek(here)
	}
	if n.min, err = repetitions(low, 0); err != nil {
		return false, err
	}
	if n.max, err = repetitions(high, maxRepeat); err != nil {
		return false, err
	}
	if n.max < n.min {
		return false, p.errorf(p.tell()-here, "min repeat greater than max repeat")
	}
	return true, nil
}

func repetitions(digits []rune, fallback int64) (int64, error) {
	if len(digits) == 0 {
		return fallback, nil
	}
	n := int64(0)
	for _, d := range digits {
		if n = n*10 + int64(d-'0'); n >= maxRepeat {
			return 0, ErrRepeat
		}
	}
	return n, nil
}
