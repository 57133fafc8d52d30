package catchup

import (
	"errors"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// pivotEvery is how many blocks the state that others are pointed to may be old, so that many ask for the same one.
	pivotEvery = 16
	// pivotDepth is how far below the tip a block with a finalization of its own is looked for.
	pivotDepth = 64
	// pivotCost is what naming a state costs beside its bytes.
	pivotCost = 64 << 10
)

// reply is an answer to be sent.
type reply interface{ encode() []byte }

// serve answers a request within the asker's budget and that of all. Beyond them the answer is later, or there is none: the asker goes to somebody else. What
// one peer asks for beyond its own budget takes nothing from what others may be served.
func (s *Subsystem) serve(to link.Peer, cost int, later func(wait time.Duration) reply, answer func() (reply, error)) {
	b := s.budgets[to]
	if b == nil {
		b = &served{}
		s.budgets[to] = b
	}
	now := s.Clock.Now()
	if !b.room(now) {
		if wait := b.wait(); later != nil && wait > 0 {
			s.send(to, later(wait).encode())
		}
		return
	}
	if !s.all.spend(requestCost+cost, now) {
		if later != nil {
			s.send(to, later(s.all.wait()).encode())
		}
		return
	}
	b.spend(requestCost+cost, now)
	a, err := answer()
	if err != nil {
		panic(err) // the store failed
	}
	data := a.encode()
	b.spend(len(data), now)
	s.all.spend(len(data), now)
	s.send(to, data)
}

// lacks reports whether an error says that what was asked for is not kept, or never was.
func lacks(err error) bool {
	return errors.Is(err, ledger.ErrAbsent) || errors.Is(err, state.ErrPruned) || errors.Is(err, state.ErrAbsent)
}

// showEpochProof answers with the way out of an epoch.
func (s *Subsystem) showEpochProof(q *epochProofRequest) (*epochProofAnswer, error) {
	a := &epochProofAnswer{id: q.id, top: s.Ledger.Finalized()}
	x, err := s.Ledger.EpochProof(q.epoch)
	if err != nil {
		if lacks(err) {
			err = nil
		}
		return a, err
	}
	a.epochProof = x
	return a, nil
}

// showPivot answers with the newest state that others are pointed to.
func (s *Subsystem) showPivot(q *pivotRequest) (*pivotAnswer, error) {
	tip := s.Ledger.Tip()
	if s.pivot == nil || tip.Header.Height >= s.pivotAt+pivotEvery || s.pivotAt > tip.Header.Height {
		if err := s.point(tip); err != nil {
			return nil, err
		}
	}
	if s.pivot == nil {
		return &pivotAnswer{id: q.id}, nil
	}
	a := *s.pivot
	a.id = q.id
	return &a, nil
}

// point finds the newest block with a finalization of its own, and describes the state after it.
// Spec: commonware §5.7.
func (s *Subsystem) point(tip *ledger.Tip) (err error) {
	var after *state.Commit
	if s.pivot, after, err = newest(s.Ledger, tip.Header.Height, tip.State); s.pivot != nil {
		s.pivotAt = after.Height()
	}
	return err
}

// Source is a chain that a state is taken from, such as a ledger.Handle or a ledger.Disk.
type Source interface {
	Block(height unit.Height) (*block.Block, error)
	Certificates(height unit.Height) ([]*sig.Certificate, error)
	At(height unit.Height) (*state.Commit, error)
	EpochProof(epoch uint64) (*light.EpochProof, error)
}

// newest names the newest state of a source that is proven by a finalization of its own block; nil where there is none.
func newest(from Source, tip unit.Height, present *state.Commit) (*pivotAnswer, *state.Commit, error) {
	for h := tip; h > 0 && h+pivotDepth > tip; h-- {
		b, err := from.Block(h)
		if lacks(err) {
			return nil, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		certificates, err := from.Certificates(h)
		if err != nil {
			return nil, nil, err
		}
		c := own(certificates, h)
		if c == nil {
			continue
		}
		after := present
		if h != tip {
			after, err = from.At(h)
		}
		if lacks(err) {
			return nil, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		target, err := after.Target()
		if err != nil {
			return nil, nil, err
		}
		return &pivotAnswer{block: b.Encode(), finalization: c, target: target}, after, nil
	}
	return nil, nil, nil
}

// own finds the own finalization of the block at a height.
func own(certificates []*sig.Certificate, height unit.Height) *sig.Certificate {
	for _, c := range certificates {
		if c.Kind == sig.Finalization && c.Subject.Height == uint64(height) {
			return c
		}
	}
	return nil
}

// showChunk answers with operations of the log and their proof.
// Spec: commonware §5.7.
func (s *Subsystem) showChunk(q *chunkRequest) (*chunkAnswer, error) {
	return cut(s.Ledger.Tip().State, q)
}

// cut takes a chunk out of the log that leads to a state.
func cut(c *state.Commit, q *chunkRequest) (*chunkAnswer, error) {
	a := &chunkAnswer{id: q.id}
	if q.length > c.Length() || q.from >= q.length || q.count == 0 {
		return a, nil
	}
	data, n, err := c.Operations(q.from, min(q.count, chunkOperations, q.length-q.from), chunkBytes)
	if err == nil && n > 0 {
		a.proof, err = c.ProveRange(q.length, q.from, q.from+n)
	}
	if err == nil && q.foundation {
		a.foundation, err = c.Foundation(q.length, q.from)
	}
	if err != nil {
		if lacks(err) {
			return &chunkAnswer{id: q.id}, nil
		}
		return nil, err
	}
	a.operations = data
	return a, nil
}
