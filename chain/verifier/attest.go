package verifier

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// attested holds an output to the trusted environment that its job requires: it comes with evidence of the environment that its runner declared, signed by a
// key that counts now. Rejects: those of package tee, and of Charge.
//
// Spec: tee §4 (the verifier checks each accepted reveal again), §6; runner-marketplace §6.1; WP-January "Trust Model for Resource Reporting".
func (v *Verifier) attested(m *market.Market, t *market.Task, who account.Address, out *verify.Output) error {
	if !t.Spec.Verification.TEERequired {
		return nil
	}
	if out.TEE == nil {
		return tee.ErrMissing
	}
	e, err := tee.DecodeEvidence(out.TEE)
	if err != nil {
		return err
	}
	d, err := runner.LoadDeclaration(m.State, who)
	if err != nil {
		return err
	}
	name, want := e.Type.String(), t.Spec.Verification.TEEType
	if d.Capabilities.TEESupport != name || d.Measurement != e.Measurement || want != nil && *want != name {
		return tee.ErrMissing
	}
	if v.Charge != nil {
		if err := v.Charge(e.Type.Cost()); err != nil {
			return err
		}
	}
	return e.Check(m.State, t.ID, who, out.Data)
}
