package dead

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/tidy"
)

// TestNoDeadCode refuses functions that no command and no test reaches, and, outside testkit, those that tests alone reach and that are not on
// testdata/lists/tested.txt. That list only shrinks; REWRITE=1 takes off it what is no longer needed.
func TestNoDeadCode(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the whole project, and its tests, from the source")
	}
	report, err := Find("../../..", "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Dead {
		t.Errorf("%s:%d: nobody reaches %s", f.File, f.Line, f.Name)
	}
	found := tidy.Findings{}
	for _, f := range report.Tested {
		if !strings.HasPrefix(f.File, "testkit/") {
			found[f.String()]++
		}
	}
	path := filepath.Join("testdata", "lists", "tested.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	list, err := tidy.ParseList(string(text))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if os.Getenv("REWRITE") != "" {
		list = found.Shrink(list)
		if err := os.WriteFile(path, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, problem := range found.Against(list) {
		t.Errorf("reached from tests alone: %s (%s)", problem, path)
	}
}

// TestFindTellsApart shows that the check can fail: what is called through an interface, a table or a type parameter is reached, the rest is not.
func TestFindTellsApart(t *testing.T) {
	report, err := Find("testdata/sample", ".")
	if err != nil {
		t.Fatal(err)
	}
	names := func(list []Function) []string {
		var s []string
		for _, f := range list {
			s = append(s, f.String())
		}
		return s
	}
	if got, want := names(report.Dead), []string{"main.go dog.bark", "main.go dead", "main.go box.empty", "main_test.go unused"}; !slices.Equal(got, want) {
		t.Errorf("dead are %q, want %q", got, want)
	}
	if got, want := names(report.Tested), []string{"main.go onlyTests", "main.go box.full"}; !slices.Equal(got, want) {
		t.Errorf("reached from tests alone are %q, want %q", got, want)
	}
}
