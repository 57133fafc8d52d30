package beacon

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// Info is what everybody knows of a ceremony beforehand. Ranks count its dealers and players from zero, in the order of their sets.
// Spec: commonware §4.3 (1).
type Info struct {
	Namespace sig.Namespace
	Epoch     uint64       // the key is for
	Previous  *bls.Sharing // the present key, held by the dealers in rank order; nil makes a fresh one
	Dealers   int
	Players   []*bls.PublicKey // voting keys, possession proven
	id        digest.Hash
}

// NewInfo describes a ceremony, or gives ErrInfo.
func NewInfo(n sig.Namespace, epoch uint64, previous *bls.Sharing, dealers int, players []*bls.PublicKey) (*Info, error) {
	bad := dealers < 1 || dealers > sig.MaxParticipants || len(players) == 0 || len(players) > sig.MaxParticipants
	if bad || previous != nil && int(previous.Total()) != dealers {
		return nil, ErrInfo
	}
	i := &Info{Namespace: n, Epoch: epoch, Previous: previous, Dealers: dealers, Players: players}
	h := digest.NewBlake3()
	h.Write(binary.BigEndian.AppendUint64(nil, epoch))
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(dealers)))
	if previous != nil {
		h.Write(previous.Append(nil))
	}
	for _, p := range players {
		key := p.Bytes()
		h.Write(key[:])
	}
	i.id = digest.Hash(h.Sum(nil))
	return i, nil
}

// Threshold is how many shares of the new key sign: the players' quorum.
// Spec: commonware §4.2.
func (i *Info) Threshold() int { return sig.Quorum(len(i.Players)) }

// Required is how many logs the ceremony needs.
// Spec: commonware §4.3 (4).
func (i *Info) Required() int {
	need := sig.Quorum(i.Dealers)
	if i.Previous != nil {
		need = max(need, i.Previous.Threshold())
	}
	return need
}

// Reveals is how many values a log may have in the open: f of the players.
// Spec: commonware §4.3 (3).
func (i *Info) Reveals() int { return sig.Faulty(len(i.Players)) }

// ackPreimage is what a player signs to say that it holds its value of a dealer's commitment.
// Spec: commonware §4.3 (2).
func (i *Info) ackPreimage(dealer uint32, commitment *bls.Sharing) []byte {
	rank := binary.BigEndian.AppendUint32(nil, dealer)
	return i.Namespace.Deal(digest.Blake3(i.id[:], rank, commitment.Append(nil)))
}

// fits gives ErrCommitment unless a commitment is one the dealer may make.
// Spec: commonware §4.3 (1).
func (i *Info) fits(dealer uint32, commitment *bls.Sharing) error {
	if int(dealer) >= i.Dealers {
		return ErrRank
	}
	if int(commitment.Total()) != len(i.Players) || commitment.Threshold() != i.Threshold() {
		return ErrCommitment
	}
	if i.Previous == nil {
		return nil
	}
	own, err := i.Previous.PartialKey(dealer)
	if err != nil || own.Bytes() != commitment.GroupKey().Bytes() {
		return ErrCommitment
	}
	return nil
}
