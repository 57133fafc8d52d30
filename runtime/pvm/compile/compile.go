package compile

import (
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/resolve"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// Options say how a source file is compiled.
type Options struct {
	Name  string   // module name
	File  string   // as shown in tracebacks
	Lines []string // source text for tracebacks; nil to leave it out
	// Library marks a module of the standard library: its frames are left out of
	// what users see.
	Library bool
	// Prices are what instructions cost; nil: those of version 1.
	Prices *cost.Prices
}

// Compile compiles a resolved module and uses its tree up. The error is a *syntax.SyntaxError: limits
// of the machine that the grammar does not know.
func Compile(m *syntax.Module, t *resolve.Table, o Options) (*object.Unit, error) {
	if o.Prices == nil {
		o.Prices = cost.First()
	}
	p := &program{
		table: t, options: o, price: o.Prices,
		unit:  &object.Unit{Name: o.Name, File: o.File, Lines: o.Lines},
		names: map[string]*object.Str{}, globals: map[string]uint32{},
	}
	if err := p.compile(m); err != nil {
		return nil, err
	}
	return p.unit, nil
}

func (p *program) compile(m *syntax.Module) (err error) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(failure)
			if !ok {
				panic(r)
			}
			err = f.err
		}
	}()
	p.module(m)
	return nil
}

// failure carries a source error out of the recursion.
type failure struct{ err *syntax.SyntaxError }

func fail(at syntax.Span, format string, a ...any) {
	panic(failure{&syntax.SyntaxError{
		Msg: fmt.Sprintf(format, a...), Line: int(at.Line), Col: int(at.Col) + 1,
		EndLine: int(at.EndLine), EndCol: int(at.EndCol) + 1,
	}})
}

// program is the state shared by the codes of one unit.
type program struct {
	table   *resolve.Table
	options Options
	price   *cost.Prices
	unit    *object.Unit
	names   map[string]*object.Str
	globals map[string]uint32 // numbers of the names that code reads or writes globally
	spare   []tables
	work    int // expressions looked at and words of the sets of temporaries computed
}

// name interns an identifier.
func (p *program) name(s string) *object.Str {
	if n, ok := object.KnownName(s); ok {
		return n
	}
	n, ok := p.names[s]
	if !ok {
		n = object.NewStatic(s)
		p.names[s] = n
	}
	return n
}

// newCode starts the code of a scope and gives it its place in the unit.
func (p *program) newCode(s *resolve.Scope) *coder {
	c := &object.Code{
		Name: p.name(s.Name), Qualname: p.name(s.Qualname), File: p.options.File, Unit: p.unit,
		Index: len(p.unit.Codes), FirstLine: s.Line, ClassCell: -1, Doc: object.None,
	}
	object.InitCode(c)
	if s.HasDoc {
		c.Doc = object.NewStatic(s.Doc).Value()
	}
	if p.options.Library {
		c.Flags |= object.Internal
	}
	p.unit.Codes = append(p.unit.Codes, c)
	c.PosOnly, c.Pos, c.KwOnly = int(s.PosOnly), int(s.Pos), int(s.KwOnly)
	c.Params = c.Pos + c.KwOnly
	if s.VarArg {
		c.Flags |= object.VarArgs
		c.Params++
	}
	if s.KwArg {
		c.Flags |= object.VarKeywords
		c.Params++
	}
	if s.Generator {
		c.Flags |= object.IsGenerator
	}
	if s.Coroutine {
		c.Flags |= object.IsCoroutine
	}
	c.Locals, c.Cells = len(s.Locals), len(s.Cells)
	c.VarNames = make([]*object.Str, 0, len(s.Locals))
	for _, n := range s.Locals {
		c.VarNames = append(c.VarNames, p.name(n))
	}
	for _, cell := range s.Cells {
		c.CellNames = append(c.CellNames, p.name(cell.Name))
		c.CellParams = append(c.CellParams, int16(cell.Param))
	}
	for _, f := range s.Frees {
		c.FreeNames = append(c.FreeNames, p.name(f.Name))
		c.FreeFrom = append(c.FreeFrom, object.FreeFrom{Owned: f.Owned, Slot: int(f.Slot)})
	}
	k := &coder{
		program: p, code: c, scope: s, handler: -1,
		consts: map[constKey]int32{}, nameAt: map[string]int32{},
	}
	if n := len(p.spare); n > 0 {
		t := p.spare[n-1]
		p.spare = p.spare[:n-1]
		c.Instrs, c.Pos4, c.Guard, k.costs = t.instrs, t.pos, t.guard, t.costs
	}
	k.temps = c.Locals + c.Cells
	k.maxRegs = k.temps
	if k.temps > maxRegisters/2 {
		fail(syntax.Span{Line: s.Line}, "too many variables in one function")
	}
	k.assigned, k.deleted = newBits(min(c.Locals, mostFollowed)), newBits(min(c.Locals, mostFollowed))
	for i := range c.Params {
		k.assigned.set(i)
	}
	return k
}

const maxRegisters = 60000

// prologue makes the cells of a frame, and suspends generators.
func (c *coder) prologue() {
	for i, cell := range c.scope.Cells {
		if cell.Param >= 0 {
			c.emit(c.price.Cell, OpCellOf, c.cellReg(int32(i)), int(cell.Param), 0, 0, 0)
		} else {
			c.emit(c.price.Cell, OpNewCell, c.cellReg(int32(i)), 0, 0, 0, 0)
		}
	}
	if c.scope.Generator || c.scope.Coroutine {
		c.emit(2*c.price.Yield+(c.code.Locals+c.code.Cells)/2, OpGenerator, 0, 0, 0, 0, 0)
	}
}

func (p *program) module(m *syntax.Module) {
	c := p.newCode(p.table.Scopes[0])
	c.code.Flags |= object.IsModule
	c.prologue()
	if c.annotated(m.Body) {
		c.emit(0, OpAnnotations, 0, 0, 0, 0, 0)
	}
	if c.scope.HasDoc {
		r := c.temp()
		c.emit(0, OpConst, r, 0, 0, int(c.constant(c.code.Doc)), 0)
		c.emit(0, OpStoreGlobal, r, 0, 0, int(c.nameIndex("__doc__")), c.global("__doc__"))
		c.release(r)
	}
	c.stmts(m.Body)
	c.emit(0, OpReturnNone, 0, 0, 0, 0, 0)
	c.finish()
	p.unit.Functions = functions(p.unit)
}

// functions counts the functions without closures that a module and its classes define.
func functions(u *object.Unit) (n int) {
	for _, k := range u.Codes {
		if k.Flags&(object.IsModule|object.IsClassBody) == 0 {
			continue
		}
		for _, child := range k.Children {
			if child.Flags&object.IsClassBody == 0 && len(child.FreeFrom) == 0 {
				n++
			}
		}
	}
	return n
}

// annotated says whether statements (outside inner scopes) annotate a name.
func (c *coder) annotated(body []syntax.Stmt) bool {
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.AnnAssign:
			return true
		case *syntax.If:
			if c.annotated(s.Body) || c.annotated(s.Else) {
				return true
			}
		case *syntax.For:
			if c.annotated(s.Body) || c.annotated(s.Else) {
				return true
			}
		case *syntax.While:
			if c.annotated(s.Body) || c.annotated(s.Else) {
				return true
			}
		case *syntax.With:
			if c.annotated(s.Body) {
				return true
			}
		case *syntax.Try:
			for _, h := range s.Handlers {
				if c.annotated(h.Body) {
					return true
				}
			}
			if c.annotated(s.Body) || c.annotated(s.Else) || c.annotated(s.Final) {
				return true
			}
		case *syntax.Match:
			for _, k := range s.Cases {
				if c.annotated(k.Body) {
					return true
				}
			}
		}
	}
	return false
}

// Lines splits a source text for tracebacks.
func Lines(source string) []string {
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(source, "\r\n", "\n"), "\r", "\n"), "\n")
}
