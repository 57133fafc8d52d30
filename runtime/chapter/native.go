package chapter

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// meter is what a turn may use.
type meter struct{ limit, used fee.Use }

// Charge implements Meter.
func (m *meter) Charge(cycles uint64) error {
	if cycles > m.Left() {
		m.used.Cycles = m.limit.Cycles
		return ErrCycles
	}
	m.used.Cycles += unit.Cycles(cycles)
	return nil
}

// ChargeCells implements Meter.
func (m *meter) ChargeCells(cells uint64) error {
	if cells > m.CellsLeft() {
		m.used.Cells = m.limit.Cells
		return ErrCells
	}
	m.used.Cells += unit.Cells(cells)
	return nil
}

// Left implements Meter.
func (m *meter) Left() uint64 { return uint64(m.limit.Cycles - m.used.Cycles) }

// CellsLeft implements Meter.
func (m *meter) CellsLeft() uint64 { return uint64(m.limit.Cells - m.used.Cells) }

// NewEnv makes the environment of a turn of its own: an instruction, a message or an Execute transaction to a system actor.
func NewEnv(of *Chapter, t *drain.Turn, c Caller) *Env {
	return &Env{
		Chapter: of, Turn: t, Block: t.Block, State: t.Overlay, Self: t.Target, Sender: t.Sender, Value: t.Value, Caller: c,
		Meter:   &meter{limit: t.Limit},
		Effects: NewEffects(t),
	}
}

// NewEffects are those of a turn that has caused nothing yet.
func NewEffects(t *drain.Turn) *Effects {
	return &Effects{Fanout: mailbox.Fanout{Count: t.Fanout, Limit: params.FanoutPerTx}, Hooks: Hooks{Room: uint64(t.Room)}}
}

// Spent puts into an outcome what outlives a fault.
func (f *Effects) Spent(o *drain.Outcome) {
	o.Checked, o.Hashed, o.Fresh, o.Sent = f.Checked, f.Hashed, f.Fresh+f.Hooks.Fresh, f.Sent
	o.Hooks, o.Fires = f.Hooks.Used, f.Hooks.Fires
}

// Outcome is that of the turn NewEnv was made for, after its chapter gave data or an error. Any error that is no fault of the chapter is passed on.
func (e *Env) Outcome(data []byte, err error) (drain.Outcome, error) {
	t, used := e.Turn, e.Meter.(*meter).used
	if err == nil {
		f := e.Effects
		o := drain.Outcome{
			Turn: t.Number, Used: used, Return: data, Events: f.Events, Enqueued: f.Enqueued, Fanout: f.Fanout.Count - t.Fanout,
			Burned: f.Burned, Sums: f.Sums, Flows: f.Flows,
		}
		f.Spent(&o)
		return o, nil
	}
	var o drain.Outcome
	switch fault, ok := e.Chapter.FaultOf(err); {
	case errors.Is(err, ErrCycles):
		o = t.Failed(t.Limit, drain.FaultCycles, err.Error())
	case errors.Is(err, ErrCells):
		o = t.Failed(t.Limit, drain.FaultCells, err.Error())
	case ok:
		o = t.Failed(used, fault.Code, err.Error())
	default:
		return drain.Outcome{}, err
	}
	e.Effects.Spent(&o)
	return o, nil
}
