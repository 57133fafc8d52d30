package pytest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Every name of the surface does what its documentation says, on the node's own runtime.
//
// Spec: sdk §21.
func TestSurface(t *testing.T) {
	report, err := Run("testdata/test_counter.py", Options{})
	if err != nil {
		t.Fatal(err)
	}
	results := report.Results
	if len(results) != 15 {
		t.Errorf("%d tests", len(results))
	}
	for _, r := range results {
		if !r.OK {
			t.Errorf("%s: %s", r.Name, r.Failure)
		}
		if r.Cycles == 0 || r.Cells == 0 {
			t.Errorf("%s: %d cycles, %d cells", r.Name, r.Cycles, r.Cells)
		}
	}
}

// Methods called directly: who calls, what is stored, sent, emitted, scheduled and asked for.
//
// Spec: sdk §21 (mock_host).
func TestMockHost(t *testing.T) {
	report, err := Run("testdata/test_mock_host.py", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Results) != 5 {
		t.Errorf("%d tests", len(report.Results))
	}
	for _, r := range report.Results {
		if !r.OK {
			t.Errorf("%s: %s", r.Name, r.Failure)
		}
	}
}

// A failing test is a result with its place and reason; the others run all the same.
//
// Spec: sdk §21.
func TestFailures(t *testing.T) {
	report, err := Run("testdata/test_failing.py", Options{Cycles: 30_000_000})
	if err != nil {
		t.Fatal(err)
	}
	results := report.Results
	want := map[string][]string{
		"test_assertion":                      {"AssertionError: sums: 2 == 3", "line 6", "assert 1 + 1 == 3"},
		"test_error":                          {"ValueError: inside", "line 10"},
		"test_good":                           nil,
		"test_endless":                        {"out of cycles"},
		"TestSet.test_broken":                 {"KeyError: 'missing'"},
		"TestSet.test_impersonating_an_actor": {"an actor sends no transactions"},
	}
	if len(results) != len(want) {
		t.Errorf("%d results", len(results))
	}
	for _, r := range results {
		parts, known := want[r.Name]
		if !known || r.OK != (parts == nil) {
			t.Errorf("%s: ok %v, %s", r.Name, r.OK, r.Failure)
		}
		for _, part := range parts {
			if !strings.Contains(r.Failure, part) {
				t.Errorf("%s: %q does not say %q", r.Name, r.Failure, part)
			}
		}
	}
	if results[0].Output != "about to fail\n" {
		t.Errorf("output %q", results[0].Output)
	}
}

// A file that does not load is an error that says where.
func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ source, want string }{
		"syntax.py":  {"def test_x(:\n    pass\n", "syntax.py:1"},
		"imports.py": {"import nothing_there\n", "No module named 'nothing_there'"},
		"raises.py":  {"1 / 0\n", "ZeroDivisionError"},
		"actor.py":   {"import bad\n", "bad.py:1"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			for file, text := range map[string]string{path: c.source, filepath.Join(dir, "bad.py"): "import time\n"} {
				t.Run(file, func(t *testing.T) {
					if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				})
			}
			if _, err := Run(path, Options{}); !errors.Is(err, ErrLoad) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if _, err := Run(filepath.Join(dir, "missing.py"), Options{}); !errors.Is(err, ErrLoad) || !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// The same file gives the same results every time.
func TestRepeatable(t *testing.T) {
	var first []Result
	for range 2 {
		report, err := Run("testdata/test_counter.py", Options{Filter: func(name string) bool {
			return strings.Contains(name, "jobs") ||
				strings.Contains(name, "timers")
		}})
		if err != nil {
			t.Fatal(err)
		}
		results := report.Results
		for i, r := range results {
			if first != nil && (r.Cycles != first[i].Cycles || r.Cells != first[i].Cells || r.Name != first[i].Name) {
				t.Errorf("%+v, before %+v", r, first[i])
			}
		}
		first = results
	}
	if len(first) != 3 {
		t.Errorf("%d results", len(first))
	}
}

// Coverage names the lines of actors that ran, test by test, in the file they were written in, and does not change what is measured.
//
// Spec: sdk §21.
func TestCoverage(t *testing.T) {
	plain, err := Run("testdata/test_counter.py", Options{})
	if err != nil {
		t.Fatal(err)
	}
	covered, err := Run("testdata/test_counter.py", Options{Cover: true})
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][]int{}
	for i, r := range covered.Results {
		if p := plain.Results[i]; p.Cycles != r.Cycles || !r.OK {
			t.Errorf("%s: %d cycles, without coverage %d; %s", r.Name, r.Cycles, p.Cycles, r.Failure)
		}
		lines[r.Name] = r.Lines["testdata/counter.py"]
	}
	source, err := os.ReadFile("testdata/counter.py")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) int {
		return 1 + strings.Count(string(source[:strings.Index(string(source), text)]), "\n")
	}
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"test_failures":          {`raise ValueError("a counter goes up")`, true},
		"test_calls_and_state":   {`raise ValueError("a counter goes up")`, false},
		"test_timers_and_blocks": {`self.storage["ticked"]`, true},
		"test_jobs":              {`self.storage["answer"]`, true},
		"test_two_actors":        {`self.storage["heard"]`, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := slices.Contains(lines[name], at(c.text)); got != c.want {
				t.Errorf("%s: line %d ran %v", name, at(c.text), got)
			}
		})
	}
	executable := covered.Executable["testdata/counter.py"]
	if !slices.Contains(executable, at(`raise ValueError("a counter goes up")`)) || slices.Contains(executable, 1) {
		t.Errorf("executable %v", executable)
	}
	own, err := os.ReadFile("testdata/test_counter.py")
	if err != nil {
		t.Fatal(err)
	}
	line := 1 + strings.Count(string(own[:strings.Index(string(own), "return _text(payload)")]), "\n")
	for _, r := range covered.Results {
		if r.Name == "TestClass.test_actor_of_the_test_file" && !slices.Contains(r.Lines["testdata/test_counter.py"], line) {
			t.Errorf("lines of the test file's own actor: %v", r.Lines)
		}
	}
}

// TestNamesAreOnlyRead: files are tested at the same time, and all machines share the names that native code knows; the functions a file's tests are given
// add none.
func TestNamesAreOnlyRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "test_one.py")
	source := []byte("from cowboy_sdk.testing import SimulatedChain\n\ndef test_one():\n    assert SimulatedChain().height == 0 or True\n")
	r, err := NewRunner(file, source, Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := r.Run()
	if err != nil || len(report.Results) != 1 {
		t.Fatalf("%+v %v", report, err)
	}
	for _, parameter := range []string{"envelope", "times"} { // of functions made for each file
		if _, known := object.KnownName(parameter); known {
			t.Errorf("%q was added to the names while a machine ran", parameter)
		}
	}
}

// A test that fails shows what failed beside it since it began: a timer and a message, each with its lines; one that fails before anything did shows nothing.
func TestFaultsAreShown(t *testing.T) {
	source := `
from cowboy_sdk import actor, deferred, public, runtime, send
from cowboy_sdk.testing import CBY, SimulatedChain

@actor
class Sleeper:
    @deferred
    @public
    def init(self, payload):
        runtime.set_timer(runtime.get_block_height() + 12, "wake", b"")

    @deferred
    @public
    def tell(self, payload):
        send(self.address, {"handler": "hear"})

    @public
    def wake(self, payload):
        raise KeyError("slept")

    @public
    def hear(self, payload):
        self.wake(payload)

    @public
    def fine(self, payload):
        return b"ok"

def test_late():
    chain = SimulatedChain(Sleeper, balance=20 * CBY)
    chain.call("tell")
    chain.advance_block(14)
    assert chain.call("fine") == b"no"

def test_early():
    chain = SimulatedChain(Sleeper, balance=20 * CBY)
    assert chain.call("fine") == b"no"

def test_good():
    chain = SimulatedChain(Sleeper, balance=20 * CBY)
    chain.advance_block(14)
`
	r, err := NewRunner(filepath.Join(t.TempDir(), "test_sleeper.py"), []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := r.Run()
	if err != nil {
		t.Fatal(err)
	}
	failures := map[string]string{}
	for _, x := range report.Results {
		failures[x.Name] = x.Failure
	}
	for _, want := range []string{"failed since the test began", ": timer to ", ": message to ", "line 19, in wake", "line 23, in hear", "KeyError: 'slept'"} {
		if !strings.Contains(failures["test_late"], want) {
			t.Errorf("no %q in\n%s", want, failures["test_late"])
		}
	}
	if early := failures["test_early"]; strings.Contains(early, ": timer to ") || !strings.Contains(early, "AssertionError") {
		t.Errorf("before the timer fired:\n%s", early)
	}
	if failures["test_good"] != "" {
		t.Error(failures["test_good"])
	}
}
