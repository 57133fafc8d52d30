package tee

import (
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Status is where a binding stands.
//
// Spec: tee §2.3, §4 (from Active to Deprecated to Revoked).
type Status uint8

// The states.
const (
	Active     Status = iota // it admits new jobs
	Deprecated               // it admits none, and what runs may be attested
	Revoked                  // nothing may
)

// String is the name in the text.
func (s Status) String() string { return [...]string{"Active", "Deprecated", "Revoked"}[s] }

// Status is where a binding stands in a block: as the best of its measurements does, and Deprecated at most once it has to be renewed.
//
// Spec: tee §2.3, §4.
func (b *Binding) Status(r state.Reader, at unit.Height) (Status, error) {
	best := Revoked
	for _, m := range b.Measurements {
		k, err := live(r, b.Type, m)
		switch {
		case errors.Is(err, ErrKey), errors.Is(err, ErrRevoked):
			continue
		case err != nil:
			return Revoked, err
		}
		if best = Deprecated; k.Deprecated == 0 && at < b.until(&k) {
			return Active, nil
		}
	}
	return best, nil
}

// until is the first block in which a measurement with a key admits no new jobs: the one in which a binding has to be renewed, or of a declaration the key.
func (b *Binding) until(k *Key) unit.Height {
	if b.declared {
		return k.Registered + Renewal
	}
	return b.Expires
}

// Admits reports whether a binding is Active, and one that a runner has set will be up to a block: what a job that requires a trusted environment asks of it.
//
// Spec: tee §2.3 (renewal), §4 (the dispatcher filters by declaration and binding), §5; runner-marketplace §4.1 (4).
func (b *Binding) Admits(r state.Reader, now, until unit.Height) (bool, error) {
	if b.declared {
		until = now
	}
	s, err := b.Status(r, until)
	return s == Active, err
}

// Names reports whether a type and a measurement are the binding's.
func (b *Binding) Names(t Type, measurement digest.Hash) bool {
	return t == b.Type && slices.Contains(b.Measurements, measurement)
}

// Holds holds an environment that attests a job to the binding, and to its key: one that was deprecated before the job was given out is not for it. Rejects:
// ErrBinding, ErrKey, ErrRevoked, ErrDeprecated.
//
// Spec: tee §4 (4).
func (b *Binding) Holds(r state.Reader, t Type, measurement digest.Hash, assigned unit.Height) error {
	if !b.Names(t, measurement) {
		return ErrBinding
	}
	k, err := live(r, t, measurement)
	if err == nil && !b.declared && k.Deprecated > 0 && k.Deprecated < assigned {
		err = ErrDeprecated
	}
	return err
}

// serves holds the service of an attestation to the binding. Reject: ErrService.
//
// Spec: tee §2.3 (service_pubkey), §4 (6).
func (b *Binding) serves(s *Service) error {
	if b.Service != [keyBytes]byte{} && (s.Key != b.Service || s.Scheme != b.Scheme) {
		return ErrService
	}
	return nil
}

// accelerates holds the accelerator of an attestation, if there is one, to the binding. Reject: ErrAccelerator.
//
// Spec: tee §2.3 (allowed_gpu), §4 (7).
func (b *Binding) accelerates(g *GPU) error {
	if g != nil && !b.declared && !slices.Contains(b.Accelerators, MeasurementHash(g.Measurement)) {
		return ErrAccelerator
	}
	return nil
}
