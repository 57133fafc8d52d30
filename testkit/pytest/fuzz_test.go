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
	if len(first.Found) != 1 {
		t.Fatalf("%+v", first)
	}
	found := first.Found[0]
	if found.Invariant != "invariant_points_add_up" || found.Calls != 1 || !strings.Contains(found.Failure, "AssertionError") ||
		!strings.Contains(found.Test, "case.chain.try_call('lend', '{\"to\":\"0x") {
		t.Fatalf("%+v: %+v", first, found)
	}
	if again := runner(t, file).Fuzz("FuzzVault", o).Found; len(again) != 1 || *again[0] != *found {
		t.Errorf("the same seed finds %+v", again)
	}
	put := r.Fuzz("FuzzPut", sequence.Options{Seed: 3, Runs: 20})
	if len(put.Found) != 0 || put.Failure != "" || put.Runs != 20 ||
		!slices.Equal(put.Handlers, []string{"put"}) || put.Faults == 0 || put.Faults == put.Calls {
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
	if x := runner(t, file).Fuzz("FuzzVault", sequence.Options{Seed: 3, Runs: 60}); len(x.Found) != 0 || x.Calls < 200 {
		t.Errorf("mended: %+v", x)
		for _, f := range x.Found {
			t.Errorf("%s\n%s", f.Failure, f.Test)
		}
	}
}

// parsing reads numbers, pairs and coins. Its three bugs are reached by a negative number, by the one number the source compares with, and by a call that
// comes with more than a CBY; a handler that always fails stands beside.
const parsing = `
from cowboy_sdk import actor, public, runtime

SECRET = 40 * 1_000 + 77

@actor
class Till:
    @public
    def init(self, payload):
        self.storage["coins"] = 0
        self.storage["open"] = 0
        self.storage["paid"] = 0

    @public
    def put(self, payload):
        n = int(payload)
        if n > 1_000:
            raise ValueError("1,000 at most")
        self.storage["coins"] += n

    @public
    def unlock(self, payload):
        name, code = payload.decode().split(":")
        if int(code) == SECRET:
            self.storage["open"] = 1

    @public
    def pay(self, payload):
        came = runtime.context()["value"]
        if came > 1_000_000_000:
            self.storage["paid"] = came
`

const fuzzParsing = `
from cowboy_sdk.testing import SimulatedChain
from till import Till

class FuzzTill:
    def setUp(self):
        self.chain = SimulatedChain(Till)

    def invariant_never_negative(self):
        assert self.chain.state.get("coins") >= 0

    def invariant_stays_locked(self):
        assert self.chain.state.get("open") == 0

    def invariant_takes_a_coin_at_most(self):
        assert self.chain.state.get("paid") == 0
`

// TestFuzzFindsParsed finds what is planted behind int(payload), behind a number the source compares with, and behind coins; each once, each as the one call
// that matters, each written as a test that fails.
//
// Spec: sdk §21.
func TestFuzzFindsParsed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "till.py", parsing)
	write(t, dir, "test_till.py", fuzzParsing)
	x := runner(t, filepath.Join(dir, "test_till.py")).Fuzz("FuzzTill", sequence.Options{Seed: 1, Runs: 400})
	if x.Failure != "" || len(x.Found) != 3 {
		t.Fatalf("%+v", x)
	}
	want := map[string]string{
		"invariant_never_negative":       "try_call('put', '-1', sender='alice')",
		"invariant_stays_locked":         "40077', sender='alice')",
		"invariant_takes_a_coin_at_most": "try_call('pay', '', sender='alice', value=",
	}
	tests := fuzzParsing
	for _, f := range x.Found {
		if f.Calls != 1 || !strings.Contains(f.Test, want[f.Invariant]) {
			t.Errorf("%s, %d calls:\n%s", f.Invariant, f.Calls, f.Test)
		}
		tests += "\n\n" + f.Test
	}
	write(t, dir, "test_till.py", tests)
	report, err := Run(filepath.Join(dir, "test_till.py"), Options{Filter: func(name string) bool { return strings.HasPrefix(name, "test_") }})
	if err != nil || len(report.Results) != 3 {
		t.Fatal(report, err)
	}
	for _, r := range report.Results {
		if r.OK || !strings.Contains(r.Failure, "AssertionError") {
			t.Errorf("%+v", r)
		}
	}
	for _, c := range x.Tally {
		if c.Successes == 0 || c.Successes > c.Calls {
			t.Errorf("%+v", c)
		}
	}
}

// TestFuzzBarren: a search of a handler that never succeeds fails, and says what to write.
func TestFuzzBarren(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "till.py", parsing+"\n    @public\n    def odd(self, payload):\n"+
		"        if payload != b'no source shows this' + b'.':\n            raise ValueError('no')\n")
	write(t, dir, "test_till.py", strings.ReplaceAll(fuzzParsing, "assert", "return"))
	x := runner(t, filepath.Join(dir, "test_till.py")).Fuzz("FuzzTill", sequence.Options{Seed: 1, Runs: 30})
	if !strings.Contains(x.Failure, "odd failed in all of ") || !strings.Contains(x.Failure, "ValueError: no") || !strings.Contains(x.Failure, "$number") {
		t.Errorf("%q", x.Failure)
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
		t.Run(body, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "test_x.py", "from cowboy_sdk.testing import SimulatedChain\n\n"+
				"QUIET = 'x = 1\\n'\nLOUD = 'def noise(payload, ctx):\\n    return None\\n'\n\n"+
				"class FuzzX:\n    def setUp(self):\n        "+body+"\n\n    def invariant_any(self):\n        pass\n")
			x := runner(t, filepath.Join(dir, "test_x.py")).Fuzz("FuzzX", sequence.Options{Runs: 1})
			if !strings.Contains(x.Failure, want) {
				t.Errorf("%s: %q, want %q", body, x.Failure, want)
			}
		})
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
