package beacon

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// Deal is what a dealer tells one player, privately.
// Spec: commonware §4.3 (2).
type Deal struct {
	Dealer     uint32
	Commitment *bls.Sharing
	Share      bls.Share // Index is the player's rank
	// Signature is the dealer's over the commitment: without it anybody could make up a commitment on which one value lies.
	Signature sig.BLSSignature
}

// Ack is a player's answer to a deal it accepts.
// Spec: commonware §4.3 (2).
type Ack struct {
	Dealer    uint32
	Player    uint32
	Signature sig.BLSSignature
}

// Dealer is one dealer's part in a ceremony.
type Dealer struct {
	info       *Info
	rank       uint32
	polynomial *bls.Polynomial
	commitment *bls.Sharing
	signature  sig.BLSSignature
	acks       map[uint32]sig.BLSSignature
}

// NewDealer starts the dealer of a rank, whose voting key is key. constant is its share of the present key, or in a fresh ceremony a random scalar. The
// other coefficients follow from both secrets and the ceremony, so that a restarted dealer deals the same. Errors: ErrRank for another's key,
// ErrCommitment for a constant that is not the dealer's share, bls.ErrPrivateKey, and those of the Key.
// Spec: commonware §4.3 (1).
func NewDealer(info *Info, rank uint32, key Key, constant *bls.PrivateKey) (*Dealer, error) {
	if int(rank) >= len(info.Dealers) || info.Dealers[rank].Bytes() != key.PublicKey().Bytes() {
		return nil, ErrRank
	}
	coefficients, err := info.coefficients(key, constant)
	if err != nil {
		return nil, err
	}
	polynomial, err := bls.NewPolynomial(constant, coefficients)
	if err != nil {
		return nil, err
	}
	commitment, err := polynomial.Commit(uint32(len(info.Players)))
	if err != nil {
		return nil, err
	}
	if err := info.fits(rank, commitment); err != nil {
		return nil, err
	}
	signature, err := key.Attest(info.preimage(dealt, rank, commitment))
	if err != nil {
		return nil, err
	}
	return &Dealer{
		info: info, rank: rank, polynomial: polynomial, commitment: commitment, acks: map[uint32]sig.BLSSignature{}, signature: signature,
	}, nil
}

// coefficients are the Threshold−1 scalars above the constant of a dealer's polynomial.
func (i *Info) coefficients(key Key, constant *bls.PrivateKey) ([][]byte, error) {
	out := make([][]byte, i.Threshold()-1)
	for at := range out {
		k, err := key.Derive(constant, binary.BigEndian.AppendUint64(i.id[:], uint64(at)))
		if err != nil {
			return nil, err
		}
		out[at] = k.Bytes()
	}
	return out, nil
}

// Deal is what to send one player, over a channel nobody else reads; the same every time. Errors: ErrRank, bls.ErrSharing.
func (d *Dealer) Deal(player uint32) (Deal, error) {
	if int(player) >= len(d.info.Players) {
		return Deal{}, ErrRank
	}
	share, err := d.polynomial.Share(player)
	return Deal{Dealer: d.rank, Commitment: d.commitment, Share: share, Signature: d.signature}, err
}

// Acknowledge takes a player's answer. Errors: ErrRank, ErrAck for one that is not the player's.
// Spec: commonware §4.3 (2).
func (d *Dealer) Acknowledge(a Ack) error {
	if a.Dealer != d.rank || int(a.Player) >= len(d.info.Players) {
		return ErrRank
	}
	if _, had := d.acks[a.Player]; had {
		return nil
	}
	if bls.Verify(d.info.Players[a.Player], d.info.preimage(held, d.rank, d.commitment), a.Signature) != nil {
		return ErrAck
	}
	d.acks[a.Player] = a.Signature
	return nil
}

// Acknowledged reports whether a player has answered.
func (d *Dealer) Acknowledged(player uint32) bool {
	_, had := d.acks[player]
	return had
}

// Silent is how many players have not answered.
func (d *Dealer) Silent() int { return len(d.info.Players) - len(d.acks) }

// Log closes the ceremony for this dealer: what it puts on chain. ErrSilent if more players than may be revealed have not answered; the dealer may
// go on collecting.
// Spec: commonware §4.3 (3).
func (d *Dealer) Log() (*Log, error) {
	if d.Silent() > d.info.Reveals() {
		return nil, ErrSilent
	}
	return d.write()
}

// write makes the log of the answers so far.
func (d *Dealer) write() (*Log, error) {
	log := &Log{Dealer: d.rank, Commitment: d.commitment, Acks: sig.NewSigners(len(d.info.Players))}
	var good []sig.BLSSignature
	for player := range uint32(len(d.info.Players)) {
		if s, ok := d.acks[player]; ok {
			log.Acks.Add(int(player))
			good = append(good, s)
			continue
		}
		share, err := d.polynomial.Share(player)
		if err != nil {
			return nil, err
		}
		log.Reveals = append(log.Reveals, share)
	}
	var err error
	log.Aggregate, err = bls.Aggregate(good)
	return log, err
}
