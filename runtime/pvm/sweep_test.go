//go:build linux

package pvm_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

var (
	sweepTimed = flag.Bool("sweep", false, "measure the time of every generated call and print the dearest for their cycles")
	sweepOnly  = flag.String("calls", "", "regular expression of the callables to sweep")
	sweepEach  = flag.Int("each", 12, "generated calls of each callable")
	sweepSeed  = flag.Int64("seed", 1, "what the generated calls depend on")
	sweepShow  = flag.Int("show", 60, "with -sweep: callables to print")
)

// The account of memory: a call may take sweepFree bytes for nothing, as those that make the arguments of a call, a frame
// or a message do, and sweepBytes more for each cycle. Prices take a cycle for 32 bytes allocated (cost.Prices.ByteShift) or
// for a character of text, which has up to four bytes; Go rounds sizes up by at most a quarter, and a container that grows
// is copied.
const (
	sweepFree  = 8 << 10
	sweepBytes = 64
)

// sweepBudget is what one generated call may use: many go on for ever.
const sweepBudget = 400_000

// TestSweep calls every function, type, method and operator of the language and the standard library with generated
// arguments of every type and of 1 byte to 256 KiB, and holds the memory that each call takes to the cycles it is charged:
// what is copied, formatted or refused is paid for.
//
//	go test ./runtime/pvm -run TestSweep -args -sweep [-calls 'str\.'] [-each 200] [-seed 7]
//
// prints in addition the time of a cycle in the calls where it is longest.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work; memory allocation is metered).
func TestSweep(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	only := regexp.MustCompile(*sweepOnly)
	var slow []sweepResult
	for at := 0; ; {
		s := newSweep(t)
		if at >= len(s.calls) {
			break
		}
		for end := min(at+sweepMachine, len(s.calls)); at < end; at++ {
			if c := s.calls[at]; only.MatchString(c.name) {
				slow = append(slow, s.sweep(t, c)...)
			}
		}
		runtime.GC()
	}
	if *sweepTimed {
		printSweep(slow)
	}
}

// sweepMachine is how many callables share a machine; what they do to it ends with it.
const sweepMachine = 40

type sweepCall struct {
	name string
	f    object.Value
}

type sweepValue struct {
	name    string
	make    object.Value
	mutable bool
	made    object.Value
}

// sweeper is a machine with what is called in it.
type sweeper struct {
	m      *object.Machine
	meter  *pvm.Meter
	calls  []sweepCall
	values []*sweepValue
	byType map[string][]*sweepValue
	clock  float64 // nanoseconds that looking at the clock takes, which is no part of a call
}

func newSweep(t *testing.T) *sweeper {
	source, err := os.ReadFile("testdata/sweep/calls.py")
	if err != nil {
		t.Fatal(err)
	}
	meter := pvm.NewMeter(1<<60, 1<<60)
	machine, mod, fault := execute(t, string(source), pvm.Config{Meter: meter, MemoryLimit: 128 << 20})
	if fault != nil {
		t.Fatal(fault, fault.Traceback)
	}
	s := &sweeper{m: machine.Inner(), meter: meter, byType: map[string][]*sweepValue{}, clock: math.Inf(1)}
	for range 100 {
		start := threadTime()
		s.clock = min(s.clock, float64(threadTime()-start))
	}
	rows := func(name string) [][]object.Value {
		v, ok := mod.Lookup(name)
		list, isList := v.AsList()
		if !ok || !isList {
			t.Fatal("no list ", name)
		}
		var out [][]object.Value
		for _, v := range list.Items() {
			row, _ := v.AsTuple()
			out = append(out, row.Items())
		}
		return out
	}
	for _, row := range rows("VALUES") {
		v := &sweepValue{name: textOf(row[0]), make: row[1], mutable: row[2] == object.True}
		s.values = append(s.values, v)
		name := s.value(t, v).Type().Name
		s.byType[name] = append(s.byType[name], v)
	}
	for _, row := range rows("CALLS") {
		s.calls = append(s.calls, sweepCall{textOf(row[0]), row[1]})
	}
	return s
}

func textOf(v object.Value) string {
	s, _ := v.AsStr()
	return s.String()
}

// value makes a value, or returns the one that was made if no call can change it.
func (s *sweeper) value(t *testing.T, v *sweepValue) object.Value {
	if !v.made.IsZero() && !v.mutable {
		return v.made
	}
	made, e := s.m.Call(v.make, object.Args{})
	if e != nil {
		t.Fatal(v.name, e.Type().Name)
	}
	v.made = made
	s.m.Pin(made)
	return made
}

// arguments chooses the arguments of one call: for a method mostly a receiver that it is for, and for the rest
// mostly what is small or like the receiver.
func (s *sweeper) arguments(r *rand.Rand, name string) []*sweepValue {
	owner, _, isMethod := strings.Cut(name, ".")
	like := s.byType[owner]
	n := [...]int{0, 1, 1, 1, 2, 2, 2, 3, 3, 4}[r.Intn(10)]
	if isMethod && len(like) > 0 {
		n++
	}
	args := make([]*sweepValue, n)
	for i := range args {
		switch {
		case i == 0 && isMethod && len(like) > 0 && r.Intn(8) > 0, i > 0 && len(like) > 0 && r.Intn(4) == 0:
			args[i] = like[r.Intn(len(like))]
		case i > 0 && r.Intn(4) == 0:
			args[i] = s.byType["int"][r.Intn(len(s.byType["int"]))]
		default:
			args[i] = s.values[r.Intn(len(s.values))]
		}
	}
	return args
}

// sweepResult is what one generated call took.
type sweepResult struct {
	call   string
	cycles uint64
	bytes  uint64
	ns     float64
	ended  string
}

// sweep makes the generated calls of one callable.
func (s *sweeper) sweep(t *testing.T, c sweepCall) (all []sweepResult) {
	h := fnv.New64a()
	h.Write([]byte(c.name))
	r := rand.New(rand.NewSource(*sweepSeed ^ int64(h.Sum64())))
	for range *sweepEach {
		args := s.arguments(r, c.name)
		got := s.measure(t, c, args)
		if strings.HasPrefix(got.ended, "panic") {
			t.Error(got.call, got.ended)
			continue
		}
		if limit := sweepFree + sweepBytes*got.cycles; got.bytes > limit { // what is made once for a machine does not count
			if again := s.measure(t, c, args); again.bytes < got.bytes {
				got.cycles, got.bytes = again.cycles, again.bytes
			}
			if limit := sweepFree + sweepBytes*got.cycles; got.bytes > limit {
				t.Errorf("%s: %d bytes for %d cycles (%s)", got.call, got.bytes, got.cycles, got.ended)
			}
		}
		if *sweepTimed {
			all = append(all, s.timed(t, c, args, got))
		}
	}
	return all
}

// measure makes one call.
func (s *sweeper) measure(t *testing.T, c sweepCall, from []*sweepValue) sweepResult {
	args, name := make([]object.Value, len(from)), c.name+"("
	for i, v := range from {
		args[i] = s.value(t, v)
		name += v.name + ", "
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if before.HeapAlloc > 1<<30 {
		runtime.GC()
		runtime.ReadMemStats(&before)
	}
	cycles, ns, ended := s.run(c.f, args)
	runtime.ReadMemStats(&after)
	s.m.Unpin(0)
	for _, v := range s.values { // the machine counts only what is held
		if !v.mutable {
			s.m.Pin(v.made)
		}
	}
	return sweepResult{strings.TrimSuffix(name, ", ") + ")", cycles, after.TotalAlloc - before.TotalAlloc, ns, ended}
}

// run makes one call with a budget of its own.
func (s *sweeper) run(f object.Value, args []object.Value) (cycles uint64, ns float64, ended string) {
	start := threadTime()
	cycles, ended = s.apply(f, args)
	return cycles, max(float64(threadTime()-start)-s.clock, 0), ended
}

func (s *sweeper) apply(f object.Value, args []object.Value) (cycles uint64, ended string) {
	restore := s.meter.Aside(sweepBudget)
	defer restore()
	defer func() {
		if r := recover(); r != nil {
			ended = fmt.Sprint("panic: ", r)
		}
	}()
	_, e := s.m.Apply(f, object.Positional(args...))
	switch {
	case e == nil:
		ended = "done"
	case e.Fatal != object.NotFatal:
		ended = "stopped"
	default:
		ended = e.Type().Name
	}
	return sweepBudget - s.meter.Left() + uint64(cost.First().Call), ended
}

// timed takes the least time of several calls.
func (s *sweeper) timed(t *testing.T, c sweepCall, from []*sweepValue, got sweepResult) sweepResult {
	const suspect = 4
	for range 5 {
		if got.ns/float64(got.cycles) < suspect {
			break
		}
		if again := s.measure(t, c, from); again.ns*float64(got.cycles) < got.ns*float64(again.cycles) {
			got.ns, got.cycles = again.ns, again.cycles
		}
	}
	if got.ns/float64(got.cycles) < suspect || got.ns > 100_000 {
		return got
	}
	args := make([]object.Value, len(from)) // shorter than what the clock shows: many together
	for i, v := range from {
		args[i] = s.value(t, v)
	}
	const many = 64
	for range 4 {
		used, took := uint64(0), 0.0
		start := threadTime()
		for range many {
			n, _ := s.apply(c.f, args)
			used += n
		}
		took = max(float64(threadTime()-start)-s.clock, 0)
		if took*float64(got.cycles) < got.ns*float64(used) {
			got.ns, got.cycles = took/many, max(used/many, 1)
		}
	}
	return got
}

func threadTime() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		panic(err)
	}
	return ts.Nano()
}

// printSweep prints the worst call of each callable, the dearest for its cycles first.
func printSweep(all []sweepResult) {
	perCycle := func(r sweepResult) float64 { return r.ns / float64(r.cycles) }
	slices.SortStableFunc(all, func(a, b sweepResult) int {
		switch x, y := perCycle(a), perCycle(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	shown := map[string]int{}
	left := *sweepShow
	for _, r := range all {
		name, _, _ := strings.Cut(r.call, "(")
		if shown[name]++; shown[name] > 2 || left == 0 {
			continue
		}
		left--
		fmt.Printf("%8.2f ns/cycle %9.0f ns %8d cycles %9d bytes  %s: %s\n", perCycle(r), r.ns, r.cycles, r.bytes, r.call, r.ended)
	}
	fmt.Printf("%d calls\n", len(all))
}
