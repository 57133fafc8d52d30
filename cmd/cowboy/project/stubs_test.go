package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/sdk/stubs"
)

// TestWriteStubs: every stub is written, a configuration that is there is kept.
func TestWriteStubs(t *testing.T) {
	dir := t.TempDir()
	made, err := WriteStubs(dir)
	if err != nil || len(made) != 2 {
		t.Fatal(made, err)
	}
	for _, name := range stubs.Paths() {
		want, _ := stubs.Text(name)
		if got, err := os.ReadFile(filepath.Join(dir, "typings", name)); err != nil || string(got) != string(want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	own := filepath.Join(dir, "pyrightconfig.json")
	if err := os.WriteFile(own, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if made, err = WriteStubs(dir); err != nil || len(made) != 1 {
		t.Fatal(made, err)
	}
	if text, _ := os.ReadFile(own); string(text) != "{}" {
		t.Errorf("%q", text)
	}
}
