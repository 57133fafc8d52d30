package stake

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Seat is a rank of an epoch's set and the record of the validator in it, which decide together who may propose.
type Seat struct {
	Epoch     uint64
	Rank      uint32
	Validator *Validator // nil: the account has no record any more
}

// Seat reads the seat of a header's rank in the block's epoch, or gives ErrProposer if the set has no such rank.
func (g *Registry) Seat(rank uint32) (*Seat, error) {
	s := &Seat{Epoch: g.epoch(), Rank: rank}
	rec, err := loadEpoch(g.State, s.Epoch)
	if err != nil {
		return nil, err
	}
	addr, ok, err := memberAt(g.State, rec.Set, rank)
	if err == nil && !ok {
		err = ErrProposer
	}
	if err != nil {
		return nil, err
	}
	s.Validator, _, err = Load(g.State, addr)
	return s, err
}

// Bar gives ErrProposer or ErrBarred unless the validator of a header's rank may propose in the block.
// Spec: governance-staking A3, part E (a jailed validator does not propose).
func (g *Registry) Bar(rank uint32) error {
	s, err := g.Seat(rank)
	if err != nil {
		return err
	}
	return s.Bar(g.Height)
}

// Bar gives ErrBarred unless the validator may propose at a height.
// Spec: governance-staking A3, part E (a jailed validator does not propose).
func (s *Seat) Bar(height unit.Height) error {
	if s.Validator != nil && s.Validator.Barred(height) {
		return ErrBarred
	}
	return nil
}

// Unseats reports whether a state key may be one a Seat was read from: whoever writes no such key leaves every Seat as it is.
func Unseats(stateKey []byte) bool {
	home := account.KeyHeader
	if len(stateKey) < home {
		return false
	}
	name := stateKey[home:]
	for _, kind := range [...]string{keyEpoch, keySet, keyValidator} {
		if bytes.HasPrefix(name, []byte(kind)) {
			return true
		}
	}
	return false
}

// memberAt gives the account of a rank in the set of an epoch without decoding all of the set; ok is false if it has no such rank.
func memberAt(r Reader, since uint64, rank uint32) (addr account.Address, ok bool, err error) {
	raw, err := loadSet(r, since)
	if err != nil {
		return addr, false, err
	}
	list := codec.NewReader(raw)
	if n := list.Len(1, params.MaxValidators, memberSize); uint64(rank) >= uint64(n) {
		return addr, false, list.Err()
	}
	for range rank {
		list.Fixed(account.AddressSize + sig.BLSPublicKeySize)
		list.Uint()
	}
	list.Into(addr[:])
	return addr, list.Err() == nil, list.Err()
}
