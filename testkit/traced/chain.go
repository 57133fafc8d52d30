package traced

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/actors/rpc/causal"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// Chain is a chain of the kit whose blocks can be traced.
type Chain struct {
	*testkit.Chain
	t      testing.TB
	tracer *Tracer
}

// New traces a chain.
func New(t testing.TB, c *testkit.Chain) *Chain { return &Chain{c, t, NewTracer()} }

// Tracer executes blocks again for traces, however long it takes.
type Tracer struct{ service *query.Service }

// NewTracer gives one that remembers nothing.
func NewTracer() *Tracer {
	limits := query.DefaultLimits()
	limits.Replay = time.Hour // nobody waits for more than a test may take
	return &Tracer{query.New(limits)}
}

// Mine makes so many blocks, the first of them of the transactions that were sent.
func (c *Chain) Mine(blocks int) {
	c.t.Helper()
	for range blocks {
		c.Chain.Mine()
	}
}

// Trace gives the tree that a transaction, a message, a deferred call or the fire of a timer belongs to, as a node gives it after the newest block. An
// identity that no block has fails the test.
func (c *Chain) Trace(id digest.Hash) wire.Trace {
	c.t.Helper()
	w, err := c.tracer.Of(c.Chain, id)
	if err != nil {
		c.t.Fatal(err)
	}
	return w
}

// ErrAbsent says that no block has an identity.
var ErrAbsent = errors.New("traced: no block has it")

// Of gives the tree that an identity belongs to in a chain. The blocks it goes through have to be among the newest, of which the chain knows what they stand
// on.
func (r *Tracer) Of(c *testkit.Chain, id digest.Hash) (wire.Trace, error) {
	from := source{c}
	origin, root, ok, err := causal.Root(from, id)
	if err == nil && !ok {
		err = ErrAbsent
	}
	if err != nil {
		return wire.Trace{}, err
	}
	q := causal.Question{Context: context.Background(), Client: netip.Addr{}, From: from, Service: r.service, State: c.State(), Prints: true}
	return causal.Trace(q, origin, root)
}

// source is what traces are made from: every receipt of the chain, looked through.
type source struct{ *testkit.Chain }

var errBlock = errors.New("traced: the block is not one of the newest of the chain")

func (s source) find(limit int, is func(x *block.Receipt, height unit.Height) bool) (list []index.Place, err error) {
	for _, r := range s.Blocks() {
		for i, x := range r.Receipts {
			if is(x, r.Header.Height) && len(list) < limit {
				list = append(list, index.Place{Height: r.Header.Height, Index: uint32(i)})
			}
		}
	}
	return list, nil
}

// Executions implements causal.Source.
func (s source) Executions(id digest.Hash, limit int) ([]index.Place, error) {
	return s.find(limit, func(x *block.Receipt, height unit.Height) bool {
		return x.ID == id || x.Kind == block.Timer && timer.Origin(x.ID, height) == id
	})
}

// Caused implements causal.Source.
func (s source) Caused(id digest.Hash, limit int) ([]index.Place, error) {
	return s.find(limit, func(x *block.Receipt, _ unit.Height) bool { return x.Cause == id && x.ID != id })
}

// Block implements causal.Source.
func (s source) Block(height unit.Height) (*causal.Block, error) {
	for _, r := range s.Blocks() {
		if r.Header.Height == height {
			b := &block.Block{Header: r.Header}
			for _, v := range r.Txs {
				b.Txs = append(b.Txs, v.Tx())
			}
			return &causal.Block{Block: b, Hash: r.Header.Hash(), Receipts: r.Receipts}, nil
		}
	}
	return nil, errBlock
}

// Receipt implements causal.Source.
func (s source) Receipt(p index.Place) (wire.Receipt, error) {
	b, err := s.Block(p.Height)
	if err != nil {
		return wire.Receipt{}, err
	}
	var t *tx.Tx
	next := 0
	for i, x := range b.Receipts[:p.Index+1] {
		if x.Kind == block.Transaction {
			if uint32(i) == p.Index {
				t = b.Block.Txs[next]
			}
			next++
		}
	}
	return wire.FromReceipt(b.Receipts[p.Index], b.Hash, p.Height, int(p.Index), t), nil
}

// Before implements causal.Source.
func (s source) Before(height unit.Height) (transition.Parent, *block.Block, error) {
	b, err := s.Block(height)
	parent, ok := s.Parent(height)
	if err == nil && !ok {
		err = errBlock
	}
	if err != nil {
		return transition.Parent{}, nil, err
	}
	return parent, b.Block, nil
}
