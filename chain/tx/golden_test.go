package tx

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// TestGoldenInstructions freezes the bytes and the prices of every built instruction. The file was written by the codec that read and wrote each body
// by hand, before bodies described themselves.
//
// Spec: WP §2.5, §17.2.
func TestGoldenInstructions(t *testing.T) {
	var b bytes.Buffer
	for _, in := range samples() {
		x := Tx{Instruction: in}
		cost := x.Intrinsic()
		most, err := x.MaxCost()
		fmt.Fprintf(&b, "%v %x cycles %d cells %d cost %d %v\n", in.Opcode(), EncodeInstruction(in), cost.Cycles, cost.Cells, most, err)
	}
	golden.File(t, "testdata/instructions.golden", b.Bytes())
}
