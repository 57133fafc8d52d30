package pvm_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// countdown is an Interrupt that is raised at the n-th look; 0: never.
type countdown struct{ looks, n int }

func (c *countdown) Raised() bool {
	c.looks++
	return c.n > 0 && c.looks >= c.n
}

// ended is all there is to see of an execution.
type ended struct {
	used, left, cells uint64
	fault             string
	output            string
}

func outcomeOf(t *testing.T, source string, cycles uint64, stop object.Interrupt) (e ended) {
	t.Helper()
	meter := pvm.NewMeter(cycles, 1<<40)
	meter.Heed(stop)
	var out bytes.Buffer
	_, _, fault := execute(t, source, pvm.Config{Meter: meter, Stdout: &out})
	if fault != nil {
		e.fault = fault.Kind.String() + fault.Type + fault.Message
		if errors.Is(fault.Err, object.ErrInterrupted) {
			e.fault = "interrupted"
		}
	}
	e.used, e.left, e.cells, e.output = meter.Used(), meter.Left(), meter.CellsUsed(), out.String()
	return e
}

// Being looked at changes nothing: every program of the corpus spends and prints the same, and ends in the same way, with as many cycles as it wants and with
// too few.
func TestHeedChangesNothing(t *testing.T) {
	names, err := filepath.Glob("testdata/*.py")
	if err != nil || len(names) < 50 {
		t.Fatalf("%d programs, %v", len(names), err)
	}
	looks := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source := string(data)
		whole := outcomeOf(t, source, 1<<30, nil)
		for _, cycles := range []uint64{1 << 30, whole.used, whole.used - 1, whole.used / 2} {
			never := &countdown{}
			plain, seen := outcomeOf(t, source, cycles, nil), outcomeOf(t, source, cycles, never)
			if plain != seen {
				t.Errorf("%s with %d cycles: %+v, looked at %+v", name, cycles, plain, seen)
			}
			looks += never.looks
		}
	}
	if looks < 1_000 {
		t.Errorf("%d looks", looks)
	}
}

// An execution ends within a ration after its interrupt was raised, and no handler of the program sees that.
func TestInterrupt(t *testing.T) {
	for name, source := range map[string]string{
		"loop": "while True:\n    pass\n",
		"handlers": "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        print('caught')\n    finally:\n" +
			"        print('caught')\n",
		"natives":   "while True:\n    sorted(range(500))\n",
		"recursion": "def f(n):\n    try:\n        return f(n - 1) + f(n - 2) if n > 1 else n\n    except BaseException:\n        print('caught')\nf(40)\n",
		"heap":      "while True:\n    [0] * 10000\n",
		"generator": "def g():\n    try:\n        while True:\n            yield 1\n    finally:\n        print('caught')\nfor x in g():\n    pass\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 2, 50} {
				stop := &countdown{n: n}
				e := outcomeOf(t, source, 1<<30, stop)
				const ration, operation = 4096, 40_000 // of one native call above
				if e.fault != "interrupted" || e.output != "" || stop.looks != n || e.used > uint64(n)*(ration+operation) {
					t.Errorf("%s, look %d: %+v after %d looks", name, n, e, stop.looks)
				}
			}
		})
	}
}
