package fairness

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// TestGoldenWorst replays the programs and native calls that were found dear: each ends as recorded, and is charged no less than recorded, so
// that what was made to pay goes on paying. REWRITE=1 records anew.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestGoldenWorst(t *testing.T) {
	const file = "testdata/worst.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadKept(string(text))
	if err != nil || len(list) < 80 {
		t.Fatal(len(list), err)
	}
	var anew bytes.Buffer
	for _, k := range list {
		ending, cycles, err := k.Replay()
		switch {
		case err != nil:
			t.Error(err)
		case os.Getenv("REWRITE") != "":
			k.Ending, k.Cycles = ending, cycles
			if err := k.Append(&anew); err != nil {
				t.Fatal(err)
			}
		case ending != k.Ending:
			t.Errorf("%s ends with %q, recorded is %q", k.Name, ending, k.Ending)
		case cycles < k.Cycles:
			t.Errorf("%s costs %d cycles, at least %d are recorded", k.Name, cycles, k.Cycles)
		}
	}
	if anew.Len() > 0 && !t.Failed() {
		if err := os.WriteFile(file, anew.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestActor makes actors of the cases: each goes on until its cycles are spent, however little the case itself takes, so that four transactions with it fill
// a block.
//
// Spec: WP §4 (a block's cycles).
func TestActor(t *testing.T) {
	text, err := os.ReadFile("testdata/worst.txt")
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadKept(string(text))
	if err != nil {
		t.Fatal(err)
	}
	list = append(list,
		Kept{Name: "nothing but a body", Source: "class C:\n    x = 1\nC().x\n"},
		Kept{Name: "ends at once", Source: "def attack(p):\n    1 / 0\n"})
	for _, k := range list {
		if s, how, ok := (Program{k.Name, k.Actor()}).Run(); !ok || how != "out of cycles" || s.Cycles < programCycles {
			t.Errorf("%s: compiled %v, ends with %q after %d cycles", k.Name, ok, how, s.Cycles)
		}
	}
}

// TestNatives makes the calls of a seed: they compile, the same again for the same seed, and few have arguments that cannot be made.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestNatives(t *testing.T) {
	first, err := NewNatives(1)
	if err != nil {
		t.Fatal(err)
	}
	if first.Functions() < 1_000 {
		t.Errorf("only %d functions were found", first.Functions())
	}
	again, err := NewNatives(1)
	if err != nil {
		t.Fatal(err)
	}
	calls, same := first.Batch(60), again.Batch(60)
	b, err := NewBatch(calls)
	if err != nil {
		t.Fatal(err)
	}
	missing := 0
	for i, c := range calls {
		if c != same[i] {
			t.Errorf("call %d of the same seed is %q and then %q", i, c.Name, same[i].Name)
		}
		if ending, cycles := b.Outcome(i); cycles == 0 {
			t.Logf("%s: %s", c.Name, ending)
			missing++
		}
	}
	if missing > 10 {
		t.Errorf("%d of %d calls have no arguments", missing, len(calls))
	}
}

var extremes = flag.Int("extremes", 40_000, "calls with arguments that ask for more than there can be")

// TestExtremes calls functions and methods with the least and greatest numbers there are, and with formats that ask for as much: each gives a value or raises
// an exception of Python's, and none stops the machine.
//
// Spec: WP §3.1 (bounded execution).
func TestExtremes(t *testing.T) {
	n, err := NewNatives(uint64(*extremes))
	if err != nil {
		t.Fatal(err)
	}
	ended := map[string]int{}
	for done := 0; done < *extremes; done += 100 {
		calls := n.Extremes(100)
		b, err := NewBatch(calls)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range calls {
			ending, _ := b.Outcome(i)
			if ended[ending]++; ending == pvm.Host.String() {
				t.Errorf("%s: %s", c.Name, ending)
			}
		}
	}
	if ended["TypeError"] == 0 || ended["OverflowError"] == 0 || ended["ValueError"] == 0 || ended["MemoryError"] == 0 || ended["int"] == 0 {
		t.Errorf("%v", ended)
	}
}

// TestTurns makes a block of each kind of work that is measured and executes it again as a validator does; few kinds are left out.
//
// Spec: WP §4 (a block's cycles).
func TestTurns(t *testing.T) {
	defer Quiet()()
	var log bytes.Buffer
	h := Hunt{Reference: Reference{Ratio: 1}, Most: 1_000, Log: &log}
	list := turns()
	for i := 0; i < len(list); i += 9 { // all of them take long
		if err := h.turn(list[i]); err != nil {
			t.Errorf("%s: %v", list[i].name, err)
		}
	}
	if got, want := len(h.Worst()), (len(list)+8)/9; got < want-1 {
		t.Errorf("%d of %d kinds were measured:\n%s", got, want, log.String())
	}
}
