package fairness

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/testkit/pyfuzz"
)

// No instruction is free but those that end a function, which its call pays, and the step of a loop, whose price is in its operand.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestNothingIsFree(t *testing.T) {
	grammar, err := pyfuzz.LoadGrammar()
	if err != nil {
		t.Fatal(err)
	}
	var programs []Program
	for _, s := range statements() {
		programs = append(programs, s.program("while True"))
	}
	for seed := range uint64(300) {
		programs = append(programs, Program{"", grammar.Program(seed)})
	}
	seen := 0
	for _, program := range programs {
		source := program.Source
		p, err := pvm.CompileFile("__main__", "main.py", []byte(source))
		if err != nil {
			if program.Name != "" {
				t.Errorf("%s: %v", program.Name, err)
			}
			continue // the grammar makes such as well
		}
		for _, k := range p.Unit().Codes {
			for i := range k.Instrs {
				in := &k.Instrs[i]
				price := k.Block[i] - k.Rest[i]
				switch in.Op {
				case compile.OpReturn, compile.OpReturnNone:
					continue
				case compile.OpFor, compile.OpFor2:
					price = in.E
				}
				seen++
				if price == 0 {
					t.Fatalf("instruction %d of %s, %s, is free:\n%s", i, k.Name, compile.Name(in.Op), source[:min(len(source), 2000)])
				}
			}
		}
	}
	if seen < 100_000 {
		t.Errorf("%d instructions", seen)
	}
}

// What each statement and structure costs, the second of two times: none becomes cheaper unseen. The prices were found by measuring time, see docs/machine.md.
//
// Spec: CIP-3 §2.2.1 (static, consensus-critical cost table).
func TestGoldenStatements(t *testing.T) {
	const file = "testdata/statements.txt"
	cost := func(s statement, times int) uint64 {
		code, ok := s.program(fmt.Sprintf("for _z in range(%d)", times)).compile()
		if !ok {
			t.Fatalf("%s does not compile", s.name)
		}
		took, _ := run(code, new(object.Stack))
		return took.Cycles
	}
	var got strings.Builder
	for _, s := range statements() {
		each := cost(s, 2) - cost(s, 1)
		if each < 2 { // the step of the loop
			t.Errorf("%s ends its program", s.name)
		}
		fmt.Fprintf(&got, "%8d %s\n", each, s.name)
	}
	golden(t, file, got.String())
}

// golden holds a text to what a file records, line by line, or records it with REWRITE=1.
func golden(t *testing.T, file, text string) {
	t.Helper()
	if os.Getenv("REWRITE") != "" {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text, "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(lines) || line != lines[i] {
			t.Errorf("recorded is %q, now %q", line, lines[min(i, len(lines)-1)])
		}
	}
}
