package object

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A message is the text of an exception that the machine raised: a format and
// its operands, put together when the program reads the text. Most programs
// catch an exception by its type and let the text be.
//
// What a message keeps is of bounded size whatever the program calls things:
// an operand longer than operandMax bytes is cut when the exception is raised.
// Operands are Go texts and numbers, which never change, so the text read later
// is that of the moment of raising.
//
// Spec: CIP-3 §2.2.1 (memory allocation is metered; a character of text is a cycle).
type message struct {
	format   string
	operands []any
	size     int // bytes by formula
}

const (
	operandMax  = 1_500 // bytes of an operand that a text shows
	messageSize = 64
	operandSize = 32 // beside the bytes of a text
)

// Pieces is an operand that consists of several texts, put together with the message.
type Pieces []string

// keep takes the operands over.
func (t *message) keep(format string, operands []any) {
	t.format, t.operands, t.size = format, operands, messageSize+operandSize*len(operands)
	for i, x := range operands {
		switch x := x.(type) {
		case string:
			if len(x) > operandMax {
				x = cutText(x, operandMax)
				operands[i] = x
			}
			t.size += len(x)
		case *Str:
			s := x.s
			if len(s) > operandMax {
				s = cutText(s, operandMax)
			}
			operands[i] = s
			t.size += len(s)
		case Pieces:
			x = x.cut()
			operands[i] = x
			for _, s := range x {
				t.size += operandSize + len(s)
			}
		case int, int64, int32, uint8:
		default: // an error, whose text is bounded by its maker
			s := fmt.Sprint(x)
			if len(s) > operandMax {
				s = cutText(s, operandMax)
			}
			operands[i] = s
			t.size += len(s)
		}
	}
}

// shownSize is what of a text a message keeps.
func shownSize(s string) int {
	if len(s) > operandMax {
		return len(cutText(s, operandMax))
	}
	return len(s)
}

// cutText is the beginning of a text that is longer than most bytes. It shares no memory with the text.
func cutText(s string, most int) string {
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "..."
}

// cut bounds the sum of the pieces.
func (p Pieces) cut() Pieces {
	left := operandMax
	for i, s := range p {
		if len(s) > left {
			return append(append(Pieces(nil), p[:i]...), cutText(s, left))
		}
		left -= len(s)
	}
	return p
}

// text puts the message together. Its length is bounded by those of the format and the operands.
func (t *message) text() string {
	if len(t.operands) == 0 {
		return t.format
	}
	b := make([]byte, 0, t.size)
	rest, next := t.format, 0
	for {
		at := strings.IndexByte(rest, '%')
		if at < 0 {
			return string(append(b, rest...))
		}
		b = append(b, rest[:at]...)
		verb := rest[at+1]
		rest = rest[at+2:]
		if verb == '%' {
			b = append(b, '%')
			continue
		}
		b = appendOperand(b, verb, t.operands[next])
		next++
	}
}

// appendOperand writes an operand as %s, %d, %c or %x.
func appendOperand(b []byte, verb byte, x any) []byte {
	var n int64
	switch x := x.(type) {
	case string:
		return append(b, x...)
	case Pieces:
		for _, s := range x {
			b = append(b, s...)
		}
		return b
	case int:
		n = int64(x)
	case int64:
		n = x
	case int32:
		n = int64(x)
	case uint8:
		n = int64(x)
	}
	switch verb {
	case 'c':
		return utf8.AppendRune(b, rune(n))
	case 'x':
		return strconv.AppendInt(b, n, 16)
	}
	return strconv.AppendInt(b, n, 10)
}

// Arguments returns the exception's args, which the caller may not change. A
// message that was not read before is put together and paid for with a cycle for
// each byte.
func (m *Machine) Arguments(e *Exception) []Value {
	if e.message != nil {
		text := e.message.text()
		m.meter.Owe(len(text))
		e.message, e.args = nil, []Value{m.Str(text)}
		m.hold(valueSize)
	}
	return e.args
}

// SetArguments makes args the exception's, instead of those it had.
func (e *Exception) SetArguments(args ...Value) { e.args, e.message = args, nil }

// Bare says whether the exception has no arguments.
func (e *Exception) Bare() bool { return e.message == nil && len(e.args) == 0 }

// Text returns the first argument of an exception if it is a text, of an OSError what it says behind its number, for people: it changes nothing and
// costs no cycles.
func (e *Exception) Text() (string, bool) {
	if e.message != nil {
		return e.message.text(), true
	}
	if len(e.args) == 0 {
		return "", false
	}
	said := e.args[0]
	if e.Is(&ExcOSError) && len(e.args) > 1 {
		said = e.args[1]
	}
	s, ok := said.AsStr()
	if !ok {
		return "", false
	}
	return s.s, true
}
