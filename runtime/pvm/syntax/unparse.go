package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// Unparse writes an expression as source text in the form that CPython 3.11
// gives to annotations under "from __future__ import annotations".
func Unparse(x Expr) string {
	u := &unparser{}
	u.expr(x, levelTest)
	return u.b.String()
}

// unparser writes an expression with no more parentheses than needed.
type unparser struct{ b strings.Builder }

// Levels of precedence: an expression below the level its place asks for is
// put in parentheses.
const (
	levelTuple = iota
	levelTest
	levelOr
	levelAnd
	levelNot
	levelCompare
	levelBitOr
	levelBitXor
	levelBitAnd
	levelShift
	levelSum
	levelTerm
	levelFactor
	levelPower
	levelAwait
	levelAtom
)

var operatorLevels = [...]int{Add: levelSum, Sub: levelSum, Mult: levelTerm, MatMult: levelTerm, Div: levelTerm,
	Mod: levelTerm, Pow: levelPower, LShift: levelShift, RShift: levelShift, BitOr: levelBitOr, BitXor: levelBitXor,
	BitAnd: levelBitAnd, FloorDiv: levelTerm}

func (u *unparser) write(s string) { u.b.WriteString(s) }

// enclosed writes what body writes, in parentheses if level is above own.
func (u *unparser) enclosed(level, own int, body func()) {
	if level > own {
		u.write("(")
	}
	body()
	if level > own {
		u.write(")")
	}
}

func (u *unparser) list(xs []Expr, level int) {
	for i, x := range xs {
		if i > 0 {
			u.write(", ")
		}
		u.expr(x, level)
	}
}

func (u *unparser) expr(x Expr, level int) {
	switch x := x.(type) {
	case *Dict:
		u.write("{")
		for i, v := range x.Values {
			if i > 0 {
				u.write(", ")
			}
			if x.Keys[i] == nil {
				u.write("**")
				u.expr(v, levelBitOr)
				continue
			}
			u.expr(x.Keys[i], levelTest)
			u.write(": ")
			u.expr(v, levelTest)
		}
		u.write("}")
	case *Set:
		u.write("{")
		u.list(x.Elts, levelTest)
		u.write("}")
	case *Comp:
		u.comprehension(x)
	case *Yield:
		u.write("(yield")
		if x.Value != nil {
			u.write(" ")
			u.expr(x.Value, levelTuple)
		}
		u.write(")")
	case *YieldFrom:
		u.write("(yield from ")
		u.expr(x.Value, levelTest)
		u.write(")")
	case *Call:
		u.call(x)
	case *Constant:
		u.constant(x)
	case *JoinedStr:
		u.joined(x)
	case *FormattedValue:
		u.joined(&JoinedStr{Values: []Expr{x}})
	case *Attribute:
		u.expr(x.Value, levelAtom)
		if c, ok := x.Value.(*Constant); ok && c.Kind == Int {
			u.write(" ")
		}
		u.write("." + x.Attr)
	case *Subscript:
		u.expr(x.Value, levelAtom)
		u.write("[")
		u.expr(x.Index, levelTuple)
		u.write("]")
	case *Starred:
		u.write("*")
		u.expr(x.Value, levelBitOr)
	case *Name:
		u.write(x.ID)
	case *List:
		u.write("[")
		u.list(x.Elts, levelTest)
		u.write("]")
	case *Tuple:
		u.tuple(x, level)
	case *Slice:
		u.slice(x)
	default:
		u.operation(x, level)
	}
}

// operation writes the expressions that stand in parentheses where what is around them binds more tightly.
func (u *unparser) operation(x Expr, level int) {
	switch x := x.(type) {
	case *BoolOp:
		own := levelOr
		if x.Op == And {
			own = levelAnd
		}
		u.enclosed(level, own, func() {
			for i, v := range x.Values {
				if i > 0 {
					u.write(" " + x.Op.String() + " ")
				}
				u.expr(v, own+1)
			}
		})
	case *NamedExpr:
		u.enclosed(level, levelTuple, func() {
			u.expr(x.Target, levelAtom)
			u.write(" := ")
			u.expr(x.Value, levelAtom)
		})
	case *BinOp:
		u.binary(x, level)
	case *UnaryOp:
		own, word := levelFactor, x.Op.String()
		if x.Op == Not {
			own, word = levelNot, "not "
		}
		u.enclosed(level, own, func() {
			u.write(word)
			u.expr(x.Operand, own)
		})
	case *Lambda:
		u.enclosed(level, levelTest, func() {
			u.write("lambda")
			if len(x.Args.PosOnly)+len(x.Args.Args) > 0 {
				u.write(" ")
			}
			u.arguments(x.Args)
			u.write(": ")
			u.expr(x.Body, levelTest)
		})
	case *IfExp:
		u.enclosed(level, levelTest, func() {
			u.expr(x.Body, levelTest+1)
			u.write(" if ")
			u.expr(x.Test, levelTest+1)
			u.write(" else ")
			u.expr(x.Else, levelTest)
		})
	case *Await:
		u.enclosed(level, levelAwait, func() {
			u.write("await ")
			u.expr(x.Value, levelAtom)
		})
	case *Compare:
		u.enclosed(level, levelCompare, func() {
			u.expr(x.Left, levelCompare+1)
			for i, op := range x.Ops {
				u.write(" " + op.String() + " ")
				u.expr(x.Comparators[i], levelCompare+1)
			}
		})
	}
}

func (u *unparser) binary(x *BinOp, level int) {
	own := operatorLevels[x.Op]
	left, right := own, own+1
	if x.Op == Pow {
		left, right = own+1, own
	}
	u.enclosed(level, own, func() {
		u.expr(x.Left, left)
		u.write(" " + x.Op.String() + " ")
		u.expr(x.Right, right)
	})
}

func (u *unparser) tuple(x *Tuple, level int) {
	if len(x.Elts) == 0 {
		u.write("()")
		return
	}
	u.enclosed(level, levelTuple, func() {
		u.list(x.Elts, levelTest)
		if len(x.Elts) == 1 {
			u.write(",")
		}
	})
}

func (u *unparser) slice(x *Slice) {
	if x.Lower != nil {
		u.expr(x.Lower, levelTest)
	}
	u.write(":")
	if x.Upper != nil {
		u.expr(x.Upper, levelTest)
	}
	if x.Step != nil {
		u.write(":")
		u.expr(x.Step, levelTest)
	}
}

func (u *unparser) comprehension(x *Comp) {
	brackets := [...]string{ListComp: "[]", SetComp: "{}", DictComp: "{}", GeneratorExp: "()"}[x.Kind]
	u.write(brackets[:1])
	u.expr(x.Elt, levelTest)
	if x.Kind == DictComp {
		u.write(": ")
		u.expr(x.Value, levelTest)
	}
	for i := range x.Clauses {
		c := &x.Clauses[i]
		if c.Async {
			u.write(" async")
		}
		u.write(" for ")
		u.expr(c.Target, levelTuple)
		u.write(" in ")
		u.expr(c.Iter, levelTest+1)
		for _, test := range c.Ifs {
			u.write(" if ")
			u.expr(test, levelTest+1)
		}
	}
	u.write(brackets[1:])
}

func (u *unparser) call(x *Call) {
	u.expr(x.Func, levelAtom)
	if len(x.Args) == 1 && len(x.Keywords) == 0 {
		if g, ok := x.Args[0].(*Comp); ok && g.Kind == GeneratorExp {
			u.expr(g, levelTest)
			return
		}
	}
	u.write("(")
	u.list(x.Args, levelTest)
	for i, k := range x.Keywords {
		if i > 0 || len(x.Args) > 0 {
			u.write(", ")
		}
		if k.Arg == "" {
			u.write("**")
		} else {
			u.write(k.Arg + "=")
		}
		u.expr(k.Value, levelTest)
	}
	u.write(")")
}

// arguments writes the parameters of a lambda.
func (u *unparser) arguments(a *Arguments) {
	first := true
	comma := func() {
		if !first {
			u.write(", ")
		}
		first = false
	}
	all := append(append([]*Arg(nil), a.PosOnly...), a.Args...)
	for i, arg := range all {
		comma()
		u.write(arg.Name)
		if d := i - (len(all) - len(a.Defaults)); d >= 0 {
			u.write("=")
			u.expr(a.Defaults[d], levelTest)
		}
		if len(a.PosOnly) > 0 && i == len(a.PosOnly)-1 {
			u.write(", /")
		}
	}
	if a.VarArg != nil || len(a.KwOnly) > 0 {
		comma()
		u.write("*")
		if a.VarArg != nil {
			u.write(a.VarArg.Name)
		}
	}
	for i, arg := range a.KwOnly {
		comma()
		u.write(arg.Name)
		if a.KwDefaults[i] != nil {
			u.write("=")
			u.expr(a.KwDefaults[i], levelTest)
		}
	}
	if a.KwArg != nil {
		comma()
		u.write("**" + a.KwArg.Name)
	}
}

// constant writes a literal. An infinity, which has no literal, is written as
// one that overflows.
func (u *unparser) constant(x *Constant) {
	switch x.Kind {
	case None:
		u.write("None")
	case True:
		u.write("True")
	case False:
		u.write("False")
	case Ellipsis:
		u.write("...")
	case Int:
		if x.Big != nil {
			u.write(x.Big.String())
		} else {
			u.write(strconv.FormatInt(x.Int, 10))
		}
	case Float:
		u.write(strings.ReplaceAll(softfloat.Repr(x.Bits), "inf", "1e309"))
	case Complex:
		u.write(strings.TrimSuffix(strings.ReplaceAll(softfloat.Repr(x.Bits), "inf", "1e309"), ".0") + "j")
	case Str:
		if x.Unicode {
			u.write("u")
		}
		u.write(quoteText(x.Text))
	case Bytes:
		u.write(string(text.AppendQuotedBytes(nil, []byte(x.Text))))
	}
}

// joined writes an f-string.
func (u *unparser) joined(x *JoinedStr) {
	var inner unparser
	inner.fields(x)
	u.write("f" + quoteText(inner.b.String()))
}

// fields writes the parts of an f-string or of a format spec.
func (u *unparser) fields(x *JoinedStr) {
	for _, part := range x.Values {
		switch part := part.(type) {
		case *Constant:
			u.write(strings.NewReplacer("{", "{{", "}", "}}").Replace(part.Text))
		case *FormattedValue:
			inner := &unparser{}
			inner.expr(part.Value, levelTest+1)
			value := inner.b.String()
			u.write("{")
			if strings.HasPrefix(value, "{") {
				u.write(" ")
			}
			u.write(value)
			if part.Conversion != 0 {
				u.write("!" + string(rune(part.Conversion)))
			}
			if part.Spec != nil {
				u.write(":")
				u.fields(part.Spec)
			}
			u.write("}")
		}
	}
}

// quoteText returns Python's repr of a text in which surrogates take three
// bytes.
func quoteText(s string) string {
	units := make([]rune, 0, len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			r, n = rune(s[i]&0x0F)<<12|rune(s[i+1]&0x3F)<<6|rune(s[i+2]&0x3F), 3
		}
		units = append(units, r)
		i += n
	}
	return string(text.AppendQuoted([]rune(nil), units, false))
}
