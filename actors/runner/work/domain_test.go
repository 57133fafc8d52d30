package work_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	systemroute "github.com/cowboyinc/cowboy-go/runtime/system/route"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// edge is a chain with three runners that look domains up, and an actor that may have one of them.
type edge struct {
	*testkit.Chain
	t       *testing.T
	ann     *testkit.Account
	admin   *testkit.Account
	actor   account.Address
	runners []*testkit.Account
	looks   []*work.DNS // of each runner
}

func newEdge(t *testing.T, source string, more ...string) *edge {
	c := testkit.NewChain(t)
	w := &edge{Chain: c, t: t, ann: c.Account("ann"), admin: c.Impersonate(genesis.DevFaucet().Address())}
	executor := work.ExecutorDNS()
	for i := range 3 {
		one := c.Account(fmt.Sprintf("r%d", i))
		c.SetBalance(one.Address(), 20_000*unit.CBY)
		w.must(one, &tx.RunnerRegister{
			PublicKey: one.PublicKey(), Stake: params.RunnerStakeFloor, RateCard: runner.RateCard{MaxJobValue: 1_000 * unit.CBY},
			Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "custom_0x" + hex.EncodeToString(executor[:])}}, MaxConcurrentJobs: 4},
		})
		w.runners = append(w.runners, one)
	}
	code, err := pvm.CanonicalSource([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	grants := append([]string{`{"id":"dns.attach_external","params":{"max_bindings":1}}`, `{"id":"ingress.http"}`}, more...)
	slices.Sort(grants)
	m, err := entitle.Parse([]byte(`{"entitlements":[` + strings.Join(grants, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	x := w.ann.Do(&tx.Deploy{Code: code, Salt: []byte{1}, InitHandler: []byte("init"), Manifest: m.Encode()}, testkit.DeployCycles, testkit.DeployCells)
	if x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	w.actor = *x.Created
	return w
}

func (w *edge) must(by *testkit.Account, in tx.Instruction) *block.Receipt {
	w.t.Helper()
	x := by.Do(in, 200_000, 20_000)
	if x.Status != block.Success {
		w.t.Fatal(testkit.Describe(x))
	}
	return x
}

// asks calls a method of the registry.
func (w *edge) asks(by *testkit.Account, method string, value unit.Amount, args ...any) *block.Receipt {
	w.t.Helper()
	data, err := cbor.Append(nil, append([]any{}, args...))
	if err != nil {
		w.t.Fatal(err)
	}
	return by.Do(&tx.Execute{To: route.Home(), Amount: value, Handler: []byte(method), Payload: data}, 300_000, 30_000)
}

func (w *edge) refused(code uint16, x *block.Receipt) {
	w.t.Helper()
	if x.Status != block.Faulted || x.Fault.Code != code {
		w.t.Fatalf("%s, want fault %d", testkit.Describe(x), code)
	}
}

// told reads a field of what a method answered.
func (w *edge) told(x *block.Receipt, key string) any {
	w.t.Helper()
	if x.Status != block.Success {
		w.t.Fatal(testkit.Describe(x))
	}
	v, err := cbor.Parse(x.ReturnData)
	m, _ := v.(cbor.Map)
	if err != nil {
		w.t.Fatal(err)
	}
	one, _ := m.Lookup(key)
	return one
}

// checked asks for a check and has the runners do it, as those who sit before them say what their resolvers do.
func (w *edge) checked(by *testkit.Account) {
	w.t.Helper()
	id := digest.Hash(w.told(w.asks(by, "reverify_external", unit.CBY, site), "job_id").([]byte))
	w.refused(systemroute.FaultTaken, w.asks(by, "reverify_external", unit.CBY, site))
	w.answered(id)
}

// answered has the runners do a check that was asked for.
func (w *edge) answered(id digest.Hash) {
	w.t.Helper()
	w.until(id, market.Assigned)
	spec, err := market.LoadSpec(w.State(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	var reveals []*tx.JobResultSubmit
	for i, one := range w.runners {
		out, err := (&work.Custom{DNS: w.looks[i]}).Do(context.Background(), spec)
		if err != nil {
			w.t.Fatal(err)
		}
		secret := digest.Keccak256([]byte(fmt.Sprintf("testkit account r%d", i)))
		key, err := sig.ParsePrivateKey(secret[:])
		if err != nil {
			w.t.Fatal(err)
		}
		r := verify.Sign(key, id, (&verify.Output{Data: out.Data}).Append(nil))
		w.must(one, &tx.JobResultCommit{JobID: id, Commitment: verify.Commitment(r.Output, r.Salt)})
		reveals = append(reveals, &tx.JobResultSubmit{JobID: id, Runner: r.Runner, Output: r.Output, Salt: r.Salt, Proof: r.Proof})
	}
	for i, r := range reveals {
		w.must(w.runners[i], r)
	}
	w.until(id, market.Challengeable)
	w.Mine() // the callback
	w.Mine()
	if err := transition.CheckSupply(w.State()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *edge) until(id digest.Hash, status market.Status) {
	w.t.Helper()
	for range 200 {
		j, err := market.Load(w.State(), id)
		if err != nil {
			w.t.Fatal(err)
		}
		if j.Status == status {
			return
		}
		w.Mine()
	}
	w.t.Fatalf("the job is not %v", status)
}

// resolvers gives each runner three of its own; those of one runner lie, the others, which are returned, say what proves the domain.
func (w *edge) resolvers(text string) (honest []*resolver) {
	w.t.Helper()
	for i := range w.runners {
		var at []string
		for range 3 {
			r := newResolver(w.t, zone{})
			if i != 1 { // that one's resolvers lie
				r.change(func() { r.zone = good(text) })
				honest = append(honest, r)
			}
			at = append(at, r.at)
		}
		d, err := work.NewDNS(at)
		if err != nil {
			w.t.Fatal(err)
		}
		w.looks = append(w.looks, d)
	}
	return honest
}

// stands says where the domain is and why.
func (w *edge) stands() string {
	w.t.Helper()
	d, err := route.ParseExternal(site)
	if err != nil {
		w.t.Fatal(err)
	}
	a, err := route.Find(w.State(), d, w.Height())
	if err != nil {
		return err.Error()
	}
	s, why := a.Standing(w.Height())
	return s.String() + " " + why.String()
}

// A domain is attached by its owner, proved by three runners whose resolvers are DNS servers of this test, suspended when its records drift and runners look
// again, proved again, and detached. One runner whose resolvers lie changes nothing.
//
// Spec: gateway-payments-streams §A.2, §A.3.
func TestDomain(t *testing.T) {
	w := newEdge(t, "def init(payload):\n    pass\n")
	eve := w.Account("eve")
	w.refused(systemroute.FaultExpired, w.asks(w.ann, "reverify_external", unit.CBY, site))
	w.refused(systemroute.FaultName, w.asks(w.ann, "begin_attach_external", 0, "shop.cowboy.network", w.actor[:]))
	w.refused(systemroute.FaultOwner, w.asks(eve, "begin_attach_external", 0, site, w.actor[:]))
	text := w.told(w.asks(w.ann, "begin_attach_external", 0, site, w.actor[:]), "txt").(string)
	if got := w.stands(); got != "pending VERIFIED" {
		t.Fatal(got)
	}
	w.refused(drain.FaultUnavailable, w.asks(w.ann, "reverify_external", unit.CBY, site))
	w.must(w.admin, &tx.ExecutorRegistryPin{Name: []byte(systemroute.ExecutorDNS), Executor: work.ExecutorDNS()})

	honest := w.resolvers(text)
	leads := func(to string) {
		for _, r := range honest {
			r.change(func() { r.zone["shop.example. CNAME"] = []string{"shop.example. 0 IN CNAME " + to} })
		}
	}
	w.checked(w.ann)
	if got := w.stands(); got != "active VERIFIED" {
		t.Fatal(got)
	}
	names, err := route.NamesOf(w.State(), w.actor, "", 10)
	if err != nil || len(names) != 1 || names[0] != site {
		t.Fatal(names, err)
	}
	w.refused(drain.FaultEntitlement, w.asks(w.ann, "begin_attach_external", 0, "other.example", w.actor[:]))
	w.refused(systemroute.FaultOwner, w.asks(eve, "reverify_external", unit.CBY, site))
	w.refused(systemroute.FaultOwner, w.asks(eve, "detach_external", 0, site))
	forged := &tx.ExternalDomainCallback{Domain: []byte(site), Owner: w.ann.Address(), Verdict: []byte("CNAME_DRIFT")}
	w.refused(systemroute.FaultCallback, eve.Do(forged, 100_000, 5_000))

	leads("elsewhere.example.")
	w.checked(w.ann)
	if got := w.stands(); got != "suspended CNAME_DRIFT" {
		t.Fatal(got)
	}
	leads("edge.cowboy.network.")
	w.checked(w.ann)
	if got := w.stands(); got != "active VERIFIED" {
		t.Fatal(got)
	}
	if x := w.asks(w.ann, "detach_external", 0, site); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	if got := w.stands(); got != route.ErrExpired.Error() {
		t.Fatal(got)
	}
	if names, err := route.NamesOf(w.State(), w.actor, "", 10); err != nil || len(names) != 0 {
		t.Fatal(names, err)
	}
}

// keeper is an actor that has its domain checked in time.
const keeper = `
from cowboy_sdk import actor, public, runtime
from cowboy_sdk.domains import DomainKeeper


@actor
class Site(DomainKeeper):
    @public
    def init(self, payload):
        runtime.assume_ownership_if_unowned()
`

// An actor that keeps a domain asks for a check when one is due and while the domain is suspended, pays for it, says what keeps it from asking, and stops when
// it is told to.
//
// Spec: gateway-payments-streams §A.3 (reverify each 2,592,000).
func TestDomainKept(t *testing.T) {
	w := newEdge(t, keeper, `{"id":"econ.hold_balance"}`, `{"id":"econ.transfer","params":{"max_amount":1000000000}}`,
		`{"id":"storage.kv","params":{"max_bytes":100000}}`, `{"id":"timer.schedule","params":{"max_timers":4}}`)
	w.ann.Fund(w.actor, 10*unit.CBY)
	call := func(by *testkit.Account, handler, payload string) *block.Receipt {
		return by.Do(&tx.Execute{To: w.actor, Handler: []byte(handler), Payload: []byte(payload)}, 2_000_000, 50_000)
	}
	keep := fmt.Sprintf(`{"fqdn":%q,"price":%d}`, site, uint64(unit.CBY))
	w.must(w.admin, &tx.ExecutorRegistryPin{Name: []byte(systemroute.ExecutorDNS), Executor: work.ExecutorDNS()})
	if x := call(w.ann, "keep_domain", keep); x.Status != block.Faulted {
		t.Fatal("a domain that leads nowhere is kept")
	}
	text := w.told(w.asks(w.ann, "begin_attach_external", 0, site, w.actor[:]), "txt").(string)
	honest := w.resolvers(text)
	w.checked(w.ann)
	d, err := route.ParseExternal(site)
	if err != nil {
		t.Fatal(err)
	}
	a, err := route.Find(w.State(), d, w.Height())
	if err != nil {
		t.Fatal(err)
	}
	if x := call(w.Account("eve"), "keep_domain", keep); x.Status != block.Faulted {
		t.Fatal("a stranger has a domain kept")
	}
	if x := call(w.ann, "keep_domain", keep); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	if timers := w.Timers(w.actor); len(timers) != 1 || timers[0].Height != a.Verified+2_592_000 {
		t.Fatalf("%+v, the domain was proved in block %d", timers, a.Verified)
	}

	for _, r := range honest {
		r.change(func() { r.zone["shop.example. CNAME"] = []string{"shop.example. 0 IN CNAME elsewhere.example."} })
	}
	w.checked(w.ann)
	if got := w.stands(); got != "suspended CNAME_DRIFT" {
		t.Fatal(got)
	}
	// A price that the actor cannot pay.
	dear := fmt.Sprintf(`{"fqdn":%q,"price":%d}`, site, uint64(11*unit.CBY))
	if x := call(w.ann, "keep_domain", dear); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	w.Mine()
	failed, timers := w.Events(w.actor, "DomainCheckFailed"), w.Timers(w.actor)
	if len(failed) != 1 || !strings.Contains(failed[0], site) || len(timers) != 1 || timers[0].Height != w.Height()+21_600 {
		t.Fatalf("%q, then %+v in block %d", failed, timers, w.Height())
	}

	for _, r := range honest {
		r.change(func() { r.zone["shop.example. CNAME"] = []string{"shop.example. 0 IN CNAME edge.cowboy.network."} })
	}
	before, asked := w.Balance(w.actor), len(w.Events(route.Home(), systemroute.TopicChecked))
	if x := call(w.ann, "keep_domain", keep); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	w.Mine()
	checks := w.Events(route.Home(), systemroute.TopicChecked)
	if len(checks) != asked+1 || w.Balance(w.actor) >= before {
		t.Fatalf("%d checks more; the actor had %v, has %v; %q", len(checks)-asked, before, w.Balance(w.actor), w.Events(w.actor, ""))
	}
	w.answered(digest.Hash([]byte(checks[asked][len(checks[asked])-digest.Size:])))
	if got := w.stands(); got != "active VERIFIED" {
		t.Fatal(got)
	}
	if timers = w.Timers(w.actor); len(timers) != 1 {
		t.Fatalf("%+v", timers)
	}
	w.AdvanceTo(timers[0].Height + 1) // it sees that all is well, and waits for the next time
	if a, err = route.Find(w.State(), d, w.Height()); err != nil {
		t.Fatal(err)
	}
	if timers := w.Timers(w.actor); len(timers) != 1 || timers[0].Height != a.Verified+2_592_000 {
		t.Fatalf("%+v, the domain was proved in block %d", timers, a.Verified)
	}
	if x := call(w.ann, "forget_domain", fmt.Sprintf(`{"fqdn":%q}`, site)); x.Status != block.Success || len(w.Timers(w.actor)) != 0 {
		t.Fatal(testkit.Describe(x), w.Timers(w.actor))
	}
	// Sixteen are kept, and no more.
	record, err := cbor.Append(nil, cbor.Map{{Key: "price", Value: uint64(1)}, {Key: "at", Value: uint64(1)}, {Key: "timer", Value: []byte{}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 15 {
		w.SetStorage(w.actor, fmt.Sprintf("_domains/s%d.example", i), record)
	}
	back := w.Snapshot()
	if x := call(w.ann, "keep_domain", keep); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	w.Revert(back)
	w.SetStorage(w.actor, "_domains/s15.example", record)
	if x := call(w.ann, "keep_domain", keep); x.Status != block.Faulted || !strings.Contains(x.Fault.Text, "at most 16 domains") {
		t.Fatal(testkit.Describe(x))
	}
}
