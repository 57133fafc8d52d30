package mutants

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Verdict is what became of a mutant.
type Verdict int

// The verdicts.
const (
	Killed   Verdict = iota // a test failed, or ended by its time limit
	Unviable                // it does not compile
	Survived                // every test passed
)

// Runner tries mutants of the module at Root.
type Runner struct {
	Root  string
	Limit time.Duration       // of one package's tests
	Tests map[string][]string // packages whose tests follow those of a package's own, by package path below the root
}

// NewRunner prepares a runner: the tests that follow a package's own are those of the packages that import it, among the consensus packages and the kit.
func NewRunner(root string, limit time.Duration) (*Runner, error) {
	list := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports ","}} {{join .TestImports ","}} {{join .XTestImports ","}}`,
		"./chain/...", "./runtime/...", "./actors/executor", "./actors/replica", "./testkit")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	const module = "github.com/cowboyinc/cowboy-go/"
	r := &Runner{Root: root, Limit: limit, Tests: map[string][]string{}}
	for line := range strings.Lines(string(out)) {
		fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' })
		for _, imported := range fields[1:] {
			if name, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(r.Tests[name], fields[0]) {
				r.Tests[name] = append(r.Tests[name], fields[0])
			}
		}
	}
	for name, users := range r.Tests {
		slices.SortStableFunc(users, func(a, b string) int { return distance(a) - distance(b) })
		r.Tests[name] = users
	}
	return r, nil
}

// distance orders the tests: cheap ones near the rules come first.
func distance(pkg string) int {
	for i, part := range []string{"/chain/", "/runtime/drain", "/runtime/transition", "/runtime/host", "/runtime/", "/actors/", "/testkit"} {
		if strings.Contains(pkg, part) {
			return i
		}
	}
	return 9
}

// Try builds the mutant and runs tests until one fails. An error is a failure of the tools.
func (r *Runner) Try(ctx context.Context, m Mutant) (Verdict, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	target := filepath.Join(r.Root, filepath.FromSlash(m.File))
	source, err := os.ReadFile(target)
	if err != nil {
		return 0, err
	}
	changed, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, m.Apply(source), 0o600); err != nil {
		return 0, err
	}
	table, err := json.Marshal(map[string]map[string]string{"Replace": {target: changed}})
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(overlay, table, 0o600); err != nil {
		return 0, err
	}
	own := path.Dir(m.File)
	if ok, err := r.run(ctx, "build", "-overlay="+overlay, "./"+own); err != nil || !ok {
		return Unviable, err
	}
	for _, pkg := range append([]string{"./" + own}, r.Tests[own]...) {
		if strings.HasSuffix(pkg, "/runtime/pvm") {
			continue // its recordings take minutes and are about the machine alone
		}
		ok, err := r.run(ctx, "test", "-count=1", "-failfast", "-vet=off", "-timeout="+r.Limit.String(), "-overlay="+overlay, pkg)
		if err != nil || !ok {
			return Killed, err
		}
	}
	return Survived, nil
}

// run reports whether a go command succeeded.
func (r *Runner) run(ctx context.Context, args ...string) (bool, error) {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = r.Root
	err := c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return false, nil
	}
	return err == nil, err
}
