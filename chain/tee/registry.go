package tee

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// CheckKey holds a public key to the form of its type. Rejects: ErrType, ErrKeyForm.
//
// Spec: tee §2.1.
func CheckKey(t Type, public []byte) error {
	if !t.known() {
		return ErrType
	}
	_, err := t.parse(public)
	return err
}

// RegisterKey makes a key the trusted one of a type and a measurement, in the place of the one before. Rejects: ErrType, ErrKeyForm, ErrFull.
//
// Spec: tee §2.1, §3 (60).
func RegisterKey(s state.Store, t Type, measurement digest.Hash, public []byte, now unit.Height) error {
	if err := CheckKey(t, public); err != nil {
		return err
	}
	if _, err := LoadKey(s, t, measurement); errors.Is(err, ErrKey) {
		n, err := state.Number(s, under(countKeys))
		if err != nil {
			return err
		}
		if n >= MaxKeys {
			return ErrFull
		}
		state.SetNumber(s, under(countKeys), n+1)
	} else if err != nil {
		return err
	}
	k := Key{Public: public, Registered: now}
	s.Set(keyKey(t, measurement), k.Encode())
	return nil
}

// RevokeKey ends a key, and with it what it signed. Rejects: ErrKey, ErrRevoked.
//
// Spec: tee §3 (61), §6.
func RevokeKey(s state.Store, t Type, measurement digest.Hash, now unit.Height) error {
	k, err := live(s, t, measurement)
	if err != nil {
		return err
	}
	k.Revoked = now
	s.Set(keyKey(t, measurement), k.Encode())
	return nil
}

// Deprecate ends a type and a measurement for new jobs; what runs may still be attested by its key. Registering a key takes it back. Rejects: ErrKey,
// ErrRevoked, ErrDeprecated.
//
// Spec: tee §3 (124), §4 (from Active to Deprecated to Revoked).
func Deprecate(s state.Store, t Type, measurement digest.Hash, now unit.Height) error {
	k, err := live(s, t, measurement)
	if err != nil {
		return err
	}
	if k.Deprecated > 0 {
		return ErrDeprecated
	}
	k.Deprecated = now
	s.Set(keyKey(t, measurement), k.Encode())
	return nil
}

// Record keeps that a runner's environment was attested for a job, in the place of what was recorded before. After a revocation only a statement that counts
// longer than the revoked one does: that one is signed already, and brought again it would undo what governance did. Rejects: ErrLifetime, ErrKey, ErrRevoked,
// ErrSignature.
//
// Spec: tee §2.1, §3 (62, 63), §5 (lifetime).
func (s *Statement) Record(st state.Store, expires unit.Height, signature []byte, now unit.Height) error {
	if expires <= now || expires-now > MaxLifetime {
		return ErrLifetime
	}
	if err := s.check(st, s.RecordPayload(expires), signature); err != nil {
		return err
	}
	if before, err := LoadAttestation(st, s.Job, s.Runner); err == nil {
		if before.Revoked && expires <= before.Expires {
			return ErrRevoked
		}
		st.Delete(expiryKey(before.Expires, s.Job, s.Runner))
	} else if !errors.Is(err, ErrAttestation) {
		return err
	}
	a := Attestation{Type: s.Type, Measurement: s.Measurement, Attested: now, Expires: expires}
	st.Set(recordKey(s.Job, s.Runner), a.Encode())
	st.Set(expiryKey(expires, s.Job, s.Runner), []byte{})
	return nil
}

// Revoke ends the record of a job and a runner, for that runner or governance. Rejects: ErrOwner, ErrAttestation, ErrRevoked.
//
// Spec: tee §3 (63).
func Revoke(s state.Store, job digest.Hash, runner, sender account.Address, governs bool) error {
	if sender != runner && !governs {
		return ErrOwner
	}
	a, err := LoadAttestation(s, job, runner)
	if err != nil {
		return err
	}
	if a.Revoked {
		return ErrRevoked
	}
	a.Revoked = true
	s.Set(recordKey(job, runner), a.Encode())
	return nil
}

// Forget removes records, composite attestations and nonces that are over by a block, the oldest first, at most MaxForgotten of each.
//
// Spec: tee §5 (lifetime, nonce GC window).
func Forget(s state.Store, now unit.Height) error {
	if err := forgetOver(s, now); err != nil {
		return err
	}
	prefix := under(underExpires)
	var due [][]byte
	err := s.Scan(prefix, nil, MaxForgotten, func(key, _ []byte) bool {
		r := codec.NewReader(key[len(prefix):])
		if unit.Height(r.U64()) > now {
			return false
		}
		due = append(due, append([]byte(nil), key...))
		return true
	})
	if err != nil {
		return err
	}
	for _, key := range due {
		rest := key[len(prefix)+8:]
		s.Delete(key)
		s.Delete(recordKey(digest.Hash(rest[:digest.Size]), account.Address(rest[digest.Size:])))
	}
	return nil
}
