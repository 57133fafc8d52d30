package replica

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/simplex/quorum"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Committee is the validator set of one epoch, and this node's place in it.
type Committee struct {
	// Stakes and Rewards are the validators' stakes and reward addresses, by rank.
	Stakes  []unit.Amount
	Rewards []account.Address
	// Scheme verifies and combines their signatures.
	Scheme simplex.Scheme
	// VerifySeed gives an error unless a seed is its round's.
	VerifySeed func(sig.Seed) error
	// Self is this node's rank, or simplex.Observer; then Signer is nil.
	Self   uint32
	Signer Signer
}

// Committees tells the validator set of each epoch. It is asked when the epoch's anchor, the block it builds on, is final. A Committee is used by one
// goroutine at a time.
type Committees interface {
	At(epoch uint64, anchor digest.Hash) (*Committee, error)
}

// Fixed is one set for all epochs: that of the genesis.
type Fixed struct {
	Namespace sig.Namespace
	Set       []genesis.Validator
	Sharing   *bls.Sharing
	// Vote and Share are this node's keys, nil and zero for an observer.
	Vote  *bls.PrivateKey
	Share bls.Share
}

// ErrCommittee reports keys that do not fit the validator set.
var ErrCommittee = fmt.Errorf("replica: the keys do not fit the validator set")

// Rank is where the key stands in the set, or simplex.Observer without a key. A key that is not in the set is ErrCommittee.
func (f *Fixed) Rank() (uint32, error) {
	if f.Vote == nil {
		return simplex.Observer, nil
	}
	own := f.Vote.PublicKey().Bytes()
	for i := range f.Set {
		if f.Set[i].PublicKey == own {
			return uint32(i), nil
		}
	}
	return 0, ErrCommittee
}

// At implements Committees. Spec: WP "Validator Set"; commonware §3.7, §4.2.
func (f *Fixed) At(_ uint64, anchor digest.Hash) (*Committee, error) {
	epoch := &bls.Epoch{Namespace: f.Namespace, Group: f.Sharing.GroupKey()}
	c := &Committee{VerifySeed: epoch.VerifySeed}
	for _, v := range f.Set {
		key, err := bls.ParsePublicKey(v.PublicKey)
		if err != nil {
			return nil, err
		}
		epoch.Validators = append(epoch.Validators, key)
		c.Stakes = append(c.Stakes, v.Stake)
		c.Rewards = append(c.Rewards, v.Address)
	}
	keys, err := quorum.NewKeys(epoch, f.Sharing)
	if err != nil {
		return nil, err
	}
	c.Scheme = keys
	if c.Self, err = f.Rank(); err != nil || f.Vote == nil {
		return c, err
	}
	if f.Share.Key == nil || f.Share.Index != c.Self {
		return nil, fmt.Errorf("%w: the share is of rank %d, the key of rank %d", ErrCommittee, f.Share.Index, c.Self)
	}
	c.Signer = &Keys{quorum.Signer{Namespace: f.Namespace, Key: f.Vote, Share: f.Share, Anchor: anchor}}
	return c, nil
}
