package regex

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// source reads a pattern or template token by token: a character, or a backslash with the character after it.
type source struct {
	text   []rune
	isText bool // str, not bytes
	index  int  // after the next token
	next   rune // first character of the next token, end at the end
	escape rune // the character after a backslash, else none
}

const (
	end  rune = -1
	none rune = -2
)

func newSource(pattern []rune, isText bool) (*source, error) {
	s := &source{text: pattern, isText: isText}
	return s, s.advance()
}

// advance reads the next token.
func (s *source) advance() error {
	s.escape = none
	if s.index >= len(s.text) {
		s.next = end
		return nil
	}
	s.next = s.text[s.index]
	s.index++
	if s.next == '\\' {
		if s.index == len(s.text) {
			return &Error{"bad escape (end of pattern)", len(s.text) - 1}
		}
		s.escape = s.text[s.index]
		s.index++
	}
	return nil
}

// token is one token taken from the source.
type token struct{ char, escape rune }

func (t token) is(r rune) bool { return t.char == r && t.escape == none }
func (t token) isEscape() bool { return t.escape != none }
func (t token) isEnd() bool    { return t.char == end }

// String shows the token as it stands in the pattern.
func (t token) String() string {
	if t.isEscape() {
		return string([]rune{t.char, t.escape})
	}
	return string(t.char)
}

func (t token) len() int {
	switch {
	case t.isEnd():
		return 0
	case t.isEscape():
		return 2
	default:
		return 1
	}
}

func (s *source) peek() token { return token{s.next, s.escape} }

// take answers the next token and goes past it.
func (s *source) take() (token, error) {
	t := s.peek()
	return t, s.advance()
}

// match goes past the next token if it is r.
func (s *source) match(r rune) (bool, error) {
	if !s.peek().is(r) {
		return false, nil
	}
	return true, s.advance()
}

// while takes up to n tokens that are characters satisfying the predicate.
func (s *source) while(n int, is func(rune) bool) ([]rune, error) {
	start := s.tell()
	for ; n > 0 && s.escape == none && s.next != end && is(s.next); n-- {
		if err := s.advance(); err != nil {
			return nil, err
		}
	}
	return s.text[start:s.tell()], nil
}

// until takes a name up to a terminator and goes past the terminator.
func (s *source) until(terminator rune, what string) ([]rune, error) {
	start := s.tell()
	for {
		at := s.tell()
		t, err := s.take()
		if err != nil {
			return nil, err
		}
		if t.isEnd() {
			if at == start {
				return nil, s.errorf(0, "missing %s", what)
			}
			return nil, s.errorf(at-start, "missing %c, unterminated name", terminator)
		}
		if t.is(terminator) {
			if at == start {
				return nil, s.errorf(1, "missing %s", what)
			}
			return s.text[start:at], nil
		}
	}
}

// tell answers the index of the next token.
func (s *source) tell() int { return s.index - s.peek().len() }

// seek goes back to an index.
func (s *source) seek(index int) error {
	s.index = index
	return s.advance()
}

// errorf makes an error so many characters before the next token.
func (s *source) errorf(before int, format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	if !s.isText {
		message = backslashed(message)
	}
	return &Error{message, s.tell() - before}
}

// backslashed shows characters outside ASCII as escapes.
func backslashed(s string) string {
	if text.IsASCII(s) {
		return s
	}
	var out []byte
	for _, r := range s {
		switch {
		case r < 0x80:
			out = append(out, byte(r))
		case r < 0x100:
			out = fmt.Appendf(out, "\\x%02x", r)
		default:
			out = fmt.Appendf(out, "\\u%04x", r)
		}
	}
	return string(out)
}

// quoted is Python's repr of a name.
func quoted(name []rune) string { return string(text.AppendQuoted([]rune(nil), name, false)) }

func isDigit(r rune) bool       { return r >= '0' && r <= '9' }
func isOctal(r rune) bool       { return r >= '0' && r <= '7' }
func isHex(r rune) bool         { return isDigit(r) || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F' }
func isLetterASCII(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
func isVerboseSpace(r rune) bool {
	return r == ' ' || r >= '\t' && r <= '\r'
}

func number(digits []rune, base rune) rune {
	n := rune(0)
	for _, d := range digits {
		n = n*base + digitOf(d)
	}
	return n
}

func digitOf(r rune) rune {
	switch {
	case r >= 'a':
		return r - 'a' + 10
	case r >= 'A':
		return r - 'A' + 10
	default:
		return r - '0'
	}
}
