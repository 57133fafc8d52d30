package syntax

import (
	"fmt"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// scanName reads an identifier, a keyword, or the prefix of a string literal
// followed by that literal.
func (s *scanner) scanName(start int) outcome {
	src := s.text
	off := start
	ascii := byte(0)
	for identByte(src[off]) {
		ascii |= src[off]
		off++
	}
	if c := src[off]; (c == '"' || c == '\'') && isStringPrefix(src[start:off]) {
		s.off = off
		return s.scanString(start)
	}
	s.off = off
	if ascii >= utf8.RuneSelf {
		if outcome := s.checkName(start); outcome != more {
			return outcome
		}
		s.emit(tName, start)
		return more
	}
	k := tName
	if n := off - start; n >= 2 && n <= 8 {
		k = keyword(src[start:off])
	}
	s.emit(k, start)
	return more
}

// isStringPrefix says whether a word before a quote belongs to a string literal.
func isStringPrefix(word string) bool {
	switch len(word) {
	case 1:
		switch word[0] | 0x20 {
		case 'b', 'f', 'r', 'u':
			return true
		}
	case 2:
		a, b := word[0]|0x20, word[1]|0x20
		if b != 'r' {
			a, b = b, a
		}
		return b == 'r' && (a == 'b' || a == 'f')
	}
	return false
}

// checkName refuses a name that is no identifier under Unicode 14.0.
func (s *scanner) checkName(start int) outcome {
	for i, r := range s.text[start:s.off] {
		if text.IsIDStart(r) || i > 0 && text.IsIDContinue(r) {
			continue
		}
		after := start + i + utf8.RuneLen(r)
		if text.IsPrintable(r) {
			return s.hardFailure(after, after, fmt.Sprintf("invalid character '%c' (U+%04X)", r, r))
		}
		return s.hardFailure(after, after, fmt.Sprintf("invalid non-printable character U+%04X", r))
	}
	return more
}

// scanString reads a string literal whose prefix begins at start and whose
// opening quote is at the current offset.
func (s *scanner) scanString(start int) outcome {
	src := s.text
	quote := src[s.off]
	off := s.off + 1
	if src[off] == quote && src[off+1] == quote {
		s.off = off + 2
		return s.scanTriple(start, quote)
	}
	line, lineOff := s.line, s.lineOff
	for {
		c := src[off]
		if c == quote {
			break
		}
		if c == '\\' {
			off++
			c = src[off]
			if c == '\n' && off+1 < len(src) {
				s.off = off
				s.newline()
				off++
				continue
			}
		}
		if c == '\n' {
			detected := s.line
			s.line, s.lineOff = line, lineOff
			return s.hardFailure(start+1, start+1,
				fmt.Sprintf("unterminated string literal (detected at line %d)", detected))
		}
		off++
	}
	s.off = off + 1
	s.emitString(start, line, lineOff)
	return more
}

// scanTriple reads a triple-quoted literal from behind its opening quotes.
func (s *scanner) scanTriple(start int, quote byte) outcome {
	src := s.text
	line, lineOff := s.line, s.lineOff
	for s.off < len(src) {
		switch c := src[s.off]; c {
		case '\n':
			s.newline()
			continue
		case '\\':
			s.off++
			if s.off < len(src) && src[s.off] == '\n' {
				s.newline()
				continue
			}
		case quote:
			if s.off+2 < len(src) && src[s.off+1] == quote && src[s.off+2] == quote {
				s.off += 3
				s.emitString(start, line, lineOff)
				return more
			}
		}
		s.off++
	}
	detected := s.line - 1
	s.line, s.lineOff = line, lineOff
	return s.hardFailure(start+1, start+1,
		fmt.Sprintf("unterminated triple-quoted string literal (detected at line %d)", detected))
}

// emitString appends a string token that may have begun on an earlier line.
func (s *scanner) emitString(start int, line int32, lineOff int) {
	s.tokens = append(s.tokens, token{tString, int32(start), int32(s.off), line,
		int32(start - lineOff), s.line, int32(s.off - s.lineOff)})
}
