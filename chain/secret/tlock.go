package secret

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// lockDomain separates identities of time locks.
//
// Spec: secrets-cbss §3.
const lockDomain = "cbss/tlock/v1"

// Bounds of ours.
const (
	MaxLocks = 256 // of an account that wait for their round
	// LockKept is for how many blocks a lock that was opened is kept: 30 days.
	LockKept = 2_592_000
)

// LockID is the identity of a time lock: keccak256("cbss/tlock/v1" ‖ account ‖ key_hash ‖ be8 epoch ‖ be8 view). It stands for the round, so that nothing of
// the lock can be moved to an earlier one.
//
// Spec: secrets-cbss §3, §4 (152).
func LockID(of account.Address, key digest.Hash, round sig.Round) digest.Hash {
	return digest.Keccak256([]byte(lockDomain), of[:], key[:], be8(round.Epoch), be8(round.View))
}

// Lock is a time lock: a data key that is sealed to the release key of an account, whose committee opens it for everybody once the beacon has reached a round.
//
// Spec: secrets-cbss §4 (152, 153).
type Lock struct {
	Account  account.Address
	KeyHash  digest.Hash
	Round    sig.Round
	Epoch    uint64 // wrap_epoch
	Pointer  []byte // as of a version
	Wrapped  []byte // a cbss.Envelope
	Fees     unit.Amount
	Created  unit.Height
	Serving  uint64 // the epoch of the partials; 0 before there are any
	Partials []LockPartial
	Sigma    cbss.Point // what opens it; zero before
	Opened   unit.Height
}

// LockPartial is what a proxy gave. It is public: what it is for is open to everybody from the round on.
type LockPartial struct {
	Proxy digest.Hash
	Place uint32
	Point cbss.Point
}

// ID is the lock's identity.
func (l *Lock) ID() digest.Hash { return LockID(l.Account, l.KeyHash, l.Round) }

// Encode is the record in state: the fields in their order.
func (l *Lock) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(nil, l.Account[:]), l.KeyHash[:])
	dst = codec.AppendUint(l.Round.Append(dst), l.Epoch)
	dst = codec.AppendBytes(codec.AppendBytes(dst, l.Pointer), l.Wrapped)
	dst = codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, uint64(l.Fees)), uint64(l.Created)), l.Serving)
	dst = codec.AppendLen(dst, len(l.Partials))
	for _, p := range l.Partials {
		dst = codec.AppendFixed(codec.AppendUint(codec.AppendFixed(dst, p.Proxy[:]), uint64(p.Place)), p.Point[:])
	}
	return codec.AppendUint(codec.AppendFixed(dst, l.Sigma[:]), uint64(l.Opened))
}

// DecodeLock reads what Encode wrote.
func DecodeLock(data []byte) (*Lock, error) {
	r, l := codec.NewReader(data), new(Lock)
	r.Into(l.Account[:])
	r.Into(l.KeyHash[:])
	l.Round, l.Epoch = sig.ReadRound(r), r.Uint()
	l.Pointer, l.Wrapped = r.Bytes(1+MaxPointer), r.Bytes(cbss.EnvelopeSize)
	l.Fees, l.Created, l.Serving = unit.Amount(r.Uint()), unit.Height(r.Uint()), r.Uint()
	for range r.Len(0, MaxMembers, digest.Size+1+cbss.PointSize) {
		var p LockPartial
		r.Into(p.Proxy[:])
		p.Place = uint32(r.Uint())
		r.Into(p.Point[:])
		l.Partials = append(l.Partials, p)
	}
	r.Into(l.Sigma[:])
	l.Opened = unit.Height(r.Uint())
	return l, finish(r, "time lock")
}

// lockIdentity is what a lock is sealed to: as a version's, with the lock in the place of the key hash and version 0, which no secret has.
func (s *Service) lockIdentity(id digest.Hash, of account.Address, epoch uint64, master cbss.Key) *cbss.Identity {
	return s.identity(cbss.SecretID{Account: of, KeyHash: id}, 0, epoch, master)
}

// LoadLock reads a time lock; nil where there is none.
func LoadLock(r state.Reader, id digest.Hash) (*Lock, error) {
	return state.Find(r, under(underLock, id[:]), DecodeLock)
}

// LoadLockPayload reads what of a lock is kept inline; nil where there is nothing.
func LoadLockPayload(r state.Reader, id digest.Hash) ([]byte, error) {
	raw, _, err := r.Lookup(under(underLockPayload, id[:]))
	return raw, err
}

func (s *Service) saveLock(l *Lock) {
	id := l.ID()
	s.State.Set(under(underLock, id[:]), l.Encode())
}

func lockDue(round sig.Round, id digest.Hash) []byte {
	return under(underLockDue, be8(round.Epoch), be8(round.View), id[:])
}

// reached reports whether the beacon has reached a round.
func (s *Service) reached(round sig.Round) bool {
	now := s.Seed.Round
	return cmp.Or(cmp.Compare(now.Epoch, round.Epoch), cmp.Compare(now.View, round.View)) >= 0
}

// Lock registers a time lock of an account, which pays as many fees of releases as its committee has a threshold. It gives the lock's identity. Rejects:
// ErrLockRound for a round that is reached, ErrLockKnown, ErrNoKey, ErrWrapEpoch, ErrCorrupted, ErrData, ErrForm, ErrInline, ErrQuota, those of an account that
// has too little.
//
// Spec: secrets-cbss §4 (152), §6 (RELEASE_FEE_PER_RECEIPT).
func (s *Service) Lock(of account.Address, key digest.Hash, round sig.Round, with *Sealed) (digest.Hash, error) {
	id := LockID(of, key, round)
	if s.reached(round) {
		return id, ErrLockRound
	}
	before, err := LoadLock(s.State, id)
	if err == nil && before != nil {
		err = ErrLockKnown
	}
	if err != nil {
		return id, err
	}
	k, err := LoadKey(s.State, AccountScope(of))
	if err != nil {
		return id, err
	}
	if k == nil {
		return id, ErrNoKey
	}
	if err := opens(with, k, func() *cbss.Identity { return s.lockIdentity(id, of, with.Epoch, k.Master) }); err != nil {
		return id, err
	}
	waiting := under(underLockCount, of[:])
	n, err := state.Number(s.State, waiting)
	if err != nil {
		return id, err
	}
	if n >= MaxLocks {
		return id, ErrQuota
	}
	state.SetCount(s.State, waiting, n+1)
	fees, err := s.Config.ReleaseFee.Mul(uint64(k.Threshold()))
	if err != nil {
		return id, err
	}
	if err := s.take(of, fees); err != nil {
		return id, err
	}
	l := &Lock{Account: of, KeyHash: key, Round: round, Epoch: with.Epoch, Wrapped: with.Wrapped, Fees: fees, Created: s.Height}
	if l.Pointer, err = s.place(under(underLockPayload, id[:]), with.Pointer); err != nil {
		return id, err
	}
	s.saveLock(l)
	s.State.Set(lockDue(round, id), []byte{})
	s.emit(TopicLocked, id[:], of[:], key[:], round.Append(nil))
	return id, nil
}

// Unlock takes a proxy's partial of a lock whose round is reached. With as many as the threshold the lock is open, and those who opened it share its fees.
// A committee that has passed its key on begins anew. Rejects: ErrLockUnknown, ErrLockOpen, ErrLockEarly, ErrStaleEpoch, ErrNotMember, ErrProxy, ErrProxySig
// for another's proxy, ErrMixed, ErrLockGiven, ErrLockPartial.
//
// Spec: secrets-cbss §3 (check, combine), §4 (153).
func (s *Service) Unlock(id digest.Hash, operator account.Address, proxy digest.Hash, epoch uint64, partial cbss.Point) error {
	l, err := LoadLock(s.State, id)
	switch {
	case err != nil:
		return err
	case l == nil:
		return ErrLockUnknown
	case l.Opened > 0:
		return ErrLockOpen
	case !s.reached(l.Round):
		return ErrLockEarly
	}
	k, err := LoadKey(s.State, AccountScope(l.Account))
	if err != nil {
		return err
	}
	if k == nil {
		return errUnexpected
	}
	g, err := s.served(k, epoch)
	if err != nil {
		return err
	}
	given := LockPartial{Proxy: proxy, Place: g.PlaceOf(proxy), Point: partial}
	if given.Place == 0 {
		return ErrNotMember
	}
	p, err := LoadProxy(s.State, proxy)
	if err != nil {
		return err
	}
	if p.Operator != operator {
		return ErrProxySig
	}
	switch {
	case epoch < l.Serving:
		return ErrMixed
	case epoch > l.Serving:
		l.Serving, l.Partials = epoch, nil
	case slices.ContainsFunc(l.Partials, func(x LockPartial) bool { return x.Proxy == proxy }):
		return ErrLockGiven
	}
	to := s.lockIdentity(id, l.Account, l.Epoch, k.Master)
	if cbss.CheckPartial(to, g.Commitments, cbss.Partial{Place: given.Place, Point: partial}) != nil {
		return ErrLockPartial
	}
	if l.Partials = append(l.Partials, given); len(l.Partials) < g.Threshold() {
		s.saveLock(l)
		return nil
	}
	return s.opened(id, l)
}

// opened combines the partials of a lock, and pays those who gave them.
func (s *Service) opened(id digest.Hash, l *Lock) error {
	list := make([]cbss.Partial, len(l.Partials))
	for i, p := range l.Partials {
		list[i] = cbss.Partial{Place: p.Place, Point: p.Point}
	}
	var err error
	if l.Sigma, err = cbss.Combine(list); err != nil {
		return err
	}
	each := l.Fees / unit.Amount(len(l.Partials))
	for i, one := range l.Partials {
		p, err := LoadProxy(s.State, one.Proxy)
		to := l.Account // of a proxy that is gone
		if err == nil {
			to = p.Operator
		} else if !errors.Is(err, ErrProxy) {
			return err
		}
		fee := each
		if i == 0 {
			fee = l.Fees - each*unit.Amount(len(l.Partials)-1)
		}
		if err := s.give(to, fee); err != nil {
			return err
		}
	}
	l.Fees, l.Partials, l.Opened = 0, nil, max(s.Height, 1)
	s.saveLock(l)
	s.State.Delete(lockDue(l.Round, id))
	waiting := under(underLockCount, l.Account[:])
	n, err := state.Number(s.State, waiting)
	if err != nil {
		return err
	}
	state.SetCount(s.State, waiting, n-1)
	s.State.Set(forgetKey(s.Height+LockKept, forgetLock, id), []byte{})
	s.emit(TopicUnlocked, id[:], l.Sigma[:])
	return nil
}

// NamedLock is a time lock with its identity.
type NamedLock struct {
	ID digest.Hash
	*Lock
}

// WaitingLocks lists the locks of an account that are not open, the earliest round first, of the maxWork locks that wait longest.
//
// Spec: secrets-cbss §4 (152).
func WaitingLocks(r state.Reader, of account.Address) (list []NamedLock, err error) {
	prefix := under(underLockDue)
	var bad error
	err = r.Scan(prefix, nil, maxWork, func(key, _ []byte) bool {
		id := digest.Hash(key[len(prefix)+16:])
		var l *Lock
		if l, bad = LoadLock(r, id); bad == nil && l == nil {
			bad = errUnexpected
		}
		if bad == nil && l.Account == of {
			list = append(list, NamedLock{id, l})
		}
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	return list, err
}

// DueLock is a lock whose round is reached, with what a proxy signs.
type DueLock struct {
	ID    digest.Hash
	Scope Scope
	Data  []byte // the identity's associated data
	Epoch uint64 // of the committee that is asked

	Members, Quorum int // of that committee
}

// DueLocks lists the locks that wait for a proxy's partial, the oldest first and at most limit.
//
// Spec: secrets-cbss §4 (153).
func (s *Service) DueLocks(proxy digest.Hash, limit int) (list []DueLock, err error) {
	prefix := under(underLockDue)
	end := under(underLockDue, be8(s.Seed.Round.Epoch), be8(s.Seed.Round.View), bytes.Repeat([]byte{0xff}, digest.Size+1))
	var ids []digest.Hash
	err = s.State.Scan(prefix, nil, maxWork, func(key, _ []byte) bool {
		if bytes.Compare(key, end) >= 0 {
			return false
		}
		ids = append(ids, digest.Hash(key[len(prefix)+16:]))
		return true
	})
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		l, err := LoadLock(s.State, id)
		if err != nil {
			return nil, err
		}
		if l == nil {
			return nil, errUnexpected
		}
		k, err := LoadKey(s.State, AccountScope(l.Account))
		if err != nil {
			return nil, err
		}
		if k == nil || k.PlaceOf(proxy) == 0 ||
			l.Serving == k.Epoch && slices.ContainsFunc(l.Partials, func(x LockPartial) bool { return x.Proxy == proxy }) {
			continue
		}
		list = append(list, DueLock{
			ID: id, Scope: AccountScope(l.Account), Data: s.lockIdentity(id, l.Account, l.Epoch, k.Master).Bytes(), Epoch: k.Epoch,
			Members: len(k.Committee), Quorum: k.Threshold(),
		})
		if len(list) == limit {
			break
		}
	}
	return list, nil
}
