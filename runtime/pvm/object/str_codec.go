package object

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Price of encoding and decoding beside one cycle for each unit.
//
// Spec: CIP-3 §2.2.1 (String Encoding Determinism: 10 + len(input)).
const codecCost = 10

// codecNameCost is the price of bringing another name of an encoding than "utf-8" into the form in which encodings are looked for.
const codecNameCost = 110

// checkCodec accepts UTF-8 with strict errors and refuses everything else: names that CPython knows with a
// DeterminismError, others with its LookupError.
//
// Spec: CIP-3 §2.2.1 (String Encoding Determinism).
func (m *Machine) checkCodec(encoding, errors Value, method string) *Exception {
	if errors.ref != nil && (encoding.ref == nil || encoding.ref.kind&^Sub == KindStr) {
		if _, e := m.codecArg(errors, method, "'errors'"); e != nil {
			return e
		}
	}
	if encoding.ref != nil {
		s, e := m.codecArg(encoding, method, "'encoding'")
		if e != nil {
			return e
		}
		if s.s != "utf-8" {
			m.meter.Owe(codecNameCost)
		}
		if !text.IsUTF8(s.s) {
			m.meter.Owe(codecNameCost)
			if text.IsOtherCodec(s.s) {
				return m.DeterminismError("the encoding '%s' is not available: only utf-8 is", clip(s.s))
			}
			return m.Raise(&ExcLookupError, "unknown encoding: %s", clip(s.s))
		}
	}
	if errors.ref != nil {
		s, _ := errors.AsStr()
		switch {
		case s.s == "strict":
		case text.IsOtherErrorHandler(s.s):
			return m.DeterminismError("the error handler '%s' is not available: only 'strict' is", s.s)
		default:
			return m.Raise(&ExcLookupError, "unknown error handler name '%s'", clip(s.s))
		}
	}
	return nil
}

// CheckCodec is checkCodec for native modules; a missing encoding or error mode is the zero Value.
func (m *Machine) CheckCodec(encoding, errors Value, method string) *Exception {
	return m.checkCodec(encoding, errors, method)
}

// namedChars is how many bytes of a name are checked, searched and compared for a cycle.
const namedChars = 5

// codecArg is the name of an encoding or error handler: text without surrogates and zeros.
func (m *Machine) codecArg(v Value, method, which string) (*Str, *Exception) {
	s, e := m.namedStrArg(v, method, which)
	if e != nil {
		return nil, e
	}
	if e := m.Charge(len(s.s) / namedChars); e != nil {
		return nil, e
	}
	if e := m.checkText(s); e != nil {
		return nil, e
	}
	if strings.IndexByte(s.s, 0) >= 0 {
		return nil, m.ValueError("embedded null character")
	}
	return s, nil
}

// clip bounds what of a name goes into a message.
func clip(s string) string {
	if len(s) > 100 && text.IsASCII(s) {
		return s[:100]
	}
	return s
}

func strEncode(m *Machine, a Args) (Value, *Exception) {
	if e := m.checkCodec(a.Arg(1), a.Arg(2), "encode"); e != nil {
		return Value{}, e
	}
	return m.EncodeUTF8(a.V[0].str())
}

// EncodeUTF8 returns the bytes of a string, or UnicodeEncodeError if it holds a surrogate.
//
// Spec: CIP-3 §2.2.1 (String Encoding Determinism).
func (m *Machine) EncodeUTF8(s *Str) (Value, *Exception) {
	if e := m.Charge(codecCost + s.n); e != nil {
		return Value{}, e
	}
	if at := s.HasSurrogate(); at >= 0 {
		end := at + 1
		for runes := s.Runes(); end < len(runes) && text.IsSurrogate(runes[end]); end++ {
		}
		return Value{}, m.UnicodeEncodeError(s.Value(), at, end, text.EncodeReason)
	}
	if e := m.Reserve(len(s.s)); e != nil {
		return Value{}, e
	}
	return m.Bytes([]byte(s.s)), nil
}

// checkText refuses a string that UTF-8 cannot hold.
func (m *Machine) checkText(s *Str) *Exception {
	if at := s.HasSurrogate(); at >= 0 {
		return m.UnicodeEncodeError(s.Value(), at, at+1, text.EncodeReason)
	}
	return nil
}

// DecodeUTF8 is str(x, encoding, errors) and bytes.decode: x is a bytes-like
// object; a missing encoding or error mode is the zero Value.
//
// Spec: CIP-3 §2.2.1 (String Encoding Determinism).
func (m *Machine) DecodeUTF8(x, encoding, errors Value) (Value, *Exception) {
	if e := m.checkCodec(encoding, errors, "decode"); e != nil {
		return Value{}, e
	}
	b, ok := m.bytesLike(x)
	if !ok {
		return Value{}, m.TypeError("a bytes-like object is required, not '%s'", x.ref.typ.Name)
	}
	if e := m.Charge(codecCost + len(b)); e != nil {
		return Value{}, e
	}
	if bad := text.ValidUTF8(b); bad != nil {
		if x.ref.kind&^Sub != KindBytes {
			x = m.Bytes(append([]byte(nil), b...))
		}
		return Value{}, m.UnicodeDecodeError(x, bad.Start, bad.End, bad.Reason)
	}
	if e := m.Reserve(len(b)); e != nil {
		return Value{}, e
	}
	return m.Str(string(b)), nil
}
