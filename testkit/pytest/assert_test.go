package pytest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ran runs tests that are text, with the actors of runtime/host/testdata/tracebacks on the path.
func ran(t *testing.T, text string) []Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "test_it.py")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := Run(file, Options{Path: []string{tracebacks}})
	if err != nil {
		t.Fatal(err)
	}
	return report.Results
}

const tracebacks = "../../runtime/host/testdata/tracebacks"

// A test that fails in an actor shows where, through a call of another actor, as CPython 3.11 prints it for the same sources.
//
// Spec: sdk §21.
func TestActorsSayWhere(t *testing.T) {
	recorded, err := os.ReadFile(filepath.Join(tracebacks, "recorded.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(recorded), "== through\n")
	want, _, _ := strings.Cut(rest, "== ")
	want = strings.NewReplacer("desk.py", filepath.Join(tracebacks, "desk.py"), "till.py", filepath.Join(tracebacks, "till.py")).Replace(want)
	results := ran(t, `
from cowboy_sdk.testing import SimulatedChain
from desk import Desk
from till import Till

def test_call():
    chain = SimulatedChain(Desk)
    till = chain.deploy(Till, init=False)
    chain.call("through", bytes(till.address))

def test_receipt():
    chain = SimulatedChain(Desk)
    till = chain.deploy(Till, init=False)
    print(chain.try_call("through", bytes(till.address)).traceback)
    assert chain.try_call("plain").traceback.endswith("ValueError: the desk is closed")
`)
	if r := results[0]; r.OK || !strings.Contains(r.Failure, want[:len(want)-1]) || !strings.Contains(r.Failure, "line 9, in test_call") {
		t.Errorf("%s\nCPython:\n%s", r.Failure, want)
	}
	if r := results[1]; r.Output != want {
		t.Errorf("%s\nCPython:\n%s", r.Output, want)
	}
}

// What actors print is the test's output, in the order they run.
func TestActorsPrint(t *testing.T) {
	results := ran(t, `
from cowboy_sdk.testing import SimulatedChain

SOURCE = "def f(payload):\n    print('in the actor', payload)\n    return payload\n"

def test_it():
    chain = SimulatedChain(SOURCE)
    print("before")
    chain.call("f", b"x")
    print("after")
`)
	if r := results[0]; !r.OK || r.Output != "before\nin the actor b'x'\nafter\n" {
		t.Errorf("%q %s", r.Output, r.Failure)
	}
}

// A failed assert of one comparison says both sides as they were compared, each computed once; others stay as they are written.
func TestAssertsShowValues(t *testing.T) {
	results := ran(t, `
calls = []

def take(value):
    calls.append(value)
    return value

def test_equal():
    assert take(3) == take(4)

def test_message():
    assert [1, 2] == [1, 3], "lists"

def test_order():
    assert 5 < 4

def test_within():
    assert "x" in {"y": 1}

def test_nested():
    for n in range(3):
        if n == 2:
            with open("x") if False else Quiet():
                assert n != 2

class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *a):
        return False

def test_long():
    assert "a" * 500 == "b" * 500

def test_strange():
    assert "\u202e\x1b" == ""

def test_truth():
    assert take(0)

def test_chain():
    assert 1 < 2 < 2

def test_good():
    assert take(7) == 7 and calls == [7]

class TestClass:
    limit = 3
    def test_method(self):
        assert self.limit == 4
`)
	for name, want := range map[string]string{
		"test_equal":   "AssertionError: 3 == 4",
		"test_message": "AssertionError: lists: [1, 2] == [1, 3]",
		"test_order":   "AssertionError: 5 < 4",
		"test_within":  "AssertionError: 'x' in {'y': 1}",
		"test_nested":  "AssertionError: 2 != 2",
		"test_long": "AssertionError: \n  left == right\n  left:  '" + strings.Repeat("a", 399) +
			"…\n  right: '" + strings.Repeat("b", 399) + "…",
		"test_strange":          `AssertionError: '\u202e\x1b' == ''`,
		"test_truth":            "AssertionError",
		"test_chain":            "AssertionError",
		"test_good":             "",
		"TestClass.test_method": "AssertionError: 3 == 4",
	} {
		t.Run(name, func(t *testing.T) {
			found := false
			for _, r := range results {
				if r.Name == name {
					found = true
					if r.OK != (want == "") || !strings.HasSuffix(r.Failure, want) || strings.Count(r.Failure, "    assert ") > 1 {
						t.Errorf("%s: ok %v: %s", name, r.OK, r.Failure)
					}
				}
			}
			if !found {
				t.Errorf("%s did not run", name)
			}
		})
	}
}
