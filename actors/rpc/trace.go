package rpc

import (
	"context"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
)

// maxTrace bounds the executions a trace shows.
const maxTrace = 1_000

// Trace implements Backend.
func (n *Node) Trace(hash digest.Hash) (wire.Trace, error) {
	origin, root, err := n.root(hash)
	if err != nil {
		return n.waiting(hash, err)
	}
	caused, err := n.Index.Caused(origin, maxTrace)
	if err != nil {
		return wire.Trace{}, err
	}
	reader := receiptReader{node: n}
	t := wire.Trace{Nodes: make([]wire.TraceNode, 0, 1+len(caused)), Truncated: len(caused) == maxTrace}
	for _, p := range append([]index.Place{root}, caused...) {
		r, err := reader.at(p)
		if err != nil {
			return wire.Trace{}, err
		}
		grow(&t, r)
	}
	t.Root, t.State = t.Nodes[0].Receipt.TransactionHash, wire.TraceSettled
	tip, err := n.tip()
	if err != nil {
		return wire.Trace{}, err
	}
	pool, open, err := mailbox.LoadPool(state.ReadOnly{Reader: tip.State}, origin)
	if err != nil {
		return wire.Trace{}, err
	}
	if open {
		t.State, t.Waiting = wire.TraceFinal, uint64(pool.Pending)
	}
	return t, nil
}

// root finds what an identity goes back to: the receipt, and the name under
// which everything it led to is kept.
func (n *Node) root(hash digest.Hash) (origin digest.Hash, place index.Place, err error) {
	for range 2 { // an execution, then its cause
		places, err := n.Index.Executions(hash, 1)
		if err != nil {
			return origin, place, err
		}
		if len(places) == 0 {
			return origin, place, errNotFound
		}
		place = places[0]
		receipts, err := n.Ledger.Receipts(place.Height)
		if err != nil {
			return origin, place, refusal(err)
		}
		x := receipts[place.Index]
		switch {
		case x.Kind == block.Timer:
			return timer.Origin(x.ID, place.Height), place, nil
		case x.Cause == x.ID || x.Cause == (digest.Hash{}):
			return x.ID, place, nil
		}
		hash = x.Cause
	}
	return origin, place, errNotFound
}

// waiting answers for a transaction that is not in a final, indexed block.
func (n *Node) waiting(hash digest.Hash, missing error) (wire.Trace, error) {
	t := wire.Trace{Root: wire.Hash(hash), Nodes: []wire.TraceNode{}}
	if _, ok := n.Pool.Pending(hash); ok {
		t.State = wire.TracePending
		return t, nil
	}
	if _, err := n.Ledger.Transaction(hash); err == nil {
		t.State = wire.TraceIncluded // final, and about to be indexed
		return t, nil
	}
	return t, missing
}

// grow adds an execution to a tree.
func grow(t *wire.Trace, r wire.Receipt) {
	node := wire.TraceNode{Receipt: r, Parent: -1}
	if len(t.Nodes) > 0 {
		node.Parent = 0
		for i := len(t.Nodes) - 1; i > 0; i-- {
			if t.Nodes[i].Receipt.Target == r.Sender {
				node.Parent = i
				break
			}
		}
		node.Depth = t.Nodes[node.Parent].Depth + 1
	}
	t.Nodes = append(t.Nodes, node)
	t.Cycles += r.CyclesUsed
	t.Cells += r.CellsUsed
	t.FeeBurned += r.FeeBurned
	t.FeeTipped += r.FeeTipped
	if !r.Success {
		t.Faults++
	}
}

// trace answers GET /trace/{hash}; wait_ms holds the answer until the tree is settled.
func (s *server) trace(w http.ResponseWriter, r *http.Request) {
	raw, err := hex.DecodeString(trim0x(r.PathValue("hash")))
	if err != nil || len(raw) != len(digest.Hash{}) {
		s.fail(w, badRequest("a hash is 64 hex digits, with or without 0x"))
		return
	}
	wait, err := number(r, "wait_ms", 0)
	if err != nil {
		s.fail(w, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), min(time.Duration(min(wait, 1<<20))*time.Millisecond, s.Limits.WaitMax))
	defer cancel()
	for height := s.Backend.Height().Height; ; height++ {
		t, err := s.Backend.Trace(digest.Hash(raw))
		if wait == 0 || err == nil && t.State == wire.TraceSettled || s.Backend.AwaitFinal(ctx, height+1) != nil {
			s.answer(w, t, err)
			return
		}
	}
}
