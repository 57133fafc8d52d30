package host

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/system/event"
)

// hookDepth is how many nested calls a hook has left at least: where the emitter runs deeper, its hooks wait for a later block.
const hookDepth = 8

// hooks runs what actors subscribed to an event that the invocation has put into the receipt; nil where nobody did.
//
// Spec: gateway-payments-streams §H.2 (emit_event).
func (f *Invocation) hooks(topic, payload []byte) (*event.Result, error) {
	e := f.env(f.host, nil, account.System(account.EventSubscription), f.meter)
	r, err := event.Emit(e, f.self, topic, payload, event.Way{
		Deep: f.work.depth+hookDepth >= params.ReentrancyDepth,
		Open: func() error { return system.Open(e) },
	})
	if err != nil {
		return nil, wrap(err)
	}
	return r, nil
}

// isolate lets a hook of an event run on accounts of its own, and gives what ends that: how the hook ended after all.
//
// Spec: gateway-payments-streams §H.2 (a failure undoes that subscriber alone).
func (w *work) isolate(c *chapter.Call) func(used *object.Meter, end *ending) *ending {
	if c.Affords == nil {
		return func(_ *object.Meter, end *ending) *ending { return end }
	}
	const loads = params.FreshPerTurn / 2 // of programs nobody has loaded in the block, whatever hooks before it have loaded
	fresh, passing := w.Fresh, w.grants.passing
	w.Fresh, w.grants.passing = loads, nil
	w.hooked++
	return func(used *object.Meter, end *ending) *ending {
		w.hooked--
		w.Hooks.Fresh += w.Fresh - loads
		if end == nil {
			end = w.settle()
		}
		if end == nil && !c.Affords(used.Used(), used.CellsUsed()) {
			end = faulted(drain.FaultCycles, "out of gas")
		}
		w.Fresh, w.grants.passing = fresh, passing
		return end
	}
}

// spend takes coins out of the actor's balance for a chapter, as a transfer would.
//
// Spec: ENT §9.7 (econ.transfer); rent §5 (reserve).
func (f *Invocation) spend(amount unit.Amount) error {
	if amount == 0 {
		return nil
	}
	if err := f.charge(uint64(f.costs().StorageWrite), 0); err != nil {
		return err
	}
	if err := f.permitTransfer(amount); err != nil {
		return err
	}
	if err := f.affords(amount); err != nil {
		return err
	}
	err := account.Debit(f.work.overlay, f.self, amount)
	var short *account.ShortfallError
	if errors.As(err, &short) {
		return raise(InsufficientBalance, "balance %d does not cover %d", short.Have, short.Need)
	}
	return err
}
