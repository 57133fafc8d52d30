package sdk_test

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// entitled deploys source with a manifest and funds the actor.
func entitled(t *testing.T, by *testkit.Account, source, manifest string) account.Address {
	t.Helper()
	x := by.Do(&tx.Deploy{Code: []byte(source), Salt: []byte(manifest)[:min(len(manifest), 32)], Manifest: []byte(manifest)}, testkit.DeployCycles,
		testkit.DeployCells)
	if x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	by.Chain().SetBalance(*x.Created, 20*unit.CBY) // whether it may hold them or not
	return *x.Created
}

// gated tries one effect per handler.
const gated = `
import pvm_host
from cowboy_sdk import RUNNER, EntitlementQuotaError, MissingEntitlementError, actor, call, codec, runner, runtime, send, set_interval, set_timer

def job(kind, *args, **options):
    more = {"tee_required": options.pop("tee")} if "tee" in options else {}
    pvm_host.submit_job({"kind": "runner_job", "job_type": kind, "payload": {"args": list(args), "kwargs": options}, "cid": "c",
                         "reply_to": runtime.get_actor_address(), "reply_handler": "r", "timeout_block": 0, **more})

@actor
class Gated:
    def write(self, payload):
        self.storage.set_raw("k", bytes(int(payload)))
        return b"ok"
    def record(self, payload):
        pvm_host.record_set("__continuation:x", b"1")
        return b"ok"
    def read(self, payload):
        return b"none" if self.storage["k"] is None else b"some"
    def pay(self, payload):
        for amount in payload.split():
            runtime.transfer("11" * 20, int(amount))
        return b"ok"
    def give(self, payload):
        to, amount = payload.decode().split()
        runtime.transfer(to, int(amount))
        return b"ok"
    def give_through(self, payload):
        to, amount = payload.decode().split()
        runtime.transfer(to, int(amount))
        call(to, "pass_on", [], cycles_limit=300_000)
        return b"ok"
    def pass_on(self):
        runtime.transfer("22" * 20, 5)
    def timer(self, payload):
        height = runtime.get_block_height() + 50
        for how in payload.decode():
            if how == "t":
                set_timer(height, "read", b"")
            elif how == "i":
                set_interval(50, "read", b"")
            else:
                runtime.schedule_timer(height, b"")
        return b"ok"
    def model(self, payload):
        job("llm", "q", max_tokens=int(payload))
        return b"ok"
    def models(self, payload):
        for _ in range(int(payload)):
            job("llm", "q")
        return b"ok"
    def fetch(self, payload):
        job("http", payload.decode())
        return b"ok"
    def tool(self, payload):
        job("mcp", payload.decode(), "t", {})
        return b"ok"
    def secret(self, payload):
        job("http", "https://a.org", secrets=[{"name": payload.decode()}])
        return b"ok"
    def theirs(self, payload):
        job("http", "https://a.org", secrets=[{"name": "K", "account": bytes(20)}])
        return b"ok"
    def sealed(self, payload):
        job("llm", "q", tee=True)
        return b"ok"
    def other(self, payload):
        job("custom", "x")
        return b"ok"
    def by_message(self, payload):
        send(RUNNER, {"job_type": "llm", "prompt": "q", "reply_to": self.address, "reply_handler": "r"})
        return b"ok"
    def raw(self, payload):
        send(RUNNER, b"anything", raw=True)
        return b"ok"
    def caught(self, payload):
        out = []
        for what in (lambda: self.storage.set_raw("k", b"1"), lambda: runtime.transfer("11" * 20, 1_001)):
            try:
                what()
            except (MissingEntitlementError, EntitlementQuotaError) as e:
                out.append((type(e).__name__, e.code, e.slug))
        return repr(out).encode()
    def r(self, payload):
        pass
`

// Every gate: without the entitlement, within it, and beyond its quota. An actor without a manifest is not held to one.
//
// Spec: ENT §6 (VM syscall gate), §8.2, §9.3–§9.8, §9.12, §11; sdk §9.2, §19.1; WP §15.
func TestGates(t *testing.T) {
	c := testkit.NewChain(t)
	c.Jobs(func(*testkit.Job) testkit.Answer { return testkit.Answer{Lost: true} })
	alice := c.Account("alice")
	const missing, quota = 1207, 1208
	for i, s := range []struct {
		manifest, handler, payload string
		want                       uint16
	}{
		{``, "write", "9", 0}, {``, "pay", "1001", 0}, {``, "timer", "tis", 0}, {``, "models", "3", 0}, {``, "fetch", "nowhere", 0}, {``, "raw", "", 0},
		{`[]`, "write", "1", missing}, {`[]`, "record", "", missing}, {`[]`, "read", "", missing}, {`[]`, "pay", "1", missing}, {`[]`, "pay", "", 0},
		{`[]`, "timer", "t", missing}, {`[]`, "timer", "i", missing}, {`[]`, "timer", "s", missing}, {`[]`, "model", "1", missing},
		{`[]`, "fetch", "https://a.org", missing}, {`[]`, "tool", "https://a.org/mcp", missing}, {`[]`, "tool", "local", 0}, {`[]`, "other", "", missing},
		{`[]`, "by_message", "", missing}, {`[]`, "raw", "", missing},
		{`[{"id":"storage.kv","params":{"max_bytes":1048576}}]`, "write", "60000", 0},
		{`[{"id":"storage.kv","params":{"max_bytes":1048576}}]`, "record", "", 0},
		{`[{"id":"storage.kv","params":{"max_bytes":10}}]`, "write", "9", 0}, {`[{"id":"storage.kv","params":{"max_bytes":10}}]`, "write", "10", quota},
		{`[{"id":"econ.transfer","params":{"max_amount":1000000000}}]`, "pay", "1001", 0},
		{`[{"id":"econ.transfer","params":{"max_amount":1000}}]`, "pay", "1000 1000", 0},
		{`[{"id":"econ.transfer","params":{"max_amount":1000}}]`, "pay", "1000 1001", quota},
		{`[{"id":"econ.transfer","params":{"max_per_block":1000}}]`, "pay", "400 600", 0},
		{`[{"id":"econ.transfer","params":{"max_per_block":1000}}]`, "pay", "400 601", quota},
		{`[{"id":"econ.transfer","params":{"max_per_block":1000}}]`, "pay", "1001", quota},
		{`[{"id":"timer.schedule","params":{"max_timers":9}}]`, "timer", "tis", 0},
		{`[{"id":"timer.schedule","params":{"max_timers":2}}]`, "timer", "ti", 0},
		{`[{"id":"timer.schedule","params":{"max_timers":2}}]`, "timer", "tis", quota},
		{`[{"id":"oracle.llm","params":{"max_tokens":2000}}]`, "model", "2000", 0},
		{`[{"id":"oracle.llm","params":{"max_tokens":2000}}]`, "model", "2001", quota},
		{`[{"id":"oracle.llm","params":{"max_requests":2}}]`, "models", "2", 0}, {`[{"id":"oracle.llm","params":{"max_requests":2}}]`, "models", "3", quota},
		{`[{"id":"oracle.llm","params":{"max_requests":9}}]`, "by_message", "", 0},
		{`[{"id":"oracle.llm","params":{"max_requests":9}}]`, "sealed", "", missing},
		{`[{"id":"oracle.llm","params":{"max_requests":9}},{"id":"sec.tee_required","params":{"tee_type":"sgx"}}]`, "sealed", "", 0},
		{`[{"id":"http.fetch","params":{"allowlist_domains":[]}}]`, "fetch", "https://a.org/x", missing},
		{`[{"id":"http.fetch","params":{"allowlist_domains":["*.a.org"]}}]`, "fetch", "https://x.a.org/x", 0},
		{`[{"id":"http.fetch","params":{"allowlist_domains":["*.a.org"]}}]`, "fetch", "https://a.org/x", missing},
		{`[{"id":"http.fetch","params":{"allowlist_domains":["*"]}}]`, "fetch", "ftp://a.org", missing},
		{`[{"id":"http.fetch","params":{"domain_set":"price_feeds"}}]`, "fetch", "https://api.kraken.com/0", 0},
		{`[{"id":"http.fetch","params":{"allowlist_domains":["a.org"]}}]`, "tool", "https://a.org/mcp", 0},
		{`[{"id":"http.fetch","params":{"allowlist_domains":["a.org"]}}]`, "secret", "K", missing},
		{`[{"id":"http.fetch","params":{"allowlist_domains":["a.org"]}},` +
			`{"id":"secrets.read","params":{"keys":["K"]}}]`, "secret", "K", 0},
		{`[{"id":"http.fetch","params":{"allowlist_domains":["a.org"]}},{"id":"secrets.read","params":{"keys":["K"]}}]`, "secret", "L", missing},
		{`[{"id":"http.fetch","params":{"allowlist_domains":["a.org"]}},{"id":"secrets.read","params":{"keys":["K"]}}]`, "theirs", "", missing},
		{`[{"id":"http.fetch","params":{"allowlist_domains":["a.org"]}},` +
			`{"id":"secrets.read","params":{"keys":["0x0000000000000000000000000000000000000000/K"]}}]`, "theirs", "", 0},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			who := c.Account(fmt.Sprint(i))
			a := entitled(t, who, gated, s.manifest)
			if x := who.Try(a, s.handler, s.payload); x.Fault.Code != s.want {
				t.Errorf("%s %s(%s): %s, want %d", s.manifest, s.handler, s.payload, testkit.Describe(x), s.want)
			}
		})
	}
	a := entitled(t, alice, gated, `[{"id":"econ.transfer","params":{"max_amount":1000}}]`)
	if got := alice.Call(a, "caught", ""); got != "[('MissingEntitlementError', 7, 'E1207'), ('EntitlementQuotaError', 8, 'E1208')]" {
		t.Error(got)
	}
}

// What an actor may send in a block is counted over the block's transactions and begins anew in the next.
//
// Spec: ENT §9.12 (max_per_block).
func TestSpentPerBlock(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob := c.Account("alice"), c.Account("bob")
	a := entitled(t, alice, gated, `[{"id":"econ.transfer","params":{"max_per_block":1000}}]`)
	one := alice.Send(&tx.Execute{To: a, Handler: []byte("pay"), Payload: []byte("600")}, testkit.ExecuteCycles, testkit.ExecuteCells)
	two := bob.Send(&tx.Execute{To: a, Handler: []byte("pay"), Payload: []byte("600")}, testkit.ExecuteCycles, testkit.ExecuteCells)
	c.Mine()
	codes := []uint16{c.Receipt(one).Fault.Code, c.Receipt(two).Fault.Code}
	if codes[0]+codes[1] != 1208 {
		t.Errorf("faults %v", codes)
	}
	alice.Call(a, "pay", "1000")
}

// An actor without econ.hold_balance passes coins on within the transaction or does not get them.
//
// Spec: ENT §9.7 (econ.hold_balance).
func TestHoldBalance(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	payer := entitled(t, alice, gated, ``)
	through := entitled(t, alice, gated, `[{"id":"econ.transfer","params":{"max_amount":1000000000}}]`)
	holder := entitled(t, alice, gated, `[{"id":"econ.hold_balance"}]`)
	before := c.Balance(through)
	if x := alice.Try(payer, "give", through.String()+" 5"); x.Fault.Code != 1207 || c.Balance(through) != before {
		t.Errorf("kept: %s", testkit.Describe(x))
	}
	alice.Call(payer, "give_through", through.String()+" 5")
	alice.Call(payer, "give_through", through.String()+" 4")
	if x := alice.Try(payer, "give_through", through.String()+" 6"); x.Fault.Code != 1207 {
		t.Errorf("one kept: %s", testkit.Describe(x))
	}
	alice.Call(payer, "give", holder.String()+" 5")
	alice.Call(payer, "give", payer.String()+" 5")
}
