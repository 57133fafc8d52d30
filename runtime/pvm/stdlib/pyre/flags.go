package pyre

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/regex"
)

// typeFlag is re.RegexFlag.
var typeFlag object.Type

var _ = object.Define(&typeFlag, object.Spec{
	Name: "RegexFlag", Module: "re", Plain: true, Base: &object.TypeInt, Final: true,
	Layout: object.LayoutOf[object.IntSub](object.KindInt | object.Sub),
	Slots:  flagSlots(), Relocate: object.RelocateInt,
	Fields: []object.Field{
		{Name: "value", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			return object.Int(number(v)), nil
		}},
		{Name: "name", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			if number(v) == 0 || number(v)&^allFlags != 0 {
				return object.None, nil
			}
			return m.Str(strings.ReplaceAll(flagText(number(v)), "re.", "")), nil
		}},
	},
})

// flagSlots are the slots of RegexFlag. Operators between flags, and between flags and ints, give flags.
func flagSlots() object.Slots {
	s := object.Slots{New: flagNew, Repr: flagRepr, Str: flagRepr}
	s.Invert = func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
		return newFlag(m, positive(^number(v))), nil
	}
	s.Binary[object.Or] = flagOperator(func(a, b int64) int64 { return a | b })
	s.Binary[object.And] = flagOperator(func(a, b int64) int64 { return a & b })
	s.Binary[object.Xor] = flagOperator(func(a, b int64) int64 { return a ^ b })
	return s
}

func flagOperator(apply func(a, b int64) int64) object.Binary {
	return func(m *object.Machine, a, b object.Value) (object.Value, *object.Exception) {
		x, ok := a.AsInt()
		y, ok2 := b.AsInt()
		if !ok || !ok2 || !x.IsInt() || !y.IsInt() {
			return object.NotImplemented, nil
		}
		return newFlag(m, apply(x.Int64(), y.Int64())), nil
	}
}

const allFlags = int64(regex.Template | regex.IgnoreCase | regex.Locale | regex.Multiline | regex.DotAll | regex.Unicode | regex.Verbose |
	regex.Debug | regex.ASCII)

// flagNames are the members of RegexFlag in the order of their definition; later ones are aliases.
var flagNames = [...]struct {
	name string
	flag regex.Flags
}{
	{"NOFLAG", 0}, {"ASCII", regex.ASCII}, {"IGNORECASE", regex.IgnoreCase}, {"LOCALE", regex.Locale}, {"UNICODE", regex.Unicode},
	{"MULTILINE", regex.Multiline}, {"DOTALL", regex.DotAll}, {"VERBOSE", regex.Verbose}, {"TEMPLATE", regex.Template}, {"DEBUG", regex.Debug},
	{"A", regex.ASCII}, {"I", regex.IgnoreCase}, {"L", regex.Locale}, {"U", regex.Unicode}, {"M", regex.Multiline}, {"S", regex.DotAll},
	{"X", regex.Verbose}, {"T", regex.Template},
}

// canonicalFlags is the number of flagNames that are no aliases.
const canonicalFlags = 10

func newFlag(m *object.Machine, n int64) object.Value {
	f := object.Alloc[object.IntSub](m, &typeFlag, 0)
	f.Val = object.Int(n)
	return object.Of(&f.Object)
}

func number(v object.Value) int64 { return object.Trust[object.IntSub](v).Val.Int64() }

func flagNew(m *object.Machine, t *object.Type, a object.Args) (object.Value, *object.Exception) {
	if len(a.V) != 1 || len(a.Names) > 0 {
		return object.Value{}, m.TypeError("RegexFlag() takes exactly one argument (%d given)", len(a.V))
	}
	i, ok := a.V[0].AsInt()
	if !ok || !i.IsInt() {
		return object.Value{}, m.ValueError("%s is not a valid RegexFlag", a.V[0].Type().Name)
	}
	return newFlag(m, positive(i.Int64())), nil
}

// positive gives a negative number the meaning that Python's flags give it: all
// bits of the flags, and of the number, but for those of its complement.
func positive(n int64) int64 {
	if n >= 0 {
		return n
	}
	return max(allFlags+1, 1<<bits.Len64(uint64(-n))) + n
}

// flagParts names the flags in n, with a number for what has no name.
func flagParts(n int64) []string {
	var parts []string
	for _, f := range flagNames[1:canonicalFlags] {
		if n&int64(f.flag) != 0 {
			parts = append(parts, "re."+f.name)
		}
	}
	if rest := n &^ allFlags; rest != 0 {
		parts = append(parts, fmt.Sprintf("0x%x", rest))
	}
	return parts
}

// flagText shows flags as repr does.
func flagText(n int64) string {
	switch {
	case n == 0:
		return "re.NOFLAG"
	case n&allFlags == 0:
		return fmt.Sprintf("re.RegexFlag(%d)", n)
	default:
		return strings.Join(flagParts(n), "|")
	}
}

func flagRepr(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	return m.Str(flagText(number(v))), nil
}
