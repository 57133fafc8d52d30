package stake

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Proposer is a rank of an epoch's set and the record of the validator that has it. Together they decide whether it may propose.
type Proposer struct {
	Epoch     uint64
	Rank      uint32
	Validator *Validator // nil: the account has no record any more
}

// Proposer reads who has a header's rank in the block's epoch, or gives ErrProposer if the set has no such rank.
func (g *Registry) Proposer(rank uint32) (*Proposer, error) {
	p := &Proposer{Epoch: g.epoch(), Rank: rank}
	rec, err := loadEpoch(g.State, p.Epoch)
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
	p.Validator, _, err = Load(g.State, addr)
	return p, err
}

// CheckProposer gives ErrProposer or ErrProposerJailed unless the validator of a header's rank may propose in the block.
// Spec: governance-staking A3, part E (a jailed validator does not propose).
func (g *Registry) CheckProposer(rank uint32) error {
	p, err := g.Proposer(rank)
	if err != nil {
		return err
	}
	return p.Check(g.Height)
}

// Check gives ErrProposerJailed unless the validator may propose at a height.
// Spec: governance-staking A3, part E (a jailed validator does not propose).
func (p *Proposer) Check(height unit.Height) error {
	if p.Validator != nil && p.Validator.InJail(height) {
		return ErrProposerJailed
	}
	return nil
}

// InvalidatesProposer reports whether a write to this state key can change a Proposer that was read before, so that a caller drops its cached one.
func InvalidatesProposer(stateKey []byte) bool {
	kind, addr, name, ok := account.SplitKey(stateKey)
	if !ok || kind != account.KindRecord || addr != home() {
		return false
	}
	for _, prefix := range [...]string{keyEpoch, keySet, keyValidator} {
		if bytes.HasPrefix(name, []byte(prefix)) {
			return true
		}
	}
	return false
}

// memberAt gives the account of a rank in the set of an epoch without decoding all of the set; ok is false if it has no such rank.
func memberAt(r state.Reader, since uint64, rank uint32) (addr account.Address, ok bool, err error) {
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
