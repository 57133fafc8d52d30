package pyfuzz

import (
	"bufio"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var record = flag.Bool("record", false, "write testdata/recorded.txt anew from CPython 3.11")

// recordedSeeds is how many programs the recorded slice has.
const recordedSeeds = 300

// TestRecorded runs the programs of the first seeds on the PVM and compares what they print with what CPython 3.11
// printed, whose hashes are in testdata/recorded.txt (go test -args -record writes it, on a machine with CPython).
// A program whose text has changed since is an error too: the grammar decides both.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
func TestRecorded(t *testing.T) {
	g, err := LoadGrammar()
	if err != nil {
		t.Fatal(err)
	}
	if *record {
		recordSlice(t, g)
	}
	file, err := os.Open("testdata/recorded.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	n := 0
	for lines.Scan() {
		var seed uint64
		var program, output string
		if _, err := fmt.Sscan(lines.Text(), &seed, &program, &output); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		n++
		source := g.Program(seed)
		if digest(source) != program {
			t.Fatalf("seed %d gives another program: record again", seed)
		}
		if o := RunPVM(source, false); digest(normal(o.Output)) != output {
			t.Errorf("seed %d: the output differs from CPython's; see go run ./testkit/cmd/pyfuzz -n 1 -seed %d", seed, seed)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if n < 200 {
		t.Errorf("only %d programs", n)
	}
}

func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:20] }

// recordSlice writes what CPython prints for the programs on which the machines are to agree.
func recordSlice(t *testing.T, g *Grammar) {
	python, err := StartCPython("python3", "0")
	if err != nil {
		t.Fatal(err)
	}
	defer python.Close()
	var out strings.Builder
	for seed := range uint64(recordedSeeds) {
		source := g.Program(seed)
		v, _, want, err := Compare(python, source, false)
		if err != nil {
			t.Fatal(err)
		}
		if v == Different {
			t.Errorf("seed %d differs", seed)
		}
		if v == Equal {
			fmt.Fprintln(&out, seed, digest(source), digest(want))
		}
	}
	if err := os.WriteFile("testdata/recorded.txt", []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestProgramRepeats: a seed gives the same program every time, and different seeds different ones.
func TestProgramRepeats(t *testing.T) {
	first, err := LoadGrammar()
	if err != nil {
		t.Fatal(err)
	}
	second, err := LoadGrammar()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for seed := range uint64(50) {
		a, b := first.Program(seed), second.Program(seed)
		if a != b || a != first.Program(seed) {
			t.Fatalf("seed %d gives two programs", seed)
		}
		seen[a] = true
	}
	if len(seen) != 50 {
		t.Errorf("%d programs of 50 seeds", len(seen))
	}
}

// TestPVMRepeats: a program prints the same and costs the same every time.
//
// Spec: CIP-3 §2.2.
func TestPVMRepeats(t *testing.T) {
	g, err := LoadGrammar()
	if err != nil {
		t.Fatal(err)
	}
	for seed := uint64(1_000); seed < 1_060; seed++ {
		source := g.Program(seed)
		if a, b := RunPVM(source, true), RunPVM(source, true); a != b {
			t.Errorf("seed %d: %d cycles and %d bytes, then %d and %d", seed, a.Cycles, a.Peak, b.Cycles, b.Peak)
		}
	}
}

// TestGrammarErrors: mistakes in a grammar are found.
func TestGrammarErrors(t *testing.T) {
	for _, source := range []string{"- x\n", "[a]\ntext\n", "[a]\n- 3$\n"} {
		g := &Grammar{sections: map[string]*section{}}
		if err := g.parse(source); err == nil {
			t.Errorf("%q is taken", source)
		}
	}
	for _, source := range []string{"[a]\n- $b\n", "[a]\n- ($a)\n"} {
		g := &Grammar{sections: map[string]*section{}}
		if err := g.parse(source); err != nil {
			t.Fatal(err)
		}
		if err := g.settle(); err == nil {
			t.Errorf("%q is taken", source)
		}
	}
}

// TestReductions: what a minimiser tries at a line.
func TestReductions(t *testing.T) {
	lines := []string{"try:", "    f(1, [2])", "except E:", "    pass", "g()"}
	want := []string{"g()", "try:\n    pass\nexcept E:\n    pass\ng()", "f(1, [2])\ng()"}
	got := map[string]bool{}
	for _, at := range []int{0, 1} {
		for _, r := range reductions(lines, at) {
			got[strings.Join(r, "\n")] = true
		}
	}
	for _, w := range want {
		if !got[w] {
			t.Errorf("no reduction to %q in %v", w, got)
		}
	}
}
