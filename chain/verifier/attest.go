package verifier

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// attested holds an output to the trusted environment that its job requires: it comes with evidence of an environment that its runner is bound to, signed by a
// key that counts now, or a composite attestation of this result was verified before. Rejects: those of package tee, and of Charge.
//
// Spec: tee §4 (the verifier checks each accepted reveal again), §6; runner-marketplace §6.1; WP-January "Trust Model for Resource Reporting".
func (v *Verifier) attested(m *market.Market, t *market.Task, who account.Address, out *verify.Output) error {
	if !t.Spec.Verification.TEERequired {
		return nil
	}
	b, err := runner.BindingOf(m.State, who)
	if errors.Is(err, runner.ErrUnknown) || errors.Is(err, tee.ErrBinding) {
		return tee.ErrMissing
	}
	if err != nil {
		return err
	}
	if out.TEE == nil {
		return composed(m, t, who, b, out)
	}
	e, err := tee.DecodeEvidence(out.TEE)
	if err != nil {
		return err
	}
	want := t.Spec.Verification.TEEType
	if !b.Names(e.Type, e.Measurement) || want != nil && *want != e.Type.String() {
		return tee.ErrMissing
	}
	if v.Charge != nil {
		if err := v.Charge(e.Type.Cost()); err != nil {
			return err
		}
	}
	if err := e.Check(m.State, t.ID, who, out.Data); err != nil {
		return err
	}
	return b.Holds(m.State, e.Type, e.Measurement, t.Job.Assigned)
}

// composed holds an output that comes without evidence to the composite attestation that was verified of it. Rejects: tee.ErrMissing, tee.ErrResult,
// tee.ErrExpired, tee.ErrBinding, tee.ErrDeprecated, tee.ErrKey, tee.ErrRevoked.
//
// Spec: tee §4, §6 (MissingTeeAttestation, InvalidResultHash).
func composed(m *market.Market, t *market.Task, who account.Address, b *tee.Binding, out *verify.Output) error {
	c, err := b.Verified(m.State, t.ID, who, t.Job.Assigned, m.Height)
	switch {
	case errors.Is(err, tee.ErrAttestation):
		return tee.ErrMissing
	case err != nil:
		return err
	case c.Result != digest.SHA256(out.Data):
		return tee.ErrResult
	}
	if want := t.Spec.Verification.TEEType; want != nil && *want != c.Type.String() {
		return tee.ErrMissing
	}
	return nil
}
