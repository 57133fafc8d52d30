package beacon

import (
	"encoding/binary"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// Info is what everybody knows of a ceremony beforehand. Ranks count its dealers and players from zero, in the order of their sets.
// Spec: commonware §4.3 (1).
type Info struct {
	Namespace sig.Namespace
	Epoch     uint64           // the key is for
	Previous  *bls.Sharing     // the present key, held by the dealers in rank order; nil makes a fresh one
	Dealers   []*bls.PublicKey // voting keys, possession proven
	Players   []*bls.PublicKey // likewise
	id        digest.Hash
}

// NewInfo describes a ceremony, or gives ErrInfo.
func NewInfo(n sig.Namespace, epoch uint64, previous *bls.Sharing, dealers, players []*bls.PublicKey) (*Info, error) {
	bad := len(dealers) == 0 || len(dealers) > sig.MaxParticipants || len(players) == 0 || len(players) > sig.MaxParticipants
	if bad || previous != nil && int(previous.Total()) != len(dealers) {
		return nil, ErrInfo
	}
	i := &Info{Namespace: n, Epoch: epoch, Previous: previous, Dealers: dealers, Players: players}
	h := digest.NewBlake3()
	h.Write(binary.BigEndian.AppendUint64(nil, epoch))
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(dealers))))
	if previous != nil {
		h.Write(previous.Append(nil))
	}
	for _, p := range slices.Concat(dealers, players) {
		key := p.Bytes()
		h.Write(key[:])
	}
	i.id = digest.Hash(h.Sum(nil))
	return i, nil
}

// Threshold is how many shares of the new key sign: the players' quorum.
// Spec: commonware §4.2.
func (i *Info) Threshold() int { return sig.Quorum(len(i.Players)) }

// Dealer is the rank of a voting key among the dealers.
func (i *Info) Dealer(key Key) (rank uint32, ok bool) { return find(i.Dealers, key.PublicKey()) }

// Player is the rank of a voting key among the players.
func (i *Info) Player(key Key) (rank uint32, ok bool) { return find(i.Players, key.PublicKey()) }

// Required is how many logs the ceremony needs.
// Spec: commonware §4.3 (4).
func (i *Info) Required() int {
	need := sig.Quorum(len(i.Dealers))
	if i.Previous != nil {
		need = max(need, i.Previous.Threshold())
	}
	return need
}

// Reveals is how many values a log may have in the open: f of the players.
// Spec: commonware §4.3 (3).
func (i *Info) Reveals() int { return sig.Faulty(len(i.Players)) }

// The roles a transcript is signed in.
const (
	dealt byte = iota // the dealer: this is my commitment
	held              // a player: I hold my value of it
)

// preimage is what a dealer signs to say that a commitment is its own, and a player to say that it holds its value.
// Spec: commonware §4.3 (2).
func (i *Info) preimage(role byte, dealer uint32, commitment *bls.Sharing) []byte {
	rank := binary.BigEndian.AppendUint32([]byte{role}, dealer)
	return i.Namespace.Deal(digest.Blake3(i.id[:], rank, commitment.Append(nil)))
}

// fits gives ErrCommitment unless a commitment is one the dealer may make.
// Spec: commonware §4.3 (1).
func (i *Info) fits(dealer uint32, commitment *bls.Sharing) error {
	if int(dealer) >= len(i.Dealers) {
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
