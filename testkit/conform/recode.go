package conform

import (
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Actors know no encoding but UTF-8; tests of other things write .encode("ascii")
// or bytes(s, "latin-1") all the same. In the modules of the harness such calls, where
// the encoding is a literal, go to a function that knows ASCII and Latin-1.
const recodeName = "recode"

var recode = object.NewBuiltin(object.Method{Name: recodeName, Sig: "make, value, encoding, /",
	Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		name, _ := a.V[2].AsStr()
		limit := rune(0xff)
		if isASCII(name.String()) {
			limit = 0x7f
		}
		kind, _ := a.V[0].AsStr()
		if s, ok := a.V[1].AsStr(); ok && kind.String() != "str" && kind.String() != "decode" {
			out := make([]byte, 0, len(s.String()))
			for i, r := range s.Runes() {
				if r > limit {
					return object.Value{}, m.UnicodeEncodeError(a.V[1], i, i+1, "ordinal not in range")
				}
				out = append(out, byte(r))
			}
			v := m.Bytes(out)
			if kind.String() == "bytearray" {
				return m.Call(object.TypeByteArray.Value(), object.Positional(v))
			}
			return v, nil
		}
		var data []byte
		if b, ok := a.V[1].AsBytes(); ok {
			data = b.Data()
		} else if b, ok := a.V[1].AsByteArray(); ok {
			data = b.Data()
		} else if b, e := m.Call(object.TypeBytes.Value(), object.Positional(a.V[1])); e == nil && kind.String() == "str" {
			bytes, _ := b.AsBytes()
			data = bytes.Data()
		} else {
			switch kind.String() {
			case "str", "bytes", "bytearray":
				fn, _ := object.Builtins().GetStr(object.StaticName(kind.String()))
				return m.Call(fn, object.Positional(a.V[1], a.V[2]))
			}
			return m.CallMethod(a.V[1], object.StaticName(kind.String()), a.V[2])
		}
		if strings.ToLower(name.String()) == rawEscape {
			return m.Str(unescape(string(data))), nil
		}
		var b strings.Builder
		for i, c := range data {
			if rune(c) > limit {
				return object.Value{}, m.UnicodeDecodeError(m.Bytes(data), i, i+1, "ordinal not in range(128)")
			}
			b.WriteRune(rune(c))
		}
		return m.Str(b.String()), nil
	}})

func isASCII(encoding string) bool {
	switch strings.ToLower(encoding) {
	case "ascii", "us-ascii":
		return true
	}
	return false
}

const rawEscape = "raw-unicode-escape"

// unescape decodes the escapes \\uXXXX; all else is Latin-1.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i+6 <= len(s) && s[i] == '\\' && s[i+1] == 'u' {
			if r, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil {
				b.WriteRune(rune(r))
				i += 5
				continue
			}
		}
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

func recodes(encoding string) bool {
	switch strings.ToLower(encoding) {
	case rawEscape:
		return true
	case "latin-1", "latin1", "iso-8859-1", "iso8859-1":
		return true
	}
	return isASCII(encoding)
}

// replaceRecode changes a call into one of recode if it converts with a literal
// encoding that recode knows.
func replaceRecode(x syntax.Expr) {
	c, ok := x.(*syntax.Call)
	if !ok || len(c.Keywords) > 0 || len(c.Args) == 0 {
		return
	}
	last, ok := c.Args[len(c.Args)-1].(*syntax.Constant)
	if !ok || last.Kind != syntax.Str || !recodes(last.Text) {
		return
	}
	var kind string
	var value syntax.Expr
	switch f := c.Func.(type) {
	case *syntax.Attribute:
		if kind = f.Attr; kind != "encode" && kind != "decode" || len(c.Args) != 1 {
			return
		}
		value = f.Value
	case *syntax.Name:
		if kind = f.ID; kind != "str" && kind != "bytes" && kind != "bytearray" || len(c.Args) != 2 {
			return
		}
		value = c.Args[0]
	default:
		return
	}
	c.Func = &syntax.Name{Span: c.Span, ID: recodeName}
	c.Args = []syntax.Expr{&syntax.Constant{Span: c.Span, Kind: syntax.Str, Text: kind}, value, last}
}
