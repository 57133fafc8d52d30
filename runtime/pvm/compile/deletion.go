package compile

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// findDeletions notes the variables that del statements and except clauses of a
// function unbind: a loop may find them unbound in a later round, a handler at
// its start.
func (c *coder) findDeletions(list []syntax.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.Delete:
			for _, t := range s.Targets {
				c.deletedTarget(t)
			}
		case *syntax.If:
			c.findDeletions(s.Body)
			c.findDeletions(s.Else)
		case *syntax.For:
			c.findDeletions(s.Body)
			c.findDeletions(s.Else)
		case *syntax.While:
			c.findDeletions(s.Body)
			c.findDeletions(s.Else)
		case *syntax.With:
			c.findDeletions(s.Body)
		case *syntax.Match:
			for _, k := range s.Cases {
				c.findDeletions(k.Body)
			}
		case *syntax.Try:
			c.findDeletions(s.Body)
			for _, h := range s.Handlers {
				if h.Name != "" && h.Bind.Access == syntax.AccessLocal {
					c.deleted.set(int(h.Bind.Slot))
				}
				c.findDeletions(h.Body)
			}
			c.findDeletions(s.Else)
			c.findDeletions(s.Final)
		}
	}
}

func (c *coder) deletedTarget(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Name:
		if x.Bind.Access == syntax.AccessLocal {
			c.deleted.set(int(x.Bind.Slot))
		}
	case *syntax.Tuple:
		for _, e := range x.Elts {
			c.deletedTarget(e)
		}
	case *syntax.List:
		for _, e := range x.Elts {
			c.deletedTarget(e)
		}
	}
}
