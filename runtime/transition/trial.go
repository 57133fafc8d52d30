package transition

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Trial is what became of a transaction that was tried. It promises nothing: by the time the transaction is in a block the state may be another.
type Trial struct {
	// Refused is why no block could hold the transaction: a class of package tx, or ErrLane; nil if it ran.
	Refused error
	// Receipt is what it would leave; nil if it was refused.
	Receipt *block.Receipt
	// Enqueued counts the messages and deferred calls it would leave behind, which run on what its limits leave over.
	Enqueued uint32
	// Ahead is how many transactions of the sender come before it, by its nonce. None of them was tried.
	Ahead uint64
}

// Try executes one transaction on the state after a block as if it were all that the next block holds, with nothing before it, and keeps nothing of it. Its
// signature is not looked at. now is the time the block would have, in milliseconds. Errors: drain.ErrInterrupted when interrupt was raised; any other
// is a failure of this machine.
func Try(parent Parent, t *tx.Tx, now uint64, runner drain.Runner, interrupt drain.Interrupt) (*Trial, error) {
	trial, _, err := try(parent, t, now, runner, interrupt, func(*State) error { return nil })
	return trial, err
}

// trying opens a block of one transaction in which nothing of the chain's own runs.
func trying(parent Parent, v tx.Verified, now uint64) (*State, error) {
	s := &State{mode: Verify, parent: parent, txs: []tx.Verified{v}, skipped: make([]bool, 1), fresh: &drain.Fresh{}, overlay: parent.State.Overlay()}
	hash := parent.Hash
	if hash.IsZero() {
		hash = parent.Header.Hash()
	}
	s.header = following(parent.Header, hash, max(now, parent.Header.TimestampMs+1))
	p, err := params.Load(s.overlay)
	if err != nil {
		return nil, err
	}
	if s.version, err = protocol.All().At(p, s.header.Height); err != nil {
		return nil, err
	}
	s.header.Version = uint64(s.version.Number)
	if s.txs[0], err = v.Under(s.version.Rows); err != nil {
		return nil, &InvalidTx{Reason: err}
	}
	fees, err := fee.LoadBasefees(s.overlay)
	if err != nil {
		return nil, err
	}
	for lane := range params.LaneCount {
		if s.lanes[lane], err = p.Lanes.Scale(fees, lane); err != nil {
			return nil, err
		}
	}
	s.messages, s.calls, s.timers, s.limits = queue{none: true}, queue{none: true}, timers{none: true}, limitsOf(p)
	s.block = s.context(p, fees)
	if s.block.Rent, err = rent.Open(s.overlay, p, s.header.Height); err != nil {
		return nil, err
	}
	if err := s.codes(); err != nil {
		return nil, err
	}
	start := drain.Start{ActorCycles: p.Limits.PerActorPerBlockCycles}
	start.Claims[v.Lane()] = v.Tx().CyclesLimit
	s.effect = s.drain.Step(start)
	return s, nil
}

// following is the header of the block that a trial is in: the one of the next round, right behind its parent. What rests on the round is judged as in a real
// one. Nobody has the seed yet that a real one carries; the parent's hash stands in for it, with the seed's round.
//
// Spec: WP §3.4, §17.10.
func following(parent *block.Header, hash digest.Hash, now uint64) block.Header {
	h := block.Header{
		ChainID: parent.ChainID, Height: parent.Height + 1, Epoch: parent.Epoch, View: parent.View + 1, ParentView: parent.View, ParentHash: hash,
		TimestampMs: now,
	}
	if round, ok := block.SeedRound(h.Round(), parent); ok {
		h.ParentSeed = &sig.Seed{Round: round}
		copy(h.ParentSeed.Signature[:], hash[:])
	}
	return h
}

// skipAhead takes the transactions before a transaction for granted, and gives their number.
func (s *State) skipAhead(t *tx.Tx) (uint64, error) {
	sender, err := account.Load(s.overlay, t.From)
	if err != nil || t.Nonce <= sender.Nonce {
		return 0, err
	}
	ahead := t.Nonce - sender.Nonce
	sender.Nonce = t.Nonce
	account.Save(s.overlay, t.From, &sender)
	return ahead, nil
}

// trusted gives the signers of a transaction as it names them.
type trusted struct {
	names []account.Address
}

// Recover implements sig.Recoverer.
func (r *trusted) Recover(digest.Hash, sig.Signature) (account.Address, error) {
	next := r.names[0]
	r.names = r.names[1:]
	return next, nil
}

// Trusting recovers the signers of one transaction that needs no proof of them: of one in a final block, or one that is only tried.
func Trusting(t *tx.Tx) sig.Recoverer {
	names := []account.Address{t.From}
	for _, s := range t.AdditionalSigners {
		names = append(names, s.Address)
	}
	return &trusted{names}
}

// Seen is told of an execution and its outcome, and says whether that is enough.
type Seen func(t *drain.Turn, o *drain.Outcome) (enough bool)

// Replay executes a final block on the state its parent left, until seen has enough or to its end, and has seen told of every execution that was handed to
// the runner, when its outcome is there. Nothing is checked against the header, and nothing is kept. Errors as Try's.
func Replay(parent Parent, b *block.Block, runner drain.Runner, interrupt drain.Interrupt, seen Seen) error {
	txs := make([]tx.Verified, len(b.Txs))
	for i, t := range b.Txs {
		var err error
		if txs[i], err = tx.Verify(t, b.Header.ChainID, Trusting(t)); err != nil {
			return err
		}
	}
	s, err := Begin(parent, Job{Mode: Verify, Header: b.Header, Txs: txs})
	if err != nil {
		return err
	}
	for {
		if interrupt != nil && interrupt.Raised() {
			return drain.ErrInterrupted
		}
		turn, err := s.Next()
		if err != nil || turn == nil {
			return err
		}
		turn.Interrupt = interrupt
		outcome, err := runner.Run(turn)
		if err != nil {
			return err
		}
		if seen(turn, &outcome) {
			return nil
		}
		if err := s.Take(outcome); err != nil {
			return err
		}
	}
}
