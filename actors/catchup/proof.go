package catchup

import (
	"errors"
	"fmt"

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

// prove gives the place of a range's last block if the range continues from, all its bodies are their headers', all blocks are of one epoch, and the
// last one is the subject of a finalization that verify accepts. Otherwise the error wraps errRange, or is that of verify.
// Spec: WP §6.1 (finalized: the block and its ancestors); commonware §3.8.
func prove(calendar params.Calendar, from place, a *answer, verify func(*sig.Certificate) error) (place, error) {
	at := from
	epoch := calendar.Epoch(from.height + 1)
	for i, raw := range a.blocks {
		b, err := block.Decode(raw)
		if err != nil {
			return at, fmt.Errorf("%w: block %d of %d: %w", errRange, i, len(a.blocks), err)
		}
		h := &b.Header
		if h.Height != at.height+1 || h.ParentHash != at.hash || h.Epoch != epoch || !bodyFits(b) {
			return at, fmt.Errorf("%w: block %d of %d", errRange, i, len(a.blocks))
		}
		at = place{h.Height, b.Hash()}
	}
	c := a.finalization
	if c == nil || c.Kind != sig.Finalization || c.Subject.BlockHash != at.hash || c.Subject.Height != uint64(at.height) ||
		c.Subject.Round.Epoch != epoch {
		return at, fmt.Errorf("%w: its finalization is of another block", errRange)
	}
	return at, verify(c)
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
	Block(unit.Height) (*block.Block, error)
	Certificates(unit.Height) ([]*sig.Certificate, error)
}

// collect makes the answer to a question: blocks up to the last one in the budget that has a finalization of its own.
// Spec: commonware §3.4 (resolver: an answer is justified by itself).
func collect(calendar params.Calendar, s source, q question) (*answer, error) {
	a := &answer{id: q.id, top: s.Finalized(), first: s.First()}
	if q.from == 0 || q.from < a.first {
		return a, nil
	}
	var blocks [][]byte
	total := 0
	for h := q.from; h <= a.top && len(blocks) < maxBlocks; h++ {
		b, err := s.Block(h)
		if lacks(err) {
			break // dropped meanwhile
		}
		if err != nil {
			return nil, err
		}
		raw := b.Encode()
		if total += len(raw); len(blocks) > 0 && total > maxBytes || b.Header.Epoch != calendar.Epoch(q.from) {
			break
		}
		blocks = append(blocks, raw)
		certificates, err := s.Certificates(h)
		if lacks(err) {
			break
		}
		if err != nil {
			return nil, err
		}
		if c := own(certificates, b.Hash()); c != nil {
			a.blocks, a.finalization = blocks, c
		}
	}
	return a, nil
}
