package pvm

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Profile says where machines spent their cycles: Config.Profile fills it for one, Enter for those that run inside one another. The
// attribution is exact for the program's own instructions; work in native code
// belongs to the line that called it, the step of a loop to the last line of
// its body. One goroutine uses it at a time.
type Profile struct {
	root  *stackNode
	files map[*object.Unit]string // names of files that Enter was told
	inner *Entry                  // the innermost that is open
	last  *stackNode              // of the charge before
	total int64

	around  caller // of the charge before
	parents *stackNode
}

// caller is all on which the place of a frame in the tree depends, as long as no other frame was charged.
type caller struct {
	frame, before *object.Frame
	code          *object.Code
	pc            int
	entry         *Entry
}

// Frame is a function in a stack, at a line; or what a handler cost beside the functions it ran.
type Frame struct {
	Name  string // qualified; <module> for a file's top level; of an entry the handler
	File  string
	First int  // line of the function; 0 of an entry
	Line  int  // that ran, or made the call; 0 of an entry
	Entry bool // the execution of a handler, see Enter
}

// StackCost is what was used by the last function of a stack, in cycles.
type StackCost struct {
	Frames []Frame // outermost first
	Cycles int64
	Runs   int // of the last frame, where it is an entry
}

// stackNode is a line of a function in the tree of calls.
type stackNode struct {
	frame    Frame
	code     *object.Code
	self     int64
	runs     int
	children map[place]*stackNode
	order    []*stackNode
}

// place is what the children of a node differ in.
type place struct {
	code *object.Code
	line int
	name string // of an entry
	file string
}

// NewProfile returns an empty profile.
func NewProfile() *Profile {
	return &Profile{root: &stackNode{}, files: map[*object.Unit]string{}}
}

// child finds or makes the child at a place.
func (n *stackNode) child(at place, file string) *stackNode {
	if c := n.children[at]; c != nil {
		return c
	}
	c := &stackNode{code: at.code}
	if at.code == nil {
		c.frame = Frame{Name: at.name, File: at.file, Entry: true}
	} else {
		c.frame = Frame{Name: nameOf(at.code), File: file, First: int(at.code.FirstLine), Line: at.line}
	}
	n.adopt(at, c)
	return c
}

func (n *stackNode) adopt(at place, c *stackNode) {
	if n.children == nil {
		n.children = map[place]*stackNode{}
	}
	n.children[at] = c
	n.order = append(n.order, c)
}

// absorb adds another node of the same place.
func (n *stackNode) absorb(other *stackNode) {
	n.self += other.self
	n.runs += other.runs
	for _, c := range other.order {
		at := place{code: c.code, line: c.frame.Line}
		if c.code == nil {
			at = place{name: c.frame.Name, file: c.frame.File}
		}
		if own := n.children[at]; own != nil {
			own.absorb(c)
		} else {
			n.adopt(at, c)
		}
	}
}

// charge takes note of one charge.
func (p *Profile) charge(f *object.Frame, cycles int64, block bool) {
	p.total += cycles
	k, at := f.L.Code, f.PC
	parent := p.parent(f)
	if whole := int64(k.Block[at]); block && cycles >= whole && whole > 0 {
		if p.last == nil {
			p.last = p.line(parent, k, at)
		}
		p.last.self += cycles - whole // the rest is of the jump that led here
		p.block(parent, k, at)
		return
	}
	p.last = p.line(parent, k, at)
	p.last.self += cycles
}

// block spreads the cost of the block at an instruction over its lines.
func (p *Profile) block(parent *stackNode, k *object.Code, at int) {
	before := int64(k.Block[at])
	for i := at; ; i++ {
		rest := int64(k.Rest[i])
		p.last = p.line(parent, k, i)
		p.last.self += before - rest
		if before = rest; rest == 0 {
			return
		}
	}
}

// line is the node of an instruction.
func (p *Profile) line(parent *stackNode, k *object.Code, at int) *stackNode {
	return parent.child(place{code: k, line: int(k.Pos4[at].Line)}, p.file(k))
}

func (p *Profile) file(k *object.Code) string {
	if name, ok := p.files[k.Unit]; ok {
		return name
	}
	return k.File
}

// base is the node of the handler that runs.
func (p *Profile) base() *stackNode {
	if p.inner != nil {
		return p.inner.node
	}
	return p.root
}

// node finds the place of a frame's line in the tree of calls.
func (p *Profile) node(f *object.Frame) *stackNode {
	if f == nil {
		return p.base()
	}
	return p.line(p.node(f.Prev), f.L.Code, f.PC)
}

// parent is node of the frame's caller.
func (p *Profile) parent(f *object.Frame) *stackNode {
	now := caller{frame: f, before: f.Prev, code: f.L.Code, entry: p.inner}
	if f.Prev != nil {
		now.pc = f.Prev.PC
	}
	if p.parents == nil || now != p.around {
		p.around, p.parents = now, p.node(f.Prev)
	}
	return p.parents
}

// Total returns all cycles seen.
func (p *Profile) Total() int64 { return p.total }

// Stacks lists the stacks in which cycles were spent, callers before what they
// call, and every entry.
func (p *Profile) Stacks() Stacks {
	var out Stacks
	var visit func(n *stackNode, frames []Frame)
	visit = func(n *stackNode, frames []Frame) {
		if n.self != 0 || n.runs > 0 {
			out = append(out, StackCost{append([]Frame(nil), frames...), n.self, n.runs})
		}
		for _, c := range n.order {
			visit(c, append(frames, c.frame))
		}
	}
	visit(p.root, nil)
	return out
}

func nameOf(k *object.Code) string {
	if k.Flags&object.IsModule != 0 {
		return "<module>"
	}
	return k.Qualname.String()
}

// Entry is the execution of a handler that a profile is told of.
type Entry struct {
	profile *Profile
	machine *object.Machine
	outer   *Entry
	parent  *stackNode
	node    *stackNode
	begun   uint64
}

// Enter has a machine report to the profile until Leave. It runs for the machine of the entry before, if that one is open, which will be charged what the inner
// one used: the profile has it once, under what runs in the outer machine. The file of the unit's functions is named file. The machine has used nothing yet
// that is not known.
func (p *Profile) Enter(m *object.Machine, unit *object.Unit, file string) *Entry {
	e := &Entry{profile: p, machine: m, outer: p.inner, begun: m.Meter().Used(), node: &stackNode{frame: Frame{File: file, Entry: true}, runs: 1}}
	if e.parent = p.root; p.inner != nil {
		e.parent = p.node(p.inner.machine.Frame)
	}
	p.files[unit] = file
	p.inner, p.last = e, nil
	m.Watch(p.charge)
	return e
}

// Named says which handler it is.
func (e *Entry) Named(handler string) {
	if e != nil {
		e.node.frame.Name = handler
	}
}

// Outside notes what was used since the last charge of a frame as the entry's own.
func (e *Entry) Outside() {
	if e != nil {
		taken := e.machine.Unreported()
		e.node.self += taken
		e.profile.total += taken
	}
}

// Started notes what was used since the last charge of a frame as that of the first line of the module whose objects the machine begins with.
func (e *Entry) Started(unit *object.Unit) {
	if e == nil {
		return
	}
	taken := e.machine.Unreported()
	k := unit.Codes[0]
	e.node.child(place{code: k, line: int(k.FirstLine)}, e.profile.file(k)).self += taken
	e.profile.total += taken
}

// Pause lets the machine run what nobody pays for, until the result is called.
func (e *Entry) Pause() (resume func()) {
	if e == nil {
		return func() {}
	}
	e.Outside()
	e.machine.Watch(nil)
	return func() { e.machine.Watch(e.profile.charge) }
}

// Leave ends it.
func (e *Entry) Leave() {
	if e == nil {
		return
	}
	e.Outside()
	e.machine.Watch(nil)
	p := e.profile
	p.inner, p.last = e.outer, nil
	e.parent.child(place{name: e.node.frame.Name, file: e.node.frame.File}, "").absorb(e.node)
	if e.outer != nil {
		e.outer.machine.Elsewhere(int64(e.machine.Meter().Used() - e.begun))
	}
}

// Abandon closes what is open, after a panic.
func (p *Profile) Abandon() { p.inner, p.last, p.parents = nil, nil, nil }
