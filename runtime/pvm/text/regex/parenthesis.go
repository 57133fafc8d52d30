package regex

import (
	"strconv"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// maxGroups is the first number no group can have.
const maxGroups = 1<<30 - 1

func decimal(n int) string { return strconv.Itoa(n) }

// parenthesis reads what follows an opening parenthesis. It answers no node for comments and global flags, which it
// applies to verbose as well.
func (p *parser) parenthesis(verbose *bool, first bool) (*node, error) {
	start := p.tell() - 1
	n := &node{kind: group}
	question, err := p.match('?')
	if err != nil {
		return nil, err
	}
	if !question {
		return p.capture(n, "", start, *verbose)
	}
	t, err := p.take()
	if err != nil {
		return nil, err
	}
	if t.isEnd() {
		return nil, p.errorf(0, "unexpected end of pattern")
	}
	switch {
	case t.is('P'):
		return p.pythonGroup(n, start, *verbose)
	case t.is(':'):
		return p.groupBody(n, start, *verbose)
	case t.is('>'):
		n.kind = atomic
		return p.groupBody(n, start, *verbose)
	case t.is('#'):
		return nil, p.skipComment(start)
	case t.is('=') || t.is('!') || t.is('<'):
		return p.lookAround(t, start, *verbose)
	case t.is('('):
		return p.conditionalGroup(start, *verbose)
	case t.is('-') || !t.isEscape() && flagOf(t.char) != 0:
		global, err := p.inlineFlags(n, t)
		if err != nil {
			return nil, err
		}
		if !global {
			return p.groupBody(n, start, *verbose)
		}
		if !first {
			return nil, p.errorf(p.tell()-start, "global flags not at the start of the expression")
		}
		*verbose = p.flags&Verbose != 0
		return nil, nil
	default:
		return nil, p.errorf(t.len()+1, "unknown extension ?%s", t)
	}
}

// groupBody reads the contents of a group and its closing parenthesis.
func (p *parser) groupBody(n *node, start int, verbose bool) (*node, error) {
	verbose = (verbose || n.add&Verbose != 0) && n.clear&Verbose == 0
	body, err := p.alternation(verbose, false)
	if err != nil {
		return nil, err
	}
	n.body = body
	return n, p.close(start)
}

func (p *parser) close(start int) error {
	ok, err := p.match(')')
	if err == nil && !ok {
		err = p.errorf(p.tell()-start, "missing ), unterminated subpattern")
	}
	return err
}

// capture opens a capturing group, reads it and closes it.
func (p *parser) capture(n *node, name string, start int, verbose bool) (*node, error) {
	n.number = p.groups()
	if name != "" {
		if old, ok := p.names[name]; ok {
			return nil, p.errorf(len([]rune(name))+1, "redefinition of group name %s as group %d; was group %d",
				quoted([]rune(name)), n.number, old)
		}
		p.names[name] = n.number
	}
	p.named = append(p.named, name)
	p.widths = append(p.widths, width{})
	p.closed = append(p.closed, false)
	if _, err := p.groupBody(n, start, verbose); err != nil {
		return nil, err
	}
	p.widths[n.number] = n.body.width(p.widths)
	p.closed[n.number] = true
	return n, nil
}

// pythonGroup reads (?P<name>...) or (?P=name) behind the P.
func (p *parser) pythonGroup(n *node, start int, verbose bool) (*node, error) {
	if named, err := p.match('<'); err != nil {
		return nil, err
	} else if named {
		name, err := p.groupName('>')
		if err != nil {
			return nil, err
		}
		return p.capture(n, string(name), start, verbose)
	}
	if ref, err := p.match('='); err != nil {
		return nil, err
	} else if ref {
		name, err := p.groupName(')')
		if err != nil {
			return nil, err
		}
		return p.namedReference(name)
	}
	t, err := p.take()
	if err != nil {
		return nil, err
	}
	if t.isEnd() {
		return nil, p.errorf(0, "unexpected end of pattern")
	}
	return nil, p.errorf(t.len()+2, "unknown extension ?P%s", t)
}

func (p *parser) namedReference(name []rune) (*node, error) {
	g, ok := p.names[string(name)]
	if !ok {
		return nil, p.errorf(len(name)+1, "unknown group name %s", quoted(name))
	}
	if !p.isClosed(g) {
		return nil, p.errorf(len(name)+1, "cannot refer to an open group")
	}
	if err := p.checkLookBehind(g); err != nil {
		return nil, err
	}
	return &node{kind: backref, number: g}, nil
}

// groupName reads an identifier and its terminator.
func (s *source) groupName(terminator rune) ([]rune, error) {
	name, err := s.until(terminator, "group name")
	if err != nil {
		return nil, err
	}
	if !text.IsIdentifier(string(name)) {
		return nil, s.errorf(len(name)+1, "bad character in group name %s", quoted(name))
	}
	return name, nil
}

func (p *parser) skipComment(start int) error {
	for {
		t, err := p.take()
		if err != nil {
			return err
		}
		if t.isEnd() {
			return p.errorf(p.tell()-start, "missing ), unterminated comment")
		}
		if t.is(')') {
			return nil
		}
	}
}

// lookAround reads an assertion behind its first mark.
func (p *parser) lookAround(mark token, start int, verbose bool) (*node, error) {
	n := &node{kind: look}
	outer := p.behind
	if mark.is('<') {
		n.behind = true
		var err error
		if mark, err = p.take(); err != nil {
			return nil, err
		}
		if mark.isEnd() {
			return nil, p.errorf(0, "unexpected end of pattern")
		}
		if !mark.is('=') && !mark.is('!') {
			return nil, p.errorf(mark.len()+2, "unknown extension ?<%s", mark)
		}
		if p.behind < 0 {
			p.behind = p.groups()
		}
	}
	n.negate = mark.is('!')
	body, err := p.alternation(verbose, false)
	if err != nil {
		return nil, err
	}
	p.behind = outer
	n.body = body
	return n, p.close(start)
}

// checkLookBehind refuses references, inside a look-behind, to groups whose text is not known before it is matched.
func (p *parser) checkLookBehind(g int) error {
	switch {
	case p.behind < 0:
		return nil
	case !p.isClosed(g):
		return p.errorf(0, "cannot refer to an open group")
	case g >= p.behind:
		return p.errorf(0, "cannot refer to group defined in the same lookbehind subpattern")
	default:
		return nil
	}
}

// conditionalGroup reads (?(group)yes|no) behind its second parenthesis.
func (p *parser) conditionalGroup(start int, verbose bool) (*node, error) {
	name, err := p.until(')', "group name")
	if err != nil {
		return nil, err
	}
	n := &node{kind: conditional}
	if n.number, err = p.conditionGroup(name); err != nil {
		return nil, err
	}
	if err := p.checkLookBehind(n.number); err != nil {
		return nil, err
	}
	if p.depth++; p.depth > MaxNesting {
		return nil, ErrNesting
	}
	defer func() { p.depth-- }()
	yes, err := p.sequence(verbose, false)
	if err != nil {
		return nil, err
	}
	n.alts = []seq{yes}
	if more, err := p.match('|'); err != nil {
		return nil, err
	} else if more {
		no, err := p.sequence(verbose, false)
		if err != nil {
			return nil, err
		}
		n.alts = append(n.alts, no)
		if p.peek().is('|') {
			return nil, p.errorf(0, "conditional backref with more than two branches")
		}
	}
	return n, p.close(start)
}

// conditionGroup answers the number of the group a conditional names.
func (p *parser) conditionGroup(name []rune) (int, error) {
	if text.IsIdentifier(string(name)) {
		g, ok := p.names[string(name)]
		if !ok {
			return 0, p.errorf(len(name)+1, "unknown group name %s", quoted(name))
		}
		return g, nil
	}
	g, err := p.groupNumber(name)
	if err != nil {
		return 0, err
	}
	if g == 0 {
		return 0, p.errorf(len(name)+1, "bad group number")
	}
	p.pending = append(p.pending, pendingGroup{g, p.tell() - len(name) - 1})
	return g, nil
}

// groupNumber reads a group number as int() does: signs, spaces, underscores and digits of every script are allowed.
func (s *source) groupNumber(name []rune) (int, error) {
	n, ok := intOf(name)
	if !ok {
		return 0, s.errorf(len(name)+1, "bad character in group name %s", quoted(name))
	}
	if n >= maxGroups {
		return 0, s.errorf(len(name)+1, "invalid group reference %s", n.String())
	}
	return int(n), nil
}

// groupIndex is a group number as a pattern spells it.
type groupIndex int64

func (g groupIndex) String() string { return strconv.FormatInt(int64(g), 10) }

func intOf(s []rune) (groupIndex, bool) {
	lo, hi := text.StripSpace(s, text.BothSides, text.TextRules)
	s = s[lo:hi]
	if len(s) > 0 && s[0] == '+' {
		s = s[1:]
	}
	n := groupIndex(0)
	digits := false
	for i, r := range s {
		if r == '_' && digits && i+1 < len(s) && s[i-1] != '_' {
			continue
		}
		d := text.DecimalValue(r)
		if d < 0 {
			return 0, false
		}
		digits = true
		if n = n*10 + groupIndex(d); n > 1<<58 {
			n = 1 << 58
		}
	}
	return n, digits
}

// inlineFlags reads flags behind (?; global is true when a parenthesis ends them, else n holds what the group changes.
func (p *parser) inlineFlags(n *node, t token) (global bool, err error) {
	if !t.is('-') {
		if t, err = p.addedFlags(n, t); err != nil {
			return false, err
		}
	}
	if t.is(')') {
		p.flags |= n.add
		return true, nil
	}
	if n.add&(Debug|Template) != 0 {
		return false, p.errorf(1, "bad inline flags: cannot turn on global flag")
	}
	if t.is('-') {
		if err := p.clearedFlags(n); err != nil {
			return false, err
		}
	}
	if n.clear&(Debug|Template) != 0 {
		return false, p.errorf(1, "bad inline flags: cannot turn off global flag")
	}
	if n.add&n.clear != 0 {
		return false, p.errorf(1, "bad inline flags: flag turned on and off")
	}
	return false, nil
}

func (t token) flag() Flags {
	if t.isEscape() || t.isEnd() {
		return 0
	}
	return flagOf(t.char)
}

// notFlag is the error for a token that is no flag letter.
func (p *parser) notFlag(t token, missing string) error {
	message := "missing " + missing
	if t.isEnd() {
		return p.errorf(0, "%s", message)
	}
	if !t.isEscape() && text.IsAlpha(t.char) {
		message = "unknown flag"
	}
	return p.errorf(t.len(), "%s", message)
}

func (p *parser) addedFlags(n *node, t token) (token, error) {
	for {
		flag := t.flag()
		if p.isText && flag == Locale {
			return t, p.errorf(0, "bad inline flags: cannot use 'L' flag with a str pattern")
		}
		if !p.isText && flag == Unicode {
			return t, p.errorf(0, "bad inline flags: cannot use 'u' flag with a bytes pattern")
		}
		n.add |= flag
		if flag&typeFlags != 0 && n.add&typeFlags != flag {
			return t, p.errorf(0, "bad inline flags: flags 'a', 'u' and 'L' are incompatible")
		}
		var err error
		if t, err = p.take(); err != nil {
			return t, err
		}
		if t.is(')') || t.is('-') || t.is(':') {
			return t, nil
		}
		if t.flag() == 0 {
			return t, p.notFlag(t, "-, : or )")
		}
	}
}

func (p *parser) clearedFlags(n *node) error {
	missing := "flag"
	for {
		t, err := p.take()
		if err != nil {
			return err
		}
		if t.is(':') && missing == ":" {
			return nil
		}
		flag := t.flag()
		if flag == 0 {
			return p.notFlag(t, missing)
		}
		if flag&typeFlags != 0 {
			return p.errorf(0, "bad inline flags: cannot turn off flags 'a', 'u' and 'L'")
		}
		n.clear |= flag
		missing = ":"
	}
}
