package lower

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Names no program can write.
const (
	machinery = ".continuation" // the module cowboy_sdk._continuation
	frameName = ".frame"        // this execution
	stateName = ".state"        // 0: running; n: on the way to await n
	keptName  = ".kept"         // variables of the record
)

// machineryImport binds the machinery in the module.
func machineryImport() *syntax.ImportFrom {
	at := syntax.Span{Line: 1, EndLine: 1}
	return &syntax.ImportFrom{Span: at, Module: "cowboy_sdk", Names: []syntax.Alias{{Span: at, Name: "_continuation", AsName: machinery}}}
}

// resumeStep is name__resume = resume step of name.
func resumeStep(def *syntax.FunctionDef) syntax.Stmt {
	return assign(def.Span, def.Name+"__resume", helper(def.Span, "resume_step", loadName(def.Span, def.Name)))
}

// mark is the innermost decorator: it tells the machinery how to call the function for a resumption.
func (f *function) mark() syntax.Expr {
	at := f.def.Span
	count := len(positional(f.def.Args))
	if f.self != "" {
		count--
	}
	var only []syntax.Expr
	for _, a := range f.def.Args.KwOnly {
		only = append(only, text(at, a.Name))
	}
	return helper(at, "lowered", integer(at, len(f.points)), integer(at, count), &syntax.Tuple{Span: at, Elts: only}, boolean(at, f.self != ""))
}

// emit makes the state machine of the shaped body.
func (f *function) emit(body []syntax.Stmt) []syntax.Stmt {
	at := f.def.Span
	if len(f.points) == 0 {
		return append([]syntax.Stmt{&syntax.ExprStmt{Span: at, Value: helper(at, "frame")}}, body...)
	}
	out := []syntax.Stmt{
		assign(at, frameName, helper(at, "frame")),
		assign(at, stateName, attribute(at, loadName(at, frameName), "state")),
	}
	out = append(out, f.restore(at)...)
	return append(out, f.machine(body)...)
}

// restore gives the variables of the state's await their values.
func (f *function) restore(at syntax.Span) []syntax.Stmt {
	var chain []syntax.Stmt
	for _, p := range slices.Backward(f.points) {
		var body []syntax.Stmt
		for _, name := range p.saved {
			key := &syntax.Subscript{Span: at, Value: loadName(at, keptName), Index: text(at, name)}
			body = append(body, assign(at, name, key))
		}
		if len(body) == 0 {
			continue
		}
		test := compare(at, loadName(at, stateName), syntax.Eq, integer(at, p.state))
		chain = []syntax.Stmt{&syntax.If{Span: at, Test: test, Body: body, Else: chain}}
	}
	if chain == nil {
		return nil
	}
	kept := assign(at, keptName, attribute(at, loadName(at, frameName), "kept"))
	return []syntax.Stmt{when(at, loadName(at, stateName), append([]syntax.Stmt{kept}, chain...)...)}
}

// machine emits a block: stretches without an await run when the state is 0, statements with awaits also when one of theirs is the state.
func (f *function) machine(body []syntax.Stmt) []syntax.Stmt {
	var out, stretch []syntax.Stmt
	flush := func() {
		if len(stretch) > 0 {
			at := stretch[0].At()
			out = append(out, when(at, not(at, loadName(at, stateName)), stretch...))
			stretch = nil
		}
	}
	for _, s := range body {
		lo, hi := f.span([]syntax.Stmt{s})
		if lo > hi {
			stretch = append(stretch, s)
			continue
		}
		at := s.At()
		switch s := s.(type) {
		case *point:
			flush()
			out = append(out, when(at, f.entered(at, lo, hi), f.suspend(s)...))
		case *syntax.For:
			stretch = append(stretch, f.begin(s)...)
			flush()
			out = append(out, when(at, f.entered(at, lo, hi), f.forEach(s)))
		case *syntax.While:
			if l := f.loops[s]; l.kind == whileTrue {
				stretch = append(stretch, assign(at, l.count, integer(at, 0)))
			}
			flush()
			out = append(out, when(at, f.entered(at, lo, hi), f.while(s)))
		case *syntax.If:
			flush()
			out = append(out, when(at, f.entered(at, lo, hi), f.branch(s)))
		case *syntax.Try:
			flush()
			out = append(out, when(at, f.entered(at, lo, hi), f.guarded(s)))
		}
	}
	flush()
	return out
}

// span is the range of awaits in statements; lo > hi if there is none.
func (f *function) span(body []syntax.Stmt) (lo, hi int) {
	lo, hi = len(f.points)+1, 0
	for _, s := range body {
		if p, ok := s.(*point); ok {
			lo, hi = min(lo, p.state), max(hi, p.state)
			continue
		}
		switch s.(type) {
		case *syntax.FunctionDef, *syntax.ClassDef:
			continue
		}
		syntax.Parts(s, func(syntax.Expr) {}, func(b []syntax.Stmt) {
			l, h := f.span(b)
			lo, hi = min(lo, l), max(hi, h)
		})
	}
	return lo, hi
}

// inside is lo <= state <= hi.
func (f *function) isInside(at syntax.Span, lo, hi int) syntax.Expr {
	if lo > hi {
		return boolean(at, false)
	}
	if lo == hi {
		return compare(at, loadName(at, stateName), syntax.Eq, integer(at, lo))
	}
	return &syntax.Compare{
		Span: at, Left: integer(at, lo), Ops: []syntax.CmpOperator{syntax.LtE, syntax.LtE},
		Comparators: []syntax.Expr{loadName(at, stateName), integer(at, hi)},
	}
}

func (f *function) entered(at syntax.Span, lo, hi int) syntax.Expr {
	return or(at, not(at, loadName(at, stateName)), f.isInside(at, lo, hi))
}

// suspend emits an await:
//
//	if not state:
//	    if frame.wait(value, number, {variables}): return
//	state = 0
//	target = frame.result()
func (f *function) suspend(p *point) []syntax.Stmt {
	at := p.Span
	kept := &syntax.Dict{Span: at}
	for _, name := range p.saved {
		kept.Keys = append(kept.Keys, text(at, name))
		kept.Values = append(kept.Values, loadName(at, name))
	}
	frame := loadName(at, frameName)
	wait := call(at, attribute(at, frame, "wait"), p.value, integer(at, p.state), kept)
	out := []syntax.Stmt{
		when(at, not(at, loadName(at, stateName)), when(at, wait, &syntax.Return{Span: at})),
		assign(at, stateName, integer(at, 0)),
	}
	result := call(at, attribute(at, frame, "result"))
	if p.target == nil {
		return append(out, &syntax.ExprStmt{Span: at, Value: result})
	}
	return append(out, &syntax.Assign{Span: at, Targets: []syntax.Expr{p.target}, Value: result})
}

// branch emits an if statement: a state inside one of its branches decides for it.
func (f *function) branch(s *syntax.If) syntax.Stmt {
	at := s.Span
	running := and(at, not(at, loadName(at, stateName)), s.Test)
	lo, hi := f.span(s.Body)
	test := running
	if lo <= hi {
		test = or(at, f.isInside(at, lo, hi), running)
	}
	return &syntax.If{Span: at, Test: test, Body: f.body(at, s.Body), Else: f.machine(s.Else)}
}

func (f *function) body(at syntax.Span, body []syntax.Stmt) []syntax.Stmt {
	out := f.machine(body)
	if len(out) == 0 {
		out = []syntax.Stmt{&syntax.Pass{Span: at}}
	}
	return out
}

// begin emits what a for loop does before its first iteration.
func (f *function) begin(s *syntax.For) []syntax.Stmt {
	at, l := s.Span, f.loops[s]
	name := "items"
	if l.kind == overRange {
		name = "span"
	}
	return []syntax.Stmt{
		assign(at, l.items, helper(at, name, s.Iter, integer(at, l.bound))),
		assign(at, l.count, integer(at, 0)),
	}
}

// forEach emits the loop over what begin kept:
//
//	while state inside the body or more(items, count):
//	    if not state:
//	        target = item(items, count)
//	        count = count + 1
//	    body
func (f *function) forEach(s *syntax.For) syntax.Stmt {
	at, l := s.Span, f.loops[s]
	suffix := ""
	if l.kind == overRange {
		suffix = "_of_span"
	}
	lo, hi := f.span(s.Body)
	items, count := loadName(at, l.items), loadName(at, l.count)
	step := when(at, not(at, loadName(at, stateName)),
		&syntax.Assign{Span: at, Targets: []syntax.Expr{s.Target}, Value: helper(at, "item"+suffix, items, count)},
		assign(at, l.count, &syntax.BinOp{Span: at, Left: count, Op: syntax.Add, Right: integer(at, 1)}),
	)
	return &syntax.While{
		Span: at, Test: or(at, f.isInside(at, lo, hi), helper(at, "more"+suffix, items, count)),
		Body: append([]syntax.Stmt{step}, f.machine(s.Body)...), Else: f.machine(s.Else),
	}
}

// while emits a while loop whose iterations are counted, or the one pass of an inlined body.
func (f *function) while(s *syntax.While) syntax.Stmt {
	at, l := s.Span, f.loops[s]
	if l.kind == once {
		return &syntax.While{Span: at, Test: s.Test, Body: f.machine(s.Body)}
	}
	lo, hi := f.span(s.Body)
	step := when(at, not(at, loadName(at, stateName)),
		assign(at, l.count, helper(at, "bounded", loadName(at, l.count), integer(at, l.bound))))
	return &syntax.While{
		Span: at, Test: or(at, f.isInside(at, lo, hi), s.Test), Body: append([]syntax.Stmt{step}, f.machine(s.Body)...),
		Else: f.machine(s.Else),
	}
}

// guarded emits a try statement. Suspending leaves it by return, and its finally clause is not for that.
func (f *function) guarded(s *syntax.Try) syntax.Stmt {
	at := s.Span
	out := &syntax.Try{Span: at, Body: f.body(at, s.Body), Handlers: s.Handlers, Else: f.machine(s.Else)}
	if len(s.Final) > 0 {
		waiting := attribute(at, loadName(at, frameName), "waiting")
		out.Final = []syntax.Stmt{when(at, not(at, waiting), s.Final...)}
	}
	return out
}
