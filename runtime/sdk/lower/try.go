package lower

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// try shapes a try statement. A record cannot hold the middle of an except clause, where an exception is being handled: what such a clause
// does from its first await on is done behind the statement, if the clause was entered.
//
//	try: A                        .caught = 0
//	except E: B; await C; D       try: A
//	                              except E: B; .caught = 1
//	                              if .caught == 1: await C; D
//
// Spec: sdk §10.5 (try/except; errors of the runner are caught at the await).
func (f *function) try(s *syntax.Try) []syntax.Stmt {
	if anyAwait(s.Final) {
		f.refuse(s.Final[0].At(), "an await inside finally")
	}
	if s.Star {
		f.refuse(s.Span, "an await inside try with except*")
	}
	out := []syntax.Stmt{s}
	caught := ""
	for i, h := range s.Handlers {
		if h.Type != nil && hasAwait(h.Type) {
			f.refuse(h.Span, "an await in what an except clause catches")
		}
		if !anyAwait(h.Body) {
			continue
		}
		if len(s.Final) > 0 {
			f.refuse(h.Span, "an await inside except of a try statement with finally")
		}
		if caught == "" {
			caught = f.temp("caught")
			out = []syntax.Stmt{assign(s.Span, caught, integer(s.Span, 0)), s}
		}
		out = append(out, f.behind(h, caught, i+1))
	}
	s.Body, s.Else = f.shape(s.Body), f.shape(s.Else)
	for i, after := range out {
		if branch, ok := after.(*syntax.If); ok {
			out[i] = f.statement(branch)[0]
		}
	}
	return out
}

// behind takes an except clause apart: its statements up to the first await stay, the others become the branch that is returned.
func (f *function) behind(h *syntax.ExceptHandler, caught string, number int) syntax.Stmt {
	first := 0
	for !awaits(h.Body[first]) {
		first++
	}
	rest := h.Body[first:]
	for _, s := range rest {
		f.refuseHandled(s, h.Name)
	}
	at := h.Span
	h.Body = append(append([]syntax.Stmt{}, h.Body[:first]...), assign(at, caught, integer(at, number)))
	branch := &syntax.If{Span: at, Test: compare(at, loadName(at, caught), syntax.Eq, integer(at, number)), Body: rest}
	f.rests[branch], f.moved[h] = h, true
	return branch
}

// refuseHandled refuses what needs the exception that is being handled: its name, and a bare raise.
func (f *function) refuseHandled(s syntax.Stmt, name string) {
	if r, ok := s.(*syntax.Raise); ok && r.Exc == nil {
		f.refuse(r.Span, "a bare raise behind the await of an except clause: the exception is not kept; raise a new one")
	}
	syntax.Parts(s, func(x syntax.Expr) {
		syntax.Inspect(x, func(x syntax.Expr) {
			if n, ok := x.(*syntax.Name); ok && name != "" && n.ID == name {
				f.refuse(n.Span, "'%s' in or behind the await of its except clause: the exception is not kept; keep what is needed of it in a variable first",
					name)
			}
		})
	}, func(body []syntax.Stmt) {
		for _, inner := range body {
			f.refuseHandled(inner, name)
		}
	})
}
