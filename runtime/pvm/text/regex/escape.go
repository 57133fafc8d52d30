package regex

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax/charname"

// controlEscape answers the character a letter after a backslash stands for, or none.
func controlEscape(r rune) rune {
	switch r {
	case 'a':
		return '\a'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	case '\\':
		return '\\'
	default:
		return none
	}
}

func categoryEscape(r rune) category {
	switch r {
	case 'd':
		return digit
	case 'D':
		return notDigit
	case 's':
		return space
	case 'S':
		return notSpace
	case 'w':
		return word
	case 'W':
		return notWord
	default:
		return noCategory
	}
}

// classEscape reads an escape inside a character set.
func (p *parser) classEscape(t token) (setItem, error) {
	if r := controlEscape(t.escape); r != none {
		return single(r), nil
	}
	if c := categoryEscape(t.escape); c != noCategory {
		return ofCategory(c), nil
	}
	if r, ok, err := p.codeEscape(t.escape); ok || err != nil {
		return single(r), err
	}
	switch {
	case isOctal(t.escape):
		digits, err := p.octal(t.escape, 2)
		if err != nil {
			return setItem{}, err
		}
		return single(number(digits, 8)), p.checkOctal(digits)
	case isDigit(t.escape) || isLetterASCII(t.escape):
		return setItem{}, p.errorf(2, "bad escape %s", t)
	default:
		return single(t.escape), nil
	}
}

// codeEscape reads what is left of \x, \u, \U or \N; ok is false when the letter is none of them.
func (p *parser) codeEscape(letter rune) (r rune, ok bool, err error) {
	size := 0
	switch {
	case letter == 'x':
		size = 2
	case letter == 'u' && p.isText:
		size = 4
	case letter == 'U' && p.isText:
		size = 8
	case letter == 'N' && p.isText:
		r, err = p.namedEscape()
		return r, true, err
	default:
		return 0, false, nil
	}
	digits, err := p.while(size, isHex)
	if err != nil {
		return 0, true, err
	}
	shown := "\\" + string(letter) + string(digits)
	if len(digits) != size {
		return 0, true, p.errorf(len(digits)+2, "incomplete escape %s", shown)
	}
	if len(digits) == 8 && number(digits[:2], 16) != 0 || number(digits, 16) > 0x10FFFF {
		return 0, true, p.errorf(len(digits)+2, "bad escape %s", shown)
	}
	return number(digits, 16), true, nil
}

func (p *parser) namedEscape() (rune, error) {
	if ok, err := p.match('{'); err != nil {
		return 0, err
	} else if !ok {
		return 0, p.errorf(0, "missing {")
	}
	name, err := p.until('}', "character name")
	if err != nil {
		return 0, err
	}
	r, ok := charname.Lookup(string(name))
	if !ok {
		return 0, p.errorf(len(name)+len(`\N{}`), "undefined character name %s", quoted(name))
	}
	return r, nil
}

// octal answers the first digit and up to n octal digits after it.
func (p *parser) octal(first rune, n int) ([]rune, error) {
	more, err := p.while(n, isOctal)
	return append([]rune{first}, more...), err
}

func (p *parser) checkOctal(digits []rune) error {
	if number(digits, 8) > 0o377 {
		return p.errorf(len(digits)+1, `octal escape value \%s outside of range 0-0o377`, string(digits))
	}
	return nil
}

// escapeItem reads an escape outside character sets.
func (p *parser) escapeItem(t token) (*node, error) {
	switch t.escape {
	case 'A':
		return anchorNode(atBeginningString), nil
	case 'b':
		return anchorNode(atBoundary), nil
	case 'B':
		return anchorNode(atNonBoundary), nil
	case 'Z':
		return anchorNode(atEndString), nil
	}
	if c := categoryEscape(t.escape); c != noCategory {
		return categoryNode(c), nil
	}
	if r := controlEscape(t.escape); r != none {
		return literalNode(r), nil
	}
	if r, ok, err := p.codeEscape(t.escape); ok || err != nil {
		return literalNode(r), err
	}
	switch {
	case t.escape == '0':
		digits, err := p.octal('0', 2)
		return literalNode(number(digits, 8)), err
	case isDigit(t.escape):
		return p.octalOrGroup(t.escape)
	case isLetterASCII(t.escape):
		return nil, p.errorf(2, "bad escape %s", t)
	default:
		return literalNode(t.escape), nil
	}
}

// octalOrGroup reads a backslash with a digit from 1 on: three octal digits are a character, anything else refers
// to a group.
func (p *parser) octalOrGroup(first rune) (*node, error) {
	digits := []rune{first}
	if p.escape == none && isDigit(p.next) {
		digits = append(digits, p.next)
		if err := p.advance(); err != nil {
			return nil, err
		}
		if isOctal(first) && isOctal(digits[1]) && p.escape == none && isOctal(p.next) {
			digits = append(digits, p.next)
			if err := p.advance(); err != nil {
				return nil, err
			}
			return literalNode(number(digits, 8)), p.checkOctal(digits)
		}
	}
	g := int(number(digits, 10))
	if g >= p.groups() {
		return nil, p.errorf(len(digits), "invalid group reference %d", g)
	}
	if !p.isClosed(g) {
		return nil, p.errorf(len(digits)+1, "cannot refer to an open group")
	}
	if err := p.checkLookBehind(g); err != nil {
		return nil, err
	}
	return &node{kind: backref, number: g}, nil
}
