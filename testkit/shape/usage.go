package shape

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// usage is what a handler, and what it calls on itself, does with constants.
type usage struct {
	all     map[string]*syntax.FunctionDef
	seen    map[string]bool
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
	case *syntax.Subscript:
		if !storage(x.Value) {
			u.key(x.Index)
		}
	case *syntax.Call:
		u.call(x)
	}
}

func (u *usage) call(x *syntax.Call) {
	a, ok := x.Func.(*syntax.Attribute)
	if !ok {
		return
	}
	if self, ok := a.Value.(*syntax.Name); ok && self.ID == "self" {
		if f := u.all[a.Attr]; f != nil {
			u.function(f)
		}
	}
	if a.Attr == "get" && len(x.Args) > 0 && !storage(a.Value) {
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
