package heap_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/testkit/heap"
)

func machine(t *testing.T, source string) *object.Machine {
	t.Helper()
	p, err := pvm.Compile("actor", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	m := pvm.New(pvm.Config{})
	if _, fault := m.Load(p); fault != nil {
		t.Fatal(fault)
	}
	return m.Inner()
}

const program = `
class C:
    kept = []
    def f(self, a=[1]): return a
c = C()
c.x = {"a": (1, [2]), "c": C.f}
`

// TestSame: machines that ran the same program hold the same; one value, one identity, one capacity or one attribute more is a difference.
//
// Spec: CIP-3 §2.2.
func TestSame(t *testing.T) {
	if err := heap.Same(machine(t, program), machine(t, program)); err != nil {
		t.Error(err)
	}
	for _, other := range []string{"c.x['a'][1][0] = 3\n", "c.y = 1\n", "C.kept = c.x['a'][1]\n", "C.kept.append(1); C.kept.pop()\n",
		"C.f.__defaults__[0].append(2)\n", "id(C)\n"} {
		if heap.Same(machine(t, program), machine(t, program+other)) == nil {
			t.Errorf("no difference after %s", other)
		}
	}
}

// TestApart: two machines share nothing that can be written; one and itself do, and so do two between which a value was handed over.
//
// Spec: CIP-3 §2.2.
func TestApart(t *testing.T) {
	a, b := machine(t, program), machine(t, program)
	if err := heap.Apart(a, b); err != nil {
		t.Error(err)
	}
	if heap.Apart(a, a) == nil {
		t.Error("a machine is apart from itself")
	}
	lent, _ := a.Modules["actor"].Lookup("c")
	b.Modules["actor"].Define(b, "lent", lent)
	if heap.Apart(a, b) == nil {
		t.Error("a lent object was not found")
	}
}
