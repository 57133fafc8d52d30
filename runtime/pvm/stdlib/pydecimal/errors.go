package pydecimal

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/decimal"
)

// The exceptions with a single base; the others are made per machine.
var (
	excDecimal            object.Type
	excClamped            object.Type
	excInvalidOperation   object.Type
	excRounded            object.Type
	excInexact            object.Type
	excSubnormal          object.Type
	excConversionSyntax   object.Type
	excDivisionImpossible object.Type
	excInvalidContext     object.Type
)

var singleBased = []*object.Type{
	defineException(&excDecimal, "DecimalException", &object.ExcArithmeticError),
	defineException(&excClamped, "Clamped", &excDecimal),
	defineException(&excInvalidOperation, "InvalidOperation", &excDecimal),
	defineException(&excRounded, "Rounded", &excDecimal),
	defineException(&excInexact, "Inexact", &excDecimal),
	defineException(&excSubnormal, "Subnormal", &excDecimal),
	defineException(&excConversionSyntax, "ConversionSyntax", &excInvalidOperation),
	defineException(&excDivisionImpossible, "DivisionImpossible", &excInvalidOperation),
	defineException(&excInvalidContext, "InvalidContext", &excInvalidOperation),
}

func defineException(t *object.Type, name string, base *object.Type) *object.Type {
	return object.Define(t, object.Spec{Name: name, Module: "decimal", Base: base})
}

// manyBased are the exceptions with several bases, in an order that has bases
// first.
var manyBased = []struct {
	name  *object.Str
	bases []string // names of this module, or built-in
}{
	{object.StaticName("DivisionByZero"), []string{"DecimalException", "ZeroDivisionError"}},
	{object.StaticName("Overflow"), []string{"Inexact", "Rounded"}},
	{object.StaticName("Underflow"), []string{"Inexact", "Rounded", "Subnormal"}},
	{object.StaticName("FloatOperation"), []string{"DecimalException", "TypeError"}},
	{object.StaticName("DivisionUndefined"), []string{"InvalidOperation", "ZeroDivisionError"}},
}

var (
	nameModule  = object.StaticName("__module__")
	nameDecimal = object.StaticName("decimal")
)

// defineExceptions adds the exceptions to the module.
func defineExceptions(m *machine, mod *object.Module) *exception {
	for _, x := range manyBased {
		bases := make([]value, len(x.bases))
		for i, name := range x.bases {
			switch name {
			case "ZeroDivisionError":
				bases[i] = object.ExcZeroDivisionError.Value()
			case "TypeError":
				bases[i] = object.ExcTypeError.Value()
			default:
				bases[i], _ = mod.Lookup(name)
			}
		}
		ns := m.NewDict()
		ns.SetStr(m, nameModule, nameDecimal.Value())
		c, e := m.NewClass(&object.TypeType, x.name, bases, ns, object.Args{})
		if e != nil {
			return e
		}
		mod.Dict.SetStr(m, x.name, c)
	}
	return nil
}

// class returns an exception class by name.
func class(m *machine, name string) value {
	if mod, ok := m.Modules["decimal"]; ok {
		if c, ok := mod.Lookup(name); ok {
			return c
		}
	}
	return excInvalidOperation.Value()
}

// trap turns conditions into the exception of the first that is trapped; its
// argument is the list of all of them.
func trap(m *machine, cond decimal.Condition) *exception {
	const trapped = decimal.InvalidOperation | decimal.DivisionByZero | decimal.Overflow
	if cond&trapped == 0 {
		return nil
	}
	if cond&decimal.TooManyDigits != 0 {
		return m.OverflowError("decimal coefficient exceeds %d digits", decimal.MaxDigits)
	}
	var list []value
	kind := "InvalidOperation"
	switch {
	case cond&decimal.ConversionSyntax != 0:
		list = append(list, excConversionSyntax.Value())
	case cond&decimal.DivisionImpossible != 0:
		list = append(list, excDivisionImpossible.Value())
	case cond&decimal.DivisionUndefined != 0:
		list = append(list, class(m, "DivisionUndefined"))
	case cond&decimal.InvalidOperation != 0:
		list = append(list, excInvalidOperation.Value())
	case cond&decimal.DivisionByZero != 0:
		kind = "DivisionByZero"
	default:
		kind = "Overflow"
	}
	if cond&decimal.DivisionByZero != 0 {
		list = append(list, class(m, "DivisionByZero"))
	}
	if cond&decimal.Overflow != 0 {
		list = append(list, class(m, "Overflow"))
	}
	t, _ := class(m, kind).AsType()
	return m.RaiseValue(t, m.List(list...))
}
