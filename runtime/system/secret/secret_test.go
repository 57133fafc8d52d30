package secret_test

import (
	"crypto/sha512"
	"fmt"
	"math/big"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemsecret "github.com/cowboyinc/cowboy-go/runtime/system/secret"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const chainID = testkit.ChainID

// town is a development network with an owner of secrets, proxies with keys of their own, and a runner.
type town struct {
	*testkit.Chain
	t         *testing.T
	ann, bob  *testkit.Account // the owner; the runner
	operators []*testkit.Account
	keys      []*sig.PrivateKey
	ids       []digest.Hash
	shares    []*cbss.Scalar // by place
	draws     int
}

func newTown(t *testing.T) *town {
	c := testkit.NewChain(t)
	w := &town{Chain: c, t: t, ann: c.Account("ann"), bob: c.Account("bob")}
	for _, a := range []*testkit.Account{w.ann, w.bob} {
		c.SetBalance(a.Address(), 100_000*unit.CBY)
	}
	for n := range 6 {
		o := c.Account(fmt.Sprint("operator", n))
		c.SetBalance(o.Address(), 11_000*unit.CBY)
		raw := digest.SHA256(fmt.Append(nil, "proxy key ", n))
		key, err := sig.ParsePrivateKey(raw[:])
		if err != nil {
			t.Fatal(err)
		}
		w.operators, w.keys = append(w.operators, o), append(w.keys, key)
	}
	return w
}

// do sends an instruction; afterwards all coins there are add up.
func (w *town) do(by *testkit.Account, in tx.Instruction) *block.Receipt {
	w.t.Helper()
	cycles, cells := unit.Cycles(3_000_000), unit.Cells(20_000)
	if _, small := in.(*tx.JobSubmit); small {
		cycles, cells = 100_000, 5_000
	}
	r := by.Do(in, cycles, cells)
	if err := transition.CheckSupply(w.State()); err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *town) must(by *testkit.Account, in tx.Instruction) []byte {
	w.t.Helper()
	r := w.do(by, in)
	if r.Status != block.Success {
		w.t.Fatalf("%T: %+v", in, r.Fault)
	}
	return r.ReturnData
}

func (w *town) refused(by *testkit.Account, in tx.Instruction, code uint16) {
	w.t.Helper()
	if r := w.do(by, in); r.Status != block.Faulted || r.Fault.Code != code || len(r.Events) != 0 {
		w.t.Fatalf("%T: %v %+v, want fault %d", in, r.Status, r.Fault, code)
	}
}

func (w *town) number() *cbss.Scalar {
	w.draws++
	h := sha512.Sum512(fmt.Append(nil, "draw ", w.draws))
	n, _ := new(big.Int).SetString("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16)
	s, err := cbss.ParseScalar(n.Mod(new(big.Int).SetBytes(h[:]), n).FillBytes(make([]byte, cbss.ScalarSize)))
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// rotation is what the drawn committee of a scope brings, as the instruction has it.
func (w *town) rotation(of secret.Scope) *tx.RotateCommittee {
	p, err := secret.LoadPending(w.State(), of)
	if err != nil || p == nil {
		w.t.Fatalf("no committee: %v", err)
	}
	poly := cbss.Polynomial{w.number(), w.number(), w.number(), w.number()}
	t := cbss.Rotation{ChainID: chainID, Scope: of.Bytes(), Epoch: 1, Committee: p.Committee, Commitments: poly.Commitments(), Master: poly[0].Public()}
	in := &tx.RotateCommittee{Scope: t.Scope, Epoch: t.Epoch, Master: t.Master}
	for i, id := range p.Committee {
		in.Committee = append(in.Committee, id[:]...)
		share, err := poly.At(uint32(i + 1))
		if err != nil {
			w.t.Fatal(err)
		}
		w.shares = append(w.shares, share)
		in.Signatures = secret.Signed{Place: uint8(i), Signature: w.keys[w.place(id)].Sign(t.Hash())}.Append(in.Signatures)
	}
	for _, c := range t.Commitments {
		in.Commitments = append(in.Commitments, c[:]...)
	}
	return in
}

// place is which proxy has an identity.
func (w *town) place(id digest.Hash) int {
	for n := range w.ids {
		if w.ids[n] == id {
			return n
		}
	}
	w.t.Fatalf("no proxy %x", id)
	return 0
}

func (w *town) balance(a *testkit.Account) unit.Amount {
	w.t.Helper()
	x, err := account.Load(w.State(), a.Address())
	if err != nil {
		w.t.Fatal(err)
	}
	return x.Balance
}

func (w *town) told(topic string) int {
	return len(w.Events(account.System(account.SecretsManager), topic))
}

// A secret from its key to its release on a whole chain: proxies register, make ann's key, ann seals a secret, bob's job gets it, four receipts are paid for,
// and everybody leaves. In every block all coins are accounted for.
//
// Spec: secrets-cbss §4, §5, §6, §7, §8, §9; WP §9 (0x04).
func TestJourney(t *testing.T) {
	w := newTown(t)
	name := cbss.KeyHash(w.ann.Address(), "API_KEY")
	id := cbss.SecretID{Account: w.ann.Address(), KeyHash: name}
	set := func() *tx.SetSecret {
		epoch := uint64(1)
		return &tx.SetSecret{KeyHash: name, Pointer: []byte{1, 9}, WrapEpoch: &epoch, Wrapped: make([]byte, cbss.EnvelopeSize)}
	}
	w.refused(w.ann, set(), systemsecret.FaultNoKey)
	w.refused(w.ann, &tx.RequestAccountDkg{Account: w.ann.Address()}, systemsecret.FaultCommittee)
	w.refused(w.ann, &tx.DeregisterCbssProxy{}, systemsecret.FaultProxy)
	for n, o := range w.operators {
		in := &tx.RegisterCbssProxy{PublicKey: w.keys[n].Compressed(), HPKE: [32]byte{1}, NetworkAddr: []byte("127.0.0.1:9601"), Stake: 10_000 * unit.CBY}
		w.ids = append(w.ids, digest.Hash(w.must(o, in)))
		w.refused(o, in, systemsecret.FaultRegistered)
	}
	poor := w.Account("poor")
	w.SetBalance(poor.Address(), 5_000*unit.CBY)
	w.refused(poor, &tx.RegisterCbssProxy{
		PublicKey: w.keys[0].Compressed(), HPKE: [32]byte{1}, NetworkAddr: []byte("a"), Stake: 10_000 * unit.CBY,
	}, drain.FaultValue)
	w.AdvanceTo(w.Height() + 100) // they have soaked
	w.must(w.ann, &tx.RequestAccountDkg{Account: w.ann.Address()})
	w.refused(w.ann, &tx.RequestAccountDkg{Account: w.ann.Address()}, systemsecret.FaultInProgress)
	w.Mine()
	of := secret.AccountScope(w.ann.Address())
	in := w.rotation(of)
	wrong := *in
	wrong.Epoch++
	w.refused(w.bob, &wrong, systemsecret.FaultEpoch)
	wrong = *in
	wrong.Signatures = in.Signatures[2*66:]
	w.refused(w.bob, &wrong, systemsecret.FaultRotation)
	w.must(w.operators[0], in)
	w.refused(w.ann, set(), systemsecret.FaultCorrupted)
	to := &cbss.Identity{ChainID: chainID, Secret: id, Version: 1, Epoch: 1, Master: in.Master}
	e, err := cbss.Wrap(to, w.number(), [cbss.NonceSize]byte{}, [cbss.DataKeySize]byte{5})
	if err != nil {
		t.Fatal(err)
	}
	sealed := set()
	sealed.Wrapped = e.Append(nil)
	if got := w.must(w.ann, sealed); len(got) != 8 || got[7] != 1 {
		t.Errorf("version %x", got)
	}
	w.refused(w.ann, sealed, systemsecret.FaultData)
	w.must(w.ann, &tx.UpdateSecretPolicy{KeyHash: name, Version: 1, Restrict: true, Actors: []tx.PolicyActor{{Actor: w.ann.Address()}}})
	w.release(id, in)
	w.leave(name)
}

// release has bob's job get the secret.
func (w *town) release(id cbss.SecretID, in *tx.RotateCommittee) {
	w.t.Helper()
	w.enrol(w.bob)
	spec := &job.Spec{
		Kind: job.LLM, LLM: &job.LLMJob{Prompt: "Why?", MaxTokens: 100},
		Bounds: job.ResourceBounds{MaxOutputTokens: 100, MaxWallTimeSeconds: 30}, Schema: job.ResultSchema{MaxReturnBytes: 1_000},
		MaxPrice: 10 * unit.CBY, TimeoutBlocks: 500, Verification: job.Verification{DisputeBlocks: 75}, Secrets: []job.Secret{{Name: "API_KEY"}},
	}
	of := digest.Hash(w.must(w.ann, &tx.JobSubmit{Spec: spec.Append(nil)}))
	w.serve(id, of, in)
	if w.told(secret.TopicReceipt) != 4 || w.told(secret.TopicReleased) != 1 {
		w.t.Errorf("%d receipts, %d releases", w.told(secret.TopicReceipt), w.told(secret.TopicReleased))
	}
	w.owe(id, of, in, spec)
}

// enrol registers a runner, which is on probation and takes one job.
func (w *town) enrol(a *testkit.Account) {
	w.t.Helper()
	w.must(a, &tx.RunnerRegister{
		PublicKey: a.PublicKey(), Stake: 20_000 * unit.CBY, RateCard: runner.RateCard{LLMOutputToken: 3, MaxJobValue: 1_000 * unit.CBY},
		Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 9},
	})
}

// receipt is what the proxy at a place posts of a release.
func (w *town) receipt(id cbss.SecretID, of digest.Hash, in *tx.RotateCommittee, place int, nonce byte) (*testkit.Account, *tx.SubmitReleaseReceipt) {
	w.t.Helper()
	return w.receiptOf(&cbss.Request{
		ChainID: chainID, Secret: id, Version: 1, Actor: w.ann.Address(), Runner: w.bob.Address(), Job: of, Nonce: digest.Hash{nonce},
		Block: uint64(w.Height()), Epoch: 1,
	}, in, place)
}

// receiptOf is what the proxy at a place posts of a request, which bob signs.
func (w *town) receiptOf(q *cbss.Request, in *tx.RotateCommittee, place int) (*testkit.Account, *tx.SubmitReleaseReceipt) {
	w.t.Helper()
	proxy := in.Generation().Committee[place]
	q.Proxy = proxy
	hash := q.Hash()
	to := &cbss.Identity{ChainID: q.ChainID, Secret: q.Secret, Version: q.Version, Epoch: 1, Master: in.Master}
	public, err := cbss.PublicShare(in.Generation().Commitments, uint32(place+1))
	if err != nil {
		w.t.Fatal(err)
	}
	b, err := cbss.Blind(cbss.Sign(w.shares[place], to), public, w.number(), w.number(), hash)
	if err != nil {
		w.t.Fatal(err)
	}
	raw := digest.Keccak256([]byte("testkit account bob"))
	runnerKey, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		w.t.Fatal(err)
	}
	n := w.place(proxy)
	return w.operators[n], &tx.SubmitReleaseReceipt{
		Request: q.Signed(runnerKey), Proxy: proxy, Sigma: b.Sigma, Share: b.Share, Challenge: b.Challenge, Response: b.Response, Epoch: 1,
		Served: uint64(w.Height()), Signature: w.keys[n].Sign(cbss.ReceiptHash(hash, proxy, 1, uint64(w.Height()), b)),
	}
}

// serve has four proxies serve the first release.
func (w *town) serve(id cbss.SecretID, of digest.Hash, in *tx.RotateCommittee) {
	w.t.Helper()
	for place := range 4 {
		operator, f := w.receipt(id, of, in, place, 0)
		bad := *f
		bad.Signature = sig.Signature{}
		w.refused(operator, &bad, systemsecret.FaultProxySig)
		owner := w.balance(w.ann)
		w.must(operator, f)
		if got := owner - w.balance(w.ann); got != unit.CBY {
			w.t.Errorf("ann has paid %d", got)
		}
		w.refused(operator, f, systemsecret.FaultRecorded)
	}
}

// owe has ann owe seventeen fees: she is asked for no more and submits no jobs until she is funded.
//
// Spec: secrets-cbss §5 (Debt).
func (w *town) owe(id cbss.SecretID, of digest.Hash, in *tx.RotateCommittee, spec *job.Spec) {
	w.t.Helper()
	w.SetBalance(w.ann.Address(), 0)
	for n := range 17 {
		operator, f := w.receipt(id, of, in, n%4, byte(1+n/4))
		w.must(operator, f)
	}
	operator, f := w.receipt(id, of, in, 1, 5)
	w.refused(operator, f, systemsecret.FaultFunds)
	w.SetBalance(w.ann.Address(), 17*unit.CBY-1)
	w.refused(w.ann, &tx.JobSubmit{Spec: spec.Append(nil)}, systemsecret.FaultFunds)
	carol := w.Account("carol")
	w.SetBalance(carol.Address(), 30_000*unit.CBY)
	w.enrol(carol)
	w.SetBalance(w.ann.Address(), 100*unit.CBY)
	before := w.balance(w.operators[w.place(in.Generation().Committee[0])])
	w.must(w.ann, &tx.JobSubmit{Spec: spec.Append(nil)})
	if got := w.balance(w.operators[w.place(in.Generation().Committee[0])]) - before; got != 5*unit.CBY {
		w.t.Errorf("the first proxy has got %d of what it was owed", got)
	}
}

// leave deletes the secret, slashes nobody, and has a proxy leave, one by force.
func (w *town) leave(name digest.Hash) {
	w.t.Helper()
	w.must(w.ann, &tx.DeleteSecretVersion{KeyHash: name, Version: 1})
	w.refused(w.ann, &tx.DeleteSecretVersion{KeyHash: name, Version: 1}, systemsecret.FaultDeleted)
	w.refused(w.ann, &tx.DeleteSecretVersion{KeyHash: name, Version: 2}, systemsecret.FaultNotFound)
	w.refused(w.ann, &tx.DeleteSecret{KeyHash: name}, systemsecret.FaultNotFound)
	w.refused(w.ann, &tx.SlashCbssProxy{Proxy: w.ids[0], Fault: 1, Evidence: []byte{1}}, systemsecret.FaultEvidence)
	w.must(w.operators[0], &tx.DeregisterCbssProxy{})
	w.refused(w.operators[0], &tx.DeregisterCbssProxy{}, systemsecret.FaultRegistered)
	w.must(w.Impersonate(genesis.DevFaucet().Address()), &tx.ForcedDeregisterCbssProxy{Proxy: w.ids[1]})
	w.AdvanceTo(w.Height() + 2)
	if w.told(secret.TopicLeft) != 2 {
		w.t.Errorf("%d leave", w.told(secret.TopicLeft))
	}
}
