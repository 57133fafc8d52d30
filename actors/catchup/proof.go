package catchup

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// errRange reports a range that does not prove what it claims.
var errRange = errors.New("catchup: not a final continuation")

// place is a block a range must follow.
type place struct {
	height unit.Height
	hash   digest.Hash
}

// batch is a range as it arrived: blocks that follow each other, each with the body its header commits to, the last one the subject of a finalization
// that nobody has looked at yet.
type batch struct {
	from         link.Peer
	blocks       []replica.Final
	parent       digest.Hash // of the first
	bytes        int
	finalization *sig.Certificate
}

func (p *batch) first() unit.Height { return p.blocks[0].Block.Header.Height }

func (p *batch) last() place {
	b := &p.blocks[len(p.blocks)-1]
	return place{b.Block.Header.Height, b.Hash}
}

// unpack checks what can be told of an answer by itself. The blocks are all of one epoch and begin at from. Errors wrap errRange.
func unpack(calendar params.Calendar, from unit.Height, a *answer) (*batch, error) {
	p := &batch{blocks: make([]replica.Final, len(a.blocks)), finalization: a.finalization}
	epoch := calendar.Epoch(from)
	for i, raw := range a.blocks {
		raw = bytes.Clone(raw)
		b, err := block.Decode(raw)
		if err != nil {
			return nil, fmt.Errorf("%w: block %d of %d: %w", errRange, i, len(a.blocks), err)
		}
		h := &b.Header
		if h.Height != from+unit.Height(i) || h.Epoch != epoch || i > 0 && h.ParentHash != p.blocks[i-1].Hash || !bodyFits(b) {
			return nil, fmt.Errorf("%w: block %d of %d", errRange, i, len(a.blocks))
		}
		p.blocks[i] = replica.Final{Block: b, Hash: b.Hash(), Raw: raw}
		p.bytes += len(raw)
	}
	p.parent = p.blocks[0].Block.Header.ParentHash
	c, last := a.finalization, p.last()
	if c == nil || c.Kind != sig.Finalization || c.Subject.BlockHash != last.hash || c.Subject.Height != uint64(last.height) ||
		c.Subject.Round.Epoch != epoch {
		return nil, fmt.Errorf("%w: its finalization is of another block", errRange)
	}
	return p, nil
}

// prove gives the blocks of a batch above a final block, all of them final, if the first one follows it and verify accepts the finalization of the last:
// what is finalized finalizes its ancestors, so one certificate speaks for all. Otherwise the error wraps errRange, or is that of verify.
// Spec: WP §6.1 (finalized: the block and its ancestors); commonware §3.8.
func (p *batch) prove(from place, verify func(*sig.Certificate) error) ([]replica.Final, error) {
	skip := int(from.height + 1 - p.first())
	parent := p.parent
	if skip > 0 {
		parent = p.blocks[skip-1].Hash
	}
	if parent != from.hash {
		return nil, fmt.Errorf("%w: block %d does not follow", errRange, from.height+1)
	}
	return p.blocks[skip:], verify(p.finalization)
}

func bodyFits(b *block.Block) bool {
	hashes := make([]digest.Hash, len(b.Txs))
	for i, t := range b.Txs {
		hashes[i] = t.SigningHash()
	}
	return b.Header.TxCount == uint32(len(b.Txs)) && b.Header.TxRoot == block.TxRoot(hashes)
}

// source is where ranges to serve come from: the ledger.
type source interface {
	Finalized() unit.Height
	First() unit.Height
	Encoded(unit.Height) ([]byte, []*sig.Certificate, error)
}

// collect makes the answer to a request: blocks up to the last one asked for that has a finalization of its own, or to the first one behind those within
// the budget.
// Spec: commonware §3.4 (resolver: an answer is justified by itself).
func collect(calendar params.Calendar, s source, q request) (*answer, error) {
	a := &answer{id: q.id, top: s.Finalized(), first: s.First()}
	if q.from == 0 || q.from < a.first {
		return a, nil
	}
	var blocks [][]byte
	total := 0
	end := min(a.top, q.from+maxBlocks-1, calendar.Last(calendar.Epoch(q.from)))
	for h := q.from; h <= end && (h-q.from < q.count || len(a.blocks) == 0); h++ {
		raw, certificates, err := s.Encoded(h)
		if lacks(err) {
			break // dropped meanwhile
		}
		if err != nil {
			return nil, err
		}
		if total += len(raw); len(blocks) > 0 && total > maxBytes {
			break
		}
		blocks = append(blocks, raw)
		if c := own(certificates, h); c != nil {
			a.blocks, a.finalization = blocks, c
		}
	}
	return a, nil
}
