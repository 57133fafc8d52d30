package beacon

import (
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// Deal is what a dealer tells one player, privately.
// Spec: commonware §4.3 (2).
type Deal struct {
	Dealer     uint32
	Commitment *bls.Sharing
	Share      bls.Share // Index is the player's rank
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
	acks       map[uint32]sig.BLSSignature
}

// NewDealer starts a dealer of a rank. constant is its share of the present key, or in a fresh ceremony a random scalar; coefficients are
// Info.Threshold−1 random scalars that nobody else ever sees. Errors: ErrInfo for another number of them, ErrCommitment for a constant that is not the
// dealer's share, bls.ErrPrivateKey.
// Spec: commonware §4.3 (1).
func NewDealer(info *Info, rank uint32, constant *bls.PrivateKey, coefficients [][]byte) (*Dealer, error) {
	if len(coefficients) != info.Threshold()-1 {
		return nil, ErrInfo
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
	return &Dealer{info: info, rank: rank, polynomial: polynomial, commitment: commitment, acks: map[uint32]sig.BLSSignature{}}, nil
}

// Deal is what to send one player, over a channel nobody else reads; the same every time. Errors: ErrRank, bls.ErrSharing.
func (d *Dealer) Deal(player uint32) (Deal, error) {
	if int(player) >= len(d.info.Players) {
		return Deal{}, ErrRank
	}
	share, err := d.polynomial.Share(player)
	return Deal{Dealer: d.rank, Commitment: d.commitment, Share: share}, err
}

// Acknowledge takes a player's answer, unverified: Log verifies all in one batch. The first answer of a player counts. from is the player the
// channel belongs to; ErrRank for an answer in another's name.
func (d *Dealer) Acknowledge(from uint32, a Ack) error {
	if a.Dealer != d.rank || a.Player != from || int(from) >= len(d.info.Players) {
		return ErrRank
	}
	if _, had := d.acks[from]; !had {
		d.acks[from] = a.Signature
	}
	return nil
}

// Log closes the ceremony for this dealer: what it puts on chain, and which players' answers were bad. ErrSilent if more players than may be revealed
// gave no good answer; the dealer may go on collecting.
// Spec: commonware §4.3 (3).
func (d *Dealer) Log() (log *Log, bad []uint32, err error) {
	var ranks []uint32
	var keys []*bls.PublicKey
	var signatures []sig.BLSSignature
	for player := range uint32(len(d.info.Players)) {
		if s, ok := d.acks[player]; ok {
			ranks, keys, signatures = append(ranks, player), append(keys, d.info.Players[player]), append(signatures, s)
		}
	}
	for _, at := range bls.VerifyMany(keys, d.info.ackPreimage(d.rank, d.commitment), signatures) {
		bad = append(bad, ranks[at])
		delete(d.acks, ranks[at])
	}
	if len(d.info.Players)-len(d.acks) > d.info.Reveals() {
		return nil, bad, ErrSilent
	}
	log, err = d.write()
	return log, bad, err
}

// write makes the log of the answers left, all of them good.
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
