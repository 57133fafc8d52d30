package fairness

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// The reference machine computes fib(27) in CPython 3.11 in referenceTime. The machine of this repository takes ratio times as long for it on the same
// processor, as measured where both were there; it is used where CPython is not.
const (
	referenceTime = 60 * time.Millisecond
	ratio         = 0.95
)

const fib = "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\n"

// Reference is the scale that times are given on: a plain loop of calls, measured beside every case, so that what else this machine does slows both.
type Reference struct {
	Ratio float64 // time of the Python machine of this repository for fib(27), in times of CPython's
	How   string
}

// Measure compares the Python machine with CPython, in turn, the least of each.
func Measure(python string) Reference {
	own, theirs, version := time.Duration(1<<62), time.Duration(1<<62), ""
	for range 3 {
		took, v, ok := measureCPython(python)
		if !ok {
			break
		}
		theirs, version = min(theirs, took), v
		own = min(own, measureOwn(8))
	}
	if version == "" {
		return Reference{ratio, fmt.Sprintf("no CPython 3.11: the Python machine's fib(27), %.1f ms here, stands for %.2f of CPython's",
			measureOwn(25).Seconds()*1e3, ratio)}
	}
	r := float64(own) / float64(theirs)
	return Reference{r, fmt.Sprintf("%s: fib(27) in %.1f ms, the Python machine in %.1f ms, %.2f of it", version, theirs.Seconds()*1e3, own.Seconds()*1e3, r)}
}

// measureCPython runs fib(27) eight times in CPython and takes the fastest.
func measureCPython(python string) (took time.Duration, version string, ok bool) {
	script := "import sys, time\n" + fib + `least = 1 << 62
for _ in range(8):
    start = time.thread_time_ns(); fib(27); least = min(least, time.thread_time_ns() - start)
print(sys.version.split()[0], least)
`
	out, err := exec.Command(python, "-c", script).Output()
	words := strings.Fields(string(out))
	if err != nil || len(words) != 2 || !strings.HasPrefix(words[0], "3.11.") {
		return 0, "", false
	}
	n, err := strconv.ParseInt(words[1], 10, 64)
	return time.Duration(n), "CPython " + words[0], err == nil && n > 0
}

// loop is fib in a machine of its own, compiled once.
func loop() func(n int64) Sample {
	p, err := pvm.Compile("fib", []byte(fib))
	if err != nil {
		panic(err) // the source is above
	}
	meter := pvm.NewMeter(1<<60, 1<<60)
	m := pvm.New(pvm.Config{Meter: meter})
	mod, fault := m.Load(p)
	if fault != nil {
		panic(fault)
	}
	f, _ := mod.Lookup("fib")
	return func(n int64) Sample {
		used, start := meter.Used(), spent()
		if _, fault := m.Call(f, object.Int(n)); fault != nil {
			panic(fault)
		}
		return Sample{meter.Used() - used, spent() - start, 1}
	}
}

// measureOwn runs fib(27) a number of times in the Python machine and takes the fastest.
func measureOwn(times int) time.Duration {
	run, least := loop(), time.Duration(1<<62)
	for range times {
		least = min(least, run(27).Time)
	}
	return least
}

// referenceLoop is the time of a cycle of fib(27) on the reference machine in nanoseconds, if the Python machine were as fast as CPython.
var referenceLoop = sync.OnceValue(func() float64 { return float64(referenceTime.Nanoseconds()) / float64(loop()(27).Cycles) })

// small is the loop that is run beside cases.
var small = sync.OnceValue(loop)

// Now is what a time taken now has to be multiplied by to be one of the reference machine. A part of fib is run for it, twice, since the first run finds
// the caches that the case left.
func (r Reference) Now() float64 {
	run := small()
	return r.Ratio * referenceLoop() / min(run(16).PerCycle(), run(16).PerCycle())
}
