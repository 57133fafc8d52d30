package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/resolve"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// repeated writes head, as many units as make n bytes, and tail. %d in a unit is its number.
func repeated(head, unit, tail string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; b.Len()+len(unit)+len(tail) < n; i++ {
			b.WriteString(strings.ReplaceAll(unit, "%d", fmt.Sprint(i)))
		}
		b.WriteString(tail)
		return b.String()
	}
}

// behindVariables is a function of very many variables with branches behind them.
func behindVariables(unit string) func(n int) string {
	return func(n int) string {
		return repeated("def f(x):\n", " a%d=1\n", "")(min(n/2, 200_000)) + repeated("", unit, "")(n-min(n/2, 200_000))
	}
}

// workShapes are sources of about n bytes that invite a compiler to look at a part again for everything around it.
var workShapes = map[string]func(n int) string{
	"comparison":         repeated("def f(x):\n if ", "x<", "x:x\n"),
	"comparison, value":  repeated("def f(x):\n return ", "x<", "x\n"),
	"comparison, in":     repeated("def f(x):\n if ", "x in ", "x:x\n"),
	"powers":             repeated("def f(x):\n", " "+strings.Repeat("x**", 2900)+"x\n", ""),
	"powers and walrus":  repeated("def f(x):\n", " "+strings.Repeat("x**", 2900)+"(x:=1)\n", ""),
	"sums in brackets":   repeated("def f(x):\n", " "+strings.Repeat("x+(", 90)+"x"+strings.Repeat(")", 90)+"\n", ""),
	"items of items":     repeated("def f(x):\n", " "+strings.Repeat("x[", 90)+"x"+strings.Repeat("]", 90)+"=x\n", ""),
	"alternatives":       repeated("def f(x):\n f(", "x and x,", ")\n"),
	"choices":            repeated("def f(x):\n f(", "x if x else x,", ")\n"),
	"clauses":            repeated("def f(x):\n [x ", "for x in x ", "]\n"),
	"guarded registers":  repeated("def f(x):\n try:\n  f("+strings.Repeat("x,", 4000), "x.y,", "x)\n except x:x\n"),
	"loops without end":  repeated("def f(x):\n", " while 1:\n  with x:\n   while 1:\n    with x:\n     while 1:\n      with x:return x\n", ""),
	"returns in with":    repeated("def f(x):\n with x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x:\n", "  if x:return x\n", ""),
	"finally":            repeated("def f(x):\n", " while x:\n  try:break\n  finally:x\n", ""),
	"cases":              repeated("def f(x):\n match x:\n", "  case [a%d,b%d]:x\n", ""),
	"variables, if":      behindVariables(" if x:x\n"),
	"variables, try":     behindVariables(" try:return x\n finally:x\n"),
	"variables, except":  behindVariables(" try:x\n except x as y:x\n"),
	"variables, with":    behindVariables(" with x:return x\n"),
	"variables, and":     behindVariables(" x and x\n"),
	"variables, deleted": behindVariables(" while x:\n  del x\n"),
}

// workOf compiles a source and returns the work counted beside the code, the instructions and the error.
func workOf(t *testing.T, source string) (work, size int, err error) {
	tree, err := syntax.Parse([]byte(source))
	if err != nil {
		return 0, 0, err
	}
	table, err := resolve.Resolve(tree)
	if err != nil {
		return 0, 0, err
	}
	p := &program{table: table, options: Options{Name: "m"}, price: cost.First(), unit: &object.Unit{Name: "m"}, names: map[string]*object.Str{},
		globals: map[string]uint32{}}
	err = p.compile(tree)
	for _, k := range p.unit.Codes {
		size += len(k.Instrs)
	}
	return p.work, size, err
}

// mostWork bounds the work beside the code for each byte of a source: sets of temporaries are the most of it, which are
// given up at solveLimit.
const mostWork = 256

// TestWorkIsLinear: compiling a source of any length from 64 KiB up to where it is refused takes work in proportion to it.
//
// Spec: WP "The Cowboy Actor VM (PVM)".
func TestWorkIsLinear(t *testing.T) {
	for name, source := range workShapes {
		first := 0
		for n := 1 << 16; n <= 1<<20; n *= 4 {
			work, size, err := workOf(t, source(n))
			if err != nil {
				if _, ok := err.(*syntax.SyntaxError); !ok || n == 1<<16 {
					t.Errorf("%s, %d bytes: %v", name, n, err)
				}
				break
			}
			if now := work + size; work > mostWork*n || first > 0 && now/n > 2*first {
				t.Errorf("%s: %d bytes took %d steps and %d instructions, %d a byte; a shorter one took %d a byte", name, n, work, size, now/n, first)
			} else if first == 0 {
				first = now/n + 1
			}
			if testing.Short() {
				break
			}
		}
	}
}

// TestVariablesFollowed: the variables behind those that are followed are checked where they are read, and only they are.
//
// Spec: WP "The Cowboy Actor VM (PVM)".
func TestVariablesFollowed(t *testing.T) {
	var b strings.Builder
	b.WriteString("def f():\n")
	const more = 10
	for i := range mostFollowed + more {
		fmt.Fprintf(&b, " a%d=1\n", i)
	}
	for i := range mostFollowed + more {
		fmt.Fprintf(&b, " g(a%d)\n", i)
	}
	tree, err := syntax.Parse([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	table, err := resolve.Resolve(tree)
	if err != nil {
		t.Fatal(err)
	}
	unit, err := Compile(tree, table, Options{Name: "m"})
	if err != nil {
		t.Fatal(err)
	}
	var checked []int
	for _, in := range unit.Codes[1].Instrs {
		if in.Op == OpCheck {
			checked = append(checked, int(in.A))
		}
	}
	if len(checked) != more || checked[0] != mostFollowed {
		t.Errorf("checked are %v, want the last %d of %d", checked, more, mostFollowed+more)
	}
}
