package pvm_test

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// outcome is everything about an execution that nodes must agree on.
type outcome struct {
	output      string
	used, cells uint64
	peak        int64
	fault       pvm.FaultKind
	typ         string
}

func runOnce(p *pvm.Program, budget uint64) outcome {
	var out bytes.Buffer
	meter := pvm.NewMeter(budget, 1000)
	m := pvm.New(pvm.Config{Meter: meter, Stdout: &out, MemoryLimit: 1 << 20})
	_, fault := m.Load(p)
	o := outcome{output: out.String(), used: meter.Used(), cells: meter.CellsUsed(), peak: m.Inner().Peak()}
	if fault != nil {
		o.fault, o.typ = fault.Kind, fault.Type
	}
	return o
}

// FuzzRun runs any bytes as a program: it halts within its budget, and twice the
// same.
//
// Spec: CIP-3 §2.2.1; WP "The Cowboy Actor VM (PVM)".
func FuzzRun(f *testing.F) {
	golden.Seeds(f, "testdata/*.py", 4000)
	f.Fuzz(func(t *testing.T, source []byte) {
		p, err := pvm.CompileFile("main", "main.py", source)
		if err != nil {
			return
		}
		const budget = 100_000
		first := runOnce(p, budget)
		if first.used > budget {
			t.Fatalf("used %d of %d cycles", first.used, budget)
		}
		again, err := pvm.CompileFile("main", "main.py", source)
		if err != nil {
			t.Fatal(err)
		}
		if second := runOnce(again, budget); second != first {
			t.Fatalf("first %+v\nthen  %+v", first, second)
		}
	})
}
