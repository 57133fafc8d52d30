package compile

import (
	"math"
	"slices"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/resolve"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// coder compiles one code.
type coder struct {
	*program
	code  *object.Code
	scope *resolve.Scope // whose frame it is

	consts map[constKey]int32
	nameAt map[string]int32
	costs  []uint32
	at     syntax.Span

	temps   int // first free temporary
	maxRegs int

	labels  []int32 // target of each label, -1 while unknown
	jumps   []jump  // instructions whose D is a label
	handler int32   // of the code being emitted, -1 if none

	blocks   []block // statements control may leave early, innermost last
	assigned bits    // variables that certainly have a value, of the first mostFollowed
	dead     bool    // control does not get here

	deleted bits // variables that some statement of a function unbinds, of the same
	retReg  int  // register of a return value that is on its way out, or 0
	excOut  bits // what is assigned at the end of an except clause
}

// mostFollowed bounds the variables of a function that are followed: every branch
// copies their set. Others are checked wherever they are read.
const mostFollowed = 1024

type jump struct{ at int32 }

// constKey tells constants apart: 1, 1.0 and True are different ones.
type constKey struct {
	kind object.Kind
	bits uint64
	text string
}

// label is a place in the code, known or not.
type label = int

func (c *coder) newLabel() label {
	c.labels = append(c.labels, -1)
	return len(c.labels) - 1
}

// place puts a label here.
func (c *coder) place(l label) {
	c.labels[l] = int32(len(c.code.Instrs))
	c.dead = false
}

// emit appends an instruction that completes source operations of the given cost; one that completes none costs a move, so that nothing is free, except
// what ends a function, which its call pays, and the step of a loop, which has its price in E. Operands that do not fit are a limit of the machine.
func (c *coder) emit(price int, op Op, a, b, cc, d int, e uint32) int {
	if price == 0 && op != OpReturn && op != OpReturnNone && op != OpFor && op != OpFor2 {
		price = c.price.Move
	}
	if a > math.MaxUint16 || b > math.MaxUint16 || cc > math.MaxUint16 || d > math.MaxInt32 || d < math.MinInt32 {
		fail(c.at, "expression too complex")
	}
	c.code.Instrs = append(c.code.Instrs, object.Instr{Op: op, A: uint16(a), B: uint16(b), C: uint16(cc), D: int32(d), E: e})
	c.costs = append(c.costs, uint32(price))
	c.code.Pos4 = append(c.code.Pos4, object.Position{Line: c.at.Line, Col: c.at.Col, EndLine: c.at.EndLine, EndCol: c.at.EndCol})
	c.code.Guard = append(c.code.Guard, c.handler)
	return len(c.code.Instrs) - 1
}

// jumpTo emits an instruction whose operand D is a label.
func (c *coder) jumpTo(price int, l label, op Op, a, b, cc int, e uint32) {
	i := c.emit(price, op, a, b, cc, l, e)
	c.jumps = append(c.jumps, jump{int32(i)})
}

// goTo emits an unconditional jump; what follows is dead until a label.
func (c *coder) goTo(l label) {
	c.jumpTo(0, l, OpJump, 0, 0, 0, 0)
	c.unreachable()
}

// unreachable notes that control does not continue here: everything may count as
// assigned.
func (c *coder) unreachable() {
	c.dead = true
	c.assigned.fill()
}

// tables are what emit appends to: of one code at a time, for the next when it is finished.
type tables struct {
	instrs []object.Instr
	pos    []object.Position
	guard  []int32
	costs  []uint32
}

// ownTables is from how many instructions on a code keeps the tables it was written into.
const ownTables = 4096

// settle gives the code tables of its exact size, unless it is large. Those it was written into are free once the code is finished.
func (c *coder) settle() {
	k := c.code
	if len(k.Instrs) < ownTables {
		c.spare = append(c.spare, tables{k.Instrs[:0], k.Pos4[:0], k.Guard[:0], c.costs[:0]})
		k.Instrs, k.Pos4, k.Guard = slices.Clone(k.Instrs), slices.Clone(k.Pos4), slices.Clone(k.Guard)
	}
	if len(k.Handlers) == 0 {
		k.Guard = nil
	}
	k.Names, k.Consts, k.Children = slices.Clip(k.Names), slices.Clip(k.Consts), slices.Clip(k.Children)
}

// fewVariables is how many variables and temporaries a call pays for itself; two more, which have to be cleared, cost a cycle.
const fewVariables = 32

// finish resolves labels and computes block costs.
func (c *coder) finish() {
	k := c.code
	for _, j := range c.jumps {
		k.Instrs[j.at].D = c.labels[k.Instrs[j.at].D]
	}
	for i := range k.Handlers {
		k.Handlers[i].Target = c.labels[k.Handlers[i].Target]
	}
	n := len(k.Instrs)
	c.costs[0] += uint32(max(0, c.maxRegs-fewVariables) / 2)
	c.settle()
	k.Block, k.Rest = make([]uint32, n+1), make([]uint32, n)
	for i := n - 1; i >= 0; i-- {
		if !ends(k.Instrs[i].Op) {
			k.Rest[i] = k.Block[i+1]
		}
		k.Block[i] = c.costs[i] + k.Rest[i]
	}
	c.costs, c.jumps, c.labels = nil, nil, nil
	k.Regs = max(c.maxRegs, 4) // instructions without operands name registers 0 to 2
	c.temporaries()
	k.Binds = c.binds()
	k.Plain = !k.ClearAll && k.KwOnly == 0 && k.Flags&(object.VarArgs|object.VarKeywords) == 0
}

// binds is how many names the code of a module or class body stores.
func (c *coder) binds() int {
	if c.code.Flags&(object.IsModule|object.IsClassBody) == 0 {
		return 0
	}
	stored := newBits(len(c.code.Names))
	n := 2 // __name__ and __doc__ of a module, __module__ and __doc__ of a class
	for i := range c.code.Instrs {
		in := &c.code.Instrs[i]
		if (in.Op == OpStoreGlobal || in.Op == OpStoreName) && !stored.has(int(in.D)) {
			stored.set(int(in.D))
			n++
		}
	}
	return n
}

// guard makes h the handler of the code emitted until the result is given back
// to it.
func (c *coder) guard(h int32) int32 {
	old := c.handler
	c.handler = h
	return old
}

// newHandler makes a handler that continues at label l with the exception in
// register r.
func (c *coder) newHandler(l label, r int) int32 {
	c.code.Handlers = append(c.code.Handlers, object.Handler{Target: int32(l), Reg: uint16(r)})
	return int32(len(c.code.Handlers) - 1)
}

// temp takes the next temporary register, temps n of them.
func (c *coder) temp() int { return c.tempsOf(1) }

func (c *coder) tempsOf(n int) int {
	r := c.temps
	c.temps += n
	if c.temps > c.maxRegs {
		c.maxRegs = c.temps
		if c.maxRegs > maxRegisters {
			fail(c.at, "expression too complex")
		}
	}
	return r
}

// release gives back the temporaries from r on.
func (c *coder) release(r int) { c.temps = r }

// isTemp says whether r is a temporary.
func (c *coder) isTemp(r int) bool { return r >= c.code.Locals+c.code.Cells }

func (c *coder) cellReg(slot int32) int { return c.code.Locals + int(slot) }

// cache takes a number for an inline cache.
func (c *coder) cache() uint32 {
	c.code.Caches++
	return uint32(c.code.Caches - 1)
}

// global returns the number of a global name, the same for all code of the unit.
func (c *coder) global(s string) uint32 {
	i, ok := c.globals[s]
	if !ok {
		i = uint32(len(c.globals))
		c.globals[s] = i
		c.unit.Globals = len(c.globals)
	}
	return i
}

func (c *coder) nameIndex(s string) int32 {
	if i, ok := c.nameAt[s]; ok {
		return i
	}
	i := int32(len(c.code.Names))
	c.code.Names = append(c.code.Names, c.name(s))
	c.nameAt[s] = i
	return i
}

// constant returns the index of a constant.
func (c *coder) constant(v object.Value) int32 {
	key := constKey{kind: v.Kind(), bits: v.Bits()}
	switch v.Kind() {
	case object.KindStr:
		s, _ := v.AsStr()
		key.text = s.String()
	case object.KindBytes:
		b, _ := v.AsBytes()
		key.text = string(b.Data())
	case object.KindBig:
		key.text = v.BigInt().String()
	case object.KindTuple, object.KindComplex, object.KindFrozenSet:
		c.code.Consts = append(c.code.Consts, v)
		return int32(len(c.code.Consts) - 1)
	}
	if i, ok := c.consts[key]; ok {
		return i
	}
	i := int32(len(c.code.Consts))
	c.code.Consts = append(c.code.Consts, v)
	c.consts[key] = i
	return i
}

// str interns a string constant.
func (c *coder) str(s string) int32 { return c.constant(c.name(s).Value()) }

// setAt makes at the source of the instructions that follow and returns the
// source before.
func (c *coder) setAt(at syntax.Span) syntax.Span {
	old := c.at
	c.at = at
	return old
}
