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

// The reference machine computes fib(27) in CPython 3.11 in referenceTime. The machine of this repository takes ratio times as long
// for it on the same processor, as measured where both were there; it is used where CPython is not.
const (
	referenceTime = 60 * time.Millisecond
	ratio         = 0.95
)

const fib = "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\n"

// Reference is how this machine compares with the reference machine.
type Reference struct {
	Factor float64 // time here, times this, is time there
	How    string
}

// Measure takes the reference.
func Measure(python string) Reference {
	if took, version, ok := measureCPython(python); ok {
		return Reference{float64(referenceTime) / float64(took), fmt.Sprintf("%s: fib(27) in %.1f ms; times are multiplied by 60/%.1f",
			version, took.Seconds()*1e3, took.Seconds()*1e3)}
	}
	took := measureOwn()
	here := float64(took) / ratio
	return Reference{float64(referenceTime) / here, fmt.Sprintf("no CPython 3.11: fib(27) of the Python machine here in %.1f ms, CPython taken as %.1f ms",
		took.Seconds()*1e3, here/1e6)}
}

// measureCPython runs fib(27) 25 times in CPython and takes the fastest.
func measureCPython(python string) (took time.Duration, version string, ok bool) {
	script := "import sys, time\n" + fib + `least = 1 << 62
for _ in range(25):
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

// pace is how many times as long the Python machine takes now for a small part of the reference as it did at its fastest.
var pace = func() func() float64 {
	var fastest time.Duration
	run := sync.OnceValue(func() func() time.Duration {
		p, err := pvm.Compile("fib", []byte(fib))
		if err != nil {
			panic(err) // the source is above
		}
		m := pvm.New(pvm.Config{})
		mod, fault := m.Load(p)
		if fault != nil {
			panic(fault)
		}
		f, _ := mod.Lookup("fib")
		return func() time.Duration {
			start := spent()
			if _, fault := m.Call(f, object.Int(16)); fault != nil {
				panic(fault)
			}
			return spent() - start
		}
	})
	return func() float64 {
		took := run()()
		if fastest == 0 { // the first calls find cold caches, and the machine perhaps busy
			fastest = took
			for range 200 {
				fastest = min(fastest, run()())
			}
		}
		fastest = min(fastest, took)
		return float64(took) / float64(fastest)
	}
}()

// measureOwn runs fib(27) 25 times in the Python machine and takes the fastest.
func measureOwn() time.Duration {
	p, err := pvm.Compile("fib", []byte(fib+"def run():\n    fib(27)\n"))
	if err != nil {
		panic(err) // the source is above
	}
	least := time.Duration(1 << 62)
	for range 25 {
		m := pvm.New(pvm.Config{})
		mod, fault := m.Load(p)
		if fault != nil {
			panic(fault)
		}
		f, _ := mod.Lookup("run")
		start := spent()
		if _, fault := m.Call(f); fault != nil {
			panic(fault)
		}
		least = min(least, spent()-start)
	}
	return least
}
