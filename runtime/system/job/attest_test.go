package job_test

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// attests has a runner say what it provides; edit changes the bytes.
func (w *town) attests(who *testkit.Account, capabilities string, edit func([]byte) []byte) *block.Receipt {
	w.t.Helper()
	m, err := entitle.Parse([]byte(capabilities))
	if err != nil {
		w.t.Fatal(err)
	}
	a := &entitle.Attestation{Runner: who.Address(), Capabilities: *m, ValidFrom: 1, ValidUntil: 1 << 30}
	a.Signature = who.Sign(digest.Keccak256(a.Preimage()))
	data := a.Encode()
	if edit != nil {
		data = edit(data)
	}
	return w.do(who, &tx.Execute{To: runner.Home(), Handler: []byte(job.HandlerAttest), Payload: data})
}

// A Python actor with a manifest asks a model: its job goes to nobody until a runner has signed that it provides models, and then to that runner and not to the
// one without an attestation. What is not in order is a fault that changes nothing but the fee.
//
// Spec: ENT §4, §5, §6 (scheduler match), §9.5, §12; WP §15; entitlement-extras §4.
func TestActorIsMatchedWithAttestedRunners(t *testing.T) {
	w := newTown(t)
	list := w.enrol("rita", "rolf")
	rita := list[0]
	alice := w.Account("alice")
	r := alice.Do(&tx.Deploy{
		Code: []byte(source(t, "../../../testkit/examples/chat.py")), Salt: []byte("m"), InitHandler: []byte("init"), InitPayload: []byte("{}"),
		Manifest: []byte(`[{"id":"econ.hold_balance"},{"id":"oracle.llm","params":{"max_tokens":1000}},
			{"id":"storage.kv","params":{"max_bytes":1000000}},{"id":"timer.schedule","params":{"max_timers":9}}]`),
	}, testkit.DeployCycles, testkit.DeployCells)
	if r.Status != block.Success {
		t.Fatal(testkit.Describe(r))
	}
	chat := *r.Created
	alice.Fund(chat, 20*unit.CBY)
	given := func() (to []account.Address) {
		t.Helper()
		before, err := market.BySubmitter(w.State(), chat, digest.Hash{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		alice.Call(chat, "say", `{"text":"hello"}`)
		w.Mine()
		after, err := market.BySubmitter(w.State(), chat, digest.Hash{}, 0)
		if err != nil || len(after) > len(before)+1 {
			t.Fatal(after, err)
		}
		for _, id := range after {
			s, err := market.LoadSelection(w.State(), id)
			if err != nil {
				t.Fatal(err)
			}
			to = append(to, s.Selected...)
		}
		return to
	}
	if to := given(); len(to) != 0 {
		t.Errorf("without an attestation it went to %v", to)
	}
	for _, c := range []struct {
		name string
		who  *testkit.Account
		what string
		edit func([]byte) []byte
		code uint16
	}{
		{"no runner", alice, `[{"id":"oracle.llm"}]`, nil, job.FaultUnknown},
		{"one bit of the signature", rita, `[{"id":"oracle.llm"}]`, func(b []byte) []byte {
			b[bytes.Index(b, []byte("signature"))+20] ^= 1
			return b
		}, job.FaultSignature},
		{"cut off", rita, `[{"id":"oracle.llm"}]`, func(b []byte) []byte { return b[:len(b)-1] }, job.FaultDeclaration},
		{"no evidence", rita, `[{"id":"sec.data_residency","params":{"region":"eu"}}]`, nil, job.FaultDeclaration},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := w.Balance(c.who.Address())
			r := w.attests(c.who, c.what, c.edit)
			if r.Status != block.Faulted || r.Fault.Code != c.code {
				t.Fatalf("%v %+v, want %d", r.Status, r.Fault, c.code)
			}
			if paid := before - w.Balance(c.who.Address()); paid != r.FeeBurned+r.FeeTipped || paid == 0 {
				t.Errorf("%d were paid, the fee is %d", paid, r.FeeBurned+r.FeeTipped)
			}
			if a, _, err := runner.Attested(w.State(), c.who.Address()); a != nil || err != nil {
				t.Errorf("it is kept: %+v %v", a, err)
			}
		})
	}
	small := w.attests(rita, `[{"id":"oracle.llm","params":{"max_tokens":999}}]`, nil)
	if small.Status != block.Success {
		t.Fatal(testkit.Describe(small))
	}
	if to := given(); len(to) != 0 {
		t.Errorf("with too small an attestation it went to %v", to)
	}
	if r := w.attests(rita, `[{"id":"oracle.llm","params":{"max_tokens":1000}}]`, nil); r.Status != block.Success {
		t.Fatal(testkit.Describe(r))
	}
	if to := given(); len(to) != 1 || to[0] != rita.Address() {
		t.Errorf("it went to %v, not to rita", to)
	}
}
