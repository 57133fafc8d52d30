package stake

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Member is a validator's place in a set. Its rank is its position: members ascend by public key.
type Member struct {
	Address account.Address  // of its account, which is paid
	Key     sig.BLSPublicKey // votes and header proofs verify under it
	Weight  unit.Amount      // in the draw of proposers, base units; zero: never drawn
}

// Set is the validator set of one epoch.
// Spec: WP "Validator Set"; commonware §2.1.
type Set struct {
	Epoch   uint64
	Members []Member
	Sharing []byte // encoded bls.Sharing of the round seed among exactly these members, in rank order
	Shared  uint64 // the epoch from which on that key is held by these shares
	// Anchor is the hash of the block the epoch builds on and Seed what its header proofs are made over (sig.Namespace.VRF). Both are absent
	// until the state after the epoch's first block.
	Anchor digest.Hash
	Seed   []byte
}

// SetAt is the validator set of an epoch as a state knows it: the present epoch, the next one from the last block of the present one on, and past ones
// within the unbonding period. It gives ErrNoEpoch for any other; any other error is a failing source.
// Spec: WP "Validator Set"; governance-staking A1.
func SetAt(r state.Reader, epoch uint64) (*Set, error) {
	rec, err := loadEpoch(r, epoch)
	if err != nil {
		return nil, err
	}
	set := &Set{Epoch: epoch, Shared: rec.Sharing, Anchor: rec.Anchor, Seed: rec.Seed}
	if set.Members, err = loadMembers(r, rec.Set); err != nil {
		return nil, err
	}
	raw, ok, err := r.Lookup(sharingKey(rec.Sharing))
	if err == nil && !ok {
		err = fmt.Errorf("%w: the shared key of epoch %d is missing", ErrNoEpoch, rec.Sharing)
	}
	set.Sharing = raw
	return set, err
}

// Size is the number of members of the set at a height.
func Size(r state.Reader, height unit.Height) (int, error) {
	calendar, err := params.LoadCalendar(r)
	if err != nil {
		return 0, err
	}
	members, err := current(r, calendar.Epoch(height))
	return len(members), err
}

// Stakes are the members' weights, by rank: simplex.Config.Stakes.
func (s *Set) Stakes() []unit.Amount {
	out := make([]unit.Amount, len(s.Members))
	for i, m := range s.Members {
		out[i] = m.Weight
	}
	return out
}

// Rank is the rank of an account in the set.
func (s *Set) Rank(addr account.Address) (rank uint32, ok bool) { return rankOf(s.Members, addr) }

// Find is the rank of a voting key in the set.
func (s *Set) Find(key sig.BLSPublicKey) (rank uint32, ok bool) {
	for i, m := range s.Members {
		if m.Key == key {
			return uint32(i), true
		}
	}
	return 0, false
}

func rankOf(members []Member, addr account.Address) (uint32, bool) {
	for i, m := range members {
		if m.Address == addr {
			return uint32(i), true
		}
	}
	return 0, false
}

// Keys decodes the set's keys: what verifying the epoch's votes, seeds and header proofs takes, and the public side of the shared key. Every key
// was checked when it was registered, so an error means a state no chain has.
func (s *Set) Keys(n sig.Namespace) (*bls.Epoch, *bls.Sharing, error) {
	sharing, err := bls.DecodeSharing(s.Sharing)
	if err != nil {
		return nil, nil, err
	}
	e := &bls.Epoch{Namespace: n, Group: sharing.GroupKey(), Seed: s.Seed, Validators: make([]*bls.PublicKey, len(s.Members))}
	for i, m := range s.Members {
		if e.Validators[i], err = bls.ParsePublicKey(m.Key); err != nil {
			return nil, nil, err
		}
	}
	return e, sharing, nil
}

// EpochRecord says where an epoch's set lies.
type EpochRecord struct {
	Set     uint64 // the epoch its members and weights hold from
	Sharing uint64 // the epoch its shared key holds from
	Anchor  digest.Hash
	Seed    []byte // empty before the epoch's first block
}

func (e *EpochRecord) encode() []byte {
	dst := codec.AppendUint(nil, e.Set)
	dst = codec.AppendUint(dst, e.Sharing)
	dst = codec.AppendFixed(dst, e.Anchor[:])
	return codec.AppendBytes(dst, e.Seed)
}

// DecodeEpoch reads an epoch's stored record, or gives a *codec.Error.
func DecodeEpoch(data []byte) (*EpochRecord, error) {
	r := codec.NewReader(data)
	e := &EpochRecord{Set: r.Uint(), Sharing: r.Uint()}
	r.Into(e.Anchor[:])
	e.Seed = r.Bytes(sig.BLSSignatureSize)
	return e, r.Finish()
}

func loadEpoch(r state.Reader, epoch uint64) (*EpochRecord, error) {
	raw, ok, err := r.Lookup(epochKey(epoch))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%w: %d", ErrNoEpoch, epoch)
	}
	return DecodeEpoch(raw)
}

// Exists reports whether the state has a validator registry.
func Exists(r state.Reader) (bool, error) {
	_, ok, err := r.Lookup(settledKey)
	return ok, err
}

// memberSize is the least a member is encoded in.
const memberSize = account.AddressSize + sig.BLSPublicKeySize + 1

func appendMembers(dst []byte, members []Member) []byte {
	dst = codec.AppendLen(dst, len(members))
	for _, m := range members {
		dst = codec.AppendFixed(dst, m.Address[:])
		dst = codec.AppendFixed(dst, m.Key[:])
		dst = codec.AppendUint(dst, uint64(m.Weight))
	}
	return dst
}

// DecodeMembers reads a stored set, or gives a *codec.Error: 1 to params.MaxValidators members, strictly ascending by public key.
func DecodeMembers(data []byte) ([]Member, error) {
	r := codec.NewReader(data)
	n := r.Len(1, params.MaxValidators, memberSize)
	members := make([]Member, n)
	for i := range members {
		m := &members[i]
		r.Into(m.Address[:])
		r.Into(m.Key[:])
		m.Weight = unit.Amount(r.Uint())
		if r.Err() == nil && i > 0 && string(members[i-1].Key[:]) >= string(m.Key[:]) {
			r.Fail(codec.ErrOrder, uint64(i))
		}
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return members, nil
}

func loadMembers(r state.Reader, since uint64) ([]Member, error) {
	raw, err := loadSet(r, since)
	if err != nil {
		return nil, err
	}
	return DecodeMembers(raw)
}

func loadSet(r state.Reader, since uint64) ([]byte, error) {
	raw, ok, err := r.Lookup(setKey(since))
	if err == nil && !ok {
		err = fmt.Errorf("%w: the set of epoch %d is missing", ErrNoEpoch, since)
	}
	return raw, err
}

// current gives an epoch's members without its shared key.
func current(r state.Reader, epoch uint64) ([]Member, error) {
	rec, err := loadEpoch(r, epoch)
	if err != nil {
		return nil, err
	}
	return loadMembers(r, rec.Set)
}
