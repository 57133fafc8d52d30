package tx

import (
	"crypto/elliptic"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// generator is the base point of a curve, a key anybody has.
func generator(c elliptic.Curve) []byte {
	p, size := c.Params(), (c.Params().BitSize+7)/8
	key := append(make([]byte, 0, 1+2*size), 4)
	return append(append(key, p.Gx.FillBytes(make([]byte, size))...), p.Gy.FillBytes(make([]byte, size))...)
}

// teeSamples has one instruction of every built opcode about trusted environments.
func teeSamples() []Instruction {
	return []Instruction{
		&RegisterTeeTrustedKey{TeeType: []byte("sev"), MeasurementHash: digest.Hash{1}, PublicKey: generator(elliptic.P384())},
		&RevokeTeeTrustedKey{TeeType: []byte("sev"), MeasurementHash: digest.Hash{1}},
		&SubmitTeeAttestation{JobID: digest.Hash{2}, TeeType: []byte("tdx"), MeasurementHash: digest.Hash{3}, ExpiresAt: 3_600, Signature: make([]byte, 64)},
		&RevokeTeeAttestation{JobID: digest.Hash{2}, Runner: account.Address{4}},
		&DeprecateBinding{TeeType: []byte("sgx"), MeasurementHash: digest.Hash{5}},
		&VerifyCae{
			JobID: digest.Hash{6}, ResultHash: digest.Hash{7}, CAE: []byte{0xa0}, Root: digest.Hash{8}, TCB: tee.TCB{9}, Revoked: digest.Hash{11},
			Vouch: make([]byte, 96), OperatorProof: []byte{10},
		},
		&UpdateCollateral{
			TeeType: []byte("nitro"), Roots: ascending(2), LeastTCB: tee.TCB{1}, Revoked: digest.Hash{2}, Operators: digest.Hash{3},
		},
	}
}

// ascending is a row of so many hashes.
func ascending(n int) []byte {
	row := make([]byte, 32*n)
	for i := range n {
		row[32*i] = byte(i)
	}
	return row
}

// An attestation pays for the check of its curve, its calldata and its record.
//
// Spec: tee §7; WP §17.2, §17.4.
func TestCostsOfAttestations(t *testing.T) {
	const record = 240
	for name, c := range map[string]struct {
		in   Instruction
		want Cost
	}{
		"P-256": {&SubmitTeeAttestation{TeeType: []byte("sgx"), Signature: make([]byte, 64)}, Cost{21_000 + 15_000, 32 + 3 + 32 + 64 + record}},
		"P-384": {&SubmitTeeAttestation{TeeType: []byte("sev"), Signature: make([]byte, 96)}, Cost{21_000 + 160_000, 32 + 3 + 32 + 96 + record}},
		"a key": {&RegisterTeeTrustedKey{}, Cost{21_000, 0}},
		"composite": {
			&VerifyCae{CAE: make([]byte, 1_000), Vouch: make([]byte, 96), OperatorProof: make([]byte, 40)},
			Cost{21_000 + 200_000, 4*32 + 1_000 + 16 + 96 + 40 + 64 + 512},
		},
		"collateral": {&UpdateCollateral{TeeType: []byte("tdx"), Roots: make([]byte, 64)}, Cost{21_000 + 5_000, 3 + 64 + 16 + 2*32 + 500}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := CostOf(c.in); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// Spec: tee §2.1, §6.
func TestKeysOfEnvironmentsAreChecked(t *testing.T) {
	p256, p384 := generator(elliptic.P256()), generator(elliptic.P384())
	for name, c := range map[string]struct {
		in checked
		ok bool
	}{
		"sgx":             {&RegisterTeeTrustedKey{TeeType: []byte("sgx"), PublicKey: p256}, true},
		"sev":             {&RegisterTeeTrustedKey{TeeType: []byte("sev"), PublicKey: p384}, true},
		"another curve":   {&RegisterTeeTrustedKey{TeeType: []byte("sev"), PublicKey: p256}, false},
		"no type":         {&RegisterTeeTrustedKey{TeeType: []byte("SGX"), PublicKey: p256}, false},
		"nitro":           {&RegisterTeeTrustedKey{TeeType: []byte("nitro"), PublicKey: p384}, true},
		"a small curve":   {&RegisterTeeTrustedKey{TeeType: []byte("nitro"), PublicKey: p256}, false},
		"no key":          {&RegisterTeeTrustedKey{TeeType: []byte("sgx")}, false},
		"revoked no type": {&RevokeTeeTrustedKey{TeeType: []byte("sev-snp")}, false},
		"ended no type":   {&DeprecateBinding{TeeType: []byte("nitr")}, false},
		"collateral":      {&UpdateCollateral{TeeType: []byte("tdx"), Roots: make([]byte, 32)}, true},
		"no roots":        {&UpdateCollateral{TeeType: []byte("tdx")}, false},
		"half a root":     {&UpdateCollateral{TeeType: []byte("tdx"), Roots: make([]byte, 33)}, false},
		"a root twice":    {&UpdateCollateral{TeeType: []byte("tdx"), Roots: make([]byte, 64)}, false},
		"nine roots":      {&UpdateCollateral{TeeType: []byte("tdx"), Roots: ascending(9)}, false},
		"eight roots":     {&UpdateCollateral{TeeType: []byte("tdx"), Roots: ascending(8)}, true},
		"of no type":      {&UpdateCollateral{TeeType: []byte("sev-snp"), Roots: make([]byte, 32)}, false},
		"ended":           {&DeprecateBinding{TeeType: []byte("tdx")}, true},
		"attested type":   {&SubmitTeeAttestation{TeeType: []byte("tdx")}, true},
		"attested no":     {&SubmitTeeAttestation{TeeType: []byte("TDX")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.in.check(); (err == nil) != c.ok {
				t.Errorf("%v, want accepted: %v", err, c.ok)
			}
		})
	}
}
