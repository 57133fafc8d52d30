package syntax

// Inspect calls visit for an expression and then for every expression inside it,
// in source order as far as the tree keeps it. Nil is no expression.
func Inspect(x Expr, visit func(Expr)) {
	Search(x, func(x Expr) bool {
		visit(x)
		return false
	})
}

// Search visits expressions as Inspect does until found says that one is what is
// looked for, and reports whether any was.
func Search(x Expr, found func(Expr) bool) bool {
	if x == nil {
		return false
	}
	if found(x) {
		return true
	}
	hit := false
	Children(x, func(c Expr) { hit = hit || Search(c, found) })
	return hit
}

// Children calls visit for the expressions directly inside one, in source order
// as far as the tree keeps it. Absent ones are left out.
func Children(x Expr, visit func(Expr)) {
	each := func(xs ...Expr) {
		for _, x := range xs {
			if x != nil {
				visit(x)
			}
		}
	}
	switch x := x.(type) {
	case *BoolOp:
		each(x.Values...)
	case *NamedExpr:
		each(x.Target, x.Value)
	case *BinOp:
		each(x.Left, x.Right)
	case *UnaryOp:
		each(x.Operand)
	case *Lambda:
		each(x.Args.Defaults...)
		each(x.Args.KwDefaults...)
		each(x.Body)
	case *IfExp:
		each(x.Body, x.Test, x.Else)
	case *Dict:
		for i := range x.Keys {
			each(x.Keys[i], x.Values[i])
		}
	case *Set:
		each(x.Elts...)
	case *Comp:
		each(x.Elt, x.Value)
		for i := range x.Clauses {
			each(x.Clauses[i].Target, x.Clauses[i].Iter)
			each(x.Clauses[i].Ifs...)
		}
	case *Await:
		each(x.Value)
	case *Yield:
		each(x.Value)
	case *YieldFrom:
		each(x.Value)
	case *Compare:
		each(x.Left)
		each(x.Comparators...)
	case *Call:
		each(x.Func)
		each(x.Args...)
		for _, k := range x.Keywords {
			each(k.Value)
		}
	case *FormattedValue:
		each(x.Value)
		if x.Spec != nil {
			each(x.Spec)
		}
	case *JoinedStr:
		each(x.Values...)
	case *Attribute:
		each(x.Value)
	case *Subscript:
		each(x.Value, x.Index)
	case *Starred:
		each(x.Value)
	case *List:
		each(x.Elts...)
	case *Tuple:
		each(x.Elts...)
	case *Slice:
		each(x.Lower, x.Upper, x.Step)
	}
}

// Parts calls expr for every expression that a statement holds directly and
// block for every list of statements inside it, in source order. Expressions
// inside patterns count as the statement's own.
func Parts(s Stmt, expr func(Expr), block func([]Stmt)) {
	each := func(xs ...Expr) {
		for _, x := range xs {
			if x != nil {
				expr(x)
			}
		}
	}
	switch s := s.(type) {
	case *FunctionDef:
		each(s.Decorators...)
		parameterParts(s.Args, each)
		each(s.Returns)
		block(s.Body)
	case *ClassDef:
		each(s.Decorators...)
		each(s.Bases...)
		for _, k := range s.Keywords {
			each(k.Value)
		}
		block(s.Body)
	case *Return:
		each(s.Value)
	case *Delete:
		each(s.Targets...)
	case *Assign:
		each(s.Targets...)
		each(s.Value)
	case *AugAssign:
		each(s.Target, s.Value)
	case *AnnAssign:
		each(s.Target, s.Annotation, s.Value)
	case *For:
		each(s.Target, s.Iter)
		block(s.Body)
		block(s.Else)
	case *While:
		each(s.Test)
		block(s.Body)
		block(s.Else)
	case *If:
		each(s.Test)
		block(s.Body)
		block(s.Else)
	case *With:
		for _, item := range s.Items {
			each(item.Context, item.Target)
		}
		block(s.Body)
	case *Match:
		each(s.Subject)
		for _, c := range s.Cases {
			patternParts(c.Pattern, each)
			each(c.Guard)
			block(c.Body)
		}
	case *Raise:
		each(s.Exc, s.Cause)
	case *Try:
		block(s.Body)
		for _, h := range s.Handlers {
			each(h.Type)
			block(h.Body)
		}
		block(s.Else)
		block(s.Final)
	case *Assert:
		each(s.Test, s.Msg)
	case *ExprStmt:
		each(s.Value)
	}
}

// parameterParts visits defaults and annotations of a parameter list.
func parameterParts(a *Arguments, each func(...Expr)) {
	annotations := func(args []*Arg) {
		for _, arg := range args {
			each(arg.Annotation)
		}
	}
	annotations(a.PosOnly)
	annotations(a.Args)
	if a.VarArg != nil {
		each(a.VarArg.Annotation)
	}
	annotations(a.KwOnly)
	if a.KwArg != nil {
		each(a.KwArg.Annotation)
	}
	each(a.Defaults...)
	each(a.KwDefaults...)
}

// patternParts visits the expressions inside a pattern.
func patternParts(p Pattern, each func(...Expr)) {
	all := func(patterns []Pattern) {
		for _, p := range patterns {
			patternParts(p, each)
		}
	}
	switch p := p.(type) {
	case *MatchValue:
		each(p.Value)
	case *MatchSequence:
		all(p.Patterns)
	case *MatchMapping:
		each(p.Keys...)
		all(p.Patterns)
	case *MatchClass:
		each(p.Class)
		all(p.Patterns)
		all(p.KwdPatterns)
	case *MatchAs:
		if p.Pattern != nil {
			patternParts(p.Pattern, each)
		}
	case *MatchOr:
		all(p.Patterns)
	}
}
