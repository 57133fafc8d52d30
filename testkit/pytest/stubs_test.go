package pytest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/sdk/stubs"
)

// texts matches the documentation strings, whose examples define functions too.
var texts = regexp.MustCompile(`(?s)""".*?"""`)

// declared matches the public functions, classes, constants and methods of a module, one a line.
var declared = regexp.MustCompile(`(?m)^(?: {4})?(?:def|class) ([A-Za-z]\w*)|^([A-Za-z]\w*) = `)

// TestStubs: every public name and method of the modules that tests import stands in its stub.
//
// Spec: sdk §21.
func TestStubs(t *testing.T) {
	for name, source := range map[string][]byte{"testing": testingSource, "mock_host": mockSource} {
		t.Run(name, func(t *testing.T) {
			stub, ok := stubs.Text("cowboy_sdk/" + name + ".pyi")
			if !ok {
				t.Fatalf("%s has no stub", name)
			}
			found := declared.FindAllStringSubmatch(texts.ReplaceAllString(string(source), ""), -1)
			if len(found) < 10 {
				t.Fatalf("%s: %d names", name, len(found))
			}
			for _, m := range found {
				if one := strings.TrimSpace(m[1] + m[2]); !regexp.MustCompile(`(?m)\b` + one + `\b`).Match(stub) {
					t.Errorf("the stub of %s lacks %s", name, one)
				}
			}
		})
	}
}
