package syntax

import (
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// dump writes a tree as CPython's ast.dump(tree, include_attributes=True) does.
func dump(m *Module) string {
	d := &dumper{}
	d.open("Module")
	d.stmts("body", m.Body)
	d.raw("type_ignores", "[]")
	d.b.WriteByte(')')
	return d.b.String()
}

type dumper struct {
	b strings.Builder
	// first says that the next field of the node being written is its first.
	first bool
}

func (d *dumper) open(class string) {
	d.b.WriteString(class)
	d.b.WriteByte('(')
	d.first = true
}

func (d *dumper) key(name string) {
	if !d.first {
		d.b.WriteString(", ")
	}
	d.first = false
	d.b.WriteString(name)
	d.b.WriteByte('=')
}

func (d *dumper) close(s Span) {
	d.raw("lineno", strconv.Itoa(int(s.Line)))
	d.raw("col_offset", strconv.Itoa(int(s.Col)))
	d.raw("end_lineno", strconv.Itoa(int(s.EndLine)))
	d.raw("end_col_offset", strconv.Itoa(int(s.EndCol)))
	d.b.WriteByte(')')
}

func (d *dumper) end() {
	d.b.WriteByte(')')
	d.first = false
}

func (d *dumper) raw(name, value string) {
	d.key(name)
	d.b.WriteString(value)
}

func (d *dumper) str(name, value string) { d.raw(name, quoteText(value)) }

func (d *dumper) optional(name, value string) {
	if value != "" {
		d.str(name, value)
	}
}

func list[T any](d *dumper, name string, items []T, write func(T)) {
	d.key(name)
	d.b.WriteByte('[')
	for i, x := range items {
		if i > 0 {
			d.b.WriteString(", ")
		}
		write(x)
	}
	d.b.WriteByte(']')
	d.first = false
}

func (d *dumper) stmts(name string, items []Stmt)    { list(d, name, items, d.stmt) }
func (d *dumper) exprs(name string, items []Expr)    { list(d, name, items, d.expr) }
func (d *dumper) patterns(name string, xs []Pattern) { list(d, name, xs, d.pattern) }
func (d *dumper) strs(name string, items []string) {
	list(d, name, items, func(s string) { d.b.WriteString(quoteText(s)) })
}

func (d *dumper) child(name string, x Expr) {
	d.key(name)
	d.expr(x)
	d.first = false
}

func (d *dumper) maybe(name string, x Expr) {
	if x != nil {
		d.child(name, x)
	}
}

func (d *dumper) ctx(c Context) { d.raw("ctx", [...]string{"Load()", "Store()", "Del()"}[c]) }

func (d *dumper) op(op Operator) {
	d.raw("op", [...]string{"Add()", "Sub()", "Mult()", "MatMult()", "Div()", "Mod()", "Pow()", "LShift()", "RShift()",
		"BitOr()", "BitXor()", "BitAnd()", "FloorDiv()"}[op])
}

func prefix(async bool, name string) string {
	if async {
		return "Async" + name
	}
	return name
}

func (d *dumper) stmt(s Stmt) {
	switch s := s.(type) {
	case *Return:
		d.open("Return")
		d.maybe("value", s.Value)
	case *Delete:
		d.open("Delete")
		d.exprs("targets", s.Targets)
	case *Assign:
		d.open("Assign")
		d.exprs("targets", s.Targets)
		d.child("value", s.Value)
	case *AugAssign:
		d.open("AugAssign")
		d.child("target", s.Target)
		d.op(s.Op)
		d.child("value", s.Value)
	case *AnnAssign:
		d.open("AnnAssign")
		d.child("target", s.Target)
		d.child("annotation", s.Annotation)
		d.maybe("value", s.Value)
		simple := "0"
		if s.Simple {
			simple = "1"
		}
		d.raw("simple", simple)
	case *Raise:
		d.open("Raise")
		d.maybe("exc", s.Exc)
		d.maybe("cause", s.Cause)
	case *Assert:
		d.open("Assert")
		d.child("test", s.Test)
		d.maybe("msg", s.Msg)
	case *Import:
		d.open("Import")
		list(d, "names", s.Names, d.alias)
	case *ImportFrom:
		d.open("ImportFrom")
		d.optional("module", s.Module)
		list(d, "names", s.Names, d.alias)
		d.raw("level", strconv.Itoa(int(s.Level)))
	case *Global:
		d.open("Global")
		d.strs("names", s.Names)
	case *Nonlocal:
		d.open("Nonlocal")
		d.strs("names", s.Names)
	case *ExprStmt:
		d.open("Expr")
		d.child("value", s.Value)
	case *Pass:
		d.open("Pass")
	case *Break:
		d.open("Break")
	case *Continue:
		d.open("Continue")
	default:
		d.compound(s)
	}
	d.close(s.At())
}

// compound writes a statement that has statements in it.
func (d *dumper) compound(s Stmt) {
	switch s := s.(type) {
	case *FunctionDef:
		d.open(prefix(s.Async, "FunctionDef"))
		d.str("name", s.Name)
		d.arguments(s.Args)
		d.stmts("body", s.Body)
		d.exprs("decorator_list", s.Decorators)
		d.maybe("returns", s.Returns)
	case *ClassDef:
		d.open("ClassDef")
		d.str("name", s.Name)
		d.exprs("bases", s.Bases)
		list(d, "keywords", s.Keywords, d.keyword)
		d.stmts("body", s.Body)
		d.exprs("decorator_list", s.Decorators)
	case *For:
		d.open(prefix(s.Async, "For"))
		d.child("target", s.Target)
		d.child("iter", s.Iter)
		d.stmts("body", s.Body)
		d.stmts("orelse", s.Else)
	case *While:
		d.open("While")
		d.child("test", s.Test)
		d.stmts("body", s.Body)
		d.stmts("orelse", s.Else)
	case *If:
		d.open("If")
		d.child("test", s.Test)
		d.stmts("body", s.Body)
		d.stmts("orelse", s.Else)
	case *With:
		d.open(prefix(s.Async, "With"))
		list(d, "items", s.Items, func(w WithItem) {
			d.open("withitem")
			d.child("context_expr", w.Context)
			d.maybe("optional_vars", w.Target)
			d.end()
		})
		d.stmts("body", s.Body)
	case *Match:
		d.open("Match")
		d.child("subject", s.Subject)
		list(d, "cases", s.Cases, func(c MatchCase) {
			d.open("match_case")
			d.key("pattern")
			d.pattern(c.Pattern)
			d.maybe("guard", c.Guard)
			d.stmts("body", c.Body)
			d.end()
		})
	case *Try:
		if s.Star {
			d.open("TryStar")
		} else {
			d.open("Try")
		}
		d.stmts("body", s.Body)
		list(d, "handlers", s.Handlers, func(h *ExceptHandler) {
			d.open("ExceptHandler")
			d.maybe("type", h.Type)
			d.optional("name", h.Name)
			d.stmts("body", h.Body)
			d.close(h.Span)
		})
		d.stmts("orelse", s.Else)
		d.stmts("finalbody", s.Final)
	}
}

func (d *dumper) alias(a Alias) {
	d.open("alias")
	d.str("name", a.Name)
	d.optional("asname", a.AsName)
	d.close(a.Span)
}

func (d *dumper) keyword(k *Keyword) {
	d.open("keyword")
	d.optional("arg", k.Arg)
	d.child("value", k.Value)
	d.close(k.Span)
}

func (d *dumper) arguments(a *Arguments) {
	d.key("args")
	d.open("arguments")
	list(d, "posonlyargs", a.PosOnly, d.arg)
	list(d, "args", a.Args, d.arg)
	if a.VarArg != nil {
		d.key("vararg")
		d.arg(a.VarArg)
	}
	list(d, "kwonlyargs", a.KwOnly, d.arg)
	d.exprs("kw_defaults", a.KwDefaults)
	if a.KwArg != nil {
		d.key("kwarg")
		d.arg(a.KwArg)
	}
	d.exprs("defaults", a.Defaults)
	d.end()
}

func (d *dumper) arg(a *Arg) {
	d.open("arg")
	d.str("arg", a.Name)
	d.maybe("annotation", a.Annotation)
	d.close(a.Span)
	d.first = false
}

func (d *dumper) expr(x Expr) {
	switch x := x.(type) {
	case nil:
		d.b.WriteString("None")
		return
	case *FormattedValue:
		d.open("FormattedValue")
		d.child("value", x.Value)
		conversion := -1
		if x.Conversion != 0 {
			conversion = int(x.Conversion)
		}
		d.raw("conversion", strconv.Itoa(conversion))
		if x.Spec != nil {
			d.child("format_spec", x.Spec)
		}
	case *JoinedStr:
		d.open("JoinedStr")
		d.exprs("values", x.Values)
	case *Constant:
		d.open("Constant")
		d.raw("value", constantRepr(x))
		if x.Unicode {
			d.raw("kind", "'u'")
		}
	case *Attribute:
		d.open("Attribute")
		d.child("value", x.Value)
		d.str("attr", x.Attr)
		d.ctx(x.Ctx)
	case *Subscript:
		d.open("Subscript")
		d.child("value", x.Value)
		d.child("slice", x.Index)
		d.ctx(x.Ctx)
	case *Starred:
		d.open("Starred")
		d.child("value", x.Value)
		d.ctx(x.Ctx)
	case *Name:
		d.open("Name")
		d.str("id", x.ID)
		d.ctx(x.Ctx)
	case *List:
		d.open("List")
		d.exprs("elts", x.Elts)
		d.ctx(x.Ctx)
	case *Tuple:
		d.open("Tuple")
		d.exprs("elts", x.Elts)
		d.ctx(x.Ctx)
	case *Slice:
		d.open("Slice")
		d.maybe("lower", x.Lower)
		d.maybe("upper", x.Upper)
		d.maybe("step", x.Step)
	default:
		d.operation(x)
	}
	d.close(x.At())
}

// operation writes an expression that is no name, constant, text, list, tuple, or part of another value.
func (d *dumper) operation(x Expr) {
	switch x := x.(type) {
	case *BoolOp:
		d.open("BoolOp")
		d.raw("op", [...]string{"And()", "Or()"}[x.Op])
		d.exprs("values", x.Values)
	case *NamedExpr:
		d.open("NamedExpr")
		d.child("target", x.Target)
		d.child("value", x.Value)
	case *BinOp:
		d.open("BinOp")
		d.child("left", x.Left)
		d.op(x.Op)
		d.child("right", x.Right)
	case *UnaryOp:
		d.open("UnaryOp")
		d.raw("op", [...]string{"Invert()", "Not()", "UAdd()", "USub()"}[x.Op])
		d.child("operand", x.Operand)
	case *Lambda:
		d.open("Lambda")
		d.arguments(x.Args)
		d.child("body", x.Body)
	case *IfExp:
		d.open("IfExp")
		d.child("test", x.Test)
		d.child("body", x.Body)
		d.child("orelse", x.Else)
	case *Dict:
		d.open("Dict")
		d.exprs("keys", x.Keys)
		d.exprs("values", x.Values)
	case *Set:
		d.open("Set")
		d.exprs("elts", x.Elts)
	case *Comp:
		d.open([...]string{"ListComp", "SetComp", "DictComp", "GeneratorExp"}[x.Kind])
		if x.Kind == DictComp {
			d.child("key", x.Elt)
			d.child("value", x.Value)
		} else {
			d.child("elt", x.Elt)
		}
		list(d, "generators", x.Clauses, func(c CompClause) {
			d.open("comprehension")
			d.child("target", c.Target)
			d.child("iter", c.Iter)
			d.exprs("ifs", c.Ifs)
			async := "0"
			if c.Async {
				async = "1"
			}
			d.raw("is_async", async)
			d.end()
		})
	case *Await:
		d.open("Await")
		d.child("value", x.Value)
	case *Yield:
		d.open("Yield")
		d.maybe("value", x.Value)
	case *YieldFrom:
		d.open("YieldFrom")
		d.child("value", x.Value)
	case *Compare:
		d.open("Compare")
		d.child("left", x.Left)
		list(d, "ops", x.Ops, func(op CmpOperator) {
			d.b.WriteString([...]string{"Eq()", "NotEq()", "Lt()", "LtE()", "Gt()", "GtE()", "Is()", "IsNot()", "In()", "NotIn()"}[op])
		})
		d.exprs("comparators", x.Comparators)
	case *Call:
		d.open("Call")
		d.child("func", x.Func)
		d.exprs("args", x.Args)
		list(d, "keywords", x.Keywords, d.keyword)
	}
}

func (d *dumper) pattern(x Pattern) {
	switch x := x.(type) {
	case *MatchValue:
		d.open("MatchValue")
		d.child("value", x.Value)
	case *MatchSingleton:
		d.open("MatchSingleton")
		d.raw("value", [...]string{"None", "True", "False"}[x.Kind])
	case *MatchSequence:
		d.open("MatchSequence")
		d.patterns("patterns", x.Patterns)
	case *MatchMapping:
		d.open("MatchMapping")
		d.exprs("keys", x.Keys)
		d.patterns("patterns", x.Patterns)
		d.optional("rest", x.Rest)
	case *MatchClass:
		d.open("MatchClass")
		d.child("cls", x.Class)
		d.patterns("patterns", x.Patterns)
		d.strs("kwd_attrs", x.KwdAttrs)
		d.patterns("kwd_patterns", x.KwdPatterns)
	case *MatchStar:
		d.open("MatchStar")
		d.optional("name", x.Name)
	case *MatchAs:
		d.open("MatchAs")
		if x.Pattern != nil {
			d.key("pattern")
			d.pattern(x.Pattern)
		}
		d.optional("name", x.Name)
	case *MatchOr:
		d.open("MatchOr")
		d.patterns("patterns", x.Patterns)
	}
	d.close(x.At())
	d.first = false
}

func constantRepr(c *Constant) string {
	switch c.Kind {
	case None:
		return "None"
	case True:
		return "True"
	case False:
		return "False"
	case Ellipsis:
		return "Ellipsis"
	case Int:
		if c.Big != nil {
			return c.Big.String()
		}
		return strconv.FormatInt(c.Int, 10)
	case Float:
		return softfloat.Repr(c.Bits)
	case Complex:
		return strings.TrimSuffix(softfloat.Repr(c.Bits), ".0") + "j"
	case Bytes:
		return string(text.AppendQuotedBytes(nil, []byte(c.Text)))
	}
	return quoteText(c.Text)
}
