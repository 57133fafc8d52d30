package transition

import (
	"runtime"
	"testing"
	"weak"

	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// TestResultLetsItsExecutionGo: who keeps a block's result, as the parent of the next block does, does not keep the execution with its overlay. Otherwise a
// node that executes block after block would keep all of them, since each begins with the result of the one before.
func TestResultLetsItsExecutionGo(t *testing.T) {
	c := newChain(t, script{})
	run := func() (*Result, weak.Pointer[State]) {
		s, err := Begin(c.tip, Job{Mode: Build, Header: c.header(), Txs: []tx.Verified{c.sign(person(1), &tx.Transfer{To: person(2), Amount: unit.CBY})}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Run(c.script)
		if err != nil {
			t.Fatal(err)
		}
		return r, weak.Make(s)
	}
	r, execution := run()
	if len(r.Receipts) == 0 || r.Flows == nil {
		t.Fatalf("%+v", r)
	}
	runtime.GC()
	runtime.GC()
	if execution.Value() != nil {
		t.Error("the execution is kept with its result")
	}
	runtime.KeepAlive(r)
}
