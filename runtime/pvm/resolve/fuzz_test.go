package resolve

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// FuzzResolve: every tree either resolves, with each binding filled in and each
// slot within its frame, or is refused with a *syntax.SyntaxError; twice alike.
func FuzzResolve(f *testing.F) {
	for _, source := range []string{"", "def f(a, *b, c=1, **d):\n def g(): nonlocal a; a = b\n return [x for x in c if (y := x)]",
		"class A:\n x = 1\n def f(self): return super().f(), __class__, x\n y = [x for _ in x if __class__]",
		"async def f():\n async with a as b: return [c async for c in b]", "match x:\n case [a, *b] | {'c': a, **b}: pass",
		"global x; x: int; del x", "lambda a: (yield a)", "try: pass\nexcept* A as e: e\nfinally: e",
		"from __future__ import annotations\nx: (y := 1)", "[(lambda: x) for x in y for z in (x for _ in x)]"} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		first, err := syntax.Parse([]byte(source))
		if err != nil {
			return
		}
		second, _ := syntax.Parse([]byte(source))
		a, err := Resolve(first)
		b, err2 := Resolve(second)
		if err != nil {
			if e, ok := err.(*syntax.SyntaxError); !ok || e.Msg == "" || err2 == nil || *e != *err2.(*syntax.SyntaxError) {
				t.Fatalf("%q: %v, then %v", source, err, err2)
			}
			return
		}
		if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(first, second) {
			t.Fatalf("%q: two resolutions differ", source)
		}
		for _, s := range a.Scopes {
			checkScope(t, a, s, source)
		}
	})
}

// checkScope holds the invariants of a scope against each other.
func checkScope(t *testing.T, table *Table, s *Scope, source string) {
	frame := table.Scopes[s.Frame]
	for _, slot := range s.OwnLocals {
		if int(slot) >= len(frame.Locals) || frame.Locals[slot] != "" {
			t.Fatalf("%q: %s has register %d of %q", source, s.Name, slot, frame.Locals)
		}
	}
	for _, slot := range s.OwnCells {
		if int(slot) >= len(frame.Cells) {
			t.Fatalf("%q: %s has cell %d of %v", source, s.Name, slot, frame.Cells)
		}
	}
	for _, c := range s.Cells {
		if c.Param >= 0 && s.Locals[c.Param] != c.Name {
			t.Fatalf("%q: cell %v of parameters %q", source, c, s.Locals)
		}
	}
	if s.Inlined() || s.Parent < 0 {
		return
	}
	maker := table.Scopes[table.Scopes[s.Parent].Frame]
	for _, f := range s.Frees {
		if f.Owned && maker.Cells[f.Slot].Name != f.Name && maker.Cells[f.Slot].Name != "" || !f.Owned && maker.Frees[f.Slot].Name != f.Name {
			t.Fatalf("%q: %s receives %v from %s, which has %v and %v", source, s.Name, f, maker.Name, maker.Cells, maker.Frees)
		}
	}
}

// TestCaptureLimit: a variable used many functions further in is passed through
// each of them, so their number is bounded.
func TestCaptureLimit(t *testing.T) {
	source := func(variables, depth int) string {
		names := strings.Repeat("v", variables)
		list := strings.Join(strings.Split(names, ""), ",")
		for i := range variables {
			list = strings.Replace(list, "v", "w"+strings.Repeat("x", i), 1)
		}
		return "def f(" + list + "):\n return " + strings.Repeat("lambda:", depth) + "(" + list + ")\n"
	}
	for i, test := range []struct {
		variables, depth int
		want             string
	}{{600, 420, ""}, {600, 450, "too many captured variables"}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			m, err := syntax.Parse([]byte(source(test.variables, test.depth)))
			if err != nil {
				t.Fatal(err)
			}
			_, err = Resolve(m)
			got := ""
			if err != nil {
				got = err.(*syntax.SyntaxError).Msg
			}
			if got != test.want {
				t.Errorf("%d variables, %d functions: %q, want %q", test.variables, test.depth, got, test.want)
			}
		})
	}
}

// TestNameLimit: names made of other names are bounded.
func TestNameLimit(t *testing.T) {
	long, longer := strings.Repeat("n", 1000), strings.Repeat("n", 1200)
	for i, test := range []struct{ source, want string }{
		{"def " + long + "(): return [" + strings.Repeat("lambda:0,", 4000) + "]", ""},
		{"def " + longer + "(): return [" + strings.Repeat("lambda:0,", 4000) + "]", "names are too long"},
		{"class " + long + ":\n def f(self): return " + strings.Repeat("self.__a,", 30000), ""},
		{"class " + long + ":\n def f(self): return " + distinct("self.__a", 5000), "names are too long"},
		{strings.Repeat("lambda:", 500) + "0", ""},
		{strings.Repeat("lambda:", 2900) + "0", "names are too long"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			m, err := syntax.Parse([]byte(test.source))
			if err != nil {
				t.Fatal(err)
			}
			_, err = Resolve(m)
			got := ""
			if err != nil {
				got = err.(*syntax.SyntaxError).Msg
			}
			if got != test.want {
				t.Errorf("%.40q…: %q, want %q", test.source, got, test.want)
			}
		})
	}
}

// distinct lists n names that begin alike.
func distinct(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(prefix + strconv.Itoa(i) + ",")
	}
	return b.String()
}
