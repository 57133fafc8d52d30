package transition

import (
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// ended tells the system actor that sent a message how it ended; what that uses is added to what the turn used.
//
// Spec: gateway-payments-streams §C.
func (s *State) ended(r *running, o *drain.Outcome) error {
	t := r.turn
	if t.Kind != block.Message || !t.Sender.IsReserved() {
		return nil
	}
	left, err := t.Limit.Sub(o.Used)
	if err != nil {
		return err
	}
	e := &chapter.Ended{Block: s.block, State: s.overlay, Message: t.ID, Target: t.Target, Return: o.Return, Fault: o.Fault, Left: left}
	if err := system.Ended(s.version, t.Sender, e); err != nil {
		return err
	}
	o.Used, err = o.Used.Add(e.Used)
	return err
}
