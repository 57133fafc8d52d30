package wire

import (
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// FromReceipt gives the receipt at a place of a final block; t is its transaction, nil for any other execution. Its events have no cursors.
func FromReceipt(x *block.Receipt, hash digest.Hash, height unit.Height, index int, t *tx.Tx) Receipt {
	w := Receipt{
		TransactionHash: Hash(x.ID), BlockHeight: uint64(height), BlockHash: Hash(hash), Index: uint64(index),
		Kind: x.Kind.String(), Sender: x.Sender.String(), Target: x.Target.String(), Status: x.Status.String(),
		Success: x.Status == block.Success, Value: uint64(x.Value), CyclesUsed: uint64(x.CyclesUsed), CellsUsed: uint64(x.CellsUsed),
		FeeBurned: uint64(x.FeeBurned), FeeTipped: uint64(x.FeeTipped), FeePaid: uint64(x.FeeBurned) + uint64(x.FeeTipped),
		ReturnData: Hex(x.ReturnData), ReturnText: Text(x.ReturnData), Events: []Event{}, Finalized: true,
	}
	if x.Cause != (digest.Hash{}) && x.Cause != x.ID {
		w.Cause = Hash(x.Cause)
	}
	if x.Kind == block.Hooks {
		w.TriggeredByEmit = &EmitOrigin{uint64(x.Emit.Block), Hash(x.Emit.Tx), x.Emit.Emit}
	}
	if x.Created != nil {
		w.ActorAddress = x.Created.String()
	}
	if t != nil {
		w.Handler = tx.HandlerOf(t.Instruction)
	}
	if x.Status != block.Success {
		failure := NewError(int(x.Fault.Code), x.Fault.Text)
		w.Error = &failure
	}
	for i := range x.Events {
		e := &x.Events[i]
		w.Events = append(w.Events, Event{
			Actor: e.Actor.String(), Topic: string(e.Topic), Data: Hex(e.Data), Text: Text(e.Data),
			BlockHeight: uint64(height), Cause: w.TransactionHash, Index: uint64(i),
		})
	}
	return w
}
