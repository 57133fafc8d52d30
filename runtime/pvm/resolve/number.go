package resolve

import "github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"

// number is the third pass: it gives every variable its register or cell and
// writes the outcome into the tree.
func number(b *block) {
	if !b.scope.Inlined() {
		numberFrame(b)
	}
	for _, child := range b.children {
		number(child)
	}
	describe(b)
}

// numberFrame numbers the variables of a frame, those of inlined comprehensions
// included.
func numberFrame(b *block) {
	s := b.scope
	if b.function() {
		for _, y := range b.symbols {
			if y.reach == reachLocal && (y.param >= 0 || !y.captured) {
				y.slot = int32(len(s.Locals))
				s.Locals = append(s.Locals, y.name)
			}
		}
		for _, y := range b.symbols {
			if y.reach == reachLocal && y.captured {
				y.slot = addCell(b, y)
			}
		}
	}
	if b.class != nil && b.class.captured {
		b.class.slot = addCell(b, b.class)
		s.ClassCell = b.class.slot
	}
	named := int32(len(s.Locals))
	for _, child := range b.children {
		if child.scope.Inlined() {
			numberInlined(b, child, named)
		}
	}
	for range b.hidden {
		s.Locals = append(s.Locals, "")
	}
}

// addCell makes a cell of a frame for a variable.
func addCell(frame *block, y *symbol) int32 {
	frame.cells = append(frame.cells, Cell{y.name, y.param})
	return int32(len(frame.cells) - 1)
}

// numberInlined numbers the variables of a comprehension inside a frame. Hidden
// registers from base on are free.
func numberInlined(frame, b *block, base int32) {
	for _, y := range b.symbols {
		if y.reach != reachLocal {
			continue
		}
		if y.captured {
			y.slot = addCell(frame, &symbol{param: -1}) // without a name, as it is none of the frame's
			b.scope.OwnCells = append(b.scope.OwnCells, y.slot)
			continue
		}
		y.slot = base
		b.scope.OwnLocals = append(b.scope.OwnLocals, base)
		base++
	}
	if used := base - int32(len(frame.scope.Locals)); used > frame.hidden {
		frame.hidden = used
	}
	for _, child := range b.children {
		if child.scope.Inlined() {
			numberInlined(frame, child, base)
		}
	}
}

// describe fills in the bindings of a block and the lists of its frame.
func describe(b *block) {
	for _, y := range b.symbols {
		access, slot := b.access(y)
		for _, ref := range y.refs {
			ref.Access, ref.Slot = access, slot
			ref.Outer = y.reach != reachLocal && (access == syntax.AccessLocal || access == syntax.AccessCell)
		}
	}
	if b.scope.Inlined() {
		return
	}
	b.scope.Cells = b.cells
	maker := b.parent
	for i, y := range b.frees {
		if y == y.block.class {
			b.scope.ClassFree = int32(i)
		}
		home := frameOf(y.block)
		outer := frameOf(maker)
		if outer == home {
			b.scope.Frees = append(b.scope.Frees, Free{y.name, y.slot, true})
		} else {
			b.scope.Frees = append(b.scope.Frees, Free{y.name, outer.freeIndex[y], false})
		}
	}
}

// access says how code in a block reaches one of its names.
func (b *block) access(y *symbol) (syntax.Access, int32) {
	class := b.scope.Kind == Class
	switch y.reach {
	case reachExplicit:
		return syntax.AccessGlobal, 0
	case reachGlobal:
		if class {
			return syntax.AccessClass, 0
		}
		return syntax.AccessGlobal, 0
	case reachLocal:
		switch {
		case class:
			return syntax.AccessClass, 0
		case !b.function():
			return syntax.AccessGlobal, 0
		}
		return held(y)
	}
	frame := frameOf(b)
	if frameOf(y.owner.block) == frame {
		return held(y.owner)
	}
	slot := frame.freeIndex[y.owner]
	if class {
		return syntax.AccessClassFree, slot
	}
	return syntax.AccessFree, slot
}

// held says how the frame that holds a variable reaches it.
func held(y *symbol) (syntax.Access, int32) {
	if y.captured {
		return syntax.AccessCell, y.slot
	}
	return syntax.AccessLocal, y.slot
}
