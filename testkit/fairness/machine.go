package fairness

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

//go:embed prelude.py
var preludeSource string

// prelude is what native calls build on.
var prelude = sync.OnceValue(func() *pvm.Program {
	p, err := pvm.CompileFile("fair", "fair.py", []byte(preludeSource))
	if err != nil {
		panic(err) // the source is embedded
	}
	return p
})

// fair is the library of programs that build on the prelude.
func fair(name string) (*pvm.Program, bool) { return prelude(), name == "fair" }

// Sample is what something cost.
type Sample struct {
	Cycles uint64
	Time   time.Duration
	Uses   int // how often it was done
}

// Each returns microseconds for doing it once.
func (s Sample) Each() float64 { return float64(s.Time.Nanoseconds()) / 1e3 / float64(max(s.Uses, 1)) }

// PerCycle returns nanoseconds a cycle.
func (s Sample) PerCycle() float64 { return float64(s.Time.Nanoseconds()) / float64(max(s.Cycles, 1)) }

// setup is how many cycles making the arguments may take, using how many their use may take.
const (
	setup = 200_000_000
	using = 2_000_000
)

// Batch is a machine in which native calls are tried one after another.
type Batch struct {
	machine *pvm.Machine
	meter   *pvm.Meter
	mod     *object.Module
}

// NewBatch prepares a machine for the calls. Their expressions are compiled together, each for itself if they do not compile.
func NewBatch(calls []Call) (*Batch, error) {
	var b strings.Builder
	b.WriteString("from fair import *\nCASES = [\n")
	for _, c := range calls {
		b.WriteString("    lambda: (" + c.Expr + "),\n")
	}
	b.WriteString("]\ndef prepare(i, n):\n    return [CASES[i]() for _ in range(n)]\n")
	p, err := pvm.CompileFile("__main__", "main.py", []byte(b.String()))
	if err != nil {
		return nil, fmt.Errorf("fairness: %w", err)
	}
	meter := pvm.NewMeter(1<<60, 1<<60)
	m := pvm.New(pvm.Config{Meter: meter, Library: fair})
	mod, fault := m.Load(p)
	if fault != nil {
		return nil, fmt.Errorf("fairness: %w\n%s", fault, fault.Traceback)
	}
	return &Batch{m, meter, mod}, nil
}

// What takes fewer than many cycles is done again with the same arguments, for about as long as long.
const (
	many = 20_000
	long = 300 * time.Microsecond
)

// Try makes the arguments of the call with number i, which does not count, and uses them: once if that takes long, otherwise often enough.
// It is false if the arguments cannot be made.
func (b *Batch) Try(i int, mode string) (Sample, bool) {
	states, ok := b.prepare(i, 2)
	if !ok {
		return Sample{}, false
	}
	first := b.use(mode, states, 0, 1)
	if first.Cycles >= many {
		if second := b.use(mode, states, 1, 1); second.PerCycle() < first.PerCycle() {
			return second, true
		}
		return first, true
	}
	again := b.use(mode, states, 0, 4) // the first one found cold caches
	if times := 4 * long / max(again.Time, 1); times > 4 {
		again = b.use(mode, states, 0, int(min(times, 4_000)))
	}
	return again, true
}

// prepare makes n sets of the arguments of the call with number i.
func (b *Batch) prepare(i, n int) (object.Value, bool) {
	prepare, _ := b.mod.Lookup("prepare")
	defer b.meter.Aside(setup)()
	states, fault := b.machine.Call(prepare, object.Int(int64(i)), object.Int(int64(n)))
	pause()
	return states, fault == nil
}

// use uses one of the sets of arguments a number of times.
func (b *Batch) use(mode string, states object.Value, which, times int) Sample {
	use, _ := b.mod.Lookup(mode)
	defer b.meter.Aside(using)()
	start := spent()
	_, _ = b.machine.Call(use, states, object.Int(int64(which)), object.Int(int64(times)))
	return Sample{using - b.meter.Left(), spent() - start, times}
}

// Outcome uses the arguments of the call with number i once and says the type of the result or of the exception, and what it cost.
func (b *Batch) Outcome(i int) (ending string, cycles uint64) {
	states, ok := b.prepare(i, 1)
	if !ok {
		return "no arguments", 0
	}
	use, _ := b.mod.Lookup("ending")
	defer b.meter.Aside(using)()
	v, fault := b.machine.Call(use, states)
	cycles = using - b.meter.Left()
	if fault != nil {
		return fault.Kind.String(), cycles
	}
	s, _ := v.AsStr()
	return s.String(), cycles
}
