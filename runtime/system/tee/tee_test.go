package tee_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemtee "github.com/cowboyinc/cowboy-go/runtime/system/tee"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// A runner's environment is attested for a job by the key that governance trusts; every refusal has its code. The record goes with its last block.
//
// Spec: tee §2.1, §3, §5, §6; WP §9 (0x05).
func TestJourney(t *testing.T) {
	c := testkit.NewChain(t)
	admin, ann, bob := c.Impersonate(genesis.DevFaucet().Address()), c.Account("ann"), c.Account("bob")
	c.SetBalance(ann.Address(), 100_000*unit.CBY)
	c.SetBalance(bob.Address(), 100_000*unit.CBY)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	job, measurement := digest.Hash{1}, digest.Hash{2}
	kind := []byte("tdx")
	attest := func(runner account.Address, expires uint64) *tx.SubmitTeeAttestation {
		s := tee.Statement{Type: tee.TDX, Measurement: measurement, Job: job, Runner: runner}
		hash := sha256.Sum256(s.RecordPayload(unit.Height(expires)))
		r, v, err := ecdsa.Sign(rand.Reader, key, hash[:])
		if err != nil {
			t.Fatal(err)
		}
		signature := append(r.FillBytes(make([]byte, 32)), v.FillBytes(make([]byte, 32))...)
		return &tx.SubmitTeeAttestation{JobID: job, TeeType: kind, MeasurementHash: measurement, ExpiresAt: expires, Signature: signature}
	}
	const expires = 40
	home := account.System(account.TEEVerifier)
	for _, step := range []struct {
		name  string
		by    *testkit.Account
		in    tx.Instruction
		code  uint16
		topic string
	}{
		{"nobody is a runner", ann, attest(ann.Address(), expires), drain.FaultForbidden, ""},
		{"ann becomes one", ann, &tx.RunnerRegister{
			PublicKey: ann.PublicKey(), Stake: params.RunnerStakeFloor,
			Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, TEESupport: "tdx", MaxConcurrentJobs: 1},
		}, 0, ""},
		{"no key is trusted", ann, attest(ann.Address(), expires), systemtee.FaultKey, ""},
		{"a key that is not there is revoked", admin, &tx.RevokeTeeTrustedKey{TeeType: kind, MeasurementHash: measurement}, systemtee.FaultKey, ""},
		{"governance trusts one", admin, &tx.RegisterTeeTrustedKey{TeeType: kind, MeasurementHash: measurement, PublicKey: public}, 0, systemtee.TopicKey},
		{"a signature for another runner", ann, attest(bob.Address(), expires), systemtee.FaultSignature, ""},
		{"an attestation that is over", ann, attest(ann.Address(), 1), drain.FaultInput, ""},
		{"an attestation", ann, attest(ann.Address(), expires), 0, systemtee.TopicAttested},
		{"bob revokes it", bob, &tx.RevokeTeeAttestation{JobID: job, Runner: ann.Address()}, drain.FaultForbidden, ""},
		{"ann revokes it", ann, &tx.RevokeTeeAttestation{JobID: job, Runner: ann.Address()}, 0, systemtee.TopicRevoked},
		{"and again", ann, &tx.RevokeTeeAttestation{JobID: job, Runner: ann.Address()}, systemtee.FaultRevoked, ""},
		{"the same statement comes again", ann, attest(ann.Address(), expires), systemtee.FaultRevoked, ""},
		{"a binding that is not there is deprecated", admin, &tx.DeprecateBinding{TeeType: kind}, systemtee.FaultKey, ""},
		{"the binding is deprecated", admin, &tx.DeprecateBinding{TeeType: kind, MeasurementHash: measurement}, 0, systemtee.TopicDeprecated},
		{"and again", admin, &tx.DeprecateBinding{TeeType: kind, MeasurementHash: measurement}, systemtee.FaultDeprecated, ""},
		{"it is attested anew, being of a job that runs", ann, attest(ann.Address(), expires+1), 0, systemtee.TopicAttested},
		{"governance revokes it", admin, &tx.RevokeTeeAttestation{JobID: job, Runner: ann.Address()}, 0, systemtee.TopicRevoked},
		{"bob's is not there", admin, &tx.RevokeTeeAttestation{JobID: job, Runner: bob.Address()}, systemtee.FaultAttestation, ""},
		{"the key is revoked", admin, &tx.RevokeTeeTrustedKey{TeeType: kind, MeasurementHash: measurement}, 0, systemtee.TopicKeyRevoked},
		{"nothing is left to deprecate", admin, &tx.DeprecateBinding{TeeType: kind, MeasurementHash: measurement}, systemtee.FaultRevoked, ""},
		{"and signs no more", ann, attest(ann.Address(), expires), systemtee.FaultRevoked, ""},
	} {
		t.Run(step.name, func(t *testing.T) {
			before := len(c.Events(home, step.topic))
			r := step.by.Do(step.in, 300_000, 5_000)
			switch {
			case step.code != 0 && (r.Status != block.Faulted || r.Fault.Code != step.code || len(r.Events) != 0):
				t.Errorf("%v %+v, want fault %d", r.Status, r.Fault, step.code)
			case step.code == 0 && r.Status != block.Success:
				t.Errorf("%+v", r.Fault)
			case step.topic != "" && len(c.Events(home, step.topic)) != before+1:
				t.Errorf("%d events %s", len(c.Events(home, step.topic))-before, step.topic)
			}
		})
	}
	there := func() bool {
		_, err := tee.LoadAttestation(c.State(), job, ann.Address())
		return err == nil
	}
	c.AdvanceTo(expires)
	if !there() {
		t.Error("the record is gone too soon")
	}
	c.Mine()
	if there() {
		t.Error("the record outlives its last block")
	}
}
