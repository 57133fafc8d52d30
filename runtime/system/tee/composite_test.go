package tee_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemtee "github.com/cowboyinc/cowboy-go/runtime/system/tee"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// enclave is an environment whose keys a test holds: the service's, and the trusted one that vouches for it.
type enclave struct {
	t           *testing.T
	trusted     *ecdsa.PrivateKey
	service     ed25519.PrivateKey
	measurement [tee.MeasurementSize]byte
	root        digest.Hash
}

func newEnclave(t *testing.T) *enclave {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, service, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &enclave{t: t, trusted: key, service: service, measurement: [tee.MeasurementSize]byte{7}, root: digest.Hash{9}}
}

// attest makes the instruction for a job of a specification and the seed of its draw.
func (n *enclave) attest(id digest.Hash, runner account.Address, spec *job.Spec, seed, result digest.Hash, now unit.Height) *tx.VerifyCae {
	n.t.Helper()
	request := digest.Keccak256(spec.Append(nil))
	cae := &tee.CAE{
		CPU:       tee.CPU{Type: tee.TDX, Quote: make([]byte, 700), Chain: []byte("cid"), Measurement: n.measurement},
		Service:   tee.Service{Scheme: tee.Ed25519, Key: [32]byte(n.service.Public().(ed25519.PublicKey))},
		Freshness: tee.Freshness{Nonce: tee.Nonce(id, request, seed), Deadline: now + 50, Generated: now},
	}
	bound := cae.Bound()
	binary.LittleEndian.PutUint16(cae.CPU.Quote, 4)
	cae.CPU.Quote[4] = 0x81
	copy(cae.CPU.Quote[184:], n.measurement[:])
	copy(cae.CPU.Quote[568:], bound[:])
	cae.Service.Signature = ed25519.Sign(n.service, cae.Signed(id, request, result))
	in := &tx.VerifyCae{JobID: id, ResultHash: result, CAE: cae.Encode(), Root: n.root}
	payload := sha256.Sum256((&tee.Submission{CAE: cae, Job: id, Runner: runner, Root: in.Root, TCB: in.TCB}).VouchPayload())
	a, b, err := ecdsa.Sign(rand.Reader, n.trusted, payload[:])
	if err != nil {
		n.t.Fatal(err)
	}
	in.Vouch = append(a.FillBytes(make([]byte, 32)), b.FillBytes(make([]byte, 32))...)
	return in
}

// A runner of a job hands in a composite attestation: whoever is not of the job, or says something else of it, is refused with the code of what is wrong, and
// what was found right is kept and told once collateral counts.
//
// Spec: tee §2.2, §2.4, §3 (125, 126), §4, §6, §7; WP §5.5.
func TestCompositeAttestations(t *testing.T) {
	c, n := testkit.NewChain(t), newEnclave(t)
	admin, ann, bob := c.Impersonate(genesis.DevFaucet().Address()), c.Account("ann"), c.Account("bob")
	for _, one := range []*testkit.Account{ann, bob} {
		c.SetBalance(one.Address(), 100_000*unit.CBY)
	}
	public, err := n.trusted.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	do := func(by *testkit.Account, in tx.Instruction) *block.Receipt { return by.Do(in, 300_000, 5_000) }
	must := func(by *testkit.Account, in tx.Instruction) []byte {
		t.Helper()
		r := do(by, in)
		if r.Status != block.Success {
			t.Fatalf("%T: %+v", in, r.Fault)
		}
		return r.ReturnData
	}
	must(ann, &tx.RunnerRegister{
		PublicKey: ann.PublicKey(), Stake: params.RunnerStakeFloor, RateCard: runner.RateCard{MaxJobValue: 100 * unit.CBY},
		MeasurementBinding: tee.MeasurementHash(n.measurement),
		Capabilities:       runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, TEESupport: "tdx", MaxConcurrentJobs: 1},
	})
	kind := []byte("tdx")
	must(admin, &tx.RegisterTeeTrustedKey{TeeType: kind, MeasurementHash: tee.MeasurementHash(n.measurement), PublicKey: public})
	asked := &job.Spec{
		Kind: job.LLM, LLM: &job.LLMJob{Prompt: "Why?", MaxTokens: 100}, Schema: job.ResultSchema{MaxReturnBytes: 1_000},
		Bounds:   job.ResourceBounds{MaxOutputTokens: 100, MaxWallTimeSeconds: 30},
		MaxPrice: 5 * unit.CBY, TimeoutBlocks: 200, Verification: job.Verification{DisputeBlocks: 75, TEERequired: true},
	}
	id := digest.Hash(must(bob, &tx.JobSubmit{Spec: asked.Append(nil)}))
	spec, err := market.LoadSpec(c.State(), id)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := market.LoadSelection(c.State(), id)
	if err != nil || drawn == nil {
		t.Fatal(drawn, err)
	}
	result := digest.SHA256([]byte("because"))
	good := func() *tx.VerifyCae { return n.attest(id, ann.Address(), spec, drawn.Seed, result, c.Height()) }
	for _, step := range []struct {
		name string
		by   *testkit.Account
		in   func() *tx.VerifyCae
		code uint16
	}{
		{"no attestation", ann, func() *tx.VerifyCae { return &tx.VerifyCae{JobID: id, CAE: []byte{0xa0}} }, drain.FaultInput},
		{"no job", ann, func() *tx.VerifyCae { in := good(); in.JobID[0] ^= 1; return in }, systemtee.FaultRegistry},
		{"another's job", bob, good, systemtee.FaultRegistry},
		{"too old", ann, func() *tx.VerifyCae { return n.attest(id, ann.Address(), spec, drawn.Seed, result, c.Height()+2) }, systemtee.FaultLate},
		{"another beacon", ann, func() *tx.VerifyCae { return n.attest(id, ann.Address(), spec, result, result, c.Height()) }, systemtee.FaultNonce},
		{"no collateral", ann, good, systemtee.FaultUnavailable},
	} {
		t.Run(step.name, func(t *testing.T) {
			if r := do(step.by, step.in()); r.Status != block.Faulted || r.Fault.Code != step.code {
				t.Errorf("%v %+v, want fault %d", r.Status, r.Fault, step.code)
			}
		})
	}
	must(admin, &tx.UpdateCollateral{TeeType: kind, Roots: n.root[:]})
	if r := do(ann, good()); r.Fault.Code != systemtee.FaultUnavailable {
		t.Errorf("collateral counts at once: %+v", r.Fault)
	}
	tip, _ := c.Tip()
	now := tip.Header.Height + tee.RootDelay
	e := &chapter.Env{
		State: tip.State.Overlay(), Block: &drain.Block{Height: now}, Self: account.System(account.TEEVerifier), Sender: ann.Address(),
		Effects: new(chapter.Effects),
	}
	in := n.attest(id, ann.Address(), spec, drawn.Seed, result, now)
	if _, err := systemtee.VerifyCAE(e, in); err != nil {
		t.Fatal(err)
	}
	bound, err := runner.BindingOf(e.State, ann.Address())
	if err != nil {
		t.Fatal(err)
	}
	kept, err := bound.Verified(e.State, id, ann.Address(), now, now)
	if err != nil || kept.Result != result || kept.Expires != now+51 {
		t.Errorf("%+v %v", kept, err)
	}
	if len(e.Effects.Events) != 1 || string(e.Effects.Events[0].Topic) != systemtee.TopicVerified || len(e.Effects.Events[0].Data) != 32+20+32+32 {
		t.Errorf("%+v", e.Effects.Events)
	}
	if _, err := systemtee.VerifyCAE(e, in); err != tee.ErrReplayed {
		t.Errorf("again: %v", err)
	}
}

// Every reject of the rules has a code of its own, or the one for bad input.
//
// Spec: tee §6.
func TestFaultsOfEnvironments(t *testing.T) {
	want := map[error]uint16{
		tee.ErrLate: 1902, tee.ErrReplayed: 1903, tee.ErrNonce: 1904, tee.ErrCollateral: 1905, tee.ErrTCB: 1906, tee.ErrBinding: 1907, tee.ErrReport: 1908,
		tee.ErrLists: 1908, tee.ErrOperator: 1909, tee.ErrForm: drain.FaultInput,
	}
	for _, f := range systemtee.Faults() {
		if code, ok := want[f.Err]; ok && f.Code != code {
			t.Errorf("%v has %d, want %d", f.Err, f.Code, code)
		}
		delete(want, f.Err)
	}
	if len(want) != 0 {
		t.Errorf("without a code: %v", want)
	}
}
