package examples

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/pytest"
)

// TestInPython runs the examples' own tests, which are written in Python as their authors would: `cowboy test` runs the same files.
// Spec: sdk §21.
func TestInPython(t *testing.T) {
	paths, err := filepath.Glob("tests/test_*.py")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".py"), func(t *testing.T) {
			report, err := pytest.Run(path, pytest.Options{Path: []string{"."}})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range report.Results {
				if !r.OK {
					t.Errorf("%s: %s", r.Name, r.Failure)
				}
			}
		})
	}
}

// handlers are the methods of an actor that can be reached from outside.
var handlers = regexp.MustCompile(`(?m)^    (?:async )?def ([a-z]\w*)\(self`)

// TestEveryHandler: every handler of every example is called by name in its Go scenario and in its Python test.
func TestEveryHandler(t *testing.T) {
	actors, err := filepath.Glob("*.py")
	if err != nil || len(actors) == 0 {
		t.Fatal(actors, err)
	}
	scenarios := ""
	paths, _ := filepath.Glob("*_test.go")
	for _, path := range paths {
		scenarios += source(t, path)
	}
	for _, actor := range actors {
		own, err := os.ReadFile("tests/test_" + actor)
		if err != nil {
			t.Errorf("%s has no test in Python", actor)
			continue
		}
		if !strings.Contains(scenarios, `"`+actor+`"`) {
			t.Errorf("%s has no scenario", actor)
		}
		for _, m := range handlers.FindAllStringSubmatch(source(t, actor), -1) {
			if m[1] == "init" { // called by the deployment
				continue
			}
			if quoted := `"` + m[1] + `"`; !strings.Contains(string(own), quoted) {
				t.Errorf("tests/test_%s does not call %s", actor, quoted)
			} else if !strings.Contains(scenarios, quoted) {
				t.Errorf("no scenario calls %s of %s", quoted, actor)
			}
		}
	}
}
