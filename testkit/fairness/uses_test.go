package fairness

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// What the attributes of each small value and the operations on it and on a few others cost together: none becomes cheaper unseen, and no operand stops the
// machine. REWRITE=1 records anew.
//
// Spec: CIP-3 §2.2.1 (static, consensus-critical cost table).
func TestGoldenUses(t *testing.T) {
	const file = "testdata/uses.txt"
	var others []value
	for _, v := range values() {
		if strings.Contains(" none digit float huge most big complex word bytes tuple ", " "+v.name+" ") {
			others = append(others, v)
		}
	}
	var got strings.Builder
	for _, a := range values() {
		list, err := uses(a, others)
		if err != nil {
			t.Fatal(err)
		}
		m, err := newUseMachine(list, "for _z in range(p)")
		if err != nil {
			t.Fatal(err)
		}
		count, cycles := 0, uint64(0)
		for i, u := range list {
			_, fault := m.call(i, usedFor, object.Int(1)) // pays for what is paid once, as a stack that grows
			if fault != nil {
				if fault.Kind == pvm.Host {
					t.Errorf("%s: %v", u.name, fault)
				}
				continue
			}
			var once, twice Sample
			for range 2 { // once more if the walk through a full heap, which happens now and then, fell into the first
				if once, fault = m.call(i, usedFor, object.Int(1)); fault == nil {
					twice, fault = m.call(i, usedFor, object.Int(2))
				}
				if fault != nil || twice.Cycles > once.Cycles {
					break
				}
			}
			if fault != nil {
				continue
			}
			if twice.Cycles < once.Cycles+repeatedUse {
				t.Errorf("%s costs %d cycles, %d times", u.name, twice.Cycles-once.Cycles, repeatedUse)
			}
			count++
			cycles += twice.Cycles - once.Cycles
		}
		fmt.Fprintf(&got, "%s %d %d\n", a.name, count, cycles)
	}
	golden(t, file, got.String())
}
