package beacon

import (
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// Log is what a dealer puts on chain: its commitment, and for each player either that it acknowledged or its value in the open.
// Spec: commonware §4.3 (3).
type Log struct {
	Dealer     uint32
	Commitment *bls.Sharing
	Acks       sig.Signers      // among the players
	Aggregate  sig.BLSSignature // of the acknowledgements
	Reveals    []bls.Share      // ascending by player
}

// Check gives ErrRank, ErrCommitment, ErrLog, ErrAck or ErrShare unless the log proves that every player has, or can see, its value. It costs one
// signature check, and one multiplication of the commitment per value in the open.
// Spec: commonware §4.3 (3).
func (i *Info) Check(l *Log) error {
	if err := i.fits(l.Dealer, l.Commitment); err != nil {
		return err
	}
	if l.Acks.Len() != len(i.Players) || len(l.Reveals) > i.Reveals() {
		return ErrLog
	}
	acked := l.Acks.Members()
	if len(acked)+len(l.Reveals) != len(i.Players) {
		return ErrLog
	}
	for at, s := range l.Reveals { // disjoint from the acknowledgements and without repetition, so nobody is left out
		if int(s.Index) >= len(i.Players) || l.Acks.Has(int(s.Index)) || at > 0 && l.Reveals[at-1].Index >= s.Index {
			return ErrLog
		}
	}
	keys := make([]*bls.PublicKey, len(acked))
	for at, player := range acked {
		keys[at] = i.Players[player]
	}
	if bls.VerifyAggregate(keys, i.preimage(held, l.Dealer, l.Commitment), l.Aggregate) != nil {
		return ErrAck
	}
	for _, s := range l.Reveals {
		if !l.Commitment.Holds(s) {
			return ErrShare
		}
	}
	return nil
}

// revealed is a player's value in the open.
func (l *Log) revealed(player uint32) (bls.Share, bool) {
	for _, s := range l.Reveals {
		if s.Index == player {
			return s, true
		}
	}
	return bls.Share{}, false
}

// Outcome is what a ceremony ends in.
// Spec: commonware §4.3 (5).
type Outcome struct {
	Sharing *bls.Sharing
	Logs    []*Log   // the ceremony's, in dealer order
	Public  []uint32 // players whose new share everybody can compute
	weights bls.Combination
}

// Finish derives the outcome from the valid logs on chain, at most one per dealer and ascending by dealer. Everybody gets the same. Errors: ErrFailed
// with too few logs, ErrLog out of order, bls.ErrSharing.
// Spec: commonware §4.3 (4, 5).
func (i *Info) Finish(logs []*Log) (*Outcome, error) {
	if len(logs) < i.Required() {
		return nil, ErrFailed
	}
	o := &Outcome{Logs: logs[:i.Required()]}
	dealers := make([]uint32, len(o.Logs))
	commitments := make([]*bls.Sharing, len(o.Logs))
	for at, l := range o.Logs {
		if at > 0 && dealers[at-1] >= l.Dealer {
			return nil, ErrLog
		}
		dealers[at], commitments[at] = l.Dealer, l.Commitment
	}
	var err error
	if i.Previous == nil {
		o.weights = bls.Sum(len(dealers))
	} else if o.weights, err = bls.Interpolation(dealers); err != nil {
		return nil, err
	}
	if o.Sharing, err = o.weights.Sharings(commitments); err != nil {
		return nil, err
	}
	for player := range uint32(len(i.Players)) {
		if o.open(player) {
			o.Public = append(o.Public, player)
		}
	}
	return o, nil
}

// open reports whether every value of a player is in the open.
func (o *Outcome) open(player uint32) bool {
	for _, l := range o.Logs {
		if _, ok := l.revealed(player); !ok {
			return false
		}
	}
	return true
}
