package stubs

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/sdk"
)

var (
	defined  = regexp.MustCompile(`(?m)^(?:class|def|async def) ([A-Za-z]\w*)|^([A-Za-z]\w*) = `)
	imported = regexp.MustCompile(`(?s)from pvm_host import (?:\(([^)]*)\)|([^\n]*))`)
	lazy     = regexp.MustCompile(`"(\w+)"`)
)

// plumbing are names between the modules of the SDK, which no actor uses.
var plumbing = map[string]bool{"cowboy_sdk": true, "plain": true, "captured": true, "restored": true, "read_result": true}

// TestComplete: every public name of a module of the SDK stands in its stub.
//
// Spec: sdk §2.
func TestComplete(t *testing.T) {
	for _, module := range sdk.Modules() {
		name := strings.TrimPrefix(strings.TrimPrefix(module, "cowboy_sdk"), ".")
		if strings.HasPrefix(name, "_") || name == "testing" {
			continue
		}
		if name == "" {
			name = "__init__"
		}
		stub, ok := Text("cowboy_sdk/" + name + ".pyi")
		if !ok {
			t.Errorf("%s has no stub", module)
			continue
		}
		source, _ := sdk.Source(module)
		var names []string
		for _, m := range defined.FindAllStringSubmatch(string(source), -1) {
			names = append(names, m[1]+m[2])
		}
		for _, m := range imported.FindAllStringSubmatch(string(source), -1) {
			names = append(names, strings.FieldsFunc(m[1]+m[2], func(r rune) bool { return r == ',' || r == '\n' || r == ' ' })...)
		}
		if name == "__init__" {
			for _, m := range lazy.FindAllStringSubmatch(string(source), -1) {
				names = append(names, m[1])
			}
		}
		for _, n := range names {
			if !plumbing[n] && !regexp.MustCompile(`(?m)\b`+n+`\b`).Match(stub) {
				t.Errorf("the stub of %s lacks %s", module, n)
			}
		}
	}
}

// TestPaths: Paths and Text agree, and no stub is empty.
func TestPaths(t *testing.T) {
	paths := Paths()
	if len(paths) < 10 {
		t.Fatalf("%d stubs", len(paths))
	}
	for _, path := range paths {
		if text, ok := Text(path); !ok || len(text) == 0 {
			t.Errorf("%s: %d bytes", path, len(text))
		}
	}
	if _, ok := Text("cowboy_sdk/none.pyi"); ok {
		t.Error("a stub that is not there")
	}
}
