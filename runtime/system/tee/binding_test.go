package tee_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
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

// binder is a chain with a runner of tdx, ann, and governance's trusted key for three measurements.
type binder struct {
	*testkit.Chain
	t        *testing.T
	n        *enclave
	ann, bob *testkit.Account
	admin    *testkit.Account
	listed   []digest.Hash
}

func newBinder(t *testing.T) *binder {
	b := &binder{Chain: testkit.NewChain(t), t: t, n: newEnclave(t)}
	b.admin, b.ann, b.bob = b.Impersonate(genesis.DevFaucet().Address()), b.Account("ann"), b.Account("bob")
	for _, one := range []*testkit.Account{b.ann, b.bob} {
		b.SetBalance(one.Address(), 100_000*unit.CBY)
	}
	b.must(b.ann.Do(&tx.RunnerRegister{
		PublicKey: b.ann.PublicKey(), Stake: params.RunnerStakeFloor,
		Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, TEESupport: "tdx", MaxConcurrentJobs: 1},
	}, 300_000, 5_000))
	public, err := b.n.trusted.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for i := range byte(3) {
		m := digest.Hash{i, 9}
		b.listed = append(b.listed, m)
		b.must(b.admin.Do(&tx.RegisterTeeTrustedKey{TeeType: []byte("tdx"), MeasurementHash: m, PublicKey: public}, 300_000, 5_000))
	}
	return b
}

func (b *binder) must(r *block.Receipt) *block.Receipt {
	b.t.Helper()
	if r.Status != block.Success {
		b.t.Fatal(testkit.Describe(r))
	}
	return r
}

func (b *binder) ask(by *testkit.Account, handler string, args cbor.Map) *block.Receipt {
	b.t.Helper()
	data, err := cbor.Append(nil, args)
	if err != nil {
		b.t.Fatal(err)
	}
	return by.Do(&tx.Execute{To: account.System(account.TEEVerifier), Handler: []byte(handler), Payload: data}, 300_000, 5_000)
}

// proof asks for a nonce and signs a binding with it, by the key of its first measurement.
func (b *binder) proof(of *tee.Binding) []byte {
	b.t.Helper()
	v, err := cbor.Parse(b.must(b.ask(b.ann, systemtee.HandlerAsk, nil)).ReturnData)
	nonce, ok := v.([]byte)
	if err != nil || !ok || len(nonce) != digest.Size {
		b.t.Fatal(v, err)
	}
	say := tee.Statement{Type: of.Type, Measurement: of.Measurements[0], Job: digest.Hash(nonce), Runner: b.ann.Address()}
	hash := sha256.Sum256(say.BindingPayload(of.Hash()))
	x, y, err := ecdsa.Sign(rand.Reader, b.n.trusted, hash[:])
	if err != nil {
		b.t.Fatal(err)
	}
	e := tee.Evidence{
		Type: of.Type, Measurement: of.Measurements[0], Data: of.Hash(), Signature: append(x.FillBytes(make([]byte, 32)), y.FillBytes(make([]byte, 32))...),
	}
	return e.Encode()
}

// form is a binding as bind_measurements takes it.
func form(of *tee.Binding, proof []byte) cbor.Map {
	list := func(all []digest.Hash) (out []any) {
		for i := range all {
			out = append(out, all[i].String()) // as a command line would write it
		}
		return out
	}
	return cbor.Map{
		{Key: "cpu_tee_type", Value: of.Type.String()}, {Key: "allowed_cpu_measurements", Value: list(of.Measurements)},
		{Key: "allowed_gpu", Value: list(of.Accelerators)}, {Key: "service_pubkey", Value: of.Service[:]},
		{Key: "service_scheme", Value: of.Scheme.String()}, {Key: "proof", Value: proof},
	}
}

// shown is what get_binding answers of ann.
func (b *binder) shown() any {
	b.t.Helper()
	v, err := cbor.Parse(b.must(b.ask(b.bob, systemtee.HandlerShow, cbor.Map{{Key: "runner", Value: b.ann.Hex()}})).ReturnData)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// A runner asks for a nonce, sets its binding, renews it and ends it; each refusal has its code and changes nothing, and what is set is shown by the names of
// the text.
//
// Spec: tee §2.3, §6, §8 (4).
func TestBindings(t *testing.T) {
	b := newBinder(t)
	of := &tee.Binding{Type: tee.TDX, Measurements: b.listed[:2], Accelerators: []digest.Hash{{4}, {5}}, Service: [32]byte{6}}
	good := form(of, b.proof(of))
	with := func(key string, value any) cbor.Map {
		m := slices.Clone(good)
		m[slices.IndexFunc(m, func(p cbor.Pair) bool { return p.Key == key })].Value = value
		return m
	}
	long := make([]any, 9)
	for i := range long {
		long[i] = bytes.Repeat([]byte{byte(i)}, 32)
	}
	for _, step := range []struct {
		name    string
		by      *testkit.Account
		handler string
		args    cbor.Map
		code    uint16
	}{
		{"a nonce for somebody who is no runner", b.bob, systemtee.HandlerAsk, nil, drain.FaultForbidden},
		{"a binding of somebody who is no runner", b.bob, systemtee.HandlerBind, good, drain.FaultForbidden},
		{"nothing to renew", b.ann, systemtee.HandlerRenew, cbor.Map{{Key: "proof", Value: b.proof(of)}}, systemtee.FaultUnbound},
		{"nothing to end", b.ann, systemtee.HandlerUnbind, nil, systemtee.FaultUnbound},
		{"an older nonce", b.ann, systemtee.HandlerBind, good, systemtee.FaultSignature},
		{"no list", b.ann, systemtee.HandlerBind, with("allowed_cpu_measurements", "all"), drain.FaultInput},
		{"an empty one", b.ann, systemtee.HandlerBind, with("allowed_cpu_measurements", []any{}), drain.FaultInput},
		{"nine accelerators", b.ann, systemtee.HandlerBind, with("allowed_gpu", long), drain.FaultInput},
		{"half a measurement", b.ann, systemtee.HandlerBind, with("allowed_cpu_measurements", []any{"0x0102"}), drain.FaultInput},
		{"another type", b.ann, systemtee.HandlerBind, with("cpu_tee_type", "sev"), systemtee.FaultRegistry},
		{"a type nobody knows", b.ann, systemtee.HandlerBind, with("cpu_tee_type", "sev-snp"), systemtee.FaultType},
		{"a scheme nobody knows", b.ann, systemtee.HandlerBind, with("service_scheme", "RSA"), drain.FaultInput},
		{"no proof", b.ann, systemtee.HandlerBind, with("proof", []byte("it is so")), drain.FaultInput},
		{"a measurement nobody trusts", b.ann, systemtee.HandlerBind, with("allowed_cpu_measurements", []any{make([]byte, 32)}), systemtee.FaultKey},
	} {
		t.Run(step.name, func(t *testing.T) {
			if r := b.ask(step.by, step.handler, step.args); r.Status != block.Faulted || r.Fault.Code != step.code || len(r.Events) != 0 {
				t.Errorf("%v %+v, want fault %d", r.Status, r.Fault, step.code)
			}
			if v := b.shown(); v != nil {
				t.Errorf("%v is bound", v)
			}
		})
	}
	home := account.System(account.TEEVerifier)
	r := b.must(b.ask(b.ann, systemtee.HandlerBind, form(of, b.proof(of))))
	if len(r.Events) != 1 || string(r.Events[0].Topic) != systemtee.TopicBound || r.Events[0].Actor != home {
		t.Errorf("%+v", r.Events)
	}
	at := uint64(b.Height())
	want := cbor.Map{
		{Key: "status", Value: "Active"}, {Key: "bound_at", Value: int64(at)}, {Key: "expires_at", Value: int64(at + 604_800)},
		{Key: "allowed_gpu", Value: []any{of.Accelerators[0][:], of.Accelerators[1][:]}}, {Key: "cpu_tee_type", Value: "tdx"},
		{Key: "service_pubkey", Value: of.Service[:]}, {Key: "service_scheme", Value: "Ed25519"},
		{Key: "allowed_cpu_measurements", Value: []any{b.listed[0][:], b.listed[1][:]}},
	}
	same := func(at uint64, status string) {
		t.Helper()
		got, _ := b.shown().(cbor.Map)
		for _, p := range want {
			value, _ := got.Lookup(p.Key.(string))
			switch p.Key {
			case "status":
				p.Value = status
			case "expires_at":
				p.Value = int64(at + 604_800)
			}
			if !reflect.DeepEqual(value, p.Value) {
				t.Errorf("%s is %v, want %v", p.Key, value, p.Value)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%v", got)
		}
	}
	same(at, "Active")
	b.must(b.ask(b.ann, systemtee.HandlerRenew, cbor.Map{{Key: "proof", Value: b.proof(of)}}))
	renewed := uint64(b.Height())
	same(renewed, "Active")
	for i, m := range of.Measurements {
		b.must(b.admin.Do(&tx.DeprecateBinding{TeeType: []byte("tdx"), MeasurementHash: m}, 300_000, 5_000))
		same(renewed, []string{"Active", "Deprecated"}[i])
	}
	if r := b.must(b.ask(b.ann, systemtee.HandlerUnbind, nil)); len(r.Events) != 1 || string(r.Events[0].Topic) != systemtee.TopicUnbound {
		t.Errorf("%+v", r.Events)
	}
	if v := b.shown(); v != nil {
		t.Errorf("%v is bound still", v)
	}
}

// A binding is paid for by what is kept of it and by the signature that is verified: one of three measurements and eight accelerators takes at least the bytes
// of the ten entries more than one of a measurement alone does, and a proof what the check of a signature costs.
//
// Spec: tee §7; WP §17.3, §17.4.
func TestPriceOfABinding(t *testing.T) {
	b := newBinder(t)
	small := &tee.Binding{Type: tee.TDX, Measurements: b.listed[:1]}
	large := &tee.Binding{Type: tee.TDX, Measurements: b.listed}
	for i := range byte(8) {
		large.Accelerators = append(large.Accelerators, digest.Hash{i})
	}
	nonce := b.must(b.ask(b.ann, systemtee.HandlerAsk, nil))
	one := b.must(b.ask(b.ann, systemtee.HandlerBind, form(small, b.proof(small))))
	many := b.must(b.ask(b.ann, systemtee.HandlerBind, form(large, b.proof(large))))
	if grown := many.CellsUsed - one.CellsUsed; grown < 10*32 {
		t.Errorf("%d cells more for ten entries", grown)
	}
	if many.CyclesUsed <= one.CyclesUsed || one.CyclesUsed < nonce.CyclesUsed+params.CostVerifyP256 || nonce.CellsUsed < 32 {
		t.Errorf("%d, %d and %d cycles, %d cells", nonce.CyclesUsed, one.CyclesUsed, many.CyclesUsed, nonce.CellsUsed)
	}
}
