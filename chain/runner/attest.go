package runner

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// TopicAttested announces what a runner provides: valid_from ‖ valid_until.
const TopicAttested = "runner.attested"

// Attest keeps what a runner says it provides, in place of what it said before. It says so itself, so that nobody brings an older attestation again; the
// signature is kept for whoever audits. Rejects: ErrUnknown, ErrLeaving, ErrSignature, those of entitle.ParseAttestation.
//
// Spec: ENT §3.4, §4, §5, §5.1, §6 (attestation validity); entitlement-extras §2.2, §4.
func (g *Registry) Attest(from account.Address, recoverer sig.Recoverer, data []byte) error {
	if _, err := g.load(from); err != nil {
		return err
	}
	a, err := entitle.ParseAttestation(data)
	if err != nil {
		return err
	}
	regions, err := entitle.RegionsIn(g.State)
	if err != nil {
		return err
	}
	switch {
	case a.Runner != from || !a.Signed(recoverer):
		return ErrSignature
	case g.Height > a.ValidUntil:
		return entitle.Unattested("it was valid until block %d", a.ValidUntil)
	case !a.Capabilities.InRegions(regions):
		return entitle.Unattested("its region is not one")
	}
	g.State.Set(attestedKey(from), data)
	g.emit(TopicAttested, from, uint64(a.ValidFrom), uint64(a.ValidUntil))
	return nil
}

// Attested reads what a runner says it provides, and its size in bytes; nil for one that says nothing.
//
// Spec: ENT §5, §5.1.
func Attested(r state.Reader, addr account.Address) (a *entitle.Attestation, size int, err error) {
	data, ok, err := r.Lookup(attestedKey(addr))
	if err != nil || !ok {
		return nil, 0, err
	}
	a, err = entitle.ParseAttestation(data)
	return a, len(data), err
}
