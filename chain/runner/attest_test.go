package runner

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// provided is an attestation of runner n, until a height, signed by it.
func provided(t *testing.T, n byte, until unit.Height, capabilities string) *entitle.Attestation {
	t.Helper()
	m, err := entitle.Parse([]byte(capabilities))
	if err != nil {
		t.Fatal(err)
	}
	a := entitle.Attestation{Runner: keyOf(n).Address(), Capabilities: *m, ValidFrom: 1, ValidUntil: until, Evidence: &digest.Hash{1}}
	return a.Sign(keyOf(n))
}

// A runner's attestation is kept, replaced by the next and deleted when it leaves; nobody else's, none that is not signed, late or of an unknown region is
// taken, and then nothing changes.
//
// Spec: ENT §4, §5, §5.1, §6 (attestation validity), §9.14; entitlement-extras §2.2, §4.
func TestAttest(t *testing.T) {
	const first, second = `[{"id":"oracle.llm"}]`, `[{"id":"sec.data_residency","params":{"region":"eu"}}]`
	w := newWorld(t)
	anybody := sig.Pure{}
	said := func(want string) {
		t.Helper()
		a, size, err := Attested(w.overlay, keyOf(1).Address())
		if err != nil || (a == nil) != (want == "") || (size == 0) != (want == "") || a != nil && a.Capabilities.Grants[0].ID != want {
			t.Fatalf("%+v, %d bytes, %v; want %q", a, size, err, want)
		}
	}
	refused := func(a *entitle.Attestation, want error) {
		t.Helper()
		if err := w.Attest(keyOf(1).Address(), anybody, a.Encode()); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	refused(provided(t, 1, 2_000, first), ErrUnknown)
	if err := w.register(1, plain(1, params.RunnerStakeFloor, 0)); err != nil {
		t.Fatal(err)
	}
	refused(provided(t, 1, 999, first), entitle.ErrAttestation) // the height is 1,000
	refused(provided(t, 2, 2_000, first), ErrSignature)
	borrowed := provided(t, 1, 2_000, first)
	borrowed.ValidUntil++
	refused(borrowed, ErrSignature)
	refused(provided(t, 1, 2_000, `[{"id":"sec.data_residency","params":{"region":"mars"}}]`), entitle.ErrAttestation)
	said("")
	if err := w.Attest(keyOf(1).Address(), anybody, []byte{0xa0}); !errors.Is(err, entitle.ErrAttestation) {
		t.Error(err)
	}

	before := len(w.events)
	for _, a := range []*entitle.Attestation{provided(t, 1, 1_000, first), provided(t, 1, 2_000, second)} {
		if err := w.Attest(keyOf(1).Address(), anybody, a.Encode()); err != nil {
			t.Fatal(err)
		}
		said(a.Capabilities.Grants[0].ID)
	}
	// valid_from 1, valid_until 1,000 and 2,000 as variable-length integers: 0x3e8 is e8 07, 0x7d0 is d0 0f
	if got := w.events[before:]; len(got) != 2 || got[0] != "runner.attested 01e807" || got[1] != "runner.attested 01d00f" {
		t.Error(got)
	}
	w.overlay.Set(params.StateKey(entitle.KeyRegions), entitle.EncodeSet([]string{"mars"}))
	refused(provided(t, 1, 2_000, second), entitle.ErrAttestation)
	if err := w.Attest(keyOf(1).Address(), anybody, provided(t, 1, 2_000, `[{"id":"sec.data_residency","params":{"region":"mars"}}]`).Encode()); err != nil {
		t.Error(err)
	}
	if err := w.Deregister(keyOf(1).Address()); err != nil {
		t.Fatal(err)
	}
	said("")
	refused(provided(t, 1, 2_000, first), ErrLeaving)
	if a, _, err := Attested(w.overlay, account.Address{1}); a != nil || err != nil {
		t.Errorf("of a stranger: %+v, %v", a, err)
	}
}
