package check

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// Waits returns the places where a generator waits inside a try with a finally or inside a with, in source order. Nothing is wrong with them; but
// if the program drops the generator there, what the finally or the with does at its end never happens.
//
// Spec: WP "Determinism Guarantees" (reference counting, which this machine does without).
func Waits(m *syntax.Module) []syntax.Span {
	w := &waits{}
	w.block(m.Body, false)
	return w.found
}

type waits struct{ found []syntax.Span }

// block looks at statements; open says that a finally or the end of a with is due behind them.
func (w *waits) block(body []syntax.Stmt, open bool) {
	for _, s := range body {
		w.stmt(s, open)
	}
}

func (w *waits) stmt(s syntax.Stmt, open bool) {
	switch s := s.(type) {
	case *syntax.Try:
		due := open || len(s.Final) > 0
		w.block(s.Body, due)
		for _, h := range s.Handlers {
			w.block(h.Body, due)
		}
		w.block(s.Else, due)
		w.block(s.Final, open)
		return
	case *syntax.With:
		w.block(s.Body, true)
		return
	case *syntax.FunctionDef, *syntax.ClassDef: // its code waits on its own account
		syntax.Parts(s, func(syntax.Expr) {}, func(body []syntax.Stmt) { w.block(body, false) })
		return
	}
	syntax.Parts(s, func(x syntax.Expr) {
		if open {
			w.expr(x)
		}
	}, func(body []syntax.Stmt) { w.block(body, open) })
}

func (w *waits) expr(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Lambda: // likewise
		return
	case *syntax.Yield:
		w.found = append(w.found, x.Span)
	case *syntax.YieldFrom:
		w.found = append(w.found, x.Span)
	}
	syntax.Children(x, w.expr)
}
