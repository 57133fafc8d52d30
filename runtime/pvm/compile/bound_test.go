package compile

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/resolve"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// A path through a code: where it is, and what it knows of the registers that finally blocks look at to find on which
// way they were entered.
type path struct {
	pc    int
	known string
}

// bounds is a second, dumb reckoning of which variables have a value where: along every path of a finished code, with no
// regard to what the compiler believed when it left checks out.
type bounds struct {
	k    *object.Code
	why  map[int]bool // the registers finally blocks look at
	set  map[path]bits
	todo []path
}

// mostSteps bounds the reckoning; codes that need more are left alone.
const mostSteps = 20_000

// readsUnset returns an instruction that may read a variable without a value, or "".
func readsUnset(k *object.Code) string {
	b := &bounds{k: k, why: map[int]bool{}, set: map[path]bits{}}
	for _, in := range k.Instrs {
		if in.Op == OpJumpNeI && int(in.A) >= k.Locals+k.Cells {
			b.why[int(in.A)] = true
		}
	}
	entry := newBits(k.Locals)
	for i := range k.Params {
		entry.set(i)
	}
	b.reach(path{}, entry)
	for steps := 0; len(b.todo) > 0 && steps < mostSteps; steps++ {
		p := b.todo[len(b.todo)-1]
		b.todo = b.todo[:len(b.todo)-1]
		if text := b.step(p); text != "" {
			return text
		}
	}
	return ""
}

// reach notes that a path arrives with the variables in have set.
func (b *bounds) reach(p path, have bits) {
	old, seen := b.set[p]
	if !seen {
		b.set[p] = have.clone()
		b.todo = append(b.todo, p)
		return
	}
	met := old.clone()
	met.meet(have)
	if !equal(met, old) {
		b.set[p] = met
		b.todo = append(b.todo, p)
	}
}

func (b *bounds) step(p path) string {
	in := &b.k.Instrs[p.pc]
	have := b.set[p].clone()
	e := effectOf(in)
	if in.Op != OpCheck {
		for _, s := range e.reads[:e.count] {
			for r := s.from; r < min(s.from+s.n, b.k.Locals); r++ {
				if !have.has(r) {
					return fmt.Sprintf("%s: instruction %d (line %d) reads %q", b.k.Name, p.pc, b.k.Pos4[p.pc].Line, b.k.VarNames[r])
				}
			}
		}
	}
	if b.k.Guard != nil && b.k.Guard[p.pc] >= 0 {
		h := b.k.Handlers[b.k.Guard[p.pc]]
		caught := have.clone()
		if int(h.Reg) < b.k.Locals {
			caught.set(int(h.Reg))
		}
		b.reach(path{int(h.Target), b.forget(p.known, int(h.Reg))}, caught)
	}
	known := p.known
	after := have.clone()
	for r := e.writes.from; r < e.writes.from+e.writes.n; r++ {
		known = b.forget(known, r)
		if r < b.k.Locals {
			after.set(r)
		}
	}
	switch in.Op {
	case OpUnset:
		if int(in.A) < b.k.Locals {
			after.clear(int(in.A))
		}
	case OpClear:
		for r := int(in.A); r < min(int(in.A)+int(in.B), b.k.Locals); r++ {
			after.clear(r)
		}
	case OpCheck:
		after.set(int(in.A))
	case OpConst:
		if v := b.k.Consts[in.D]; b.why[int(in.A)] && v.IsInt() {
			known = b.learn(known, int(in.A), v.Int64())
		}
	case OpReturn, OpReturnNone, OpRaise, OpReraise:
		return ""
	}
	next, jump := true, jumps(in.Op)
	if in.Op == OpJump {
		next = false
	}
	if value, ok := lookKnown(p.known, int(in.A)); ok && in.Op == OpJumpNeI {
		taken := (value != int64(int32(in.E))) == (in.C != 0)
		next, jump = !taken, taken
	}
	if jump {
		b.reach(path{int(in.D), known}, after)
	}
	if next {
		fallen := after
		if in.Op == OpFor || in.Op == OpFor2 {
			fallen = have // a loop step writes only when it jumps
		}
		b.reach(path{p.pc + 1, known}, fallen)
	}
	return ""
}

// What a path knows is a sorted list of "register=value;".

func (b *bounds) forget(known string, r int) string {
	if !b.why[r] || known == "" {
		return known
	}
	var out []string
	for _, part := range strings.SplitAfter(known, ";") {
		if part != "" && !strings.HasPrefix(part, fmt.Sprint(r, "=")) {
			out = append(out, part)
		}
	}
	return strings.Join(out, "")
}

func (b *bounds) learn(known string, r int, v int64) string {
	parts := strings.SplitAfter(b.forget(known, r)+fmt.Sprint(r, "=", v, ";"), ";")
	sort.Strings(parts)
	return strings.Join(parts, "")
}

func lookKnown(known string, r int) (v int64, ok bool) {
	for _, part := range strings.Split(known, ";") {
		if text, found := strings.CutPrefix(part, fmt.Sprint(r, "=")); found {
			_, err := fmt.Sscan(text, &v)
			return v, err == nil
		}
	}
	return 0, false
}

// unboundReads compiles a source and returns the instructions that may read a variable without a value.
func unboundReads(source []byte) []string {
	tree, err := syntax.Parse(source)
	if err != nil {
		return nil
	}
	table, err := resolve.Resolve(tree)
	if err != nil {
		return nil
	}
	unit, err := Compile(tree, table, Options{Name: "m", File: "m.py"})
	if err != nil {
		return nil
	}
	var out []string
	for _, k := range unit.Codes {
		if text := readsUnset(k); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// TestVariablesHaveValues: the compiler leaves out the check whether a variable has a value only where it has one.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (no input may make the machine panic).
func TestVariablesHaveValues(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	more, _ := filepath.Glob("../stdlib/testdata/*.py")
	for _, name := range append(files, more...) {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range unboundReads(source) {
			t.Errorf("%s: %s", filepath.Base(name), text)
		}
	}
	for _, source := range []string{
		"def f(a):\n x = 0\n while a:\n  if x: break\n else:\n  y = 1\n  g(y)\n g(y)\n",
		"def f(a):\n for b in a:\n  if b: break\n else:\n  b = 1\n g(b)\n",
		"def f(a):\n try:\n  x = a\n except E:\n  pass\n g(x)\n",
		"def f(a):\n try:\n  x = a\n finally:\n  g(x)\n g(x)\n",
		"def f(a):\n try:\n  return a\n finally:\n  x = 1\n g(x)\n",
		"def f(a):\n while a:\n  try:\n   if a: break\n   x = 1\n  finally:\n   a = 2\n  g(x)\n g(x)\n",
		"def f(a):\n with a as x:\n  y = 1\n g(y, x)\n",
		"def f(a):\n match a:\n  case [x, y]: pass\n  case {'a': x}: pass\n g(x)\n",
		"def f(a):\n if a and (x := a): g(x)\n g(x)\n",
		"def f(a):\n return (x := 1) if a else x, g(x)\n",
		"def f(a):\n assert a, (x := 1)\n g(x)\n",
		"async def f(a):\n async for b in a:\n  c = b\n else:\n  g(c)\n g(b)\n",
		"def f(a):\n x = 1\n for b in a:\n  g(x)\n  del x\n g(x)\n",
		"def f(a):\n try:\n  g(x)\n except E as x:\n  g(x)\n g(x)\n",
	} {
		for _, text := range unboundReads([]byte(source)) {
			t.Errorf("%q: %s", source, text)
		}
	}
}

// FuzzVariablesHaveValues is TestVariablesHaveValues for any source.
func FuzzVariablesHaveValues(f *testing.F) {
	files, _ := filepath.Glob("../testdata/*.py")
	for _, name := range files {
		if source, err := os.ReadFile(name); err == nil && len(source) < 3000 {
			f.Add(source)
		}
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 4000 {
			return
		}
		if texts := unboundReads(source); len(texts) > 0 {
			t.Fatalf("%q: %v", source, texts)
		}
	})
}
