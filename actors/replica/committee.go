package replica

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/replica/shares"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/simplex/quorum"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	chainstate "github.com/cowboyinc/cowboy-go/chain/state"
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

// Committees tells the validator set of each epoch. It is asked when the epoch's anchor, the block it builds on, is durable. A Committee is used by one
// goroutine at a time.
type Committees interface {
	At(epoch uint64, anchor digest.Hash) (*Committee, error)
}

// Registered is the set of each epoch as the registry in the chain's state has it.
//
// This node is a member if its voting key is in the set and it holds its share of the epoch's shared key: in the store, or derived from the deals there
// and the dealer logs on chain, which works up to the epoch's midpoint. Without the share it follows. What the epoch makes useless is destroyed.
type Registered struct {
	Namespace sig.Namespace
	// State is the newest durable state.
	State func() *chainstate.Commit
	// Vote is this node's voting key and Shares its store; both nil for an observer.
	Vote   beacon.Key // a *bls.PrivateKey, or Elsewhere
	Shares *shares.Store
	// First is the share of the genesis dealer, for as long as that key is shared so; zero for none.
	First bls.Share
}

// At implements Committees. Errors: stake.ErrNoEpoch; any other is a failing source or disk, or a state no chain has.
// Spec: WP "Validator Set"; governance-staking A1; commonware §3.7, §4.2, §4.3 (4).
func (r *Registered) At(epoch uint64, anchor digest.Hash) (*Committee, error) {
	view := r.State()
	set, err := stake.SetAt(view, epoch)
	if err != nil {
		return nil, err
	}
	keys, sharing, err := set.Keys(r.Namespace)
	if err != nil {
		return nil, err
	}
	c := &Committee{VerifySeed: keys.VerifySeed, Stakes: set.Stakes(), Self: simplex.Observer}
	for _, m := range set.Members {
		c.Rewards = append(c.Rewards, m.Address)
	}
	scheme, err := quorum.NewKeys(keys, sharing)
	if err != nil {
		return nil, err
	}
	if c.Scheme = scheme; r.Vote == nil {
		return c, nil
	}
	share, err := r.share(view, set)
	if err != nil || share == nil || !sharing.Holds(*share) {
		return c, err
	}
	c.Self = share.Index
	switch key := r.Vote.(type) {
	case *bls.PrivateKey:
		c.Signer = &Keys{quorum.Signer{Namespace: r.Namespace, Key: key, Share: *share, Anchor: anchor, Hashes: scheme.Hashes()}}
	case Elsewhere:
		c.Signer = key.Signer(r.Namespace, *share, anchor)
	default:
		return nil, fmt.Errorf("replica: %T is no voting key", key)
	}
	return c, nil
}

// share finds this node's share of an epoch's key and destroys older ones; nil if it is no member or has lost it.
func (r *Registered) share(view *chainstate.Commit, set *stake.Set) (*bls.Share, error) {
	rank, member := set.Find(r.Vote.PublicKey().Bytes())
	share := r.Shares.Share(set.Shared)
	if set.Shared == 0 && r.First.Key != nil {
		share = &r.First
	}
	if share == nil && member && set.Shared == set.Epoch {
		var err error
		if share, err = stake.Recover(view, r.Namespace, r.Vote, set.Epoch, r.Shares.Deals(set.Epoch)); err != nil {
			return nil, err
		}
		if share != nil {
			if err := r.Shares.Put(set.Shared, *share); err != nil {
				return nil, err
			}
		}
	}
	useless := set.Epoch
	if share != nil {
		useless++ // its deals have done what they were for
	}
	if err := r.Shares.Forget(set.Shared, useless); err != nil {
		return nil, err
	}
	if !member || share == nil || share.Index != rank {
		return nil, nil
	}
	return share, nil
}
