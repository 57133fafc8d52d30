package object

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// The price of searching beside what the caller charges for the whole text before: the part of it that is gone through with a table, as
// repetitive texts make necessary, and what is searched from its end.
const (
	tableCost    = 2 // cycles for each byte searched and for each of the text searched for
	backwardCost = 1 // cycles for each byte
	manyCost     = 3 // cycles for each byte in which a text of several is counted
)

// lookFor answers the lowest index of sub in b, or the highest one, or -1.
func (m *Machine) lookFor(b, sub []byte, fromRight bool) (int, *Exception) {
	if fromRight {
		if e := m.Charge(backwardCost*len(b) + tableCost*min(len(sub), len(b))); e != nil {
			return 0, e
		}
		return text.RFind(b, sub), nil
	}
	p := text.NewPattern(sub)
	at, next := p.Start(b, 0)
	if next == len(b) {
		return at, nil
	}
	if e := m.Charge(tableCost * (len(b) - next + len(sub))); e != nil {
		return 0, e
	}
	return p.Finish(b, next), nil
}

// occurrences answers how often sub stands in b without overlap. Looking for one byte is in what the caller charges for b.
func (m *Machine) occurrences(b, sub []byte) (int, *Exception) {
	if len(sub) > 1 {
		if e := m.Charge(manyCost * len(b)); e != nil {
			return 0, e
		}
	}
	n := text.Count(b, sub, -1)
	return n, m.Charge(n / foundPerCycle)
}

// codePoints is the number of code points of a text in the form of Str.
func codePoints(s string) int {
	n := len(s)
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for len(b) >= 8 { // less the bytes 10xxxxxx, which continue a code point
		w := binary.LittleEndian.Uint64(b)
		n -= bits.OnesCount64(w >> 7 & ^(w >> 6) & 0x0101010101010101)
		b = b[8:]
	}
	for _, c := range b {
		if c&0xC0 == 0x80 {
			n--
		}
	}
	return n
}

// byteIndex is where code point i of a text begins.
func byteIndex(s string, i int) int {
	at := 0
	for len(s)-at >= 64 {
		n := codePoints(s[at : at+64])
		if n > i {
			break
		}
		i, at = i-n, at+64
	}
	for ; at < len(s); at++ {
		if s[at]&0xC0 != 0x80 {
			if i == 0 {
				return at
			}
			i--
		}
	}
	return at
}
