package job_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	chainjob "github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/container"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
	systemtee "github.com/cowboyinc/cowboy-go/runtime/system/tee"
)

// offer registers a runner of containers of two cores with a trusted environment.
func (w *town) offer(name string) {
	one := w.Account(name)
	w.SetBalance(one.Address(), 30_000*unit.CBY)
	w.must(one, &tx.RunnerRegister{
		PublicKey: one.PublicKey(), Stake: params.RunnerStakeFloor, RateCard: runner.RateCard{MaxJobValue: 100 * unit.CBY}, MeasurementBinding: digest.Hash{7},
		Capabilities: runner.Capabilities{
			JobTypes: []runner.Name{{Name: "container"}, {Name: "llm"}}, MaxConcurrentJobs: 9, TEESupport: "tdx",
			CPUMillicores: 2_000, MemoryMB: 2_048, ScratchMB: 5 * 1_024,
		},
	})
}

// A container job is for a registered image and a known class, and for a runner that is large enough. The class is resolved when the job is submitted.
//
// Spec: gateway-payments-streams §I; runner-marketplace §2.9, §4.1 (3).
func TestContainerJobs(t *testing.T) {
	w := newTown(t)
	w.offer("rita")
	w.offer("rolf") // on probation each has one job at a time
	image := &tx.RegisterBaseImage{Name: []byte("runner-python"), Digest: digest.Hash{1}, SizeBytes: 9, Platforms: []tx.Platform{{Name: "linux/amd64"}}}
	wants := func(image byte, class string) *tx.JobSubmit {
		return asked(func(s *chainjob.Spec) {
			s.Kind, s.LLM = chainjob.Container, nil
			s.Runtime = &chainjob.Runtime{Repository: "runner-python", Digest: digest.Hash{image}, Class: &class}
		})
	}
	bob := w.Account("bob")
	w.refused(bob, wants(1, "small"), container.FaultImage)
	w.must(w.admin, image)
	w.refused(bob, wants(2, "small"), container.FaultDigest)
	w.refused(bob, wants(1, "huge"), container.FaultClass)
	w.refused(bob, wants(1, "large"), job.FaultNoRunners) // four cores
	for _, class := range []string{"small", "medium"} {
		t.Run(class, func(t *testing.T) {
			r := w.do(bob, wants(1, class))
			if r.Status != block.Success {
				t.Fatalf("%+v", r.Fault)
			}
			w.must(w.admin, &tx.DeregisterResourceClass{Name: []byte(class)}) // the job keeps what it meant
			spec, err := market.LoadSpec(w.State(), digest.Hash(r.ReturnData))
			want := map[string][2]uint32{"small": {1_000, 512}, "medium": {2_000, 2_048}}[class]
			if err != nil || spec.Runtime.CPUMilli != want[0] || spec.Runtime.MemoryMiB != want[1] {
				t.Errorf("%+v %v, want %v", spec.Runtime, err, want)
			}
			if got := w.find(digest.Hash(r.ReturnData)).Dispute; got != 300 {
				t.Errorf("its bill can be disputed for %d blocks", got)
			}
			w.refused(bob, wants(1, class), container.FaultClass)
		})
	}
}

// A job that requires a trusted environment is for runners with a measurement that governance trusts a key for, of the type it names.
//
// Spec: tee §4; runner-marketplace §4.1 (4).
func TestJobsOfTrustedEnvironments(t *testing.T) {
	w := newTown(t)
	for _, name := range []string{"rita", "rolf", "rosa"} { // on probation each has one job at a time
		w.offer(name)
	}
	wants := func(kind string) *tx.JobSubmit {
		return asked(func(s *chainjob.Spec) {
			if s.Verification.TEERequired = true; kind != "" {
				s.Verification.TEEType = &kind
			}
		})
	}
	bob := w.Account("bob")
	w.refused(bob, wants(""), job.FaultNoRunners)
	c := elliptic.P256().Params()
	point := append(append([]byte{4}, c.Gx.FillBytes(make([]byte, 32))...), c.Gy.FillBytes(make([]byte, 32))...)
	for _, known := range []digest.Hash{{8}, {7}} { // the first is another measurement's
		w.refused(bob, wants("tdx"), job.FaultNoRunners)
		w.must(w.admin, &tx.RegisterTeeTrustedKey{TeeType: []byte("tdx"), MeasurementHash: known, PublicKey: point})
	}
	w.must(bob, wants("tdx"))
	w.must(bob, wants(""))
	w.refused(bob, wants("sgx"), job.FaultNoRunners)
	w.must(w.admin, &tx.DeprecateBinding{TeeType: []byte("tdx"), MeasurementHash: digest.Hash{7}})
	w.refused(bob, wants("tdx"), job.FaultNoRunners)
	w.must(w.admin, &tx.RegisterTeeTrustedKey{TeeType: []byte("tdx"), MeasurementHash: digest.Hash{7}, PublicKey: point})
	w.must(bob, wants("tdx"))
	w.must(w.admin, &tx.RevokeTeeTrustedKey{TeeType: []byte("tdx"), MeasurementHash: digest.Hash{7}})
	w.refused(bob, wants("tdx"), job.FaultNoRunners)
}

// bind has a runner bound to measurements of tdx, for all of which governance trusts a key.
func (w *town) bind(name string, key *ecdsa.PrivateKey, list ...digest.Hash) {
	w.t.Helper()
	public, err := key.PublicKey.Bytes()
	if err != nil {
		w.t.Fatal(err)
	}
	var listed []any
	for i := range list {
		w.must(w.admin, &tx.RegisterTeeTrustedKey{TeeType: []byte("tdx"), MeasurementHash: list[i], PublicKey: public})
		listed = append(listed, list[i][:])
	}
	who := w.Account(name)
	ask := func(handler string, args cbor.Map) []byte {
		data, err := cbor.Append(nil, args)
		if err != nil {
			w.t.Fatal(err)
		}
		r := w.do(who, &tx.Execute{To: account.System(account.TEEVerifier), Handler: []byte(handler), Payload: data})
		if r.Status != block.Success {
			w.t.Fatalf("%s: %+v", handler, r.Fault)
		}
		return r.ReturnData
	}
	v, err := cbor.Parse(ask(systemtee.HandlerAsk, nil))
	if err != nil {
		w.t.Fatal(err)
	}
	b := tee.Binding{Type: tee.TDX, Measurements: list}
	say := tee.Statement{Type: tee.TDX, Measurement: list[0], Job: digest.Hash(v.([]byte)), Runner: who.Address()}
	hash := sha256.Sum256(say.BindingPayload(b.Hash()))
	x, y, err := ecdsa.Sign(rand.Reader, key, hash[:])
	if err != nil {
		w.t.Fatal(err)
	}
	signature := append(x.FillBytes(make([]byte, 32)), y.FillBytes(make([]byte, 32))...)
	proof := tee.Evidence{Type: tee.TDX, Measurement: list[0], Data: b.Hash(), Signature: signature}
	ask(systemtee.HandlerBind, cbor.Map{
		{Key: "cpu_tee_type", Value: "tdx"}, {Key: "allowed_cpu_measurements", Value: listed}, {Key: "allowed_gpu", Value: []any{}},
		{Key: "proof", Value: proof.Encode()},
	})
}

// A reveal in a job that requires a trusted environment comes with what the environment signed: each way in which it does not is refused with its code and
// changes nothing, and the one that does is paid for.
//
// Spec: tee §2.1, §4, §6; runner-marketplace §6.1.
func TestResultsAreAttested(t *testing.T) {
	w := newTown(t)
	w.offer("rita")
	rita := w.Account("rita")
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	tdx := []byte("tdx")
	trust := &tx.RegisterTeeTrustedKey{TeeType: tdx, MeasurementHash: digest.Hash{7}, PublicKey: public}
	w.must(w.admin, trust)
	kind := "tdx"
	r := w.do(w.Account("bob"), asked(func(s *chainjob.Spec) { s.Verification.TEERequired, s.Verification.TEEType = true, &kind }))
	if r.Status != block.Success {
		t.Fatalf("%+v", r.Fault)
	}
	id := digest.Hash(r.ReturnData)
	const answer = `"blue"`
	evidence := func(change func(s *tee.Statement, data *digest.Hash)) []byte {
		s, data := tee.Statement{Type: tee.TDX, Measurement: digest.Hash{7}, Job: id, Runner: rita.Address()}, digest.SHA256([]byte(answer))
		if change != nil {
			change(&s, &data)
		}
		hash := sha256.Sum256(s.ResultPayload([]byte(answer)))
		a, b, err := ecdsa.Sign(rand.Reader, key, hash[:])
		if err != nil {
			t.Fatal(err)
		}
		signature := append(a.FillBytes(make([]byte, 32)), b.FillBytes(make([]byte, 32))...)
		e := tee.Evidence{Type: s.Type, Measurement: s.Measurement, Data: data, Signature: signature}
		return e.Encode()
	}
	// try commits to an output and reveals it; all but the last are taken back.
	try := func(attestation []byte) *block.Receipt {
		o := &verify.Output{Data: []byte(answer), Usage: verify.Usage{OutputTokens: 10}, TEE: attestation}
		v := verify.Sign(keyOf(t, "rita"), id, o.Append(nil))
		w.must(rita, &tx.JobResultCommit{JobID: id, Commitment: verify.Commitment(v.Output, v.Salt)})
		return w.do(rita, &tx.JobResultSubmit{JobID: id, Runner: v.Runner, Output: v.Output, Salt: v.Salt, Proof: v.Proof})
	}
	before := w.Snapshot()
	for _, c := range []struct {
		name        string
		attestation []byte
		code        uint16
	}{
		{"nothing", nil, systemtee.FaultMissing},
		{"no evidence", []byte("trust me"), drain.FaultInput},
		{"another result", evidence(func(_ *tee.Statement, data *digest.Hash) { data[0] ^= 1 }), systemtee.FaultResult},
		{"another job", evidence(func(s *tee.Statement, _ *digest.Hash) { s.Job[0] ^= 1 }), systemtee.FaultSignature},
		{"another runner", evidence(func(s *tee.Statement, _ *digest.Hash) { s.Runner[0] ^= 1 }), systemtee.FaultSignature},
		{"another measurement", evidence(func(s *tee.Statement, _ *digest.Hash) { s.Measurement[0] ^= 1 }), systemtee.FaultMissing},
		{"another type", evidence(func(s *tee.Statement, _ *digest.Hash) { s.Type = tee.SGX }), systemtee.FaultMissing},
	} {
		t.Run(c.name, func(t *testing.T) {
			if r := try(c.attestation); r.Status != block.Faulted || r.Fault.Code != c.code {
				t.Errorf("%v %+v, want fault %d", r.Status, r.Fault, c.code)
			}
			if j := w.find(id); j.Revealed != 0 {
				t.Errorf("%+v", j)
			}
			w.Revert(before)
		})
	}
	t.Run("a key that was revoked", func(t *testing.T) {
		w.must(w.admin, &tx.RevokeTeeTrustedKey{TeeType: tdx, MeasurementHash: digest.Hash{7}})
		if r := try(evidence(nil)); r.Status != block.Faulted || r.Fault.Code != systemtee.FaultRevoked {
			t.Errorf("%v %+v", r.Status, r.Fault)
		}
		w.Revert(before)
	})
	w.byBinding(key, func(change func(s *tee.Statement, data *digest.Hash)) *block.Receipt { return try(evidence(change)) })
	w.must(w.admin, &tx.DeprecateBinding{TeeType: tdx, MeasurementHash: digest.Hash{7}}) // the job runs already
	good := try(evidence(nil))
	if good.Status != block.Success {
		t.Fatalf("%+v", good.Fault)
	}
	w.mined(id, market.Challengeable)
	w.mined(id, market.Completed)
}

// byBinding reveals in a job of rita's, who declared the seventh measurement: what counts is what she is bound to.
func (w *town) byBinding(key *ecdsa.PrivateKey, try func(change func(s *tee.Statement, data *digest.Hash)) *block.Receipt) {
	before := w.Snapshot()
	six := func(s *tee.Statement, _ *digest.Hash) { s.Measurement = digest.Hash{6} }
	for _, c := range []struct {
		name   string
		listed []digest.Hash
		change func(s *tee.Statement, data *digest.Hash)
		code   uint16 // 0: it counts
	}{
		{"declared, and listed", []digest.Hash{{6}, {7}}, nil, 0},
		{"declared, and not listed", []digest.Hash{{6}}, nil, systemtee.FaultMissing},
		{"listed, and not declared", []digest.Hash{{6}}, six, 0},
	} {
		w.t.Run(c.name, func(t *testing.T) {
			w.bind("rita", key, c.listed...)
			if r := try(c.change); (r.Status == block.Success) != (c.code == 0) || r.Fault.Code != c.code {
				t.Errorf("%v %+v, want fault %d", r.Status, r.Fault, c.code)
			}
			w.Revert(before)
		})
	}
}
