//go:build unix

package pvm_test

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

var (
	report      = flag.Bool("report", false, "measure nanoseconds per cycle of every program and print the table")
	reportOnly  = flag.String("only", "", "with -report: regular expression of the programs to measure")
	reportTime  = flag.Duration("for", 10*time.Millisecond, "with -report: least CPU time of one measurement")
	reportTimes = flag.Int("times", 2, "with -report: measurements of each program")
)

// sample is what one program cost.
type sample struct {
	family, name string
	cycles       uint64
	cpu          time.Duration
}

func (s sample) nsPerCycle() float64 { return float64(s.cpu.Nanoseconds()) / float64(s.cycles) }

// TestFairness runs every micro-program once. With -args -report it measures how
// long a cycle takes in them, in the workloads, the corpus and the hostile
// programs, and prints the table with the extremes of each family.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func TestFairness(t *testing.T) {
	if !*report {
		for _, p := range append(microPrograms(t, "micro"), microPrograms(t, "oneshot")...) {
			meter := pvm.NewMeter(1<<40, 0)
			if _, _, fault := execute(t, p.source+"run(1)\n", pvm.Config{Meter: meter}); fault != nil {
				t.Errorf("%s: %v\n%s", p.name, fault, fault.Traceback)
			}
		}
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(pvm.DefaultMemoryLimit + 38<<20) // as the tool that runs scripts does
	only := regexp.MustCompile(*reportOnly)
	var all []sample
	add := func(family, name string, measure func() (uint64, time.Duration)) {
		if !only.MatchString(family + "/" + name) {
			return
		}
		s := sample{family: family, name: name}
		for again := range *reportTimes { // the machine is shared: the fastest counts
			if cycles, cpu := measure(); again == 0 || float64(cpu)*float64(s.cycles) < float64(s.cpu)*float64(cycles) {
				s.cycles, s.cpu = cycles, cpu
			}
		}
		if s.cycles > 0 {
			all = append(all, s)
			fmt.Fprintf(os.Stderr, "%8.2f %s/%s\n", s.nsPerCycle(), family, name)
		}
	}
	for _, p := range microPrograms(t, "oneshot") {
		add("oneshot", p.name, func() (uint64, time.Duration) { return measureLoop(t, p.source) })
	}
	for _, p := range microPrograms(t, "micro") {
		add("micro", p.name, func() (uint64, time.Duration) { return measureLoop(t, p.source) })
	}
	for _, family := range []struct{ name, files string }{{"corpus", "testdata/*.py"}, {"bench", "testdata/bench/*.py"}} {
		files, _ := filepath.Glob(family.files)
		for _, path := range files {
			if name := strings.TrimSuffix(filepath.Base(path), ".py"); name != "record" {
				add(family.name, name, func() (uint64, time.Duration) { return measureFile(t, path) })
			}
		}
	}
	for _, p := range hostilePrograms(t) {
		add("hostile", p.name, func() (uint64, time.Duration) { return measureHostile(p.source) })
	}
	printReport(all)
}

// microProgram defines run(n), which does one thing n times.
type microProgram struct{ name, source string }

// microPrograms reads testdata/micro.txt, the operations one by one, or
// testdata/oneshot.txt, single operations made as large as a few instructions can:
// a line "== name" begins a program; what goes before the line "--" is done once,
// the rest n times.
func microPrograms(t *testing.T, file string) []microProgram {
	text, err := os.ReadFile("testdata/" + file + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []microProgram
	for _, part := range strings.Split("\n"+string(text), "\n== ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		setup, work, _ := strings.Cut("\n"+body, "\n--\n")
		var b strings.Builder
		b.WriteString("def run(n):\n    pass\n")
		indent := func(text, by string) {
			for _, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
				b.WriteString(by + line + "\n")
			}
		}
		indent(setup, "    ")
		b.WriteString("    for _ in range(n):\n")
		for range 4 { // so that the loop itself matters little
			indent(work, "        ")
		}
		out = append(out, microProgram{name, b.String()})
	}
	return out
}

// hostilePrograms reads the programs of testkit/hostile.
func hostilePrograms(t *testing.T) []microProgram {
	files, _ := filepath.Glob("../../testkit/hostile/testdata/*.txt")
	var out []microProgram
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(text), "\n== ")[1:] {
			name, body, _ := strings.Cut(part, "\n")
			kind := strings.TrimSuffix(filepath.Base(path), ".txt")
			out = append(out, microProgram{kind + " " + name[:strings.LastIndex(name, ":")], body})
		}
	}
	return out
}

// cpuTime returns the CPU time that the process has used, all threads together.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measureLoop calls run(n), with n not so large that what it keeps fills the
// memory, often enough.
func measureLoop(t *testing.T, source string) (cycles uint64, cpu time.Duration) {
	most := int64(4096)
	for n := int64(1); cpu < *reportTime; n = min(4*n, most) {
		meter := pvm.NewMeter(1<<60, 0)
		m, mod, fault := execute(t, source, pvm.Config{Meter: meter})
		if fault != nil {
			t.Fatal(fault, fault.Traceback)
		}
		run, _ := mod.Lookup("run")
		before, start := meter.Used(), cpuTime()
		_, fault = m.Call(run, object.Int(n))
		switch {
		case fault != nil && n > 1: // what it keeps fills the memory
			most = n / 4
			continue
		case fault != nil:
			t.Fatal(source, fault, fault.Traceback)
		}
		took := cpuTime() - start
		if n == most || took >= *reportTime {
			cycles, cpu = cycles+meter.Used()-before, cpu+took
		}
	}
	return cycles, cpu
}

// measureFile runs a script often enough.
func measureFile(t *testing.T, path string) (cycles uint64, cpu time.Duration) {
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pvm.CompileFile("__main__", path, source)
	if err != nil {
		t.Fatal(err)
	}
	start := cpuTime()
	for cpu < *reportTime {
		meter := pvm.NewMeter(1<<60, 0)
		m := pvm.New(pvm.Config{Meter: meter, Stdout: io.Discard})
		if _, fault := m.Load(p); fault != nil {
			t.Log(path, fault)
			return 0, 0
		}
		cycles += meter.Used()
		cpu = cpuTime() - start
	}
	return cycles, cpu
}

// hostileCycles is how many cycles a machine is attacked for, again and again, so that what making it costs does not count.
const hostileCycles = 2_000_000

// measureHostile attacks machines until it took long enough. A program that needs a chain, and one that ends before it does anything,
// is left out.
func measureHostile(source string) (cycles uint64, cpu time.Duration) {
	p, err := pvm.Compile("actor", []byte(source))
	if err != nil {
		return 0, 0
	}
	for cpu < *reportTime {
		runtime.GC()
		meter := pvm.NewMeter(2*hostileCycles, 1<<30)
		m := pvm.New(pvm.Config{Meter: meter})
		mod, fault := m.Load(p)
		if fault != nil {
			return 0, 0
		}
		attack, ok := mod.Lookup("attack")
		if !ok {
			return 0, 0
		}
		loaded, start := meter.Used(), cpuTime()
		for again := 0; meter.Used() < hostileCycles; again++ {
			before := meter.Used()
			if _, _ = m.Call(attack, object.None); again > 0 && meter.Used()-before < hostileLeast {
				return 0, 0
			}
		}
		cycles += meter.Used() - loaded
		cpu += cpuTime() - start
	}
	return cycles, cpu
}

// hostileLeast is how many cycles a call of a hostile program takes at the least, for entering and leaving the machine not to be what is measured.
const hostileLeast = 200

// printReport prints the samples by time per cycle and the extremes.
func printReport(all []sample) {
	slices.SortFunc(all, func(a, b sample) int { return int(math.Copysign(1, b.nsPerCycle()-a.nsPerCycle())) })
	for _, s := range all {
		fmt.Printf("%8.2f ns/cycle  %-8s %s\n", s.nsPerCycle(), s.family, s.name)
	}
	for _, family := range []string{"bench", "corpus", "hostile", "oneshot", "micro"} {
		of := slices.DeleteFunc(slices.Clone(all), func(s sample) bool { return s.family != family })
		if n := len(of); n > 0 {
			logs := 0.0
			for _, s := range of {
				logs += math.Log(s.nsPerCycle())
			}
			first, last := of[0], of[n-1]
			fmt.Printf("%s: %d programs, mean %.2f, slowest %.2f (%s), fastest %.2f (%s), ratio %.1f\n", family, n, math.Exp(logs/float64(n)),
				first.nsPerCycle(), first.name, last.nsPerCycle(), last.name, first.nsPerCycle()/last.nsPerCycle())
		}
	}
}
