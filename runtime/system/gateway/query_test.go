package gateway_test

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// calls has one handler for every name of the document's list.
const calls = `
import pvm_host as h

def init(p): h.set_state(b"k", b"v")
def state_get(p): return h.get_state(b"k")
def state_scan_prefix(p): return h.scan_state_prefix(b"")
def height(p): return h.get_block_height()
def timestamp(p): return h.get_timestamp_ms()
def own_address(p): return h.self_address()
def state_set(p): h.set_state(b"k", b"w")
def state_delete(p): h.delete_state(b"k")
def send_message(p): h.send_message(h.self_address(), b"x")
def schedule_timer(p): h.set_timer(h.get_block_height() + 9, "state_set", b"")
def schedule_interval(p): h.set_interval(9, "state_set", b"")
def extend_timer(p): h.extend_timer(b"\x00" * 32, h.get_block_height() + 9)
def cancel_timer(p): h.cancel_timer(b"\x00" * 32)
def submit_job(p): h.submit_job({"job_type": "llm", "cid": "c", "payload": {"prompt": "x"}})
def token_transfer(p): h.token_transfer(b"\x00" * 32, h.self_address(), 1)
def transfer(p): h.transfer(h.self_address(), 1)
def deferred(p): h.create_deferred_tx("state_set", b"")
def upgrade_self(p): h.upgrade_self(b"def init(p): pass\n")
def emit_event(p): h.emit_event("e", b"")
def randomness(p): return h.randomness(b"d")
def call_that_writes(p): return h.call_actor(h.self_address(), "state_set", b"")
def call_with_coins(p): return h.call_actor(h.self_address(), "state_get", b"", value=1)
def method_that_writes(p): return h.call_actor(b"\x00" * 19 + b"\x0f", "heartbeat", b"")
`

// Read-only execution against the document's list: what is allowed answers, and everything else traps by name.
//
// Spec: gateway-payments-streams §B (queries); sdk §6.
func TestReadOnlyTraps(t *testing.T) {
	c := testkit.NewChain(t)
	actor := c.Account("owner").Deploy(calls, []byte("{}"))
	for _, name := range []string{"state_get", "state_scan_prefix", "height", "timestamp", "own_address"} {
		t.Run(name, func(t *testing.T) {
			if o := c.Query(actor, name, nil, nil); o.Fault != nil {
				t.Error(o.Fault)
			}
		})
	}
	for _, name := range []string{
		"state_set", "state_delete", "send_message", "schedule_timer", "schedule_interval", "extend_timer", "cancel_timer", "submit_job", "token_transfer",
		"transfer", "deferred", "upgrade_self", "emit_event", "randomness", "call_that_writes", "call_with_coins", "method_that_writes",
	} {
		t.Run(name, func(t *testing.T) {
			before := c.Digest()
			o := c.Query(actor, name, nil, nil)
			if o.Fault == nil || o.Fault.Code != drain.FaultForbidden || !strings.Contains(o.Fault.Text, "not allowed in a query") {
				t.Errorf("%+v", o.Fault)
			}
			if c.Digest() != before {
				t.Error("it changed the chain")
			}
		})
	}
}
