package pytest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/sequence"
)

// TestFuzz finds the sequence that breaks an invariant, shortens it to the one call that matters, and writes it as a test, which fails until the actor is
// mended. The same seed finds the same; handlers that are not named are not called.
//
// Spec: sdk §21.
func TestFuzz(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"vault.py", "test_vault.py"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, string(data))
	}
	file := filepath.Join(dir, "test_vault.py")
	r := runner(t, file)
	if classes, err := r.Fuzzers(); err != nil || !slices.Equal(classes, []string{"FuzzVault", "FuzzPut"}) {
		t.Fatalf("%v, %v", classes, err)
	}
	o := sequence.Options{Seed: 3, Runs: 300}
	first := r.Fuzz("FuzzVault", o)
	found := first.Found
	if found == nil || found.Invariant != "invariant_points_add_up" || found.Calls != 1 || !strings.Contains(found.Failure, "AssertionError") ||
		!strings.Contains(found.Test, "case.chain.try_call('lend', '{\"to\":\"0x") {
		t.Fatalf("%+v: %+v", first, found)
	}
	if again := runner(t, file).Fuzz("FuzzVault", o).Found; *again != *found {
		t.Errorf("the same seed finds %+v", again)
	}
	put := r.Fuzz("FuzzPut", sequence.Options{Seed: 3, Runs: 20})
	if put.Found != nil || put.Failure != "" || put.Runs != 20 || !slices.Equal(put.Handlers, []string{"put"}) || put.Faults == 0 || put.Faults == put.Calls {
		t.Errorf("%+v", put)
	}

	write(t, dir, "test_vault.py", string(read(t, dir, "test_vault.py"))+"\n\n"+found.Test)
	outcome := func() Result {
		report, err := Run(file, Options{Filter: func(name string) bool { return name == "test_points_add_up_holds" }})
		if err != nil || len(report.Results) != 1 {
			t.Fatal(report, err)
		}
		return report.Results[0]
	}
	if x := outcome(); x.OK || !strings.Contains(x.Failure, "AssertionError") {
		t.Errorf("the found test: %+v", x)
	}
	source, err := os.ReadFile(filepath.Join(dir, "vault.py"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "vault.py", strings.Replace(string(source), "self._set(to, theirs + n)", "self._set(to, self._of(to) + n)", 1))
	if x := outcome(); !x.OK {
		t.Errorf("mended: %s", x.Failure)
	}
	if x := runner(t, file).Fuzz("FuzzVault", sequence.Options{Seed: 3, Runs: 60}); x.Found != nil || x.Calls < 200 {
		t.Errorf("mended: %+v", x)
	}
}

// TestFuzzAmongTests: without a search of its own a Fuzz class is one of the tests.
func TestFuzzAmongTests(t *testing.T) {
	report, err := Run("testdata/test_vault.py", Options{})
	if err != nil || len(report.Results) != 2 {
		t.Fatal(report, err)
	}
	vault, put := report.Results[0], report.Results[1]
	if vault.Name != "FuzzVault" || vault.OK || !strings.Contains(vault.Failure, "def test_points_add_up_holds():") {
		t.Errorf("%+v", vault)
	}
	if put.Name != "FuzzPut" || !put.OK || put.Cycles == 0 {
		t.Errorf("%+v", put)
	}
}

// TestFuzzMistakes says what is wrong with a class.
func TestFuzzMistakes(t *testing.T) {
	for body, want := range map[string]string{
		"pass":                               "FuzzX.setUp has to leave a SimulatedChain in self.chain",
		"self.chain = 5":                     "FuzzX.chain is no SimulatedChain",
		"raise ValueError('no')":             "ValueError: no",
		"self.chain = SimulatedChain(QUIET)": "no target has a handler",
		"self.chain = SimulatedChain(LOUD); self.handlers = ['noise', 'music']":                           "case.chain has no handler music anyone may call",
		"self.chain = SimulatedChain(LOUD); self.targets = [SimulatedChain(LOUD)]":                        "targets are actors of one chain",
		"self.chain = SimulatedChain(LOUD); self.targets = [self.chain, self.chain.deploy(LOUD)]; self.x": "AttributeError",
	} {
		dir := t.TempDir()
		write(t, dir, "test_x.py", "from cowboy_sdk.testing import SimulatedChain\n\nQUIET = 'x = 1\\n'\nLOUD = 'def noise(payload, ctx):\\n    return None\\n'\n\n"+
			"class FuzzX:\n    def setUp(self):\n        "+body+"\n\n    def invariant_any(self):\n        pass\n")
		x := runner(t, filepath.Join(dir, "test_x.py")).Fuzz("FuzzX", sequence.Options{Runs: 1})
		if !strings.Contains(x.Failure, want) {
			t.Errorf("%s: %q, want %q", body, x.Failure, want)
		}
	}
}

func runner(t *testing.T, file string) *Runner {
	t.Helper()
	r, err := NewRunner(file, read(t, "", file), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
