package replica

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

const (
	// nearBy is how far below a final block missing ancestors are fetched one by one; from more the node catches up by ranges.
	nearBy = 8
	// importsMax bounds the finalizations of imported ranges that wait for execution.
	importsMax = 1024
	// prefetchMax is how many final blocks are verified and executed ahead of their turn.
	prefetchMax = 32
	// commitMax bounds the final blocks that wait for the ledger, fewer than its inbox takes: so many that the ones of no content which come while it syncs
	// keep it busy. Their bytes are a share of the node's memory; one may always wait.
	commitMax = 160
)

// Contradiction is a pair of certificates that cannot both exist unless more than f validators are faulty. The node stops over it.
type Contradiction struct{ First, Second *sig.Certificate }

// Error implements error.
func (c *Contradiction) Error() string {
	return fmt.Sprintf("replica: more than f validators are faulty: %v of %v in %v contradicts %v of %v in %v",
		c.First.Kind, c.First.Subject.BlockHash, c.First.Subject.Round, c.Second.Kind, c.Second.Subject.BlockHash, c.Second.Subject.Round)
}

// DivergenceError reports a block that a quorum finalized and that does not execute to its roots here. The node stops over it.
type DivergenceError struct {
	Height unit.Height
	Hash   digest.Hash
}

// Error implements error.
func (e *DivergenceError) Error() string {
	return fmt.Sprintf("replica: block %d (%v) is final and does not execute to its roots on this machine", e.Height, e.Hash)
}

// finals are the blocks known to be final on their way to the ledger.
type finals struct {
	far    *sig.Certificate   // the newest finalization
	near   []*sig.Certificate // of imported ranges, ascending
	queue  []proven           // final, ascending, the first on the root
	handed []*node            // to the ledger and not durable yet, ascending: peers that were just told ask for them
	weight int                // bytes of handed
	sought unit.Height        // what was asked of the catch-up
}

// hand notes a block that is handed to the ledger.
func (f *finals) hand(n *node) {
	f.handed = append(f.handed, n)
	f.weight += len(n.raw)
}

// settle forgets handed blocks that are durable.
func (f *finals) settle(height unit.Height) {
	for len(f.handed) > 0 && f.handed[0].height() <= height {
		f.weight -= len(f.handed[0].raw)
		f.handed = f.handed[1:]
	}
}

// find gives a handed block, or nil.
func (f *finals) find(hash digest.Hash) *node {
	for _, n := range f.handed {
		if n.hash == hash {
			return n
		}
	}
	return nil
}

// proven is a final block on its way, and what made it final: its own finalization or that of a descendant. Its bytes may turn out not to be its own and
// have to come again.
type proven struct {
	hash   digest.Hash
	height unit.Height
	proof  *sig.Certificate
}

func newBlock(r *transition.Result) *block.Block {
	b := &block.Block{Header: r.Header, Txs: make([]*tx.Tx, len(r.Txs))}
	for i, v := range r.Txs {
		b.Txs[i] = v.Tx()
	}
	return b
}

func (s *state) notarized(c *sig.Certificate) {
	if n := s.tree.nodes[c.Subject.BlockHash]; n != nil && c.Subject.Round == n.block.Header.Round() {
		n.notarization = c
	}
}

// attachFinalization gives a block its own finalization.
func (s *state) attachFinalization(c *sig.Certificate) {
	if n := s.tree.nodes[c.Subject.BlockHash]; n != nil {
		n.finalization = c
	}
}

func (s *state) finalized(c *sig.Certificate) {
	s.attachFinalization(c)
	if f := &s.finals; f.far == nil || c.Subject.Height >= f.far.Subject.Height {
		f.far = c
	}
}

// imported takes a range of final blocks that others had and this node has not. They were verified against the finalization by whoever fetched them;
// agreement verifies it once more and goes on behind it.
func (s *state) imported(i Import) {
	c := i.Finalization
	if c.Subject.Round.Epoch != s.epoch.number || unit.Height(c.Subject.Height) <= s.tree.root.header.Height || len(s.finals.near) == importsMax {
		return
	}
	for _, b := range i.Blocks {
		if n := s.tree.adopt(b); n != nil {
			n.wanted = true
		}
	}
	s.finals.near = append(s.finals.near, c)
	s.event(simplex.Received{From: simplex.Observer, Message: &simplex.Certificate{Certificate: c}}, nil)
}

// finish hands final blocks to the ledger, in order, executing what was not.
// Spec: commonware §3.3 (on q finalize), §3.8 (3); WP §6.1.
func (s *state) finish() {
	f := &s.finals
	for len(f.near) > 0 && s.extend(f.near[0]) {
		f.near = f.near[1:]
	}
	if f.far != nil && s.extend(f.far) {
		f.far = nil
	}
	for len(f.queue) > 0 && !s.halted {
		p := f.queue[0]
		if s.beyond(p.height) {
			return
		}
		n := s.tree.nodes[p.hash]
		switch {
		case n != nil && n.status == bad:
			s.halt(&DivergenceError{p.height, p.hash})
			return
		case n != nil && n.status == good:
			s.do(occupied{true, f.weight})
			if p.height > s.durable+commitMax || decoded(f.weight) >= s.settings.finals {
				s.prefetchFinals()
				return
			}
			f.queue = f.queue[1:]
			s.commit(n, p.proof)
			continue
		}
		s.need(p.hash, p.proof.Signers)
		s.prefetchFinals()
		return
	}
}

// prefetchFinals verifies the next final blocks in parallel and executes them in order, so that a node that is catching up does not wait for either.
func (s *state) prefetchFinals() {
	q := s.finals.queue
	for i := range min(len(q), prefetchMax) {
		n := s.tree.nodes[q[i].hash]
		if n == nil || n.status == bad {
			return
		}
		if i > 0 && n.status == held {
			s.recover(n)
		}
		if n.status == checking {
			s.execute(n)
		}
	}
}

// extend queues the chain up to the subject of a finalization, and reports whether there is nothing left to do about it. Missing blocks are fetched.
func (s *state) extend(c *sig.Certificate) (done bool) {
	top := s.tree.root.header.Height
	hash := s.tree.root.hash
	if q := s.finals.queue; len(q) > 0 {
		top, hash = q[len(q)-1].height, q[len(q)-1].hash
	}
	if unit.Height(c.Subject.Height) <= top {
		return true
	}
	list, missing, ok := s.tree.path(c.Subject.BlockHash)
	if !ok {
		s.lack(c, missing)
		return false
	}
	list = list[min(len(s.finals.queue), len(list)):]
	if len(list) == 0 || list[0].block.Header.ParentHash != hash {
		s.halt(errors.New("replica: two finalizations on different chains"))
		return false
	}
	for _, n := range list {
		n.wanted, n.final = true, true
		proof := n.finalization
		if proof == nil || n.hash == c.Subject.BlockHash {
			proof = c
		}
		s.finals.queue = append(s.finals.queue, proven{n.hash, n.height(), proof})
	}
	return true
}

// lack gets what is missing below a final block: the block itself or a near ancestor by its hash, more by ranges.
func (s *state) lack(c *sig.Certificate, missing digest.Hash) {
	height := unit.Height(c.Subject.Height)
	if height <= s.tree.root.header.Height+nearBy || !s.seeks {
		s.fetch(missing, c.Signers)
		return
	}
	if height > s.finals.sought {
		s.finals.sought = height
		s.do(seek{height})
	}
}

// commit hands a final, executed block to the ledger: it becomes the root of the tree. Its certificates are its notarization, if it was seen, and the
// finalization that made it final, its own or that of a descendant.
func (s *state) commit(n *node, proof *sig.Certificate) {
	var certificates []*sig.Certificate
	if n.notarization != nil {
		certificates = append(certificates, n.notarization)
	}
	certificates = append(certificates, proof)
	s.tree.advance(n)
	s.finals.hand(n)
	s.do(commit{&ledger.Final{Block: n.block, Hash: n.hash, Receipts: n.receipts, Flows: n.flows, State: n.state, Certificates: certificates}})
}
