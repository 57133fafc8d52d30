package runtime_test

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// A program is compiled once and may run on many machines. A machine belongs to one call: its meter says what the call may spend.
func Example() {
	program, err := pvm.Compile("actor", []byte(`
def total(n):
    return sum(i * i for i in range(n))
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	call := func(cycles uint64, n int64) {
		meter := pvm.NewMeter(cycles, 0)
		m := pvm.New(pvm.Config{Meter: meter})
		module, fault := m.Load(program)
		if fault != nil {
			fmt.Println(fault)
			return
		}
		total, _ := module.Lookup("total")
		result, fault := m.Call(total, object.Int(n))
		if fault != nil {
			fmt.Println("fault:", fault.Kind, meter.Left())
			return
		}
		fmt.Println(result.Int64(), meter.Used() < cycles)
	}
	call(10_000, 100)
	call(10_000, 1_000_000)

	_, err = pvm.Compile("actor", []byte("eval('1 + 1')"))
	fmt.Println(err)
	// Output:
	// 328350 true
	// fault: out of cycles 0
	// 1:1: DeterminismError: the built-in eval is forbidden; write the expression in the source, or parse data with json
}
