package volume

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// LoadWrapped reads what is known of the key of a volume by its hash (cbss.VolumeKeyHash); nil where there never was one.
func LoadWrapped(r state.Reader, key digest.Hash) (*Wrapped, error) {
	return state.Find(r, under(underKey, key[:]), DecodeWrapped)
}

// wrap gives a volume the next wrap of its key, for the release key of an account. Rejects: ErrCommittee, and those of Keys.
//
// Spec: storage-cbfs §3.1 (wrapped_dek, the epoch); secrets-cbss §11.
func (m *Manager) wrap(id digest.Hash, v *Volume, by account.Address, w Wrap) error {
	if m.Keys == nil {
		return ErrCommittee
	}
	to := cbss.SecretID{Account: by, KeyHash: cbss.VolumeKeyHash(id)}
	known, err := LoadWrapped(m.State, to.KeyHash)
	if err != nil {
		return err
	}
	if known == nil {
		known = &Wrapped{Volume: id}
	}
	known.Wraps++
	if err := m.Keys(to, known.Wraps, &w); err != nil {
		return err
	}
	m.State.Set(under(underKey, to.KeyHash[:]), known.Encode())
	v.Wrap = w
	m.emit(TopicWrapped, id, by[:], uvar(known.Wraps), uvar(w.Epoch))
	return nil
}

// Rewrap wraps the key of a private volume anew, for the release key of its owner: of one that was taken over it is the former owner's until then. What was
// wrapped before is released no more. Rejects: ErrNotFound, ErrAuth, ErrDeleted, ErrCollected, ErrCommittee for a public volume, and those of Keys.
//
// Spec: storage-cbfs §3.1; secrets-cbss §11.
func (m *Manager) Rewrap(by account.Address, id digest.Hash, w Wrap) error {
	v, err := m.alive(by, id)
	switch {
	case err != nil:
		return err
	case !v.Private || !w.whole():
		return ErrCommittee
	}
	if err := m.wrap(id, v, by, w); err != nil {
		return err
	}
	m.save(id, v)
	return nil
}

// whole reports whether a wrap has what one of a private volume has.
func (w *Wrap) whole() bool { return len(w.DEK) > 0 && len(w.DEK) <= MaxDEKBytes && w.Epoch > 0 }

// Grants reports whether an account may have the key of a private volume: its owner, and whoever has a token that holds, whatever it allows, since whoever
// writes seals. Of a job's runner the token is the one that was minted for the job; job is zero for an account itself.
//
// Spec: secrets-cbss §11 (the policy is the volume's grants); storage-cbfs §2.5.
func Grants(r state.Reader, id digest.Hash, v *Volume, who account.Address, job digest.Hash, now unit.Height) (bool, error) {
	if job.IsZero() && who == v.Owner {
		return true, nil
	}
	list, err := Tokens(r, id)
	if err != nil {
		return false, err
	}
	for _, one := range list {
		t, err := LoadToken(r, one)
		if err != nil {
			return false, err
		}
		if t.Job != job {
			continue
		}
		body, err := cbfs.DecodeRunnerToken(t.Body)
		if err != nil {
			return false, err
		}
		if body.Runner == who && holds(body, now) {
			return true, nil
		}
	}
	return false, nil
}
