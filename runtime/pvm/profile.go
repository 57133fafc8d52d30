package pvm

import (
	"sort"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Profile says where a machine spent its cycles: Config.Profile fills it. The
// attribution is exact for the program's own instructions; work in native code
// belongs to the line that called it, the step of a loop to the last line of
// its body.
type Profile struct {
	lines map[lineKey]int64
	root  *stackNode
	last  lineKey // of the charge before
	total int64
}

type lineKey struct {
	file string
	line int
}

// stackNode is a function in the tree of calls.
type stackNode struct {
	code     *object.Code
	self     int64
	children []*stackNode
}

// LineCost is what a source line used, in cycles.
type LineCost struct {
	File   string
	Line   int // from 1
	Cycles int64
}

// FunctionCost is what a function used, in cycles: itself, and with everything it
// called.
type FunctionCost struct {
	Name        string // qualified; <module> for a file's top level
	File        string
	Line        int
	Self, Total int64
}

// StackCost is what was used by the last function of a stack, in cycles.
type StackCost struct {
	Names  []string // outermost first
	Cycles int64
}

// NewProfile returns an empty profile.
func NewProfile() *Profile {
	return &Profile{lines: map[lineKey]int64{}, root: &stackNode{}}
}

// charge takes note of one charge.
func (p *Profile) charge(f *object.Frame, cycles int64, block bool) {
	p.total += cycles
	p.node(f).self += cycles
	k := f.L.Code
	at := f.PC
	if whole := int64(k.Block[at]); block && cycles >= whole && whole > 0 {
		// The rest is of the jump that led here.
		p.lines[p.last] += cycles - whole
		p.block(k, at)
		return
	}
	p.last = lineOf(k, at)
	p.lines[p.last] += cycles
}

// block spreads the cost of the block at an instruction over its lines.
func (p *Profile) block(k *object.Code, at int) {
	before := int64(k.Block[at])
	for i := at; ; i++ {
		rest := int64(k.Rest[i])
		p.last = lineOf(k, i)
		if cost := before - rest; cost > 0 {
			p.lines[p.last] += cost
		}
		if before = rest; rest == 0 {
			return
		}
	}
}

func lineOf(k *object.Code, at int) lineKey { return lineKey{k.File, int(k.Pos4[at].Line)} }

// node finds the place of the running function in the tree of calls.
func (p *Profile) node(f *object.Frame) *stackNode {
	if f == nil {
		return p.root
	}
	n, k := p.node(f.Prev), f.L.Code
	for _, c := range n.children {
		if c.code == k {
			return c
		}
	}
	c := &stackNode{code: k}
	n.children = append(n.children, c)
	return c
}

// Total returns all cycles seen.
func (p *Profile) Total() int64 { return p.total }

// Lines lists the lines that used anything, by file and line.
func (p *Profile) Lines() []LineCost {
	var out []LineCost
	for at, cycles := range p.lines { // order-free: sorted below
		if cycles != 0 && at.line > 0 {
			out = append(out, LineCost{at.file, at.line, cycles})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].File < out[j].File || out[i].File == out[j].File && out[i].Line < out[j].Line
	})
	return out
}

// Functions lists the functions that ran, dearest first.
func (p *Profile) Functions() []FunctionCost {
	var out []FunctionCost
	index := map[*object.Code]int{}
	active := map[*object.Code]bool{}
	var visit func(n *stackNode) int64
	visit = func(n *stackNode) int64 {
		at, seen := index[n.code]
		if !seen && n.code != nil {
			at = len(out)
			index[n.code] = at
			out = append(out, FunctionCost{Name: n.name(), File: n.code.File, Line: int(n.code.FirstLine)})
		}
		outer := active[n.code]
		active[n.code] = true
		sum := n.self
		for _, c := range n.children {
			sum += visit(c)
		}
		active[n.code] = outer
		if n.code != nil {
			out[at].Self += n.self
			if !outer {
				out[at].Total += sum
			}
		}
		return sum
	}
	visit(p.root)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Self > out[j].Self })
	return out
}

func (n *stackNode) name() string {
	if n.code.Flags&object.IsModule != 0 {
		return "<module>"
	}
	return n.code.Qualname.String()
}

// Stacks lists the stacks in which cycles were spent, callers before what they
// call, as flame graphs take them.
func (p *Profile) Stacks() []StackCost {
	var out []StackCost
	var visit func(n *stackNode, names []string)
	visit = func(n *stackNode, names []string) {
		if n.self > 0 {
			out = append(out, StackCost{append([]string(nil), names...), n.self})
		}
		for _, c := range n.children {
			visit(c, append(names, c.name()))
		}
	}
	visit(p.root, nil)
	return out
}
