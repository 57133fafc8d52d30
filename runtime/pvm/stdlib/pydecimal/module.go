package pydecimal

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/decimal"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/namespace"
)

// entries are shared by all machines.
var entries = namespace.Join(namespace.Types(typeDecimalDefined, &typeContext), roundingEntries(), namespace.Types(singleBased...),
	namespace.Functions("decimal",
		object.Method{Name: "getcontext", Func: func(m *machine, a object.Args) (value, *exception) { return contextOf(m), nil }},
		object.Method{Name: "setcontext", Sig: "context, /", Func: func(m *machine, a object.Args) (value, *exception) {
			return value{}, fixed(m)
		}},
		object.Method{Name: "localcontext", Sig: object.Unbound, Func: func(m *machine, a object.Args) (value, *exception) {
			if len(a.Names) > 0 || len(a.V) > 0 && a.V[0] != contextOf(m) && !a.V[0].IsNone() {
				return value{}, fixed(m)
			}
			return contextOf(m), nil
		}},
	), []namespace.Entry{
		namespace.Of("MAX_PREC", object.Int(int64(context.Prec))), namespace.Of("MAX_EMAX", object.Int(context.Emax)),
		namespace.Of("MIN_EMIN", object.Int(context.Emin)), namespace.Of("MIN_ETINY", object.Int(context.Emin-int64(context.Prec)+1)),
		namespace.Of("__version__", object.NewStatic("1.70").Value()), // of the specification
		namespace.Of("HAVE_THREADS", object.False), namespace.Of("HAVE_CONTEXTVAR", object.False),
	})

// Fill makes the native part of the module's namespace.
func Fill(m *object.Machine, mod *object.Module) *object.Exception {
	if e := namespace.Fill(m, mod, entries); e != nil {
		return e
	}
	mod.Define(m, "DefaultContext", object.Of(&object.Alloc[Context](m, &typeContext, 0).Object))
	return defineExceptions(m, mod)
}

var typeContext object.Type

// Context is the one decimal context, as a Python object without state.
type Context struct{ object.Object }

// contextOf returns the machine's instance.
func contextOf(m *machine) value {
	if mod, ok := m.Modules["decimal"]; ok {
		if c, ok := mod.Lookup("DefaultContext"); ok {
			return c
		}
	}
	return object.None
}

func fixed(m *machine) *exception {
	return m.DeterminismError("the decimal context is fixed: 28 digits, ROUND_HALF_EVEN; use quantize() with a rounding argument")
}

var _ = object.Define(&typeContext, object.Spec{
	Name: "Context", Module: "decimal", Final: true,
	Layout: object.LayoutOf[Context](object.KindLeaf),

	Relocate: object.Unrelated,
	Slots: object.Slots{
		New: func(m *machine, t *object.Type, a object.Args) (value, *exception) { return value{}, fixed(m) },
		Repr: func(m *machine, v value) (value, *exception) {
			return m.Str("Context(prec=28, rounding=ROUND_HALF_EVEN, Emin=-999999, Emax=999999, capitals=1, clamp=0, flags=[], " +
				"traps=[InvalidOperation, DivisionByZero, Overflow])"), nil
		},
		SetAttr: func(m *machine, v value, name *object.Str, val value) *exception { return fixed(m) },
	},
	Methods: contextMethods(),
	Fields: []object.Field{
		number64("prec", int64(context.Prec)), number64("Emin", context.Emin), number64("Emax", context.Emax),
		number64("capitals", 1), number64("clamp", 0),
		{Name: "rounding", Get: func(m *machine, v value) (value, *exception) { return m.Str("ROUND_HALF_EVEN"), nil }},
		{Name: "flags", Get: func(m *machine, v value) (value, *exception) { return signals(m, false), nil }},
		{Name: "traps", Get: func(m *machine, v value) (value, *exception) { return signals(m, true), nil }},
	},
})

func number64(name string, n int64) object.Field {
	return object.Field{Name: name, Get: func(m *machine, v value) (value, *exception) { return object.Int(n), nil }}
}

// signals returns a dict of the signals: what is trapped, or nothing.
func signals(m *machine, traps bool) value {
	d := m.NewDict()
	for _, name := range []string{
		"InvalidOperation", "FloatOperation", "DivisionByZero", "Overflow", "Underflow", "Subnormal", "Inexact", "Rounded", "Clamped",
	} {
		set := traps && (name == "InvalidOperation" || name == "DivisionByZero" || name == "Overflow")
		if e := d.Set(m, class(m, name), object.Bool(set)); e != nil {
			break // classes are hashable
		}
	}
	return d.Value()
}

// contextMethods are the operations as methods of the context, where every
// operand is an argument.
func contextMethods() []object.Method {
	out := []object.Method{
		{Name: "__enter__", Func: itself},
		{Name: "__exit__", Sig: object.Unbound, Func: func(m *machine, a object.Args) (value, *exception) { return object.None, nil }},
		{Name: "copy", Func: itself},
		{Name: "__copy__", Func: itself},
		{Name: "Etiny", Func: func(m *machine, a object.Args) (value, *exception) {
			return object.Int(context.Emin - int64(context.Prec) + 1), nil
		}},
		{Name: "Etop", Func: func(m *machine, a object.Args) (value, *exception) {
			return object.Int(context.Emax - int64(context.Prec) + 1), nil
		}},
		{Name: "radix", Func: func(m *machine, a object.Args) (value, *exception) { return wrap(m, decimal.FromInt64(10)), nil }},
		{Name: "clear_flags", Func: func(m *machine, a object.Args) (value, *exception) { return object.None, nil }},
		{Name: "clear_traps", Func: func(m *machine, a object.Args) (value, *exception) { return value{}, fixed(m) }},
		{Name: "create_decimal", Sig: "num=None, /", Func: func(m *machine, a object.Args) (value, *exception) {
			n := decimal.FromInt64(0)
			if v := a.Arg(1); !v.IsZero() {
				var e *exception
				if n, e = newNumber(m, v); e != nil {
					return value{}, e
				}
			}
			r, cond := context.Round(n)
			return result(m, r, cond)
		}},
		{Name: "create_decimal_from_float", Sig: "f, /", Func: func(m *machine, a object.Args) (value, *exception) {
			v, e := fromFloatMethod(m, object.Positional(typeDecimal.Value(), a.V[1]))
			if e != nil {
				return value{}, e
			}
			r, cond := context.Round(self(v))
			return result(m, r, cond)
		}},
	}
	all := append(operations(),
		operation{name: "abs", cost: costSimple, one: context.Abs}, operation{name: "minus", cost: costSimple, one: context.Neg},
		operation{name: "plus", cost: costSimple, one: context.Plus}, operation{name: "add", cost: costSimple, two: context.Add},
		operation{name: "subtract", cost: costSimple, two: context.Sub}, operation{name: "multiply", cost: costSimple, two: context.Mul},
		operation{name: "divide", cost: costDivide, two: context.Quo}, operation{name: "divide_int", cost: costDivide, two: context.QuoInteger},
		operation{name: "remainder", cost: costDivide, two: context.Rem},
		operation{name: "quantize", cost: costDivide, two: func(x, y *number) (*number, decimal.Condition) {
			return context.Quantize(x, y, context.Rounding)
		}},
		operation{name: "to_integral_value", cost: costDivide, one: func(x *number) (*number, decimal.Condition) {
			return context.ToIntegral(x, context.Rounding)
		}},
		operation{name: "to_integral_exact", cost: costDivide, one: func(x *number) (*number, decimal.Condition) {
			return context.ToIntegral(x, context.Rounding)
		}},
	)
	for _, o := range all {
		sig := "a, /"
		switch {
		case o.two != nil:
			sig = "a, b, /"
		case o.three != nil:
			sig = "a, b, c, /"
		}
		out = append(out, object.Method{Name: o.name, Sig: sig, Func: func(m *machine, a object.Args) (value, *exception) {
			return o.apply(m, a.Rest(1))
		}})
	}
	return append(out, object.Method{Name: "power", Sig: "a, b, modulo=None", Func: func(m *machine, a object.Args) (value, *exception) {
		x, e := argument(m, a.V[1])
		if e != nil {
			return value{}, e
		}
		if mod := a.Or(3, object.None); !mod.IsNone() {
			return powMod(m, wrap(m, x), a.V[2], mod)
		}
		return m.BinaryOp(object.Pow, wrap(m, x), a.V[2])
	}}, object.Method{Name: "divmod", Sig: "a, b, /", Func: func(m *machine, a object.Args) (value, *exception) {
		x, e := argument(m, a.V[1])
		if e != nil {
			return value{}, e
		}
		return m.BinaryOp(object.DivMod, wrap(m, x), a.V[2])
	}})
}
