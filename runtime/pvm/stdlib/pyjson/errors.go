package pyjson

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/jsontext"
)

// typeDecodeError is json.JSONDecodeError.
var typeDecodeError object.Type

var _ = object.Define(&typeDecodeError, object.Spec{
	Name: "JSONDecodeError", Module: "json.decoder", Base: &object.ExcValueError,
	Slots: object.Slots{Init: decodeErrorInit},
})

var decodeErrorSig = object.NewBuiltin(object.Method{Name: "JSONDecodeError.__init__", Sig: "msg, doc, pos",
	Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) { return m.Tuple(a.V...), nil }})

// Names of the attributes of JSONDecodeError.
var (
	nMsg    = object.StaticName("msg")
	nDoc    = object.StaticName("doc")
	nPos    = object.StaticName("pos")
	nLine   = object.StaticName("lineno")
	nColumn = object.StaticName("colno")
)

func decodeErrorInit(m *object.Machine, v object.Value, a object.Args) *object.Exception {
	bound, e := decodeErrorSig.Call(m, a)
	if e != nil {
		return e
	}
	t, _ := bound.AsTuple()
	msg, doc, pos := t.Items()[0], t.Items()[1], t.Items()[2]
	text, e := m.StrText(msg)
	if e != nil {
		return e
	}
	at, e := m.IndexInt64(pos, nil)
	if e != nil {
		return e
	}
	s, ok := doc.AsStr()
	if !ok {
		return m.TypeError("JSONDecodeError() argument 'doc' must be str, not %s", doc.Type().Name)
	}
	if e := m.ChargeLen(0, int(min(max(at, 0), int64(s.Len()))), 4); e != nil {
		return e
	}
	within := int(min(max(at, -1<<30), int64(s.Len())))
	line, column := position(s, within)
	beyond := int64(column) + at - int64(within)
	exc, _ := v.AsException()
	exc.SetArguments(m.Str(fmt.Sprintf("%s: line %d column %d (char %d)", text, line, beyond, at)))
	for _, attr := range []struct {
		name *object.Str
		val  object.Value
	}{{nMsg, msg}, {nDoc, doc}, {nPos, pos}, {nLine, object.Int(int64(line))}, {nColumn, object.Int(beyond)}} {
		if e := m.SetAttr(v, attr.name, attr.val); e != nil {
			return e
		}
	}
	return nil
}

func position(s *object.Str, at int) (line, column int) {
	if s.ASCII() {
		return jsontext.Position(s.Bytes(), at)
	}
	return jsontext.Position(s.Runes(), at)
}

// decodeError returns a JSONDecodeError.
func decodeError(m *object.Machine, doc *object.Str, message string, at int) *object.Exception {
	v, e := m.Call(typeDecodeError.Value(), object.Positional(m.Str(message), doc.Value(), object.Int(int64(at))))
	if e != nil {
		return e
	}
	exc, _ := v.AsException()
	exc = m.Raised(exc)
	if message == jsontext.ExpectingValue {
		// The scanner says with StopIteration that there is no value.
		exc.Context = m.NewException(&object.ExcStopIteration, object.Int(int64(at)))
		exc.Cause, exc.Suppress = object.None, true
	}
	return exc
}
