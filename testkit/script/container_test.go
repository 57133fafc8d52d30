package script

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/testkit/contained"
)

// here are the conditions of stories. [oci]: an OCI runtime starts containers on this machine.
func here(condition string) (bool, error) {
	if condition != "oci" {
		return false, fmt.Errorf("there is no condition %q", condition)
	}
	_, err := work.FindRuntime(context.Background(), "")
	return err == nil, nil
}

// buildsContained builds the image that tests of containers run: its digest is kept in the variable, the layout's directory in LAYOUT.
func buildsContained(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: contained NAME")
	}
	dir := ts.MkAbs("image")
	ts.Check(contained.Passable(ts.MkAbs(".tmp"))) // where a runtime is tried
	ts.Check(os.Mkdir(dir, 0o755))
	digest, err := contained.Layout(dir)
	ts.Check(err)
	ts.Setenv(args[0], digest)
	ts.Setenv("LAYOUT", filepath.Join(dir, "layout"))
}
