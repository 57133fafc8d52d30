package secret

import (
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Sealed is what opens a version: where its payload lies, and its key.
//
// Spec: secrets-cbss §2.
type Sealed struct {
	Epoch   uint64 // wrap_epoch
	Pointer []byte // place ‖ where, or the payload
	Wrapped []byte // a cbss.Envelope
}

// Override asks for a committee of a version's own.
//
// Spec: secrets-cbss §3, §4 (68).
type Override struct {
	Members   uint32
	Quorum    uint32
	Preferred []digest.Hash // proxies that are taken before others, where they serve
}

// Set makes the next version of a secret: one that is sealed already to the account's key, or a pending one whose own committee makes its key first, for a
// bond. It gives the version's number. source is the transaction or message. Rejects: ErrForm, ErrQuota, ErrInline, ErrNoKey, ErrWrapEpoch, ErrData,
// ErrCorrupted, ErrCommittee, those of an account that has too little.
//
// Spec: secrets-cbss §4 (68), §5 (Set), §6.
func (s *Service) Set(id cbss.SecretID, policy Policy, sealed *Sealed, override *Override, source digest.Hash) (uint64, error) {
	if err := policy.Check(); err != nil {
		return 0, err
	}
	if (sealed == nil) == (override == nil) {
		return 0, ErrForm
	}
	m, err := s.enter(id)
	if err != nil {
		return 0, err
	}
	m.Latest++
	m.Active = append(m.Active, m.Latest)
	v := &Version{Policy: policy, Created: s.Height, Source: source}
	if override != nil {
		v.Recipient, v.Pending = OfSecret, true
		err = s.request(Scope{Secret: id, Version: m.Latest}, id.Account, override)
	} else {
		err = s.seal(id, m.Latest, v, sealed)
	}
	if err != nil {
		return 0, err
	}
	s.State.Set(versionKey(underVersion, id, m.Latest), v.Encode())
	s.saveSecret(id, m)
	s.emit(TopicCreated, id.Append(nil), uints(m.Latest), flag(v.Pending))
	return m.Latest, nil
}

// enter finds a secret that is to have one version more, within the quotas. Reject: ErrQuota.
//
// Spec: secrets-cbss §6 (secrets per account, versions).
func (s *Service) enter(id cbss.SecretID) (*Secret, error) {
	m, err := LoadSecret(s.State, id)
	if err != nil {
		return nil, err
	}
	if m == nil {
		m = &Secret{Created: s.Height}
	}
	if len(m.Active) >= MaxVersions {
		return nil, ErrQuota
	}
	if len(m.Active) > 0 {
		return m, nil
	}
	key := under(underCount, id.Account[:])
	n, err := state.Number(s.State, key)
	if err != nil {
		return nil, err
	}
	if n >= MaxSecrets {
		return nil, ErrQuota
	}
	state.SetCount(s.State, key, n+1)
	return m, nil
}

// seal puts what opens it into a version. Rejects: ErrNoKey, ErrWrapEpoch, ErrData, ErrCorrupted, ErrForm, ErrInline.
//
// Spec: secrets-cbss §3 (the associated data), §5 (Set).
func (s *Service) seal(id cbss.SecretID, version uint64, v *Version, with *Sealed) error {
	k, err := LoadKey(s.State, scopeOf(id, version, v))
	switch {
	case err != nil:
		return err
	case k == nil:
		return ErrNoKey
	}
	if err := opens(with, k, func() *cbss.Identity { return s.identity(id, version, with.Epoch, k.Master) }); err != nil {
		return err
	}
	v.Pending, v.Epoch, v.Wrapped = false, with.Epoch, with.Wrapped
	v.Pointer, err = s.place(versionKey(underPayload, id, version), with.Pointer)
	return err
}

// opens holds what opens something to a release key and to the identity it is for. Rejects: ErrWrapEpoch, ErrCorrupted, ErrData.
//
// Spec: secrets-cbss §3 (the associated data), §5 (Set).
func opens(with *Sealed, k *ReleaseKey, to func() *cbss.Identity) error {
	if k.Epoch != with.Epoch {
		return ErrWrapEpoch
	}
	e, err := cbss.ParseEnvelope(with.Wrapped)
	if err != nil {
		return ErrCorrupted
	}
	if !slices.Equal(e.Data[:], to().Bytes()) {
		return ErrData
	}
	return nil
}

// place keeps a payload that is inline under a key, and gives the pointer. Rejects: ErrForm, ErrInline.
//
// Spec: secrets-cbss §6 (value), §12 (6).
func (s *Service) place(key, pointer []byte) ([]byte, error) {
	if len(pointer) < 2 {
		return nil, ErrForm
	}
	switch Place(pointer[0]) {
	case InStorage:
		if len(pointer) > 1+MaxPointer {
			return nil, ErrForm
		}
		return pointer, nil
	case Inline:
		if len(pointer) > 1+MaxPayload {
			return nil, ErrForm
		}
		if !s.Config.Inline {
			return nil, ErrInline
		}
		s.State.Set(key, pointer[1:])
		return pointer[:1], nil
	}
	return nil, ErrForm
}

// Finalize seals a version whose own committee has made its key. Rejects: ErrNotFound, ErrDeleted, ErrForm for a version that is not pending, and those of
// seal; ErrInProgress while the key is made.
//
// Spec: secrets-cbss §4 (78), §5.
func (s *Service) Finalize(id cbss.SecretID, version uint64, sealed *Sealed) error {
	v, err := LoadVersion(s.State, id, version)
	if err != nil {
		return err
	}
	if !v.Pending {
		return ErrForm
	}
	if err := s.idle(Scope{Secret: id, Version: version}); err != nil {
		return err
	}
	if err := s.seal(id, version, v, sealed); err != nil {
		return err
	}
	m, err := LoadSecret(s.State, id)
	if err != nil {
		return err
	}
	s.State.Set(versionKey(underVersion, id, version), v.Encode())
	s.saveSecret(id, m)
	s.emit(TopicFinalized, id.Append(nil), uints(version))
	return nil
}

// idle gives ErrInProgress while a key of a scope is made or passed on.
func (s *Service) idle(of Scope) error {
	p, err := LoadPending(s.State, of)
	if err == nil && p != nil {
		err = ErrInProgress
	}
	return err
}

// SetPolicy replaces the policy of a version, and nothing else of it. Rejects: ErrForm, ErrNotFound, ErrDeleted.
//
// Spec: secrets-cbss §4 (69: policy only, never re-wraps).
func (s *Service) SetPolicy(id cbss.SecretID, version uint64, policy Policy) error {
	if err := policy.Check(); err != nil {
		return err
	}
	v, err := LoadVersion(s.State, id, version)
	if err != nil {
		return err
	}
	v.Policy = policy
	s.State.Set(versionKey(underVersion, id, version), v.Encode())
	s.emit(TopicPolicy, id.Append(nil), uints(version))
	return nil
}

// Delete ends one version. Rejects: ErrNotFound, ErrDeleted, ErrInProgress while its own committee makes its key or passes it on.
//
// Spec: secrets-cbss §4 (70), §5.
func (s *Service) Delete(id cbss.SecretID, version uint64) error {
	m, err := LoadSecret(s.State, id)
	if err != nil {
		return err
	}
	if err := s.remove(id, version); err != nil {
		return err
	}
	return s.left(id, m, slices.DeleteFunc(m.Active, func(v uint64) bool { return v == version }))
}

// DeleteAll ends all versions of a secret. pay is called once for each of them, before anything is done. Rejects: ErrNotFound for a secret without versions,
// ErrInProgress, and those of pay.
//
// Spec: secrets-cbss §4 (71), §5, §7.
func (s *Service) DeleteAll(id cbss.SecretID, pay func() error) error {
	m, err := LoadSecret(s.State, id)
	if err != nil {
		return err
	}
	if m == nil || len(m.Active) == 0 {
		return ErrNotFound
	}
	for _, v := range m.Active {
		if err := pay(); err != nil {
			return err
		}
		if err := s.remove(id, v); err != nil {
			return err
		}
	}
	return s.left(id, m, nil)
}

// remove puts a tombstone in the place of a version, and takes its own key away.
func (s *Service) remove(id cbss.SecretID, version uint64) error {
	v, err := LoadVersion(s.State, id, version)
	if err != nil {
		return err
	}
	if v.Recipient == OfSecret {
		of := Scope{Secret: id, Version: version}
		if err := s.idle(of); err != nil {
			return err
		}
		k, err := LoadKey(s.State, of)
		if err != nil {
			return err
		}
		if k != nil {
			for _, p := range k.Committee {
				s.State.Delete(membershipKey(p, of))
			}
			s.State.Delete(of.key())
			s.emit(TopicZeroize, scoped(of), uints(k.Epoch), uints(s.Height))
		}
	}
	s.bury(id, version)
	return nil
}

// bury leaves a tombstone.
func (s *Service) bury(id cbss.SecretID, version uint64) {
	s.State.Delete(versionKey(underVersion, id, version))
	s.State.Delete(versionKey(underPayload, id, version))
	t := Tombstone{s.Height}
	s.State.Set(versionKey(underTombstone, id, version), t.Encode())
	s.emit(TopicDeleted, id.Append(nil), uints(version))
}

// left writes what is left of a secret's versions. Its record stays, so that no number is given twice.
func (s *Service) left(id cbss.SecretID, m *Secret, active []uint64) error {
	if m.Active = active; len(active) == 0 {
		m.Active = nil
		key := under(underCount, id.Account[:])
		n, err := state.Number(s.State, key)
		if err != nil {
			return err
		}
		state.SetCount(s.State, key, n-1)
	}
	s.saveSecret(id, m)
	return nil
}

// Owns gives ErrOwner unless a sender may ask for the release key of an account: it is the account, or made the actor there.
//
// Spec: secrets-cbss §4 (77).
func (s *Service) Owns(sender, owner account.Address) error {
	if sender == owner {
		return nil
	}
	a, err := account.Load(s.State, owner)
	if err == nil && (a.Kind != account.Actor || a.Creator != sender) {
		err = ErrOwner
	}
	return err
}

// afford is how much of an amount an account can spend.
func (s *Service) afford(addr account.Address, amount unit.Amount) (unit.Amount, error) {
	a, err := account.Load(s.State, addr)
	if err != nil {
		return 0, err
	}
	free := a.Balance
	if s.Free != nil {
		free = s.Free(addr, &a)
	}
	return min(free, amount), nil
}

// errUnexpected is of a state that this package did not write.
var errUnexpected = errors.New("secret: a record that must be there is missing")
