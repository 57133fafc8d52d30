package fairness

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// repeatedUse is how often a use stands in its loop, usedFor how many cycles it goes on, usedAgain how often one that seems dear does: the fastest counts.
const (
	repeatedUse = 10
	usedFor     = 100_000
	usedAgain   = 4
)

// use is a use of a small value a, and of a second one b: an attribute that is read, or an operation.
type use struct {
	name, expr string
	a, b       value
	size       int // of the two, in bytes
}

// longUse is the size of values whose elements take more than what is around them.
const longUse = 200

// uses returns each attribute of a value, and each operation on it and every value; operations on it alone, on two alike and on ints also where
// they are longer.
func uses(a value, all []value) ([]use, error) {
	names, err := attributeNames(a)
	if err != nil {
		return nil, err
	}
	var out []use
	for _, name := range names {
		out = append(out, use{a.name + " ." + name, "a." + name, a, a, sizes[0]})
	}
	for _, op := range operationLines() {
		if identifier.MatchString(op) {
			continue // a function of the prelude
		}
		if !second.MatchString(op) {
			out = append(out, use{a.name + " " + op, op, a, a, sizes[0]})
			if _, varies := a.sized(longUse); varies {
				out = append(out, use{fmt.Sprintf("%s/%d %s", a.name, longUse, op), op, a, a, longUse})
			}
			continue
		}
		_, varies := a.sized(longUse)
		for _, b := range all {
			if varies && (b.name == a.name || b.name == "digit" || b.name == "big") {
				out = append(out, use{fmt.Sprintf("%s/%d %s %s/%d", a.name, longUse, op, b.name, longUse), op, a, b, longUse})
			}
			out = append(out, use{fmt.Sprintf("%s %s %s", a.name, op, b.name), op, a, b, sizes[0]})
		}
	}
	return out, nil
}

// attributeNames asks the machine for the attributes of a small value and of its class.
func attributeNames(v value) ([]string, error) {
	expr, _ := v.sized(sizes[0])
	b, err := NewBatch([]Call{{Expr: "plain, (" + expr + ",), {}"}})
	if err != nil {
		return nil, err
	}
	ask, _ := b.mod.Lookup("names_of")
	cases, _ := b.mod.Lookup("CASES")
	list, fault := b.machine.Call(ask, cases, object.Int(0))
	if fault != nil {
		return nil, fmt.Errorf("fairness: %s: %w\n%s", v.name, fault, fault.Traceback)
	}
	s, _ := list.AsStr()
	return strings.Fields(s.String()), nil
}

// source is a function that makes the values and goes on with a use as the head of a loop says.
func (u use) source(function, loop string) string {
	a, _ := u.a.sized(u.size)
	b, _ := u.b.sized(u.size)
	line := strings.Repeat("        "+u.expr+"\n", repeatedUse)
	return fmt.Sprintf("def %s(p):\n    a = %s\n    b = %s\n    %s:\n%s", function, a, b, loop, line)
}

// usesAtOnce is how many uses are compiled together, usesOfOne how many one machine tries.
const (
	usesAtOnce = 500
	usesOfOne  = 20
)

// Uses tries each attribute and each operation of small values, many times in a row: what a call around it would pay does not hide what it takes.
func (h *Hunt) Uses() error {
	all := values()
	for _, a := range all {
		list, err := uses(a, all)
		if err != nil {
			return err
		}
		if h.Only != nil {
			list = slices.DeleteFunc(list, func(u use) bool { return !h.Only.MatchString(u.name) })
		}
		for part := range slices.Chunk(list, usesAtOnce) {
			if err := h.useAll(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// useMachine is a machine with a function for each of some uses.
type useMachine struct {
	program *pvm.Program
	machine *pvm.Machine
	meter   *pvm.Meter
	mod     *object.Module
}

func newUseMachine(list []use, loop string) (*useMachine, error) {
	var text strings.Builder
	text.WriteString("from fair import *\n")
	for i, u := range list {
		text.WriteString(u.source(fmt.Sprintf("use%d", i), loop))
	}
	p, err := pvm.CompileFile("__main__", "main.py", []byte(text.String()))
	if err != nil {
		return nil, fmt.Errorf("fairness: %s: %w", list[0].name, err)
	}
	m := &useMachine{program: p}
	return m, m.begin()
}

// begin makes a machine anew: one whose cycles ended keeps what it had then.
func (m *useMachine) begin() error {
	m.meter = pvm.NewMeter(1<<60, 1<<60)
	m.machine = pvm.New(pvm.Config{Meter: m.meter, Library: fair})
	mod, fault := m.machine.Load(m.program)
	if fault != nil {
		return fmt.Errorf("fairness: %w\n%s", fault, fault.Traceback)
	}
	m.mod = mod
	return nil
}

// call calls the function of a use with a number of cycles.
func (m *useMachine) call(i int, cycles int64, argument object.Value) (Sample, *pvm.Fault) {
	f, _ := m.mod.Lookup(fmt.Sprintf("use%d", i))
	defer m.meter.Aside(cycles)()
	start := spent()
	_, fault := m.machine.Call(f, argument)
	return Sample{uint64(cycles) - m.meter.Left(), spent() - start, 1}, fault
}

// useAll tries uses in one machine.
func (h *Hunt) useAll(list []use) error {
	m, err := newUseMachine(list, "while True")
	if err != nil {
		return err
	}
	for i, u := range list {
		h.count("uses")
		if i%usesOfOne == usesOfOne-1 {
			if err := m.begin(); err != nil {
				return err
			}
		}
		least, ending := math.Inf(1), ""
		var best Sample
		for range usedAgain {
			pause()
			before := h.Reference.Now()
			s, fault := m.call(i, usedFor, object.None)
			s.Time = time.Duration(float64(s.Time) * (before + h.Reference.Now()) / 2)
			if fault == nil || fault.Kind != pvm.OutOfCycles {
				least = 0 // one that ends with an exception does so at once: natives look at those
				break
			}
			if s.PerCycle() < least {
				least, best, ending = s.PerCycle(), s, fault.Kind.String()
			}
			if least < suspicious {
				break
			}
		}
		if least >= suspicious {
			h.note("use "+u.name, Found{Family: "use", Name: u.name, PerCycle: least, Sample: best, Ending: ending})
		}
	}
	return nil
}
