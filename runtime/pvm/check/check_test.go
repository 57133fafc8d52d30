package check

import (
	"os"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/resolve"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// check parses, resolves and checks a source.
func check(t *testing.T, source []byte, o Options) []*DeterminismError {
	t.Helper()
	m, err := syntax.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := resolve.Resolve(m); err != nil {
		t.Fatal(err)
	}
	return Check(m, o)
}

// TestForbidden compares the findings in testdata/forbidden.py with the marks in
// it.
//
// Spec: WP "Forbidden Operations"; WP-January "Forbidden Operations and Patterns".
func TestForbidden(t *testing.T) {
	source, err := os.ReadFile("testdata/forbidden.py")
	if err != nil {
		t.Fatal(err)
	}
	found := map[int][]*DeterminismError{}
	for _, e := range check(t, source, Options{}) {
		found[e.Line] = append(found[e.Line], e)
	}
	for i, line := range strings.Split(string(source), "\n") {
		_, marks, marked := strings.Cut(line, "# refused: ")
		var want []string
		if marked {
			want = strings.Split(marks, "; ")
		}
		got := found[i+1]
		if len(got) != len(want) {
			t.Errorf("line %d: %d findings %v, want %q", i+1, len(got), got, want)
			continue
		}
		for j, e := range got {
			if !strings.HasPrefix(e.What, want[j]) {
				t.Errorf("line %d: %v, want %q", i+1, e, want[j])
			}
			if e.Instead == "" || e.Col < 1 || e.EndCol <= e.Col && e.EndLine == e.Line {
				t.Errorf("line %d: incomplete finding %+v", i+1, e)
			}
		}
	}
}

// TestImportable: the caller decides what can be imported.
func TestImportable(t *testing.T) {
	source := []byte("import engine\nimport json\n")
	if got := check(t, source, Options{}); len(got) != 1 || got[0].Error() != "1:8: DeterminismError: the module engine cannot be "+
		"imported; publish it as a library of the account, or guard the import with except ImportError" {
		t.Errorf("%v", got)
	}
	only := func(name string) bool { return name == "engine" }
	if got := check(t, source, Options{Importable: only}); len(got) != 1 || got[0].Line != 2 {
		t.Errorf("%v", got)
	}
}

// TestOwnNames: a built-in's name that the module binds anywhere is its own.
func TestOwnNames(t *testing.T) {
	for _, source := range []string{
		"def compile(): pass\ncompile()",
		"class exec: pass\nexec()",
		"import json as eval\neval()",
		"from json import loads as eval\neval()",
		"def f():\n global eval\n eval = 1\neval",
		"for eval in x: eval",
		"[(eval := y) for y in x]\neval",
		"try: pass\nexcept x as eval: eval",
		"match x:\n case [eval, {**exec}]: eval, exec",
		"with x as eval: eval",
		"def f(): return eval\neval = 1",
		"class A:\n eval = 1\n print(eval)\neval = 2",
	} {
		if got := check(t, []byte(source), Options{}); len(got) != 0 {
			t.Errorf("%q: %v", source, got)
		}
	}
	for _, source := range []string{
		"class A:\n eval = 1\n def f(self): return eval",
		"def f():\n eval = 1\neval",
		"[eval for eval in x]\neval",
	} {
		if got := check(t, []byte(source), Options{}); len(got) != 1 {
			t.Errorf("%q: %v", source, got)
		}
	}
}
