package tee

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; tee §2.1.
func TestGoldenRecords(t *testing.T) {
	a := golden.Fill(&Attestation{})
	a.Type = SEV
	e := golden.Fill(&Evidence{})
	e.Type = SEV
	m := golden.Fill(&ModelEvidence{})
	m.Type = TDX
	c := golden.Fill(&Composite{})
	c.Type = Nitro
	cae := golden.Fill(&CAE{})
	cae.CPU.Type, cae.Service.Scheme = Nitro, EcdsaP256
	b := golden.Fill(&Binding{})
	b.Type, b.Scheme = TDX, Ed25519
	golden.Records(t, map[string][]byte{
		"Binding": b.Encode(), "Asked": golden.Fill(&Asked{}).Encode(),
		"ModelEvidence": m.Encode(), "Collateral": Collateral{*golden.Fill(&Snapshot{}), *golden.Fill(&Snapshot{})}.Encode(), "Composite": c.Encode(),
		"Snapshot": golden.Fill(&Snapshot{}).append(nil), "CAE": cae.Encode(),
		"Key": golden.Fill(&Key{}).Encode(), "Attestation": a.Encode(), "Evidence": e.Encode()})
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	k := *golden.Fill(&Key{})
	if back, err := DecodeKey(k.Encode()); err != nil || !reflect.DeepEqual(back, k) {
		t.Errorf("%+v %v", back, err)
	}
	a := *golden.Fill(&Attestation{})
	a.Type = TDX
	if back, err := DecodeAttestation(a.Encode()); err != nil || back != a {
		t.Errorf("%+v %v", back, err)
	}
	for cut := range a.Encode() {
		if _, err := DecodeAttestation(a.Encode()[:cut]); err == nil {
			t.Errorf("cut at %d it is read", cut)
		}
	}
	e := *golden.Fill(&Evidence{})
	e.Type = SGX
	if back, err := DecodeEvidence(e.Encode()); err != nil || !reflect.DeepEqual(back, e) {
		t.Errorf("%+v %v", back, err)
	}
	for cut := range e.Encode() {
		if _, err := DecodeEvidence(e.Encode()[:cut]); err != ErrEvidence {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	m := *golden.Fill(&ModelEvidence{})
	m.Type = SEV
	if back, err := DecodeModelEvidence(m.Encode()); err != nil || !reflect.DeepEqual(back, m) {
		t.Errorf("%+v %v", back, err)
	}
	for cut := range m.Encode() {
		if _, err := DecodeModelEvidence(m.Encode()[:cut]); err != ErrEvidence {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	for _, wrong := range []Type{0, Nitro + 1} {
		a.Type = wrong
		if _, err := DecodeAttestation(a.Encode()); err == nil {
			t.Errorf("type %d is read", wrong)
		}
		e.Type = wrong
		if _, err := DecodeEvidence(e.Encode()); err != ErrEvidence {
			t.Errorf("type %d: %v", wrong, err)
		}
	}
}
