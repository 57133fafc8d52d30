package beacon

import (
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// Player is one player's part in a ceremony. Its deals are secret and must be durable before their acknowledgement is sent: a restarted player is
// given them again.
type Player struct {
	info  *Info
	rank  uint32
	key   Key
	deals map[uint32]Deal
}

// NewPlayer starts the player of a rank, whose voting key is key, or gives ErrRank.
func NewPlayer(info *Info, rank uint32, key Key) (*Player, error) {
	if int(rank) >= len(info.Players) || info.Players[rank].Bytes() != key.PublicKey().Bytes() {
		return nil, ErrRank
	}
	return &Player{info: info, rank: rank, key: key, deals: map[uint32]Deal{}}, nil
}

// Receive takes a dealer's deal and gives the acknowledgement. The same deal again gives the same one. Errors, to which there is no answer: ErrRank,
// ErrCommitment, ErrDealer, ErrShare, ErrAgain. sig.ErrUnsigned says that the deal is good and nobody signs at present: the deal is asked for again.
// Spec: commonware §4.3 (2).
func (p *Player) Receive(d Deal) (Ack, error) {
	if err := p.take(d); err != nil {
		return Ack{}, err
	}
	ack, err := p.answer(d)
	if err == nil {
		p.deals[d.Dealer] = d
	}
	return ack, err
}

// answer acknowledges a deal that can be accepted.
func (p *Player) answer(d Deal) (Ack, error) {
	signature, err := p.key.Attest(p.info.preimage(held, d.Dealer, d.Commitment))
	return Ack{Dealer: d.Dealer, Player: p.rank, Signature: signature}, err
}

// hold takes deals that were accepted before and gives those of this ceremony.
func (p *Player) hold(kept []Deal) (held []Deal) {
	for _, d := range kept {
		if p.take(d) == nil {
			p.deals[d.Dealer] = d
			held = append(held, d)
		}
	}
	return held
}

// take gives an error unless a deal can be accepted.
func (p *Player) take(d Deal) error {
	if d.Share.Index != p.rank {
		return ErrRank
	}
	if err := p.info.fits(d.Dealer, d.Commitment); err != nil {
		return err
	}
	if bls.Verify(p.info.Dealers[d.Dealer], p.info.preimage(dealt, d.Dealer, d.Commitment), d.Signature) != nil {
		return ErrDealer
	}
	if first, had := p.deals[d.Dealer]; had && !first.Commitment.Equal(d.Commitment) {
		return ErrAgain
	}
	if !d.Commitment.Holds(d.Share) {
		return ErrShare
	}
	return nil
}

// Share is the player's share of the new key. ErrLost if the ceremony used a deal the player acknowledged and no longer holds: it then takes part in the
// epoch without contributing to seeds.
// Spec: commonware §4.3 (4).
func (p *Player) Share(o *Outcome) (bls.Share, error) {
	dealt := make([]bls.Share, len(o.Logs))
	for i, l := range o.Logs {
		if s, ok := l.revealed(p.rank); ok {
			dealt[i] = s
			continue
		}
		d, ok := p.deals[l.Dealer]
		if !ok || !d.Commitment.Equal(l.Commitment) {
			return bls.Share{}, ErrLost
		}
		dealt[i] = d.Share
	}
	share, err := o.weights.Shares(dealt)
	if err != nil {
		return bls.Share{}, err
	}
	if !o.Sharing.Holds(share) {
		return bls.Share{}, ErrShare
	}
	return share, nil
}
