package tx

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// secretSamples has one instruction of every built opcode about secrets, with and without a committee of its own.
func secretSamples() []Instruction {
	scope := secret.AccountScope(account.Address{1}).Bytes()
	own := secret.Scope{Secret: cbss.SecretID{Account: account.Address{1}, KeyHash: digest.Hash{2}}, Version: 3}.Bytes()
	signed := bytes.Repeat([]byte{1}, signedSize)
	return []Instruction{
		sealedSecret(),
		ownSecret(),
		&FinalizeSecretVersion{KeyHash: digest.Hash{1}, Version: 2, WrapEpoch: 1, Pointer: []byte{1, 2}, Wrapped: make([]byte, cbss.EnvelopeSize)},
		&UpdateSecretPolicy{KeyHash: digest.Hash{1}, Version: 300, Restrict: true, Actors: []PolicyActor{{account.Address{1}}, {account.Address{2}}}},
		&DeleteSecretVersion{KeyHash: digest.Hash{1}, Version: 300}, &DeleteSecret{KeyHash: digest.Hash{1}},
		&RegisterCbssProxy{
			PublicKey: sig.CompressedKey{2}, HPKE: [32]byte{3}, TLS: digest.Hash{4}, NetworkAddr: []byte("127.0.0.1:9601"), Stake: 10_000 * unit.CBY,
		},
		&DeregisterCbssProxy{}, &ForcedDeregisterCbssProxy{Proxy: digest.Hash{5}},
		&RotateCommittee{
			Scope: scope, Committee: make([]byte, 5*digest.Size), Epoch: 2, Master: cbss.Key{6}, Commitments: make([]byte, 4*cbss.KeySize),
			Signatures: bytes.Repeat(signed, 4), Prior: bytes.Repeat(signed, 5),
		},
		&SlashCbssProxy{Proxy: digest.Hash{5}, Fault: 2, Evidence: []byte{1}},
		&SubmitReleaseReceipt{
			Request: make([]byte, cbss.SignedRequestSize), Proxy: digest.Hash{5}, Sigma: cbss.Point{1}, Share: cbss.Key{2}, Challenge: [32]byte{3},
			Response: [32]byte{4}, Epoch: 1, Served: 900, Signature: sig.Signature{5},
		},
		&RequestAccountDkg{Account: account.Address{1}},
		&SubmitLivenessChallenge{Request: make([]byte, cbss.SignedRequestSize), Proxy: digest.Hash{5}},
		&LivenessChallengeResponse{Challenge: digest.Hash{7}, Reason: 2}, &ExpireDkgPending{Scope: own}, &ExpireLivenessChallenge{Challenge: digest.Hash{7}},
		&RequestReshare{Scope: scope},
		&RegisterTlock{KeyHash: digest.Hash{1}, RoundEpoch: 2, RoundView: 900, WrapEpoch: 1, Pointer: []byte{1, 2}, Wrapped: make([]byte, cbss.EnvelopeSize)},
		&SubmitTlockRelease{Lock: digest.Hash{1}, Proxy: digest.Hash{5}, Epoch: 1, Partial: cbss.Point{3}},
	}
}

func sealedSecret() *SetSecret {
	return &SetSecret{KeyHash: digest.Hash{1}, TEERequired: true, Pointer: []byte{0, 9}, WrapEpoch: u64(1), Wrapped: make([]byte, cbss.EnvelopeSize)}
}

func ownSecret() *SetSecret {
	return &SetSecret{
		KeyHash: digest.Hash{1}, Recipient: 1, Restrict: true, Actors: []PolicyActor{{account.Address{1}}}, Members: u64(7), Quorum: u64(5),
		Preferred: []PreferredProxy{{digest.Hash{8}}},
	}
}

// What secrets cost: the secrets whitepaper's cycles, with 80,000 for each signature of a rotation.
//
// Spec: secrets-cbss §7; WP §17.4.
func TestCostsOfSecrets(t *testing.T) {
	signed := make([]byte, 5*66)
	for name, c := range map[string]struct {
		in   Instruction
		want Cost
	}{
		"set":                 {sealedSecret(), Cost{200_000, 2*(32+2+328) + 256}},
		"set, own committee":  {ownSecret(), Cost{350_000, 2*(32+20+32) + 256 + 1_024}},
		"finalize":            {&FinalizeSecretVersion{Pointer: make([]byte, 10)}, Cost{250_000, 2*42 + 256}},
		"policy":              {&UpdateSecretPolicy{Actors: make([]PolicyActor, 2)}, Cost{80_000, 2*72 + 256 + 328 + 128}},
		"delete a version":    {&DeleteSecretVersion{}, Cost{60_000, 32 + 256}},
		"delete":              {&DeleteSecret{}, Cost{60_000, 32 + 256}},
		"register":            {&RegisterCbssProxy{NetworkAddr: make([]byte, 14)}, Cost{150_000, 2*(33+32+32+14) + 256}},
		"deregister":          {&DeregisterCbssProxy{}, Cost{80_000, 256}},
		"deregister by force": {&ForcedDeregisterCbssProxy{}, Cost{80_000, 32 + 256}},
		"rotate":              {&RotateCommittee{Signatures: signed[:4*66], Prior: signed}, Cost{1_200_000 + 9*80_000, 2*96 + 9*66 + 1_024}},
		"slash":               {&SlashCbssProxy{Evidence: make([]byte, 100)}, Cost{800_000, 132 + 256}},
		"receipt":             {&SubmitReleaseReceipt{Request: make([]byte, 318)}, Cost{600_000, 318 + 32 + 48 + 96 + 64 + 65 + 384}},
		"request a key":       {&RequestAccountDkg{}, Cost{200_000, 20 + 1_024}},
		"challenge":           {&SubmitLivenessChallenge{Request: make([]byte, 318)}, Cost{250_000, 318 + 32 + 256}},
		"answer":              {&LivenessChallengeResponse{}, Cost{180_000, 32 + 256}},
		"expire a key":        {&ExpireDkgPending{Scope: make([]byte, 21)}, Cost{100_000, 21 + 256}},
		"expire a challenge":  {&ExpireLivenessChallenge{}, Cost{100_000, 32 + 512}},
		"request a resharing": {&RequestReshare{Scope: make([]byte, 61)}, Cost{200_000, 61 + 1_024}},
		"lock":                {&RegisterTlock{Pointer: make([]byte, 10)}, Cost{200_000, 2*42 + 2_048}},
		"unlock":              {&SubmitTlockRelease{}, Cost{600_000, 32 + 32 + 48 + 2_048}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := CostOf(c.in); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// Fields that do not fit together are refused before anything runs.
//
// Spec: secrets-cbss §2 (pending exactly when the three optionals are absent), §4, §6.
func TestFormsOfSecrets(t *testing.T) {
	sealed := func(change func(*SetSecret)) *SetSecret {
		s := sealedSecret()
		change(s)
		return s
	}
	own := func(change func(*SetSecret)) *SetSecret {
		s := ownSecret()
		change(s)
		return s
	}
	scope := secret.AccountScope(account.Address{1}).Bytes()
	actors := func(n int) (list []PolicyActor) {
		for i := range n {
			list = append(list, PolicyActor{account.Address{byte(i)}})
		}
		return list
	}
	for name, c := range map[string]struct {
		in checked
		ok bool
	}{
		"sealed":                    {sealedSecret(), true},
		"own committee":             {ownSecret(), true},
		"no epoch":                  {sealed(func(s *SetSecret) { s.WrapEpoch = nil }), false},
		"no pointer":                {sealed(func(s *SetSecret) { s.Pointer = nil }), false},
		"no key":                    {sealed(func(s *SetSecret) { s.Wrapped = nil }), false},
		"both":                      {sealed(func(s *SetSecret) { s.Members, s.Quorum = u64(5), u64(4) }), false},
		"preferred without":         {sealed(func(s *SetSecret) { s.Preferred = []PreferredProxy{{}} }), false},
		"sealed to the other":       {sealed(func(s *SetSecret) { s.Recipient = 1 }), false},
		"third recipient":           {sealed(func(s *SetSecret) { s.Recipient = 2 }), false},
		"own to the account":        {own(func(s *SetSecret) { s.Recipient = 0 }), false},
		"own with ciphertext":       {own(func(s *SetSecret) { s.Wrapped = []byte{} }), false},
		"own without quorum":        {own(func(s *SetSecret) { s.Quorum = nil }), false},
		"sixteen members":           {own(func(s *SetSecret) { s.Members = u64(16) }), false},
		"members beyond 32 bits":    {own(func(s *SetSecret) { s.Members = u64(1<<32 + 5) }), false},
		"64 actors":                 {own(func(s *SetSecret) { s.Actors = actors(64) }), true},
		"65 actors":                 {own(func(s *SetSecret) { s.Actors = actors(65) }), false},
		"actors without limit":      {own(func(s *SetSecret) { s.Restrict = false }), false},
		"nobody":                    {own(func(s *SetSecret) { s.Actors = nil }), true},
		"actors out of order":       {&UpdateSecretPolicy{Restrict: true, Actors: []PolicyActor{{account.Address{2}}, {account.Address{1}}}}, false},
		"an actor twice":            {&UpdateSecretPolicy{Restrict: true, Actors: make([]PolicyActor, 2)}, false},
		"account scope":             {&RequestReshare{Scope: scope}, true},
		"cut scope":                 {&RequestReshare{Scope: scope[:20]}, false},
		"third scope":               {&ExpireDkgPending{Scope: append([]byte{2}, scope[1:]...)}, false},
		"scope of version 0":        {&ExpireDkgPending{Scope: append([]byte{1}, make([]byte, 60)...)}, false},
		"rotation":                  {&RotateCommittee{Scope: scope}, true},
		"part of a member":          {&RotateCommittee{Scope: scope, Committee: make([]byte, 33)}, false},
		"part of a commitment":      {&RotateCommittee{Scope: scope, Commitments: make([]byte, 95)}, false},
		"part of a signature":       {&RotateCommittee{Scope: scope, Signatures: make([]byte, 65)}, false},
		"part of a prior signature": {&RotateCommittee{Scope: scope, Prior: make([]byte, 67)}, false},
		"fourth fault":              {&SlashCbssProxy{Fault: 3}, false},
		"third fault":               {&SlashCbssProxy{Fault: 2}, true},
		"fourth reason":             {&LivenessChallengeResponse{Reason: 3}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.in.check(); (err == nil) != c.ok {
				t.Errorf("%v, want accepted: %v", err, c.ok)
			}
		})
	}
}
