package syntax

import "fmt"

// operators lists, for each first character, the tokens it begins, longest
// first.
var operators = func() (t [128][]kind) {
	for k := tLPar; k < kFalse; k++ {
		c := kindText[k][0]
		at := 0
		for at < len(t[c]) && len(kindText[t[c][at]]) >= len(kindText[k]) {
			at++
		}
		t[c] = append(t[c], 0)
		copy(t[c][at+1:], t[c][at:])
		t[c][at] = k
	}
	return t
}()

// scanOperator reads an operator or delimiter at the current offset.
func (s *scanner) scanOperator(start int) outcome {
	rest := s.text[start:]
	k, n := tStray, 1
	for _, candidate := range operators[rest[0]] {
		word := kindText[candidate]
		if len(rest) >= len(word) && rest[:len(word)] == word {
			k, n = candidate, len(word)
			break
		}
	}
	s.off = start + n
	switch k {
	case tStray:
		return s.strayCharacter(start)
	case tLPar, tLSqb, tLBrace:
		if s.bracketTop >= MaxBrackets {
			return s.hardFailure(s.off, s.off, "too many nested parentheses")
		}
		s.brackets[s.bracketTop] = bracket{rest[0], int32(len(s.tokens))}
		s.bracketTop++
	case tRPar, tRSqb, tRBrace:
		if outcome := s.closeBracket(rest[0]); outcome != more {
			return outcome
		}
	}
	s.emit(k, start)
	return more
}

// strayCharacter handles a character that begins no token. Printable ones are
// left to the parser, which has no use for them.
func (s *scanner) strayCharacter(start int) outcome {
	if c := s.text[start]; c < ' ' || c == 0x7f {
		return s.hardFailure(s.off, s.off, fmt.Sprintf("invalid non-printable character U+%04X", c))
	}
	s.emit(tStray, start)
	return more
}

// closeBracket matches a closing bracket with the last open one.
func (s *scanner) closeBracket(c byte) outcome {
	if s.bracketTop == 0 {
		return s.hardFailure(s.off, s.off, fmt.Sprintf("unmatched '%c'", c))
	}
	s.bracketTop--
	open := s.brackets[s.bracketTop]
	if open.char == '(' && c == ')' || open.char == '[' && c == ']' || open.char == '{' && c == '}' {
		return more
	}
	msg := fmt.Sprintf("closing parenthesis '%c' does not match opening parenthesis '%c'", c, open.char)
	if line := s.tokens[open.token].line; line != s.line {
		msg += fmt.Sprintf(" on line %d", line)
	}
	return s.hardFailure(s.off, s.off, msg)
}
