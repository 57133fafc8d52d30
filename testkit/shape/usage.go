package shape

import (
	"math/big"
	"slices"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// usage is what a handler, and what it calls on itself, does with constants.
type usage struct {
	all     map[string]*syntax.FunctionDef
	known   map[string]int64 // numbers the module and the class name
	seen    map[string]bool
	paid    bool
	keys    []string
	numbers []int64
	texts   []string
}

func (u *usage) function(f *syntax.FunctionDef) {
	if u.seen[f.Name] {
		return
	}
	u.seen[f.Name] = true
	body := f.Body
	if docstring(f) != "" {
		body = body[1:]
	}
	u.block(body)
}

func (u *usage) block(list []syntax.Stmt) {
	for _, s := range list {
		syntax.Parts(s, func(x syntax.Expr) { syntax.Inspect(x, u.expression) }, u.block)
	}
}

func (u *usage) expression(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Constant:
		switch {
		case x.Kind == syntax.Int && x.Big == nil && !slices.Contains(u.numbers, x.Int):
			u.numbers = append(u.numbers, x.Int)
		case x.Kind == syntax.Str && !slices.Contains(u.texts, x.Text):
			u.texts = append(u.texts, x.Text)
		}
	case *syntax.Name, *syntax.BinOp, *syntax.UnaryOp:
		if n, ok := folded(x, u.known); ok && !slices.Contains(u.numbers, n) {
			u.numbers = append(u.numbers, n)
		}
	case *syntax.Attribute:
		if n, ok := folded(x, u.known); ok && !slices.Contains(u.numbers, n) {
			u.numbers = append(u.numbers, n)
		}
		if of, ok := x.Value.(*syntax.Name); ok && of.ID == "ctx" && x.Attr == "value" {
			u.paid = true
		}
	case *syntax.Subscript:
		switch {
		case context(x.Value):
			u.paid = u.paid || named(x.Index, "value")
		case !storage(x.Value):
			u.key(x.Index)
		}
	case *syntax.Call:
		u.call(x)
	}
}

func (u *usage) call(x *syntax.Call) {
	if n, ok := x.Func.(*syntax.Name); ok && u.all[n.ID] != nil {
		u.function(u.all[n.ID])
	}
	a, ok := x.Func.(*syntax.Attribute)
	if !ok {
		return
	}
	if self, ok := a.Value.(*syntax.Name); ok && self.ID == "self" {
		if f := u.all[a.Attr]; f != nil {
			u.function(f)
		}
	}
	if f := u.all[a.Attr]; f == nil && a.Attr == "get" && len(x.Args) > 0 && !storage(a.Value) {
		u.key(x.Args[0])
	}
}

// key notes a constant that is taken out of a map.
func (u *usage) key(x syntax.Expr) {
	if c, ok := x.(*syntax.Constant); ok && c.Kind == syntax.Str && !slices.Contains(u.keys, c.Text) {
		u.keys = append(u.keys, c.Text)
	}
}

func storage(x syntax.Expr) bool {
	a, ok := x.(*syntax.Attribute)
	return ok && a.Attr == "storage"
}

// context reports a call that gives what surrounds an execution.
func context(x syntax.Expr) bool {
	c, ok := x.(*syntax.Call)
	if !ok {
		return false
	}
	a, ok := c.Func.(*syntax.Attribute)
	return ok && a.Attr == "context"
}

func named(x syntax.Expr, text string) bool {
	c, ok := x.(*syntax.Constant)
	return ok && c.Kind == syntax.Str && c.Text == text
}

// constants are the numbers that a module, or a class in it, gives a name to.
func constants(blocks ...[]syntax.Stmt) map[string]int64 {
	known := map[string]int64{}
	for _, block := range blocks {
		for _, s := range block {
			if a, ok := s.(*syntax.Assign); ok && len(a.Targets) == 1 {
				if name, ok := a.Targets[0].(*syntax.Name); ok {
					if n, ok := folded(a.Value, known); ok {
						known[name.ID] = n
					}
				}
			}
		}
	}
	return known
}

// folded is the value of an expression of constants that are whole numbers.
func folded(x syntax.Expr, known map[string]int64) (int64, bool) {
	switch x := x.(type) {
	case *syntax.Constant:
		return x.Int, x.Kind == syntax.Int && x.Big == nil
	case *syntax.Name:
		n, ok := known[x.ID]
		return n, ok
	case *syntax.Attribute:
		of, ok := x.Value.(*syntax.Name)
		n, found := known[x.Attr]
		return n, ok && of.ID == "self" && found
	case *syntax.UnaryOp:
		n, ok := folded(x.Operand, known)
		return -n, ok && x.Op == syntax.USub
	case *syntax.BinOp:
		a, okA := folded(x.Left, known)
		b, okB := folded(x.Right, known)
		if !okA || !okB {
			return 0, false
		}
		return arithmetic(x.Op, a, b)
	}
	return 0, false
}

// arithmetic is an operation whose result is a number of 64 bits.
func arithmetic(op syntax.Operator, a, b int64) (int64, bool) {
	x, y, out := big.NewInt(a), big.NewInt(b), new(big.Int)
	switch {
	case op == syntax.Add:
		out.Add(x, y)
	case op == syntax.Sub:
		out.Sub(x, y)
	case op == syntax.Mult:
		out.Mul(x, y)
	case op == syntax.Pow && b >= 0 && b < 64:
		out.Exp(x, y, nil)
	case op == syntax.LShift && b >= 0 && b < 64:
		out.Lsh(x, uint(b))
	default:
		return 0, false
	}
	return out.Int64(), out.IsInt64()
}
