package syntax

import (
	"fmt"
	"strings"
)

// scanNumber reads a numeric literal at the current offset: a digit, or a dot
// before a digit.
func (s *scanner) scanNumber() outcome {
	start := s.off
	src := s.text
	if src[start] == '0' {
		switch src[start+1] | 0x20 {
		case 'x':
			return s.scanRadix(start, 16, "hexadecimal")
		case 'o':
			return s.scanRadix(start, 8, "octal")
		case 'b':
			return s.scanRadix(start, 2, "binary")
		}
		return s.scanZero(start)
	}
	if src[start] != '.' && !s.digits() {
		return s.badLiteral("decimal")
	}
	return s.scanFraction(start)
}

// badLiteral fails behind the last character of the literal that was right.
func (s *scanner) badLiteral(name string) outcome {
	return s.hardFailure(s.off, s.off, "invalid "+name+" literal")
}

// digits reads decimal digits with single underscores between them.
func (s *scanner) digits() bool {
	src := s.text
	off := s.off
	for {
		for charClass[src[off]] == classDigit {
			off++
		}
		if src[off] != '_' {
			s.off = off
			return true
		}
		off++
		if charClass[src[off]] != classDigit {
			s.off = off
			return false
		}
	}
}

// scanRadix reads a literal that begins 0x, 0o or 0b.
func (s *scanner) scanRadix(start, base int, name string) outcome {
	src := s.text
	s.off = start + 2
	for {
		if src[s.off] == '_' {
			s.off++
		}
		if !isDigit(src[s.off], base) {
			if charClass[src[s.off]] == classDigit {
				return s.badDigit(name)
			}
			return s.badLiteral(name)
		}
		for isDigit(src[s.off], base) {
			s.off++
		}
		if src[s.off] == '_' {
			continue
		}
		if charClass[src[s.off]] == classDigit {
			return s.badDigit(name)
		}
		return s.endNumber(start, name)
	}
}

func (s *scanner) badDigit(name string) outcome {
	c := s.text[s.off]
	return s.hardFailure(s.off+1, s.off+1, fmt.Sprintf("invalid digit '%c' in %s literal", c, name))
}

func isDigit(c byte, base int) bool {
	if base == 16 {
		return charClass[c] == classDigit || 'a' <= c|0x20 && c|0x20 <= 'f'
	}
	return '0' <= c && int(c) < '0'+base
}

// scanZero reads a literal that begins with 0: zeros, or a float or imaginary
// literal with leading zeros.
func (s *scanner) scanZero(start int) outcome {
	src := s.text
	for {
		if src[s.off] == '_' {
			s.off++
			if charClass[src[s.off]] != classDigit {
				return s.badLiteral("decimal")
			}
		}
		if src[s.off] != '0' {
			break
		}
		s.off++
	}
	if charClass[src[s.off]] != classDigit {
		return s.scanFraction(start)
	}
	zerosEnd := s.off + 1
	if !s.digits() {
		return s.badLiteral("decimal")
	}
	switch src[s.off] {
	case '.', 'e', 'E', 'j', 'J':
		return s.scanFraction(start)
	}
	return s.hardFailure(start+1, zerosEnd,
		"leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers")
}

// scanFraction reads what may follow the integer part: fraction, exponent and
// imaginary unit.
func (s *scanner) scanFraction(start int) outcome {
	src := s.text
	if src[s.off] == '.' {
		s.off++
		if charClass[src[s.off]] == classDigit && !s.digits() {
			return s.badLiteral("decimal")
		}
	}
	if src[s.off]|0x20 == 'e' {
		at := s.off
		s.off++
		if c := src[s.off]; c == '+' || c == '-' {
			s.off++
			if charClass[src[s.off]] != classDigit {
				return s.badLiteral("decimal")
			}
		}
		if charClass[src[s.off]] != classDigit {
			s.off = at
			return s.endNumber(start, "decimal")
		}
		if !s.digits() {
			return s.badLiteral("decimal")
		}
	}
	if src[s.off]|0x20 == 'j' {
		s.off++
		return s.endNumber(start, "imaginary")
	}
	return s.endNumber(start, "decimal")
}

// endNumber emits the literal unless a letter follows that begins none of the
// keywords allowed right behind a number.
func (s *scanner) endNumber(start int, name string) outcome {
	if c := s.text[s.off]; c < 0x80 && identByte(c) && !keywordAfterNumber(s.text[s.off:]) {
		return s.badLiteral(name)
	}
	s.emit(tNumber, start)
	return more
}

// keywordAfterNumber says whether a text begins with a keyword that may follow a
// number without a space. As in CPython, two letters are enough of those that
// begin with i.
func keywordAfterNumber(rest string) bool {
	for _, word := range [...]string{"if", "in", "is"} {
		if strings.HasPrefix(rest, word) {
			return true
		}
	}
	for _, word := range [...]string{"and", "else", "for", "or", "not"} {
		if after, found := strings.CutPrefix(rest, word); found {
			return !identByte(after[0])
		}
	}
	return false
}
