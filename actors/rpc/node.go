package rpc

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/push"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Pool is where transactions wait: the lanes.
type Pool interface {
	// Submit hands over encoded transactions, with those that were decoded, and gives one answer each: nil when it was taken. It waits for the
	// answers at most until ctx ends.
	Submit(ctx context.Context, raw [][]byte, decoded ...*tx.Tx) ([]error, error)
	// Pending finds a waiting transaction.
	Pending(hash digest.Hash) (*tx.Tx, bool)
	// Count gives the number of waiting transactions and of their senders.
	Count() (transactions, accounts int)
	// NextNonce is the nonce after those of an account's waiting transactions; ok is false when none waits.
	NextNonce(addr account.Address) (nonce uint64, ok bool)
}

// Node answers from the subsystems of a running node. It implements Backend.
type Node struct {
	ChainID   uint64
	Version   string
	Ledger    *ledger.Handle
	Index     *index.Handle
	Pool      Pool
	Committed func() unit.Height // newest block with a certificate
	Status    func() supervision.Status
	Funds     *Faucet // nil: this network has none
	// Submitted, if set, is told of every transaction the lanes took from here.
	Submitted func(hash digest.Hash)
	Duties    Duties    // nil: this node's part in key ceremonies is not told
	Agreement Agreement // nil: nor is whom it is connected to
	// Invitations, if set, are those of validators to runners.
	Invitations func() []*protocol.Invitation
	// Progress, if set, is how far a runner says it is with a job; false where it says nothing.
	Progress func(job digest.Hash, runner account.Address) (push.Progress, bool)
	Started  time.Time
	// Pages is how many bytes what pages show again and again may take; 0: as many as it takes.
	Pages int64
	// Service executes for clients; nil: nothing is.
	Service *query.Service
	// Prints says that clients may see what actors print: on development networks.
	Prints bool
	// Doubts, if set, says what else stands in the way of being ready: peers that are missing, blocks that do not come.
	Doubts func() []string
	// Warnings, if set, says what an operator should know although the node serves: a validator that is jailed, misses votes, or does not reach the others.
	Warnings func() []string

	past     past
	receipts recent.Table[index.Place, wire.Receipt]
	blocks   recent.Table[unit.Height, *content]
	outlines recent.Table[digest.Hash, *outline.Document]
	turnouts recent.Table[digest.Hash, wire.EpochTurnout] // by the hash of an epoch's last block
	prices   recent.Table[digest.Hash, wire.Outlook]      // of the blocks up to the one with the hash
}

var errNotFound = &Refusal{http.StatusNotFound, wire.NewError(4004, "")}

// refusal turns what a reader says into an answer.
func refusal(err error) error {
	if gone := absence(err); gone != nil {
		return gone
	}
	if errors.Is(err, ledger.ErrAbsent) {
		return errNotFound
	}
	return err
}

// Health implements Backend.
func (n *Node) Health() wire.Health {
	transactions, accounts := n.Pool.Count()
	began := time.Now()
	height := uint64(n.Ledger.Finalized())
	latency := float64(time.Since(began).Microseconds()) / 1_000
	status := "ok"
	if ready := n.Ready(); !ready.Ready {
		status = "degraded"
	}
	return wire.Health{
		Status: status, Version: n.Version, ChainID: n.ChainID, UptimeSeconds: uint64(time.Since(n.Started).Seconds()),
		BlockHeight: height, Synced: true, MempoolTransactionCount: uint64(transactions), MempoolAccountCount: uint64(accounts),
		Components: map[string]wire.Component{
			"storage": {Status: status, LatencyMs: latency}, "mempool": {Status: "ok"}, "rpc": {Status: "ok"},
		},
	}
}

// Ready implements Backend: the tree is green, a block was finalized, and there are no further doubts.
func (n *Node) Ready() wire.Ready {
	var reasons []string
	if n.Ledger.Finalized() == 0 {
		reasons = append(reasons, "no block is finalized yet")
	}
	var walk func(s supervision.Status)
	walk = func(s supervision.Status) {
		if len(s.Children) == 0 && s.State != supervision.Running.String() {
			reasons = append(reasons, s.Path+" is "+s.State)
		}
		for _, child := range s.Children {
			walk(child)
		}
	}
	walk(n.Status())
	if n.Doubts != nil {
		reasons = append(reasons, n.Doubts()...)
	}
	ready := wire.Ready{Ready: len(reasons) == 0, Reason: reasons}
	if n.Warnings != nil {
		ready.Warnings = n.Warnings()
	}
	return ready
}

// Height implements Backend.
func (n *Node) Height() wire.Height {
	return wire.Height{Height: uint64(n.Ledger.Finalized()), Committed: uint64(n.Committed())}
}

// Tree implements Backend.
func (n *Node) Tree() supervision.Status { return n.Status() }

// tip is the newest durable block.
func (n *Node) tip() (*ledger.Tip, error) {
	if t := n.Ledger.Tip(); t != nil {
		return t, nil
	}
	return nil, &Refusal{http.StatusServiceUnavailable, wire.NewError(1900, "the node is starting")}
}

// Basefee implements Backend.
func (n *Node) Basefee() wire.Basefee {
	t, err := n.tip()
	if err != nil {
		return wire.Basefee{}
	}
	rates, err := fee.LoadBasefees(t.State)
	if err != nil {
		return wire.Basefee{}
	}
	fees := params.Basefees(rates)
	reply := wire.Basefee{CycleBasefee: fees.Cycle, CellBasefee: fees.Cell, Height: uint64(t.Header.Height)}
	if p, err := params.Load(t.State); err == nil {
		reply.Lanes = wire.FromParams(p, fees)
	}
	return reply
}

// AwaitFinal implements Backend.
func (n *Node) AwaitFinal(ctx context.Context, height uint64) error {
	return n.Ledger.Await(ctx, unit.Height(height))
}

// BlockAt implements Backend.
func (n *Node) BlockAt(height uint64) (wire.Block, error) {
	c, err := n.read(unit.Height(height))
	if err != nil {
		return wire.Block{}, err
	}
	return viewBlock(c.block, c.receipts, c.size, "finalized"), nil
}

// BlockByHash implements Backend.
func (n *Node) BlockByHash(hash digest.Hash) (wire.Block, error) {
	height, err := n.Ledger.HeightOf(hash)
	if err != nil {
		return wire.Block{}, refusal(err)
	}
	return n.BlockAt(uint64(height))
}

// Blocks implements Backend.
func (n *Node) Blocks(offset, limit uint64) (wire.Blocks, error) {
	top := uint64(n.Ledger.Finalized())
	page := wire.Blocks{TotalCount: top + 1, Offset: offset, Limit: limit}
	if offset > top {
		offset, limit = top, 0
	}
	list, err := n.blocksFrom(top-offset, limit)
	page.Blocks = list
	return page, err
}

// blocksFrom gives so many blocks from a height down, as far as a page has room for them and this node keeps them.
func (n *Node) blocksFrom(height, limit uint64) ([]wire.Block, error) {
	list, page := []wire.Block{}, filling{}
	for i := uint64(0); i < limit && i <= height && !page.full(); i++ {
		c, err := n.read(unit.Height(height - i))
		if isGone(err) {
			break
		}
		if err != nil {
			return list, err
		}
		page.take(c.weight())
		list = append(list, viewBlock(c.block, c.receipts, c.size, "finalized"))
	}
	return list, nil
}

// BlockReceipts implements Backend.
func (n *Node) BlockReceipts(height uint64) ([]wire.Receipt, error) {
	c, err := n.read(unit.Height(height))
	if err != nil {
		return nil, err
	}
	return c.all(), nil
}

// Receipt implements Backend.
func (n *Node) Receipt(hash digest.Hash) (wire.Receipt, error) {
	place, err := n.Ledger.Transaction(hash)
	if err != nil {
		return wire.Receipt{}, refusal(err)
	}
	return n.receiptAt(place.Height, place.Index)
}

// Transaction implements Backend.
func (n *Node) Transaction(hash digest.Hash) (wire.Transaction, error) {
	place, err := n.Ledger.Transaction(hash)
	if err != nil {
		return wire.Transaction{}, refusal(err)
	}
	b, err := n.Ledger.Block(place.Height)
	if err != nil {
		return wire.Transaction{}, refusal(err)
	}
	return find(b, hash)
}

// find gives a transaction of a block by its hash.
func find(b *block.Block, hash digest.Hash) (wire.Transaction, error) {
	for i, t := range b.Txs {
		if t.SigningHash() == hash {
			return included(b, i), nil
		}
	}
	return wire.Transaction{}, errNotFound
}

// included gives a transaction of a block by its place.
func included(b *block.Block, i int) wire.Transaction {
	w := wire.FromTx(b.Txs[i])
	height, at := uint64(b.Header.Height), uint64(i)
	w.Status, w.BlockHeight, w.Index = "included", &height, &at
	return w
}

// Pending implements Backend.
func (n *Node) Pending(hash digest.Hash) (wire.Transaction, error) {
	t, ok := n.Pool.Pending(hash)
	if !ok {
		return wire.Transaction{}, errNotFound
	}
	w := wire.FromTx(t)
	w.Status = "pending"
	return w, nil
}

// AccountTransactions implements Backend.
func (n *Node) AccountTransactions(addr account.Address, offset, limit uint64) ([]wire.Transaction, uint64, error) {
	entries, total, err := n.Index.Newest(addr, index.Signer, offset, limit)
	if err != nil {
		return nil, 0, refusal(err)
	}
	list, err := n.transactionsOf(entries)
	return list, total, err
}

// transactionsOf gives the transactions whose receipts are listed, as far as a page has room for them and this node keeps them.
func (n *Node) transactionsOf(entries []index.Place) (list []wire.Transaction, err error) {
	list = []wire.Transaction{}
	var open *content
	var page filling
	for _, e := range entries {
		if page.full() {
			break
		}
		if open == nil || open.block.Header.Height != e.Height {
			if open, err = n.read(e.Height); isGone(err) {
				break
			}
			if err != nil {
				return nil, err
			}
			page.take(open.weight())
		}
		at, ok := open.txOf(e.Index)
		if !ok {
			return nil, errNotFound
		}
		w := included(open.block, at)
		page.take(len(open.block.Txs[at].Encode()))
		list = append(list, w)
	}
	return list, nil
}

// Submit implements Backend.
func (n *Node) Submit(ctx context.Context, list []tx.Encoded) (wire.SubmitReply, error) {
	reply := wire.SubmitReply{Hashes: make([]string, len(list)), Errors: make([]*wire.Error, len(list))}
	hashes, raw, decoded := make([]digest.Hash, len(list)), make([][]byte, len(list)), make([]*tx.Tx, len(list))
	for i, one := range list {
		raw[i], decoded[i] = one.Raw, one.Tx
		if one.Tx != nil {
			hashes[i] = one.Tx.SigningHash()
			reply.Hashes[i] = wire.Hash(hashes[i])
		}
	}
	answers, err := n.Pool.Submit(ctx, raw, decoded...)
	if err != nil {
		return reply, err
	}
	failed := false
	for i, err := range answers {
		if err == nil {
			reply.Added++
			if n.Submitted != nil {
				n.Submitted(hashes[i])
			}
			continue
		}
		failed = true
		reply.Skipped++
		refused := wireError(err)
		reply.Errors[i] = &refused
	}
	if !failed {
		reply.Errors = nil
	}
	return reply, nil
}

// wireError gives the error object of a refused transaction. Spec: node-rpc-cli §2.2.
func wireError(err error) wire.Error {
	if class, ok := tx.ClassOf(err); ok {
		body := wire.NewError(int(class.Code), err.Error())
		body.Context = map[string]any{"name": class.Name}
		return body
	}
	var coded interface{ WireCode() int }
	if errors.As(err, &coded) {
		return wire.NewError(coded.WireCode(), err.Error())
	}
	return wire.NewError(1900, err.Error())
}
