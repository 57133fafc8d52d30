//go:build linux

package pvm_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// beside is what the process may use beside the memory limit of a call and what it uses doing nothing.
const beside = 64 << 20

// wideSources are shapes of source that need much memory for their length: head, as many units as fit, tail. %d in a unit is its number.
var wideSources = []struct {
	name             string
	size             int // bytes
	head, unit, tail string
}{
	{"names", 512 << 10, "", "a\n", ""},
	{"list of numbers", 768 << 10, "x=[", "-1,", "]\n"},
	{"slices", 512 << 10, "x=[", "a[:],", "]\n"},
	{"comparisons", 512 << 10, "", "a<b<c<d\n", ""},
	{"annotations", 512 << 10, "", "a:a\n", ""},
	{"different names", 1 << 20, "", "a%d=1\n", ""},
	{"functions", 768 << 10, "", "def f(a:b)->c:0\n", ""},
	{"functions with defaults", 640 << 10, "", "def f(a=b,*,c=d):0\n", ""},
	{"functions in a function", 960 << 10, "def f():\n", " def g(a):return a\n", ""},
	{"classes", 300 << 10, "", "class A:0\n", ""},
	{"lambdas", 320 << 10, "x=[", "lambda:a,", "]\n"},
	{"try in a function", 1 << 20, "def f():\n", " try:a\n finally:a\n", ""},
	{"with", 512 << 10, "", "with a as b,c as d:e\n", ""},
	{"imports", 1 << 20, "import ", "a,", "a\n"},
	{"f-string", 300 << 10, "x=f'", "{a}", "'\n"},
	{"f-string in specs", 300 << 10, "x=f'", "{a:{a}}", "'\n"},
	{"live registers", 80 << 10, "x=" + strings.Repeat("f("+strings.Repeat("a,", 190), 198) + strings.Repeat(")", 198) + "\n", "#\n", ""},
	{"a word at the end", 512 << 10, "", "a\n", "a a"},
	{"a mistake in a call", 512 << 10, "f(", "a,", "a a)"},
	{"text", 1 << 20, "x='''", "é", "'''\n"},
}

// wideSource writes one of wideSources.
func wideSource(name string) []byte {
	var b strings.Builder
	for _, s := range wideSources {
		if s.name == name {
			b.WriteString(s.head)
			for i := 0; b.Len()+len(s.unit)+len(s.tail)+8 < s.size; i++ {
				b.WriteString(strings.ReplaceAll(s.unit, "%d", fmt.Sprint(i)))
			}
			b.WriteString(s.tail)
		}
	}
	return []byte(b.String())
}

// TestProcessMemory compiles wide sources and fills the memory of machines again and again, each in a process of its own: none
// needs more than the memory limit of a call and 64 MiB beside what a process needs that does nothing. The collector is tuned
// as the tool that runs scripts does, but for the embedded machines.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (per-call memory 10 MiB).
func TestProcessMemory(t *testing.T) {
	if job := os.Getenv("PVM_MEMORY_JOB"); job != "" {
		memoryJob(job)
		return
	}
	idle := peakOf(t, "idle")
	var jobs []string
	for _, s := range wideSources {
		jobs = append(jobs, "compile "+s.name)
	}
	for _, p := range memoryPrograms {
		jobs = append(jobs, "run "+p.name)
	}
	for _, name := range []string{"comprehension", "generators", "list append", "tuples"} {
		jobs = append(jobs, "embedded memory "+name)
	}
	if testing.Short() {
		jobs = jobs[:4]
	}
	for _, job := range jobs {
		over := peakOf(t, job) - idle
		for range 2 {
			if over > pvm.DefaultMemoryLimit+beside { // a collector that is not given its share of a busy machine falls behind
				over = min(over, peakOf(t, job)-idle)
			}
		}
		t.Logf("%-32s %3d MiB", job, over>>20)
		if over > pvm.DefaultMemoryLimit+beside {
			t.Errorf("%s: %d MiB beside the %d of an idle process", job, over>>20, idle>>20)
		}
	}
}

// peakOf returns the most memory that a process doing a job had resident, in bytes.
func peakOf(t *testing.T, job string) int64 {
	c := exec.Command(os.Args[0], "-test.run=^TestProcessMemory$")
	c.Env = append(os.Environ(), "PVM_MEMORY_JOB="+job)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", job, err, out)
	}
	return int64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) << 10
}

// memoryJob does what one of the processes is for.
func memoryJob(job string) {
	kind, name, _ := strings.Cut(job, " ")
	if kind != "embedded" {
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(pvm.DefaultMemoryLimit + 38<<20)
	}
	switch kind {
	case "compile":
		_, _ = pvm.Compile("actor", wideSource(name))
	case "run", "embedded":
		for _, p := range memoryPrograms {
			if p.name == name {
				program, err := pvm.Compile("actor", []byte(p.source))
				if err != nil {
					panic(err)
				}
				for range 3 {
					m := pvm.New(pvm.Config{Meter: pvm.NewMeter(8_000_000, 1<<30)})
					if mod, fault := m.Load(program); fault == nil {
						if attack, ok := mod.Lookup("attack"); ok {
							_, _ = m.Call(attack, object.None)
						}
					}
				}
			}
		}
	}
}
