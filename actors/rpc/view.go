package rpc

import (
	"encoding/binary"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/timer"
)

// viewBlock gives a block with its executions, given its receipts.
func viewBlock(b *block.Block, receipts []*block.Receipt, size int, status string) wire.Block {
	h := &b.Header
	w := wire.Block{
		Height: uint64(h.Height), Hash: wire.Hash(h.Hash()), ParentHash: wire.Hash(h.ParentHash), ChainID: h.ChainID,
		Epoch: h.Epoch, View: h.View, ParentView: h.ParentView, TimestampMs: h.TimestampMs, Proposer: h.Proposer.String(),
		VRFOutput: wire.Hash(h.VRFOutput), TxRoot: wire.Hash(h.TxRoot), ReceiptRoot: wire.Hash(h.ReceiptRoot),
		StateRoot: wire.Hash(h.StateRoot), CycleBasefee: h.CycleBasefee, CellBasefee: h.CellBasefee,
		CyclesUsed: uint64(h.CyclesUsed), CellsUsed: uint64(h.CellsUsed), Size: uint64(size), Status: status,
		TxCount: uint64(len(b.Txs)), Transactions: []string{}, Executions: []string{},
	}
	for _, x := range receipts {
		if x.Kind == block.Transaction {
			w.Transactions = append(w.Transactions, wire.Hash(x.ID))
		} else {
			w.Executions = append(w.Executions, wire.Hash(x.ID))
		}
	}
	return w
}

// cursor names an event: its block and its place among the block's events.
func cursor(height uint64, place int) string { return fmt.Sprintf("%d.%d", height, place) }

func viewTimer(t *timer.Timer) wire.Timer {
	return wire.Timer{
		ID: wire.Hash(t.ID), Owner: t.Owner.String(), Actor: t.Target.String(), Height: uint64(t.Height), Handler: t.Handler,
		Payload: wire.Hex(t.Payload), FeePayer: t.Payer.String(), GasLimit: uint64(t.GasLimit), ExpiresAt: uint64(t.ExpiresAt),
		Interval: t.Every,
	}
}

func viewActor(addr account.Address, a *account.Account) wire.Actor {
	return wire.Actor{
		Address: addr.String(), CodeHash: wire.Hex(a.CodeHash[:]), Balance: uint64(a.Balance), Nonce: a.Nonce,
		Creator: a.Creator.String(), CreatedAt: uint64(a.CreatedAt), MailboxCount: a.MailboxCount, MailboxBytes: a.MailboxBytes,
		TimerCount: uint64(a.Timers), StorageBytes: a.StorageBytes, Storage: map[string]string{},
	}
}

func be8(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
