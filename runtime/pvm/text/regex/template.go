package regex

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Part is a piece of a replacement template: literal text, or, when Group is not negative, the text of a group.
type Part struct {
	Literal []rune
	Group   int
}

// ParseTemplate reads a replacement template (bytes as Latin-1) for matches of the program. The errors are *Error and
// *IndexError.
func ParseTemplate(template []rune, isText bool, p *Program) ([]Part, error) {
	src, err := newSource(template, isText)
	if err != nil {
		return nil, err
	}
	t := templateParser{source: src, program: p}
	for {
		tok, err := t.take()
		if err != nil {
			return nil, err
		}
		if tok.isEnd() {
			break
		}
		if !tok.isEscape() {
			t.literal = append(t.literal, tok.char)
			continue
		}
		if err := t.escapeSequence(tok); err != nil {
			return nil, err
		}
	}
	t.flush()
	return t.parts, nil
}

type templateParser struct {
	*source
	program *Program
	parts   []Part
	literal []rune
}

func (t *templateParser) flush() {
	if len(t.literal) > 0 {
		t.parts = append(t.parts, Part{Literal: t.literal, Group: -1})
		t.literal = nil
	}
}

func (t *templateParser) group(g, before int) error {
	if g > t.program.groups {
		return t.errorf(before, "invalid group reference %d", g)
	}
	t.flush()
	t.parts = append(t.parts, Part{Group: g})
	return nil
}

func (t *templateParser) escapeSequence(tok token) error {
	c := tok.escape
	switch {
	case c == 'g':
		return t.namedGroup()
	case c == '0':
		digits, err := t.octal('0')
		t.literal = append(t.literal, number(digits, 8)&0xFF)
		return err
	case isDigit(c):
		return t.octalOrGroup(c)
	}
	if r := controlEscape(c); r != none {
		t.literal = append(t.literal, r)
		return nil
	}
	if isLetterASCII(c) {
		return t.errorf(2, "bad escape %s", tok)
	}
	t.literal = append(t.literal, '\\', c)
	return nil
}

func (t *templateParser) octal(first rune) ([]rune, error) {
	more, err := t.while(2, isOctal)
	return append([]rune{first}, more...), err
}

func (t *templateParser) octalOrGroup(first rune) error {
	digits := []rune{first}
	if t.escape == none && isDigit(t.next) {
		digits = append(digits, t.next)
		if err := t.advance(); err != nil {
			return err
		}
		if isOctal(first) && isOctal(digits[1]) && t.escape == none && isOctal(t.next) {
			digits = append(digits, t.next)
			if err := t.advance(); err != nil {
				return err
			}
			if number(digits, 8) > 0o377 {
				return t.errorf(4, `octal escape value \%s outside of range 0-0o377`, string(digits))
			}
			t.literal = append(t.literal, number(digits, 8))
			return nil
		}
	}
	return t.group(int(number(digits, 10)), len(digits))
}

func (t *templateParser) namedGroup() error {
	if ok, err := t.match('<'); err != nil {
		return err
	} else if !ok {
		return t.errorf(0, "missing <")
	}
	name, err := t.until('>', "group name")
	if err != nil {
		return err
	}
	if text.IsIdentifier(string(name)) {
		g, ok := t.program.GroupNumber(string(name))
		if !ok {
			return &IndexError{"unknown group name " + quoted(name)}
		}
		return t.group(g, len(name)+1)
	}
	g, err := t.groupNumber(name)
	if err != nil {
		return err
	}
	return t.group(g, len(name)+1)
}

// Expand appends the template filled in with the matcher's last match of the subject to dst.
func Expand[T text.Unit](dst []T, parts []Part, m *Matcher, subject []T) []T {
	for _, p := range parts {
		if p.Group < 0 {
			for _, r := range p.Literal {
				dst = append(dst, T(r))
			}
			continue
		}
		if start, end := m.Span(p.Group); start >= 0 {
			dst = append(dst, subject[start:end]...)
		}
	}
	return dst
}

// AppendEscaped appends s to dst with a backslash before every character that has a meaning in patterns.
func AppendEscaped[T text.Unit](dst, s []T) []T {
	for _, u := range s {
		if isSpecial(rune(u)) {
			dst = append(dst, '\\')
		}
		dst = append(dst, u)
	}
	return dst
}

// EscapedLen answers the number of units AppendEscaped appends.
func EscapedLen[T text.Unit](s []T) int {
	n := len(s)
	for _, u := range s {
		if isSpecial(rune(u)) {
			n++
		}
	}
	return n
}

func isSpecial(r rune) bool {
	switch r {
	case '(', ')', '[', ']', '{', '}', '?', '*', '+', '-', '|', '^', '$', '\\', '.', '&', '~', '#', ' ', '\t', '\n', '\r', '\v', '\f':
		return true
	default:
		return false
	}
}
