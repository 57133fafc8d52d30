package rpc

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"net/netip"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/rpc/causal"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

const (
	indexPatience = 250 * time.Millisecond // how long a trace waits for the index to hold the newest block
	soon          = 8                      // blocks: a timer due by then is worth waiting for
)

// history is what traces are made from.
type history struct{ *Node }

// Executions implements causal.Source.
func (h history) Executions(id digest.Hash, limit int) ([]index.Place, error) {
	return h.Index.Executions(id, limit)
}

// Caused implements causal.Source.
func (h history) Caused(id digest.Hash, limit int) ([]index.Place, error) {
	return h.Index.Caused(id, limit)
}

// Block implements causal.Source.
func (h history) Block(height unit.Height) (*causal.Block, error) {
	c, err := h.read(height)
	if err != nil {
		return nil, err
	}
	return &causal.Block{Block: c.block, Hash: c.hash, Size: c.weight(), Receipts: c.receipts}, nil
}

// Receipt implements causal.Source.
func (h history) Receipt(p index.Place) (wire.Receipt, error) { return h.receiptAt(p.Height, p.Index) }

// Before implements causal.Source.
func (h history) Before(height unit.Height) (transition.Parent, *block.Block, error) {
	return h.before(height)
}

// Trace implements Backend.
func (n *Node) Trace(ctx context.Context, client netip.Addr, hash digest.Hash) (wire.Trace, error) {
	tip, err := n.tip()
	if err != nil {
		return wire.Trace{}, err
	}
	patient, cancel := context.WithTimeout(ctx, indexPatience)
	indexed := n.Index.Await(patient, tip.Header.Height)
	cancel()
	origin, root, ok, err := causal.Root(history{n}, hash)
	if err != nil {
		return wire.Trace{}, err
	}
	if !ok {
		return n.waiting(hash)
	}
	q := causal.Question{Context: ctx, Client: client, From: history{n}, Service: n.Service, State: tip.State, Prints: n.Prints}
	t, err := causal.Trace(q, origin, root)
	if refused := (*Refusal)(nil); err != nil && !errors.As(err, &refused) {
		err = executed(err)
	}
	if err == nil && !indexed {
		t.State = wire.TraceFinal
		t.Pending = append(t.Pending, wire.TraceAwaited{Kind: wire.PendingIndex, Height: uint64(tip.Header.Height)})
	}
	return t, err
}

// waiting answers for a transaction that is not in a final, indexed block.
func (n *Node) waiting(hash digest.Hash) (wire.Trace, error) {
	t := wire.Trace{Root: wire.Hash(hash), Nodes: []wire.TraceNode{}, Pending: []wire.TraceAwaited{}, Stops: []string{}}
	if _, ok := n.Pool.Pending(hash); ok {
		t.State = wire.TracePending
		return t, nil
	}
	if _, err := n.Ledger.Transaction(hash); err == nil {
		t.State = wire.TraceIncluded // final, and about to be indexed
		return t, nil
	}
	return t, errNotFound
}

// Known reports whether an identity has a trace.
func (n *Node) Known(hash digest.Hash) bool {
	_, _, ok, err := causal.Root(history{n}, hash)
	if err == nil && !ok {
		_, err = n.waiting(hash)
	}
	return err == nil
}

// rests reports whether nothing is to be expected of a trace soon: it is settled, or waits for timers that are due later.
func rests(t *wire.Trace, height uint64) bool {
	if t.State == wire.TraceSettled || len(t.Stops) > 0 {
		return true
	}
	for _, p := range t.Pending {
		if p.Kind != wire.PendingTimer || p.Height <= height+soon {
			return false
		}
	}
	return t.State == wire.TraceFinal && t.Waiting == 0
}

// trace answers GET /trace/{hash}; wait_ms holds the answer until the tree is settled, or waits for nothing but timers that are due later.
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
		t, err := s.Backend.Trace(r.Context(), door.SourceAt(r.RemoteAddr), digest.Hash(raw))
		if wait == 0 || err == nil && rests(&t, height) || err != nil && !errors.Is(err, errNotFound) || s.Backend.AwaitFinal(ctx, height+1) != nil {
			s.answer(w, t, err)
			return
		}
	}
}
