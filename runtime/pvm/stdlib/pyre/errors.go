package pyre

import (
	"errors"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/regex"
)

// typeError is re.error.
var typeError object.Type

var _ = object.Define(&typeError, object.Spec{
	Name: "error", Module: "re", Base: &object.ExcException,
	Slots: object.Slots{Init: errorInit},
})

var errorSig = object.NewBuiltin(object.Method{Name: "error", Sig: "msg, pattern=None, pos=None",
	Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		return m.Tuple(a.Arg(0), a.Or(1, object.None), a.Or(2, object.None)), nil
	}})

// Names of the attributes of re.error.
var (
	nMsg     = object.StaticName("msg")
	nPattern = object.StaticName("pattern")
	nPos     = object.StaticName("pos")
	nLine    = object.StaticName("lineno")
	nColumn  = object.StaticName("colno")
)

// errorInit sets the attributes and the message with the position.
func errorInit(m *object.Machine, v object.Value, a object.Args) *object.Exception {
	bound, e := errorSig.Call(m, a)
	if e != nil {
		return e
	}
	t, _ := bound.AsTuple()
	msg, pattern, pos := t.Items()[0], t.Items()[1], t.Items()[2]
	text, e := m.StrText(msg)
	if e != nil {
		return e
	}
	if e := m.Charge(len(text) + 2*patternLen(pattern)); e != nil { // both are gone through, the pattern twice
		return e
	}
	line, column := object.None, object.None
	at, known := pos.AsInt()
	units, isPattern := patternUnits(pattern)
	if known && isPattern && at.IsInt() {
		newlines, last := 0, -1
		for i := 0; i < len(units) && int64(i) < at.Int64(); i++ {
			if units[i] == '\n' {
				newlines, last = newlines+1, i
			}
		}
		line, column = object.Int(int64(newlines+1)), object.Int(at.Int64()-int64(last))
		text += " at position " + decimal(at.Int64())
		if newlines > 0 || contains(units, '\n') {
			text += " (line " + decimal(line.Int64()) + ", column " + decimal(column.Int64()) + ")"
		}
	}
	exc, _ := v.AsException()
	exc.SetArguments(m.Str(text))
	for _, attr := range []struct {
		name *object.Str
		val  object.Value
	}{{nMsg, msg}, {nPattern, pattern}, {nPos, pos}, {nLine, line}, {nColumn, column}} {
		if e := m.SetAttr(v, attr.name, attr.val); e != nil {
			return e
		}
	}
	return nil
}

func contains(s []rune, r rune) bool {
	for _, x := range s {
		if x == r {
			return true
		}
	}
	return false
}

// patternLen is how many characters patternUnits gives at most.
func patternLen(v object.Value) int {
	if s, ok := v.AsStr(); ok {
		return s.Len()
	}
	if b, ok := v.AsBytes(); ok {
		return len(b.Data())
	}
	return 0
}

// patternUnits returns the characters of a pattern, bytes as Latin-1.
func patternUnits(v object.Value) ([]rune, bool) {
	if s, ok := v.AsStr(); ok {
		return s.Runes(), true
	}
	if b, ok := v.AsBytes(); ok {
		return latin1(b.Data()), true
	}
	return nil, false
}

func latin1(b []byte) []rune {
	out := make([]rune, len(b))
	for i, c := range b {
		out[i] = rune(c)
	}
	return out
}

// raise turns an error of package regex into an exception; pattern is the pattern or template it is about.
func raise(m *object.Machine, err error, pattern object.Value) *object.Exception {
	var bad *regex.Error
	var flag *regex.FlagError
	var index *regex.IndexError
	switch {
	case errors.As(err, &bad):
		pos := object.None
		if bad.At >= 0 {
			pos = object.Int(int64(bad.At))
		} else {
			pattern = object.None
		}
		v, e := m.Call(typeError.Value(), object.Positional(m.Str(bad.Message), pattern, pos))
		if e != nil {
			return e
		}
		exc, _ := v.AsException()
		return m.Raised(exc)
	case errors.As(err, &flag):
		return m.RaiseValue(&object.ExcValueError, m.Str(flag.Message))
	case errors.As(err, &index):
		e := m.RaiseValue(&object.ExcIndexError, m.Str(index.Message))
		if name, ok := strings.CutPrefix(index.Message, "unknown group name '"); ok {
			e.Context = m.KeyError(m.Str(strings.TrimSuffix(name, "'")))
			e.Cause, e.Suppress = object.None, true
		}
		return e
	case err == regex.ErrRepeat:
		return m.OverflowError("the repetition number is too large")
	case err == regex.ErrNesting:
		return m.Raise(&object.ExcRecursionError, "maximum recursion depth exceeded")
	default:
		return m.Raise(&object.ExcMemoryError, "")
	}
}
