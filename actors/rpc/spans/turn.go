package spans

import (
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// turn is one execution of Python.
type turn struct {
	kind       block.Kind
	target     account.Address
	handler    string
	height     unit.Height
	cycles     unit.Cycles
	cells      unit.Cells
	fault      string
	began, end time.Time
}

// runner notes when turns began and ended.
type runner struct {
	inner drain.Runner
	to    *Recorder
}

// Runner puts the Recorder's clock around a runner. What the runner does is the same.
func (r *Recorder) Runner(inner drain.Runner) drain.Runner { return &runner{inner, r} }

// Run implements drain.Runner.
func (r *runner) Run(t *drain.Turn) (drain.Outcome, error) {
	one := turn{
		kind: t.Kind, target: t.Target, handler: t.Payload.Handler, height: t.Block.Height, began: r.to.now(),
	}
	out, err := r.inner.Run(t)
	if err != nil {
		return out, err
	}
	one.end, one.cycles, one.cells = r.to.now(), out.Used.Cycles, out.Used.Cells
	if out.Fault != nil {
		one.fault = out.Fault.Text
	}
	r.to.turned(t.ID, one)
	return out, nil
}

// turned notes an execution of a transaction, message, timer or deferred call.
func (r *Recorder) turned(id digest.Hash, one turn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list, _ := r.turns.Find(id)
	if len(list) < turnsMax {
		r.turns.Put(id, append(list[:len(list):len(list)], one), tableMax)
	}
}
