package lower

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// liveness finds, backwards, which variables are read after each await before they are assigned again. A loop's needs are computed once and
// kept, so the work is linear in the source however loops nest.
type liveness struct {
	f      *function
	needs  map[syntax.Stmt]set           // of a loop's body or a finally clause, on its own
	behind map[*syntax.ExceptHandler]set // of the rest of an except clause that stands behind its try statement
	record bool                          // points note what is live
}

// exits are where control can go besides the next statement.
type exits struct {
	leave, again, fail, done set // break, continue, an exception, return
}

// flow analyses the shaped body and decides what each point saves.
func (f *function) flow(body []syntax.Stmt) {
	l := &liveness{f: f, needs: map[syntax.Stmt]set{}, behind: map[*syntax.ExceptHandler]set{}, record: true}
	e := f.empty()
	l.block(body, e, exits{e, e, e, e})
	a := &assignment{f: f, ends: map[*syntax.ExceptHandler]set{}}
	a.block(body, f.with(e, parameterNames(f.def.Args)))
	for _, p := range f.points {
		f.save(p)
	}
}

func parameterNames(a *syntax.Arguments) []string {
	var names []string
	for _, p := range parameters(a) {
		names = append(names, p.Name)
	}
	return names
}

// save decides what a point saves, or refuses.
//
// Spec: sdk §10.5.
func (f *function) save(p *point) {
	if p.assigned == nil {
		p.assigned = p.live // never reached
	}
	for i, name := range f.names {
		held := f.captures[name] && p.assigned.has(i) && f.certain[i] // what it holds is judged at every await
		if !p.live.has(i) && !held || name == f.self {
			continue
		}
		switch {
		case f.hidden[name]:
			f.refuseVariable(p.Span, name, "'%s' is read after this await and assigned by a function inside; keep it in ctx = capture()", name)
		case f.deleted[name]:
			f.refuseVariable(p.Span, name, "'%s' is read after this await and may be deleted before; keep it in ctx = capture()", name)
		case !p.assigned.has(i):
			f.refuseVariable(p.Span, name, "'%s' is read after this await and may not be assigned before; assign it on every path, or "+
				"keep it in ctx = capture()", name)
		case !f.certain[i]:
			f.refuseVariable(p.Span, name, "'%s' is read after this await and may hold what cannot be saved; keep what is needed in ctx = capture(), "+
				"or annotate it with a plain type", name)
		}
		p.saved = append(p.saved, name)
	}
	for _, l := range p.around {
		for _, name := range [...]string{l.items, l.count} {
			if name != "" {
				p.saved = append(p.saved, name)
			}
		}
	}
}

func (l *liveness) block(body []syntax.Stmt, out set, x exits) set {
	for i := len(body) - 1; i >= 0; i-- {
		out = l.statement(body[i], out, x)
	}
	return out
}

func (l *liveness) reads(s set, x ...syntax.Expr) set {
	for _, x := range x {
		if x != nil {
			s = l.f.with(s, uses(x))
		}
	}
	return s
}

func (l *liveness) statement(s syntax.Stmt, out set, x exits) set {
	f := l.f
	switch s := s.(type) {
	case *point:
		after := out
		if s.target != nil {
			after = l.reads(f.without(out, stored(s.target)), s.target)
		}
		after = union(after, x.fail)
		if l.record {
			s.live = after
		}
		return l.reads(after, s.value)
	case *syntax.If:
		if h := f.rests[s]; h != nil { // entered from its clause alone
			l.behind[h] = l.block(s.Body, out, x)
			return l.reads(union(out, x.fail), s.Test)
		}
		return l.reads(union(l.block(s.Body, out, x), l.block(s.Else, out, x), x.fail), s.Test)
	case *syntax.For:
		return l.reads(l.loop(s, s.Target, nil, s.Body, s.Else, out, x), s.Iter)
	case *syntax.While:
		return l.loop(s, nil, s.Test, s.Body, s.Else, out, x)
	case *syntax.Try:
		return l.try(s, out, x)
	case *syntax.With:
		inner := x
		inner.fail = union(x.fail, out) // the manager may swallow the exception
		in := l.block(s.Body, out, inner)
		for i := len(s.Items) - 1; i >= 0; i-- {
			if t := s.Items[i].Target; t != nil {
				in = l.reads(f.without(in, stored(t)), t)
			}
			in = l.reads(in, s.Items[i].Context)
		}
		return union(in, x.fail)
	case *syntax.Match:
		in := union(out, x.fail)
		for _, c := range s.Cases {
			one := l.reads(l.block(c.Body, out, x), c.Guard)
			in = union(in, f.without(one, captures(c.Pattern)))
		}
		syntax.Parts(s, func(e syntax.Expr) { in = l.reads(in, e) }, func([]syntax.Stmt) {})
		return in
	case *syntax.Return:
		return l.reads(union(x.done, x.fail), s.Value)
	case *syntax.Raise:
		return l.reads(x.fail, s.Exc, s.Cause)
	case *syntax.Break:
		return x.leave
	case *syntax.Continue:
		return x.again
	}
	reads, assigns := effect(s)
	return union(f.with(f.without(out, assigns), reads), x.fail)
}

// loop is what is live before a loop's first test.
func (l *liveness) loop(s syntax.Stmt, target, test syntax.Expr, body, otherwise []syntax.Stmt, out set, x exits) set {
	f := l.f
	need, ok := l.needs[s]
	if !ok {
		was := l.record
		l.record = false
		e := f.empty()
		need = l.block(body, e, exits{e, e, e, e})
		if target != nil {
			need = l.reads(f.without(need, stored(target)), target)
		}
		l.record = was
		l.needs[s] = need
	}
	head := l.reads(union(need, l.block(otherwise, out, x), x.fail), test)
	inner := x
	inner.leave, inner.again = out, head
	if l.record {
		l.block(body, head, inner)
	}
	return head
}

func (l *liveness) try(s *syntax.Try, out set, x exits) set {
	outer := x
	if len(s.Final) > 0 {
		final, ok := l.needs[s]
		if !ok {
			e := l.f.empty()
			was := l.record
			l.record = false
			final = l.block(s.Final, e, exits{e, e, e, e})
			l.record = was
			l.needs[s] = final
		}
		outer = exits{union(x.leave, final), union(x.again, final), union(x.fail, final), union(x.done, final)}
		out = l.block(s.Final, out, x)
	}
	caught := outer.fail
	for _, h := range s.Handlers {
		after := out
		if rest, ok := l.behind[h]; ok {
			after = union(out, rest)
		}
		in := l.block(h.Body, after, outer)
		if h.Name != "" {
			in = l.f.without(in, []string{h.Name})
		}
		caught = union(caught, l.reads(in, h.Type))
	}
	inner := outer
	inner.fail = caught
	return union(l.block(s.Body, l.block(s.Else, out, outer), inner), caught)
}

// assignment finds, forwards, which variables are assigned on every path.
type assignment struct {
	f    *function
	ends map[*syntax.ExceptHandler]set // where a clause whose rest stands behind its try statement ends
	left []set                         // by enclosing loop, where break leads
}

// block gives what is assigned behind a block that is entered with in; nil when its end is not reached.
func (a *assignment) block(body []syntax.Stmt, in set) set {
	for _, s := range body {
		if branch, ok := s.(*syntax.If); ok && a.f.rests[branch] != nil {
			in = meet(in, a.block(branch.Body, a.ends[a.f.rests[branch]]))
		} else if in != nil {
			in = a.statement(s, in)
		}
	}
	return in
}

func (a *assignment) statement(s syntax.Stmt, in set) set {
	f := a.f
	switch s := s.(type) {
	case *point:
		in = f.with(in, walrus(s.value))
		s.assigned = meet(s.assigned, in)
		if s.target != nil {
			in = f.with(in, stored(s.target))
		}
		return in
	case *syntax.If:
		in = f.with(in, walrus(s.Test))
		return meet(a.block(s.Body, in), a.block(s.Else, in))
	case *syntax.For:
		in = f.with(in, walrus(s.Iter))
		broken := a.loop(s.Body, f.with(in, stored(s.Target)))
		return meet(a.block(s.Else, in), broken)
	case *syntax.While:
		in = f.with(in, walrus(s.Test))
		broken := a.loop(s.Body, in)
		if c, ok := s.Test.(*syntax.Constant); ok && c.Kind == syntax.True {
			return broken
		}
		return meet(a.block(s.Else, in), broken)
	case *syntax.Try:
		return a.try(s, in)
	case *syntax.With:
		for _, item := range s.Items {
			in = f.with(in, walrus(item.Context))
			if item.Target != nil {
				in = f.with(in, stored(item.Target))
			}
		}
		a.block(s.Body, in)
		return in // the manager may swallow an exception
	case *syntax.Match:
		out := in // no case may fit
		for _, c := range s.Cases {
			out = meet(out, a.block(c.Body, f.with(in, captures(c.Pattern))))
		}
		return out
	case *syntax.Return, *syntax.Raise, *syntax.Continue:
		return nil
	case *syntax.Break:
		if n := len(a.left); n > 0 {
			a.left[n-1] = meet(a.left[n-1], in)
		}
		return nil
	}
	_, assigns := effect(s)
	return f.with(in, assigns)
}

// loop gives what is assigned where the body breaks out of it.
func (a *assignment) loop(body []syntax.Stmt, in set) (broken set) {
	a.left = append(a.left, nil)
	a.block(body, in)
	broken = a.left[len(a.left)-1]
	a.left = a.left[:len(a.left)-1]
	return broken
}

func (a *assignment) try(s *syntax.Try, in set) set {
	out := a.block(s.Body, in)
	if out != nil {
		out = a.block(s.Else, out)
	}
	for _, h := range s.Handlers {
		end := a.block(h.Body, a.f.with(in, []string{h.Name}))
		if a.f.moved[h] {
			a.ends[h] = end
			continue
		}
		out = meet(out, end)
	}
	if len(s.Final) == 0 {
		return out
	}
	final := a.block(s.Final, in)
	if out == nil || final == nil {
		return nil
	}
	return union(out, final)
}
