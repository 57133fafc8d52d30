package check

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/keyspace"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// Chain is what all nodes of one network agree on, as far as it was seen.
type Chain struct {
	// Wrong lists the violations, oldest first.
	Wrong []string

	runner drain.Runner
	tip    transition.Parent
	hashes []digest.Hash // by height
	roots  []digest.Hash // state roots, by height
	seeds  map[sig.Round]sig.BLSSignature
	rounds map[sig.Round]unit.Height
	held   map[string]unit.Height // newest durable height each node reported
}

// NewChain is a chain that has only its genesis. runner runs Python turns and system instructions.
func NewChain(genesis *block.Header, state *state.Commit, runner drain.Runner) *Chain {
	return &Chain{
		runner: runner, tip: transition.Parent{Header: genesis, State: state}, hashes: []digest.Hash{genesis.Hash()},
		roots: []digest.Hash{state.Root()}, seeds: map[sig.Round]sig.BLSSignature{}, rounds: map[sig.Round]unit.Height{},
		held: map[string]unit.Height{},
	}
}

// Violation adds one.
func (c *Chain) Violation(format string, args ...any) {
	c.Wrong = append(c.Wrong, fmt.Sprintf(format, args...))
}

// Height is that of the newest block any node has made durable.
func (c *Chain) Height() unit.Height { return unit.Height(len(c.hashes) - 1) }

// State is the state after the newest block.
func (c *Chain) State() *state.Commit { return c.tip.State }

// Hash is the block at a height, which is at most Height.
func (c *Chain) Hash(h unit.Height) digest.Hash { return c.hashes[h] }

// Durable takes a block a node has made durable, and the state root it has after it. Blocks of one node come in order.
func (c *Chain) Durable(node string, b *block.Block, root digest.Hash) {
	h, hash := b.Header.Height, b.Hash()
	c.held[node] = max(c.held[node], h)
	switch {
	case h > c.Height()+1:
		c.Violation("%s: block %d after %d", node, h, c.Height())
	case h == c.Height()+1:
		c.extend(node, b, hash)
	case c.hashes[h] != hash:
		c.Violation("%s: two final blocks at height %d: %v and %v", node, h, c.hashes[h], hash)
		return
	}
	if h <= c.Height() && c.roots[h] != root {
		c.Violation("%s: state root %v after block %d, by its own execution %v", node, root, h, c.roots[h])
	}
}

// extend executes a block nobody had before.
func (c *Chain) extend(node string, b *block.Block, hash digest.Hash) {
	txs := make([]tx.Verified, len(b.Txs))
	for i, t := range b.Txs {
		v, err := tx.Verify(t, b.Header.ChainID, sig.Default())
		if err != nil {
			c.Violation("%s: final block %d holds a transaction that does not verify: %v", node, b.Header.Height, err)
			return
		}
		txs[i] = v
	}
	r, err := transition.Apply(c.tip, transition.Job{Mode: transition.Verify, Header: b.Header, Txs: txs}, c.runner)
	if err != nil {
		c.Violation("%s: final block %d does not execute: %v", node, b.Header.Height, err)
		return
	}
	if err := transition.CheckSupply(r.State); err != nil {
		c.Violation("%s: after block %d: %v", node, b.Header.Height, err)
	}
	if err := keyspace.Check(r.State); err != nil {
		c.Violation("%s: after block %d: %v", node, b.Header.Height, err)
	}
	c.once(node, &b.Header)
	header := b.Header
	c.tip = transition.Parent{Header: &header, State: r.State}
	c.hashes = append(c.hashes, hash)
	c.roots = append(c.roots, r.State.Root())
}

// once holds that a round has one seed and one final block. Spec: WP §3.4; commonware §3.8 (L1).
func (c *Chain) once(node string, h *block.Header) {
	if s := h.ParentSeed; s != nil {
		if before, known := c.seeds[s.Round]; known && before != s.Signature {
			c.Violation("%s: two seeds of round %v", node, s.Round)
		}
		c.seeds[s.Round] = s.Signature
	}
	if other, known := c.rounds[h.Round()]; known {
		c.Violation("%s: blocks %d and %d are of one round %v", node, other, h.Height, h.Round())
	}
	c.rounds[h.Round()] = h.Height
}

// Reopened takes the durable height a node finds after a restart.
func (c *Chain) Reopened(node string, height unit.Height) {
	if had := c.held[node]; height < had {
		c.Violation("%s: had block %d on disk and has %d after a restart", node, had, height)
	}
}

// Wiped says that a node's disk was emptied on purpose.
func (c *Chain) Wiped(node string) { delete(c.held, node) }
