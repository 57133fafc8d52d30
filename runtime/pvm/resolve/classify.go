package resolve

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// MaxCaptures bounds the received cells of all frames of a module together. A
// variable used n functions further in takes n of them, so that short sources
// could ask for many.
const MaxCaptures = 1 << 18

// classifier is the second pass: it finds the owner of every name. visible maps
// a name to the symbols that blocks around the current one offer under it, the
// innermost last; a nil symbol hides the others behind a global statement.
type classifier struct {
	visible  map[string][]*symbol
	captures int
}

// block classifies the names of a block and of the blocks inside it.
func (c *classifier) block(b *block) {
	for _, s := range b.symbols {
		c.symbol(b, s)
	}
	offered := c.offer(b)
	for _, child := range b.children {
		c.block(child)
	}
	for _, name := range offered {
		c.visible[name] = c.visible[name][:len(c.visible[name])-1]
	}
}

// offer makes the names of a block visible to the blocks inside it.
func (c *classifier) offer(b *block) (offered []string) {
	show := func(name string, s *symbol) {
		c.visible[name] = append(c.visible[name], s)
		offered = append(offered, name)
	}
	switch {
	case b.scope.Kind == Class:
		b.class = &symbol{name: "__class__", block: b, param: -1}
		show(b.class.name, b.class)
	case b.function():
		for _, s := range b.symbols {
			switch s.reach {
			case reachLocal:
				show(s.name, s)
			case reachExplicit:
				show(s.name, nil)
			}
		}
	}
	return offered
}

// outer returns the symbol visible under a name from outside a block, or nil.
func (c *classifier) outer(name string) *symbol {
	if stack := c.visible[name]; len(stack) > 0 {
		return stack[len(stack)-1]
	}
	return nil
}

// symbol decides how a block reaches one of its names.
func (c *classifier) symbol(b *block, s *symbol) {
	switch {
	case s.flags&isGlobal != 0:
		if s.flags&isNonlocal != 0 {
			refuse(s.directive, "name '"+s.name+"' is nonlocal and global")
		}
		s.reach = reachExplicit
	case s.flags&isNonlocal != 0:
		if b.scope.Kind == Module {
			refuse(s.directive, "nonlocal declaration not allowed at module level")
		}
		owner := c.outer(s.name)
		if owner == nil {
			refuse(s.directive, "no binding for nonlocal '"+s.name+"' found")
		}
		s.reach, s.owner = reachOuter, owner
		c.capture(b, owner)
	case s.flags&isBound != 0:
		s.reach = reachLocal
	default:
		owner := c.outer(s.name)
		if owner == nil {
			s.reach = reachGlobal
			return
		}
		s.reach, s.owner = reachOuter, owner
		c.capture(b, owner)
	}
}

// frameOf returns the block in whose frame a block runs.
func frameOf(b *block) *block {
	for b.scope.Inlined() {
		b = b.parent
	}
	return b
}

// capture passes a variable from its owner's frame to the frame of b.
func (c *classifier) capture(b *block, owner *symbol) {
	home := frameOf(owner.block)
	f := frameOf(b)
	if f == home && owner.block.scope.Kind != Class {
		return
	}
	owner.captured = true
	for ; f != home; f = frameOf(f.parent) {
		if f.freeIndex == nil {
			f.freeIndex = map[*symbol]int32{}
		}
		if _, have := f.freeIndex[owner]; have {
			return
		}
		f.freeIndex[owner] = int32(len(f.frees))
		f.frees = append(f.frees, owner)
		if c.captures++; c.captures > MaxCaptures {
			refuse(syntax.Span{Line: b.scope.Line, EndLine: b.scope.Line}, "too many captured variables")
		}
	}
}
