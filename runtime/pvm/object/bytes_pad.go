package object

import (
	"bytes"
	"math"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

func bytesPadMethods() []Method {
	const sig = "width, fillchar=b' ', /"
	return []Method{
		{Name: "center", Sig: sig, Func: bytesPad("center", text.CenterPad)},
		{Name: "ljust", Sig: sig, Func: bytesPad("ljust", func(n, width int) (int, int) { return 0, max(width-n, 0) })},
		{Name: "rjust", Sig: sig, Func: bytesPad("rjust", func(n, width int) (int, int) { return max(width-n, 0), 0 })},
		{Name: "zfill", Sig: "width, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			b := bytesOf(a.V[0])
			width, e := m.IndexInt(a.V[1], nil)
			if e != nil {
				return Value{}, e
			}
			n := max(width, len(b))
			if e := m.outputBytes(int64(n)); e != nil {
				return Value{}, e
			}
			return m.bytesAs(a.V[0], text.ZeroFill(make([]byte, 0, n), b, width)), nil
		}},
		{Name: "expandtabs", Sig: "tabsize=8", Func: bytesExpandTabs},
		{Name: "strip", Sig: "bytes=None, /", Func: bytesStrip(text.BothSides)},
		{Name: "lstrip", Sig: "bytes=None, /", Func: bytesStrip(text.LeftSide)},
		{Name: "rstrip", Sig: "bytes=None, /", Func: bytesStrip(text.RightSide)},
		{Name: "removeprefix", Sig: "prefix, /", Func: bytesRemove(bytes.CutPrefix)},
		{Name: "removesuffix", Sig: "suffix, /", Func: bytesRemove(bytes.CutSuffix)},
	}
}

func bytesPad(name string, pads func(n, width int) (left, right int)) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		b := bytesOf(a.V[0])
		width, e := m.IndexInt(a.V[1], nil)
		if e != nil {
			return Value{}, e
		}
		fill := byte(' ')
		if f := a.Arg(2); f.ref != nil {
			k := f.ref.kind &^ Sub
			if k != KindBytes && k != KindByteArray || len(bytesOf(f)) != 1 {
				return Value{}, m.TypeError("%s() argument 2 must be a byte string of length 1, not %s", name, argName(f))
			}
			fill = bytesOf(f)[0]
		}
		left, right := pads(len(b), width)
		if left+right > math.MaxInt32 {
			return Value{}, m.Raise(&ExcMemoryError, "")
		}
		if e := m.outputBytes(int64(left + right + len(b))); e != nil {
			return Value{}, e
		}
		out := make([]byte, 0, left+right+len(b))
		out = append(out, bytes.Repeat([]byte{fill}, left)...)
		out = append(out, b...)
		return m.bytesAs(a.V[0], append(out, bytes.Repeat([]byte{fill}, right)...)), nil
	}
}

func bytesExpandTabs(m *Machine, a Args) (Value, *Exception) {
	b := bytesOf(a.V[0])
	size, e := m.narrowArg(a.Arg(1), 8)
	if e != nil {
		return Value{}, e
	}
	if e := m.Charge(len(b)); e != nil {
		return Value{}, e
	}
	if size > math.MaxInt32 {
		return Value{}, m.OverflowError("Python int too large to convert to C int")
	}
	n, ok := text.ExpandedLen(b, size)
	if !ok {
		return Value{}, m.OverflowError("result too long")
	}
	if e := m.outputBytes(int64(n)); e != nil {
		return Value{}, e
	}
	return m.bytesAs(a.V[0], text.ExpandTabs(make([]byte, 0, n), b, size)), nil
}

func bytesStrip(sides text.Sides) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		b := bytesOf(a.V[0])
		if e := m.Charge(len(b)); e != nil {
			return Value{}, e
		}
		chars := noneAsZero(a.Arg(1))
		if chars.ref == nil {
			lo, hi := text.StripSpace(b, sides, text.BytesRules)
			return m.piece(a.V[0], b[lo:hi]), nil
		}
		x, e := m.bytesArg(chars)
		if e != nil {
			return Value{}, e
		}
		if e := m.Charge(len(x)); e != nil {
			return Value{}, e
		}
		lo, hi := text.StripSet(b, text.NewSet(x), sides)
		return m.piece(a.V[0], b[lo:hi]), nil
	}
}

func bytesRemove(cut func(s, affix []byte) ([]byte, bool)) Func {
	return func(m *Machine, a Args) (Value, *Exception) {
		x, e := m.bytesArg(a.V[1])
		if e != nil {
			return Value{}, e
		}
		b := bytesOf(a.V[0])
		if e := m.Charge(len(b)); e != nil {
			return Value{}, e
		}
		rest, _ := cut(b, x)
		return m.piece(a.V[0], rest), nil
	}
}
