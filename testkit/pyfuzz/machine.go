package pyfuzz

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// budget is how many cycles a program may use; programs are small.
const budget = 30_000_000

// memory is the heap a program may use, in bytes.
const memory = 64 << 20

// Outcome is how the PVM ran a program.
type Outcome struct {
	Output string // what it printed, then the exception that ended it
	Limit  string // the limit that ended it, if one did
	Cycles uint64
	Peak   int64 // bytes
}

// RunPVM runs a program on the PVM. A panic of the machine is part of the output.
func RunPVM(source string, traceback bool) (o Outcome) {
	var out bytes.Buffer
	defer func() {
		if r := recover(); r != nil {
			o.Output = fmt.Sprintf("%spanic: %v\n%s", out.String(), r, debug.Stack())
		}
	}()
	p, err := pvm.CompileFile("__main__", "main.py", []byte(source))
	if err != nil {
		return Outcome{Output: err.Error() + "\n"}
	}
	meter := pvm.NewMeter(budget, 1<<60)
	m := pvm.New(pvm.Config{Meter: meter, Stdout: &out, MemoryLimit: memory})
	_, fault := m.Load(p)
	o = Outcome{Output: out.String(), Cycles: meter.Used(), Peak: m.Inner().Peak()}
	switch {
	case fault == nil:
	case fault.Kind == pvm.OutOfCycles || fault.Kind == pvm.OutOfCells:
		o.Limit = fault.Kind.String()
	case traceback:
		o.Output += strings.TrimRight(fault.Traceback, "\n") + "\n"
	default:
		lines := strings.Split(strings.TrimRight(fault.Traceback, "\n"), "\n")
		o.Output += last(lines, fault)
	}
	return o
}

// last returns the line of a traceback that names the exception, and what
// follows: its message may have several lines, notes come after.
func last(lines []string, fault *pvm.Fault) string {
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], fault.Type) || strings.Contains(lines[i], "."+fault.Type) {
			return strings.Join(lines[i:], "\n") + "\n"
		}
	}
	return fault.Error() + "\n"
}
