package secret

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// HoldKey holds what wraps the key of a private volume to the release key of an account, and completes it: it is the volume.Manager's Keys. Rejects: ErrNoKey,
// ErrWrapEpoch, ErrCorrupted, ErrData, also for hashes that are not those of the release key.
//
// Spec: secrets-cbss §5 (Set), §11; storage-cbfs §2.2, §3.1.
func (s *Service) HoldKey(to cbss.SecretID, version uint64, w *volume.Wrap) error {
	k, err := LoadKey(s.State, AccountScope(to.Account))
	switch {
	case err != nil:
		return err
	case k == nil:
		return ErrNoKey
	}
	with := &Sealed{Epoch: w.Epoch, Wrapped: w.DEK}
	if err := opens(with, k, func() *cbss.Identity { return s.identity(to, version, w.Epoch, k.Master) }); err != nil {
		return err
	}
	own := volume.Wrap{KeyHash: digest.Keccak256(k.Master[:]), ReleaseHash: k.Material()}
	if !w.KeyHash.IsZero() && w.KeyHash != own.KeyHash || !w.ReleaseHash.IsZero() && w.ReleaseHash != own.ReleaseHash {
		return ErrData
	}
	w.KeyHash, w.ReleaseHash = own.KeyHash, own.ReleaseHash
	return nil
}

// Material is what the chain keeps of a committee's key material: keccak256 of the committee with its commitments.
//
// Spec: storage-cbfs §2.2 (cbss_release_key_material_hash).
func (g *Generation) Material() digest.Hash { return digest.Keccak256(g.append(nil)) }

// Bound holds a release key to what stands with a volume's wrapped key: it is the key that the volume's was wrapped for, and so are the committee and the
// commitments of that epoch, where they are known; g is nil where they are not. What proxies of that key release opens the wrap, and what others do is none of
// the volume's. Reject: ErrData.
//
// Spec: storage-cbfs §2.2 (wrapping_key_hash, cbss_release_key_material_hash); secrets-cbss §11.
func Bound(w *volume.Wrap, master cbss.Key, g *Generation) error {
	if digest.Keccak256(master[:]) != w.KeyHash || g != nil && (g.Epoch != w.Epoch || g.Material() != w.ReleaseHash) {
		return ErrData
	}
	return nil
}

// version finds what a request is for. The key of a volume is what its last wrap seals. Rejects: ErrNotFound, ErrDeleted, ErrRecipient.
//
// Spec: secrets-cbss §5, §11.
func (s *Service) version(q *cbss.Request) (*Version, error) {
	if !ofVolume(q) {
		v, err := LoadVersion(s.State, q.Secret, q.Version)
		if err == nil && q.Recipient != uint8(v.Recipient) {
			err = ErrRecipient
		}
		return v, err
	}
	_, v, err := s.volume(q)
	if err != nil {
		return nil, err
	}
	to, err := v.Wrap.Identity()
	switch {
	case err != nil:
		return nil, err
	case q.Version < to.Version:
		return nil, ErrDeleted
	case q.Version != to.Version || q.Secret != to.Secret:
		return nil, ErrNotFound
	}
	return &Version{Recipient: OfVolume, Epoch: to.Epoch, Wrapped: v.Wrap.DEK}, nil
}

func ofVolume(q *cbss.Request) bool { return Recipient(q.Recipient) == OfVolume }

// volume finds the private volume whose key a request is for. Reject: ErrNotFound.
func (s *Service) volume(q *cbss.Request) (id digest.Hash, v *volume.Volume, err error) {
	w, err := volume.LoadWrapped(s.State, q.Secret.KeyHash)
	if err != nil {
		return id, nil, err
	}
	if w == nil {
		return id, nil, ErrNotFound
	}
	v, err = volume.Load(s.State, w.Volume)
	if errors.Is(err, volume.ErrNotFound) || err == nil && !v.Private {
		err = ErrNotFound
	}
	return w.Volume, v, err
}

// asks gives ErrAccess unless a request for a volume's key is of a runner that has the actor's job, or, without a job, of the account that pays.
//
// Spec: secrets-cbss §5 (assignment), §11.
func (s *Service) asks(q *cbss.Request) error {
	if !q.Job.IsZero() {
		_, err := s.task(q)
		return err
	}
	if q.Actor != q.Runner {
		return ErrAccess
	}
	return nil
}

// lets holds who asks for the key of a volume to the volume's grants, as a proxy does. Rejects: ErrAccess, ErrDeleted for a volume that is deleted.
//
// Spec: secrets-cbss §11 (the policy is the volume's grants), §10 (5); storage-cbfs §4.
func (s *Service) lets(q *cbss.Request) error {
	id, v, err := s.volume(q)
	if err != nil {
		return err
	}
	if v.Status > volume.Grace {
		return ErrDeleted
	}
	ok, err := volume.Grants(s.State, id, v, q.Runner, q.Job, s.Height)
	if err == nil && !ok {
		err = ErrAccess
	}
	return err
}

// granted is asks and lets for what comes behind the release: the token of a job's runner may have ended with the job, so it is enough that the job has the
// volume attached, which is still that owner's. Rejects: ErrAccess, ErrDeleted.
//
// Spec: secrets-cbss §5 (the chain validates a receipt), §11.
func (s *Service) granted(q *cbss.Request) error {
	if q.Job.IsZero() {
		if err := s.asks(q); err != nil {
			return err
		}
		return s.lets(q)
	}
	spec, err := s.task(q)
	if err != nil {
		return err
	}
	of, _, err := s.volume(q)
	if err != nil {
		return err
	}
	for i := range spec.Volumes {
		id, _, err := volume.Named(s.State, q.Actor, spec.Volumes[i].Name)
		if err == nil && id == of {
			return nil
		}
		if err != nil && !errors.Is(err, volume.ErrNotFound) {
			return err
		}
	}
	return ErrAccess
}

// bound holds the release key that is asked to the volume's wrapped key. Reject: ErrData.
func (s *Service) bound(q *cbss.Request) error {
	_, v, err := s.volume(q)
	if err != nil {
		return err
	}
	k, err := LoadKey(s.State, AccountScope(q.Secret.Account))
	if err != nil {
		return err
	}
	if k == nil {
		return ErrNoKey
	}
	return Bound(&v.Wrap, k.Master, k.kept(v.Wrap.Epoch))
}

// affords gives ErrFunds unless an account that asks for itself can pay a whole release, and what it owes besides: no job was paid for that could be refused.
//
// Spec: secrets-cbss §5 (Debt), §6 (RELEASE_FEE_PER_RECEIPT).
func (s *Service) affords(q *cbss.Request, g *Generation) error {
	need, err := s.Config.ReleaseFee.Mul(uint64(g.Threshold()))
	if err != nil {
		return err
	}
	d, err := LoadDebt(s.State, q.Actor)
	if err != nil {
		return err
	}
	if d != nil {
		if need, err = need.Add(d.total()); err != nil {
			return err
		}
	}
	free, err := s.afford(q.Actor, need)
	if err == nil && free < need {
		err = ErrFunds
	}
	return err
}
