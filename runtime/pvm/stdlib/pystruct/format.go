package pystruct

import (
	"math"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// A code is one format character.
type code struct {
	size  int
	align int // in native mode
	kind  kind
}

type kind uint8

const (
	none     kind = iota
	pad           // x
	char          // c
	boolean       // ?
	signed        // b h i l q n
	unsigned      // B H I L Q N P
	floating      // e f d
	text          // s
	pascal        // p
)

// standardCode returns what a character means in the standard modes.
func standardCode(c byte) code {
	switch c {
	case 'x':
		return code{1, 1, pad}
	case 'c':
		return code{1, 1, char}
	case '?':
		return code{1, 1, boolean}
	case 'b':
		return code{1, 1, signed}
	case 'B':
		return code{1, 1, unsigned}
	case 'h':
		return code{2, 2, signed}
	case 'H':
		return code{2, 2, unsigned}
	case 'i', 'l':
		return code{4, 4, signed}
	case 'I', 'L':
		return code{4, 4, unsigned}
	case 'q':
		return code{8, 8, signed}
	case 'Q':
		return code{8, 8, unsigned}
	case 'e':
		return code{2, 2, floating}
	case 'f':
		return code{4, 4, floating}
	case 'd':
		return code{8, 8, floating}
	case 's':
		return code{1, 1, text}
	case 'p':
		return code{1, 1, pascal}
	}
	return code{}
}

// nativeCode returns what a character means on 64-bit Linux.
func nativeCode(c byte) code {
	switch c {
	case 'l', 'n':
		return code{8, 8, signed}
	case 'L', 'N', 'P':
		return code{8, 8, unsigned}
	}
	return standardCode(c)
}

// A field is one item of a format: count values of the same kind, or one of
// count bytes for text and pascal. Padding has no fields.
type field struct {
	code
	char   byte
	offset int
	count  int
}

// A layout is a compiled format.
type layout struct {
	fields []field
	size   int
	values int // arguments to pack, results of unpack
	big    bool
	native bool // "@": alignment, and C's conversions
	little bool // "<": CPython then shares the native code
	few    [4]field
}

const sizeMax = math.MaxInt32

// itemCost is the price of reading a character of a format, of which each may be an item, valueCost that of a value packed or unpacked.
const (
	itemCost  = 10
	valueCost = 15
)

// compile reads a format.
func compile(m *object.Machine, format string) (*layout, *object.Exception) {
	if e := m.Charge(10 + itemCost*len(format)); e != nil {
		return nil, e
	}
	l := &layout{native: true}
	l.fields = l.few[:0]
	if format != "" {
		switch format[0] {
		case '@':
			format = format[1:]
		case '=', '<':
			l.native, l.little = false, true
			format = format[1:]
		case '>', '!':
			l.native, l.big = false, true
			format = format[1:]
		}
	}
	for i := 0; i < len(format); i++ {
		c := format[i]
		if isSpace(c) {
			continue
		}
		count, repeated := 1, false
		if c >= '0' && c <= '9' {
			for count, repeated = 0, true; i < len(format) && format[i] >= '0' && format[i] <= '9'; i++ {
				if count = count*10 + int(format[i]-'0'); count > sizeMax/10 {
					return nil, raise(m, "total struct size too long")
				}
			}
			if i == len(format) {
				return nil, raise(m, "repeat count given without format specifier")
			}
			c = format[i]
		}
		if e := l.add(m, c, count, repeated); e != nil {
			return nil, e
		}
	}
	return l, nil
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// add appends an item.
func (l *layout) add(m *object.Machine, c byte, count int, repeated bool) *object.Exception {
	k := standardCode(c)
	if l.native {
		k = nativeCode(c)
		if k.align > 1 {
			l.size = (l.size + k.align - 1) / k.align * k.align
		}
	}
	if k.kind == none {
		if c == 0 {
			return raise(m, "embedded null character")
		}
		return raise(m, "bad char in struct format")
	}
	if int64(l.size)+int64(count)*int64(k.size) > sizeMax {
		return raise(m, "total struct size too long")
	}
	f := field{k, c, l.size, count}
	l.size += count * k.size
	switch k.kind {
	case pad:
		return nil
	case text, pascal:
		l.values++
	default:
		l.values += count
		if count == 0 {
			return nil
		}
	}
	l.fields = append(l.fields, f)
	return nil
}
