package hostile

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// honest is the actor whose calls show that the chain goes on.
const honest = `
from pvm_host import get_state, set_state

def count(payload):
    n = int(get_state(b"n") or b"0") + 1
    set_state(b"n", b"%d" % n)
    return b"%d" % n
`

// ranch is a chain with an attacker and an honest actor.
type ranch struct {
	t        *testing.T
	chain    *testkit.Chain
	attacker *testkit.Account
	owner    *testkit.Account
	counter  account.Address
	counted  int
	broken   bool // the machine panicked: the chain cannot be used any more
}

func newRanch(t *testing.T) *ranch {
	t.Helper()
	c := testkit.NewChain(t)
	r := &ranch{t: t, chain: c, attacker: c.Account("attacker"), owner: c.Account("owner")}
	r.counter = r.owner.Deploy(honest, nil)
	return r
}

// goesOn checks that the next block still serves somebody else.
func (r *ranch) goesOn() {
	r.t.Helper()
	r.counted++
	if got := r.owner.Call(r.counter, "count", ""); got != fmt.Sprint(r.counted) {
		r.t.Fatalf("the honest actor counts %s, want %d", got, r.counted)
	}
}

// stored gives an actor's storage entries as one run of bytes, to be compared.
func (r *ranch) stored(actor account.Address) []byte {
	r.t.Helper()
	var all []byte
	err := r.chain.State().Scan(account.Key(account.KindStorage, actor), nil, 0, func(key, value []byte) bool {
		all = append(append(append(append(all, key...), 0), value...), 0)
		return true
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return all
}

// limits of an attack.
const (
	attackCycles unit.Cycles = 6_000_000
	attackCells  unit.Cells  = 500_000
)

// attack sends a call and checks that a fault leaves only its fee. Spec: WP §3.3.
func (r *ranch) attack(actor account.Address, handler, payload string) *block.Receipt {
	r.t.Helper()
	balance, own := r.chain.Balance(r.attacker.Address()), r.chain.Balance(actor)
	before, height := r.stored(actor), r.chain.Height()
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	start := time.Now()
	x := r.attacker.Do(&tx.Execute{To: actor, Handler: []byte(handler), Payload: []byte(payload)}, attackCycles, attackCells)
	took := time.Since(start)
	runtime.ReadMemStats(&m1)
	if x == nil {
		r.t.Fatal("no receipt")
	}
	r.t.Logf("%6.1f ms %7.1f ns/cycle %6d KiB  %s", float64(took.Microseconds())/1000, float64(took.Nanoseconds())/float64(max(x.CyclesUsed, 1)),
		(m1.TotalAlloc-m0.TotalAlloc)>>10, testkit.Describe(x))
	if x.CyclesUsed > attackCycles || x.CellsUsed > attackCells {
		r.t.Errorf("used more than its limits: %s", testkit.Describe(x))
	}
	if x.Status != block.Faulted {
		return x
	}
	if paid := balance - r.chain.Balance(r.attacker.Address()); paid != x.FeeBurned+x.FeeTipped || paid == 0 {
		r.t.Errorf("paid %d, the receipt says %d burned and %d tipped", paid, x.FeeBurned, x.FeeTipped)
	}
	if len(x.Events) != 0 || len(x.ReturnData) != 0 || !bytes.Equal(before, r.stored(actor)) || r.chain.Balance(actor) != own {
		r.t.Errorf("a fault left an effect: %s", testkit.Describe(x))
	}
	if n := len(r.chain.Blocks()[height].Receipts); n != 1 {
		r.t.Errorf("a fault left %d more receipts in its block", n-1)
	}
	return x
}

// program is one attack of a file.
type program struct{ name, want, source string }

// programs reads a file of attacks.
func programs(t *testing.T, file string) []program {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var found []program
	for _, part := range strings.Split("\n"+string(text), "\n== ")[1:] {
		head, source, _ := strings.Cut(part, "\n")
		name, want, ok := strings.Cut(head, ": ")
		if !ok {
			t.Fatalf("%s: no outcome in %q", file, head)
		}
		found = append(found, program{name, want, source + "\n"})
	}
	return found
}

// outcome gives what a program has to be compared with.
func outcome(deployed bool, x *block.Receipt) string {
	switch {
	case x.Status == block.Success:
		return "ok " + string(x.ReturnData)
	case !deployed:
		return fmt.Sprintf("deploy %d", x.Fault.Code)
	}
	return fmt.Sprint(x.Fault.Code)
}
