package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Verdict is what became of a mutant.
type Verdict int

// The verdicts.
const (
	Killed   Verdict = iota // a test failed, or ended by its time limit
	Unviable                // it does not compile
	Survived                // every test that reaches its function passed
)

// memory is how many KiB of address space a test may take, so that a loop that does not end any more does not take the machine's.
const memory = 12 << 20

// Runner holds test programs in which every mutant of a list can be switched on.
type Runner struct {
	root, dir string
	list      []Mutant
	unviable  map[int]bool
	trials    []trial
	reached   map[int][]int // by mutant: trials, in the order in which they are made
	skipped   []string
	patience  time.Duration // beyond ten times what tests take without a mutant
}

// program is the compiled tests of one package.
type program struct{ pkg, dir, binary string }

// trial is one test of a program.
type trial struct {
	program
	name string
	took time.Duration // without a mutant
}

// Consensus are the packages whose tests are to notice a change of the rules: not those of the Python machine, which know none of them.
func Consensus(root string) ([]string, error) {
	out, err := command(context.Background(), root, "go", "list", "./chain/...", "./runtime/...", "./actors/executor", "./actors/replica", "./testkit")
	packages := strings.Fields(out)
	return slices.DeleteFunc(packages, func(pkg string) bool { return strings.Contains(pkg, "/runtime/pvm") }), err
}

// NewRunner compiles the tests of the packages, import paths of the module at root, with all mutants of the list in them, and runs each test once to see
// which mutants it reaches. A mutant that does not compile is left out.
func NewRunner(ctx context.Context, root string, packages []string, list []Mutant) (*Runner, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	r := &Runner{root: root, dir: dir, list: list, unviable: map[int]bool{}, reached: map[int][]int{}, patience: 20 * time.Second}
	overlay, err := r.compile(ctx)
	for i := 0; err == nil && i < len(packages); i++ {
		err = r.link(ctx, overlay, i, packages[i])
	}
	for i := 0; err == nil && i < len(r.trials); i++ {
		err = r.reach(ctx, i)
	}
	if err != nil {
		_ = r.Close()
		return nil, err
	}
	for _, reached := range r.reached {
		slices.SortFunc(reached, func(a, b int) int { return int(r.trials[a].took - r.trials[b].took) })
	}
	return r, nil
}

// Close removes what was compiled.
func (r *Runner) Close() error { return os.RemoveAll(r.dir) }

// Skipped are the tests that fail as soon as mutants can be switched on, since they count what the compiler does. No mutant is tried with them.
func (r *Runner) Skipped() []string { return r.skipped }

// compile writes the overlay, and again without the mutants that the compiler refuses, until it takes the rest.
func (r *Runner) compile(ctx context.Context) (overlay string, err error) {
	for {
		overlay, places, dirs, err := r.write()
		if err != nil {
			return "", err
		}
		out, err := command(ctx, r.root, "go", append([]string{"build", "-overlay=" + overlay}, dirs...)...)
		if err == nil {
			return overlay, nil
		}
		before := len(r.unviable)
		for _, hit := range place.FindAllStringSubmatch(out, -1) {
			line, _ := strconv.Atoi(hit[2])
			for n, at := range places[path.Base(hit[1])] { // the command may shorten the directory
				if line >= at.first && line < at.end {
					r.unviable[n] = true
				}
			}
		}
		if len(r.unviable) == before {
			return "", fmt.Errorf("mutants: %w\n%s", err, out)
		}
	}
}

// place is where the compiler finds an error.
var place = regexp.MustCompile(`(?m)^(\S*woven\d+\.go):(\d+):`)

// lines are those of a mutant's copy.
type lines struct{ first, end int }

// write puts all mutants that are thought to compile into an overlay, and tells where they are, by the name of the overlay's file and by mutant.
func (r *Runner) write() (overlay string, places map[string]map[int]lines, dirs []string, err error) {
	files := map[string][]numbered{}
	for n, m := range r.list {
		if !r.unviable[n] {
			files[m.File] = append(files[m.File], numbered{m, n + 1})
		}
	}
	replace, places := map[string]string{}, map[string]map[int]lines{}
	for file, list := range files {
		target := filepath.Join(r.root, filepath.FromSlash(file))
		source, err := os.ReadFile(target)
		if err != nil {
			return "", nil, nil, err
		}
		woven, firsts, err := weave(source, list)
		if err != nil {
			return "", nil, nil, err
		}
		base := fmt.Sprintf("woven%d.go", len(replace))
		name := filepath.Join(r.dir, base)
		places[base] = map[int]lines{}
		for i, m := range list {
			copied := bytes.Count(m.Apply(source), []byte("\n")) // no copy is longer than its file
			end := firsts[i] + copied
			for _, first := range firsts {
				if first > firsts[i] {
					end = min(end, first)
				}
			}
			places[base][m.number-1] = lines{firsts[i], end}
		}
		replace[target] = name
		if err := os.WriteFile(name, woven, 0o600); err != nil {
			return "", nil, nil, err
		}
		dir := filepath.Dir(target)
		added := filepath.Join(dir, "mutant_switch.go")
		if _, known := replace[added]; known {
			continue
		}
		dirs = append(dirs, "./"+path.Dir(file))
		name = filepath.Join(r.dir, strconv.Itoa(len(replace))+".go")
		replace[added] = name
		header := regexp.MustCompile(`(?m)^package (\w+)`).FindSubmatch(source)
		if err := os.WriteFile(name, fmt.Appendf(nil, switchFile, header[1]), 0o600); err != nil {
			return "", nil, nil, err
		}
	}
	table, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", nil, nil, err
	}
	slices.Sort(dirs)
	overlay = filepath.Join(r.dir, "overlay.json")
	return overlay, places, dirs, os.WriteFile(overlay, table, 0o600)
}

// link makes a package's test program.
func (r *Runner) link(ctx context.Context, overlay string, number int, pkg string) error {
	dir, err := command(ctx, r.root, "go", "list", "-f", "{{.Dir}}", pkg)
	if err != nil {
		return err
	}
	p := program{pkg: pkg, dir: strings.TrimSpace(dir), binary: filepath.Join(r.dir, strconv.Itoa(number)+".test")}
	if out, err := command(ctx, r.root, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay="+overlay, "-o", p.binary, pkg); err != nil {
		return fmt.Errorf("mutants: %w\n%s", err, out)
	}
	if _, err := os.Stat(p.binary); err != nil {
		return nil // there are no tests
	}
	names, err := command(ctx, p.dir, p.binary, "-test.list=^(Test|Fuzz|Example)")
	for _, name := range strings.Fields(names) {
		r.trials = append(r.trials, trial{program: p, name: name})
	}
	return err
}

// reach runs a test as it is and keeps which mutants it could have met.
func (r *Runner) reach(ctx context.Context, i int) error {
	log := filepath.Join(r.dir, "reached")
	if err := os.RemoveAll(log); err != nil {
		return err
	}
	x := &r.trials[i]
	start := time.Now()
	passed, err := r.test(ctx, &x.program, []string{x.name}, -1, 20*time.Minute)
	if err != nil {
		return err
	}
	if !passed {
		r.skipped = append(r.skipped, x.pkg+"."+x.name)
		return nil
	}
	x.took = time.Since(start)
	reached, err := os.ReadFile(log)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for line := range strings.Lines(string(reached)) {
		n, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			return err
		}
		if !slices.Contains(r.reached[n-1], i) { // a test may have started its own program again
			r.reached[n-1] = append(r.reached[n-1], i)
		}
	}
	return err
}

// quick is how long a test may take to be run together with others.
const quick = time.Second

// Try runs the tests that reach the mutant with this index in the list until one fails, short ones first. It names the package whose test did. An error is a
// failure of the tools.
func (r *Runner) Try(ctx context.Context, n int) (verdict Verdict, by string, err error) {
	if r.unviable[n] {
		return Unviable, "", nil
	}
	rest := slices.Clone(r.reached[n])
	for len(rest) > 0 {
		first := &r.trials[rest[0]]
		names, took := []string{}, time.Duration(0)
		rest = slices.DeleteFunc(rest, func(i int) bool {
			x := &r.trials[i]
			together := x == first || x.took < quick && x.pkg == first.pkg
			if together {
				names, took = append(names, x.name), took+x.took
			}
			return together
		})
		passed, err := r.test(ctx, &first.program, names, n+1, r.patience+10*took)
		if err != nil || !passed {
			return Killed, first.pkg, err
		}
	}
	return Survived, "", nil
}

// test runs tests of a program with one mutant switched on and reports whether they passed.
func (r *Runner) test(ctx context.Context, p *program, names []string, mutant int, limit time.Duration) (passed bool, err error) {
	c := exec.CommandContext(ctx, "sh", "-c", `ulimit -v `+strconv.Itoa(memory)+`; exec "$0" "$@"`,
		p.binary, "-test.failfast", "-test.timeout="+limit.String(), "-test.run=^("+strings.Join(names, "|")+")$")
	c.Dir = p.dir
	c.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(mutant), "MUTANT_LOG="+filepath.Join(r.dir, "reached"))
	c.WaitDelay = limit
	err = c.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && ctx.Err() == nil {
		return false, nil
	}
	return err == nil, err
}

// command runs a command in a directory and gives what it writes; with an error, what it complains about.
func command(ctx context.Context, dir, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	var complaint bytes.Buffer
	c.Stderr = &complaint
	out, err := c.Output()
	if err != nil {
		return complaint.String(), err
	}
	return string(out), nil
}
