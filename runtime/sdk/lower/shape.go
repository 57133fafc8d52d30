package lower

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// shape brings statements into the form the state machine is made of: an await is a point, and every loop around one has a bound.
func (f *function) shape(body []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for _, s := range body {
		out = append(out, f.statement(s)...)
	}
	return out
}

// statement shapes one statement; it becomes several when awaits come out of its expressions.
func (f *function) statement(s syntax.Stmt) []syntax.Stmt {
	if def, ok := s.(*syntax.FunctionDef); ok && f.inner[def.Name] != nil && f.inner[def.Name].def == def {
		return nil
	}
	f.refuseSuspensions(s)
	if g, ok := s.(*syntax.With); ok && f.isGroup(g) {
		return f.group(g)
	}
	if !awaits(s) {
		return []syntax.Stmt{s}
	}
	h := &hoist{f: f}
	switch s := s.(type) {
	case *syntax.Assign:
		f.noAwaits(s.Targets)
		if a, ok := s.Value.(*syntax.Await); ok && len(s.Targets) == 1 {
			return f.await(a, s.Targets[0])
		}
		s.Value = h.take(s.Value)
	case *syntax.AnnAssign:
		f.noAwaits([]syntax.Expr{s.Target, s.Annotation})
		if a, ok := s.Value.(*syntax.Await); ok {
			return f.await(a, s.Target)
		}
		s.Value = h.take(s.Value)
	case *syntax.AugAssign:
		f.noAwaits([]syntax.Expr{s.Target})
		if !inert(s.Target) {
			f.refuse(s.Span, "the target of an augmented assignment is read before the await; assign the result to a name first")
		}
		s.Value = h.take(s.Value)
	case *syntax.ExprStmt:
		if a, ok := s.Value.(*syntax.Await); ok {
			return f.await(a, nil)
		}
		s.Value = h.take(s.Value)
	case *syntax.Return:
		s.Value = h.take(s.Value)
	case *syntax.Raise:
		f.noAwaits([]syntax.Expr{s.Cause})
		s.Exc = h.take(s.Exc)
	case *syntax.Assert:
		f.noAwaits([]syntax.Expr{s.Msg})
		s.Test = h.take(s.Test)
	case *syntax.If:
		s.Test = h.take(s.Test)
		s.Body, s.Else = f.shape(s.Body), f.shape(s.Else)
	case *syntax.Try:
		return f.try(s)
	case *syntax.For:
		f.forLoop(s, h)
	case *syntax.While:
		f.whileLoop(s)
	case *syntax.With:
		f.refuse(s.Span, "an await inside with: leave the block first")
	case *syntax.Match:
		f.refuse(s.Span, "an await inside match: use if, or keep what the case found and await behind it")
	default:
		f.refuse(s.At(), "an await cannot stand here")
	}
	return append(h.before, s)
}

func (f *function) noAwaits(list []syntax.Expr) {
	for _, x := range list {
		if x != nil && hasAwait(x) {
			f.refuse(x.At(), "an await cannot stand here; assign its result to a name first")
		}
	}
}

// forLoop gives a for statement with awaits its bound.
//
// Spec: sdk §10.4, §10.5.
func (f *function) forLoop(s *syntax.For, h *hoist) {
	if s.Async {
		f.refuse(s.Span, "async for")
	}
	l := &loop{kind: overItems}
	s.Iter = h.take(s.Iter)
	bound, ok := f.boundOf(s.Iter)
	if c, isCall := s.Iter.(*syntax.Call); isCall && f.isRange(c) {
		l.kind = overRange
	}
	switch {
	case ok:
		l.bound = bound
	case f.bound > 0:
		l.bound = f.bound
	default:
		f.refuse(s.Span, "an await in a loop without a bound: iterate over a range or a slice of constant length, or use @bounded_loop")
	}
	f.enter(s, l, func() { s.Body, s.Else = f.shape(s.Body), f.shape(s.Else) })
}

func (f *function) whileLoop(s *syntax.While) {
	f.noAwaits([]syntax.Expr{s.Test})
	if f.bound == 0 {
		f.refuse(s.Span, "an await in a while loop without a bound: use @bounded_loop")
	}
	f.enter(s, &loop{kind: whileTrue, bound: f.bound}, func() { s.Body, s.Else = f.shape(s.Body), f.shape(s.Else) })
}

// enter shapes the inside of a loop.
func (f *function) enter(s syntax.Stmt, l *loop, inside func()) {
	switch l.kind {
	case overItems, overRange:
		l.items, l.count = f.temp("items"), f.temp("count")
	case whileTrue:
		l.count = f.temp("count")
	}
	l.lo = len(f.points) + 1
	f.around = append(f.around, l)
	inside()
	f.around = f.around[:len(f.around)-1]
	l.hi = len(f.points)
	f.loops[s] = l
}

// boundOf is the most elements an iterable written in the source can have.
func (f *function) boundOf(x syntax.Expr) (int, bool) {
	switch x := x.(type) {
	case *syntax.List:
		return f.displayBound(x.Elts)
	case *syntax.Tuple:
		return f.displayBound(x.Elts)
	case *syntax.Subscript:
		if slice, ok := x.Index.(*syntax.Slice); ok {
			return f.sliceBound(slice)
		}
	case *syntax.Name:
		if value := single(f.module.values[x.ID]); value != nil && f.module.bound[x.ID] == 1 && !f.isLocal(x.ID) {
			n, found := f.module.displays[x.ID]
			if !found {
				n.most, n.known = f.displayBound(displayed(value))
				f.module.displays[x.ID] = n
			}
			return n.most, n.known
		}
	case *syntax.Call:
		if f.path(x.Func) == "cowboy_sdk.BoundedRange" {
			return -1, true
		}
		if f.isRange(x) {
			return f.rangeBound(x.Args)
		}
		return f.wrapperBound(x)
	}
	return 0, false
}

// wrapperBound is the bound of a built-in that gives no more elements than what it is given: of zip, the shortest's.
func (f *function) wrapperBound(x *syntax.Call) (int, bool) {
	n, ok := x.Func.(*syntax.Name)
	if !ok || !f.isBuiltin(n.ID) || len(x.Args) == 0 {
		return 0, false
	}
	switch n.ID {
	case "enumerate", "reversed", "sorted", "list", "tuple":
		return f.boundOf(x.Args[0])
	case "zip":
		least, found := 0, false
		for _, a := range x.Args {
			if bound, ok := f.boundOf(a); ok && bound >= 0 && (!found || bound < least) {
				least, found = bound, true
			}
		}
		return least, found
	}
	return 0, false
}

func (f *function) displayBound(elements []syntax.Expr) (int, bool) {
	if elements == nil {
		return 0, false
	}
	for _, x := range elements {
		if _, ok := x.(*syntax.Starred); ok {
			return 0, false
		}
	}
	return len(elements), true
}

// sliceBound is the length of a slice with constant ends.
func (f *function) sliceBound(s *syntax.Slice) (int, bool) {
	lower, haveLower := 0, s.Lower == nil
	if s.Lower != nil {
		lower, haveLower = f.constant(s.Lower)
	}
	if !haveLower {
		return 0, false
	}
	if s.Step != nil {
		if step, ok := f.constant(s.Step); !ok || step < 1 {
			return 0, false
		}
	}
	if s.Upper == nil {
		return -lower, lower < 0
	}
	upper, ok := f.constant(s.Upper)
	if !ok || upper < 0 != (lower < 0) && s.Lower != nil || upper < 0 && s.Lower == nil {
		return 0, false
	}
	return max(upper-lower, 0), true
}

// isRange says whether a call is one of the built-in range.
func (f *function) isRange(c *syntax.Call) bool {
	n, ok := c.Func.(*syntax.Name)
	return ok && n.ID == "range" && !f.isLocal("range") && f.module.bound["range"] == 0 && len(c.Keywords) == 0
}

func (f *function) rangeBound(args []syntax.Expr) (int, bool) {
	var n [3]int
	n[2] = 1
	for i, x := range args {
		value, ok := f.constant(x)
		if !ok || i > 2 {
			return 0, false
		}
		n[i] = value
	}
	start, stop, step := n[0], n[1], n[2]
	if len(args) == 1 {
		start, stop = 0, n[0]
	}
	switch {
	case len(args) == 0 || step == 0:
		return 0, false
	case step > 0:
		return max((stop-start+step-1)/step, 0), true
	}
	return max((start-stop-step-1)/-step, 0), true
}

// await shapes target = await value.
func (f *function) await(a *syntax.Await, target syntax.Expr) []syntax.Stmt {
	if hasAwait(a.Value) {
		f.refuse(a.Span, "an await inside an await: await the inner one first and keep its result")
	}
	if call, ok := a.Value.(*syntax.Call); ok {
		if n, ok := call.Func.(*syntax.Name); ok && f.inner[n.ID] != nil {
			return f.inline(a, call, f.inner[n.ID], target)
		}
		f.refuseHelper(call)
	}
	return []syntax.Stmt{f.point(a.Span, a.Value, target, false)}
}

// refuseHelper refuses to await an async method of the class that awaits itself.
func (f *function) refuseHelper(call *syntax.Call) {
	at, ok := call.Func.(*syntax.Attribute)
	if !ok || f.class == nil {
		return
	}
	if n, ok := at.Value.(*syntax.Name); !ok || n.ID != f.self {
		return
	}
	for _, def := range f.module.method(f.class, at.Attr) {
		if f.module.awaits(def) || f.module.continuation(def) {
			f.refuse(call.Span, "await of self.%s, which awaits itself: nested and recursive awaits are not possible", at.Attr)
		}
	}
}

func (f *function) point(at syntax.Span, value, target syntax.Expr, group bool) *point {
	p := &point{
		Pass: &syntax.Pass{Span: at}, target: target, value: value, group: group, state: len(f.points) + 1,
		around: slices.Clone(f.around),
	}
	f.points = append(f.points, p)
	if len(f.around) == 0 || f.onlyOnce() {
		if f.outside++; f.outside > AwaitsMax {
			f.refuse(at, "more than %d awaits outside bounded loops", AwaitsMax)
		}
	}
	if len(f.points) > statesMax {
		f.refuse(at, "more than %d awaits", statesMax)
	}
	return p
}

// onlyOnce says that nothing around the place is a loop that iterates.
func (f *function) onlyOnce() bool {
	for _, l := range f.around {
		if l.kind != once {
			return false
		}
	}
	return true
}

// isGroup recognizes async with TaskGroup() as tg.
func (f *function) isGroup(s *syntax.With) bool {
	if !s.Async || len(s.Items) != 1 {
		return false
	}
	call, ok := s.Items[0].Context.(*syntax.Call)
	return ok && f.path(call.Func) == "cowboy_sdk.TaskGroup"
}

// group shapes async with TaskGroup(): its body runs, then the group is one point.
//
// Spec: sdk §9.5.
func (f *function) group(s *syntax.With) []syntax.Stmt {
	if anyAwait(s.Body) {
		f.refuse(s.Span, "an await inside a task group: the group is one suspension point")
	}
	if leaves(s.Body) {
		f.refuse(s.Span, "a task group that is left with return, break or continue")
	}
	target, ok := s.Items[0].Target.(*syntax.Name)
	if !ok {
		if s.Items[0].Target != nil {
			f.refuse(s.Span, "async with TaskGroup() as NAME")
		}
		target = storeName(s.Span, f.temp("group"))
	}
	out := []syntax.Stmt{&syntax.Assign{Span: s.Span, Targets: []syntax.Expr{target}, Value: s.Items[0].Context}}
	out = append(out, s.Body...)
	return append(out, f.point(s.Span, loadName(s.Span, target.ID), nil, true))
}

// inline puts the body of a bounded inner function where it is awaited.
//
// Spec: sdk §10.4 (bounded_loop).
func (f *function) inline(a *syntax.Await, call *syntax.Call, in *inner, target syntax.Expr) []syntax.Stmt {
	if in.used {
		f.refuse(a.Span, "%s is awaited more than once", in.def.Name)
	}
	if f.bound > 0 || len(f.around) > 0 {
		f.refuse(a.Span, "%s is awaited inside a loop", in.def.Name)
	}
	in.used = true
	out := f.bindArguments(call, in.def)
	value, done := f.temp("value"), f.temp("done")
	at := a.Span
	returns := &returnRewriter{value: value, done: done}
	body := returns.block(in.def.Body, false)
	region := &syntax.While{Span: at, Test: boolean(at, true), Body: nil}
	out = append(out, assign(at, value, none(at)), assign(at, done, boolean(at, false)))
	f.bound = in.bound
	f.enter(region, &loop{kind: once}, func() { region.Body = append(f.shape(body), &syntax.Break{Span: at}) })
	f.bound = 0
	out = append(out, region)
	if target != nil {
		out = append(out, &syntax.Assign{Span: at, Targets: []syntax.Expr{target}, Value: loadName(at, value)})
	}
	return out
}

// bindArguments assigns the arguments of a call to the parameters of an inner function.
func (f *function) bindArguments(call *syntax.Call, def *syntax.FunctionDef) []syntax.Stmt {
	byName := map[string]syntax.Expr{}
	for i, x := range call.Args {
		if _, starred := x.(*syntax.Starred); starred || i >= len(positional(def.Args)) {
			f.refuse(call.Span, "the arguments of %s do not fit its parameters", def.Name)
		}
		byName[positional(def.Args)[i].Name] = x
	}
	for _, k := range call.Keywords {
		if k.Arg == "" || byName[k.Arg] != nil {
			f.refuse(call.Span, "the arguments of %s do not fit its parameters", def.Name)
		}
		byName[k.Arg] = k.Value
	}
	var out []syntax.Stmt
	all := parameters(def.Args)
	for _, a := range all {
		x := byName[a.Name]
		if x == nil || len(byName) != len(all) {
			f.refuse(call.Span, "the arguments of %s do not fit its parameters", def.Name)
		}
		out = append(out, assign(call.Span, a.Name, x))
	}
	return out
}

// returnRewriter turns the returns of an inlined body into an assignment and a way out of its loops.
type returnRewriter struct{ value, done string }

func (r *returnRewriter) block(body []syntax.Stmt, inLoop bool) []syntax.Stmt {
	var out []syntax.Stmt
	for _, s := range body {
		at := s.At()
		switch s := s.(type) {
		case *syntax.Return:
			value := s.Value
			if value == nil {
				value = none(at)
			}
			out = append(out, assign(at, r.value, value), assign(at, r.done, boolean(at, true)), &syntax.Break{Span: at})
			continue
		case *syntax.Nonlocal:
			continue // its variables are the continuation's already
		case *syntax.If:
			s.Body, s.Else = r.block(s.Body, inLoop), r.block(s.Else, inLoop)
		case *syntax.For:
			left := returns(s.Body)
			s.Body, s.Else = r.block(s.Body, true), r.block(s.Else, inLoop)
			out = append(out, s)
			if left {
				out = append(out, r.leave(at))
			}
			continue
		case *syntax.While:
			left := returns(s.Body)
			s.Body, s.Else = r.block(s.Body, true), r.block(s.Else, inLoop)
			out = append(out, s)
			if left {
				out = append(out, r.leave(at))
			}
			continue
		case *syntax.Try:
			s.Body, s.Else, s.Final = r.block(s.Body, inLoop), r.block(s.Else, inLoop), r.block(s.Final, inLoop)
			for _, h := range s.Handlers {
				h.Body = r.block(h.Body, inLoop)
			}
		case *syntax.With:
			s.Body = r.block(s.Body, inLoop)
		case *syntax.Match:
			for i := range s.Cases {
				s.Cases[i].Body = r.block(s.Cases[i].Body, inLoop)
			}
		}
		out = append(out, s)
	}
	return out
}

func (r *returnRewriter) leave(at syntax.Span) syntax.Stmt {
	return &syntax.If{Span: at, Test: loadName(at, r.done), Body: []syntax.Stmt{&syntax.Break{Span: at}}}
}
