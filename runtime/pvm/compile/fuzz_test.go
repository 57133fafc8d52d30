package compile_test

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/resolve"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// instructionsPerByte bounds how much code a byte of source may become: the
// dearest is a nested finally block, whose body is there once for every way out.
const instructionsPerByte = 64

// FuzzCompile: any bytes become code, whose size is linear in theirs and whose
// jumps, positions, registers and handlers are within bounds, or are refused with
// a *syntax.SyntaxError that has a position.
//
// Spec: WP "The Cowboy Actor VM (PVM)".
func FuzzCompile(f *testing.F) {
	golden.Seeds(f, "../testdata/*.py", 3000)
	for _, source := range []string{"", "try:\n try:\n  x\n finally:\n  return\nfinally:\n y", "for x in y:\n with a, b: continue\nelse: z",
		"match x:\n case [a, *b, {'c': C(d=e) | None}] if f: pass", "async def f():\n async for a, *b in c:\n  async with d as (e, f): yield await g",
		"class A(B, *c, m=d, **e):\n x: y = z\n def f(self): return super().f(__class__)", "x = (a if b else c) and not d or [*e, *{**f}] < g <= h is not i"} {
		f.Add([]byte(source))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		unit, err := compiled(source)
		if err != nil {
			var e *syntax.SyntaxError
			if !errors.As(err, &e) || e.Msg == "" || e.Line < 1 {
				t.Fatalf("%q: %#v", source, err)
			}
			return
		}
		size := 0
		for _, k := range unit.Codes {
			size += len(k.Instrs)
			checkCode(t, source, k)
		}
		if size > 200+instructionsPerByte*len(source) {
			t.Fatalf("%d bytes became %d instructions: %q", len(source), size, source)
		}
	})
}

func compiled(source []byte) (*object.Unit, error) {
	tree, err := syntax.Parse(source)
	if err != nil {
		return nil, err
	}
	table, err := resolve.Resolve(tree)
	if err != nil {
		return nil, err
	}
	return compile.Compile(tree, table, compile.Options{Name: "m", File: "m.py"})
}

// checkCode holds a code's tables against each other.
func checkCode(t *testing.T, source []byte, k *object.Code) {
	n := len(k.Instrs)
	if len(k.Block) != n+1 || len(k.Rest) != n || len(k.Pos4) != n || k.Guard != nil && len(k.Guard) != n {
		t.Fatalf("%q: %s: tables of %d, %d, %d for %d instructions", source, k.Name, len(k.Block), len(k.Rest), len(k.Pos4), n)
	}
	for _, h := range k.Handlers {
		if int(h.Target) >= n || int(h.Reg) >= k.Regs {
			t.Fatalf("%q: %s: handler %v of %d instructions, %d registers", source, k.Name, h, n, k.Regs)
		}
	}
	for _, h := range k.Guard {
		if int(h) >= len(k.Handlers) {
			t.Fatalf("%q: %s: handler %d of %d", source, k.Name, h, len(k.Handlers))
		}
	}
	if k.Locals+k.Cells > k.Regs || k.Params > k.Locals {
		t.Fatalf("%q: %s: %d parameters, %d locals, %d cells, %d registers", source, k.Name, k.Params, k.Locals, k.Cells, k.Regs)
	}
}
