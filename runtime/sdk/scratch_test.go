package sdk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// scribbler leaves a file behind, and looks for one.
const scribbler = `
from cowboy_sdk import actor, call, runtime, send

def _look():
    try:
        with open("/tmp/left") as f:
            return f.read()
    except FileNotFoundError:
        return "nothing"

@actor
class Scribbler:
    def leave(self, payload):
        with open("/tmp/left", "w") as f:
            f.write(payload.decode())
        return _look().encode()
    def look(self, payload=None):
        return _look().encode()
    def told(self, payload=None):
        return _look()
    def nested(self, payload):
        self.leave(b"mine")
        other = payload.decode()
        seen = [call(runtime.get_actor_address(), "told", []), call(other, "told", []), call(other, "leave", [b"theirs"])]
        return (repr(seen) + _look()).encode()
    def later(self, payload):
        self.leave(b"mine")
        send(runtime.get_actor_address(), {"handler": "told"})
        runtime.create_deferred_tx("look", b"")
        runtime.set_timer(runtime.get_block_height() + 1, "look")
    def fill(self, payload):
        with open("/tmp/left", "wb") as f:
            return str(f.write(b"x" * int(payload))).encode()
    def caught(self, payload):
        try:
            call(runtime.get_actor_address(), "fill", [b"300000"], cycles_limit=500_000)
        except Exception as e:
            return str(e).encode()
`

// A space is one call's: the next handler, a message, a timer, a deferred call and the calls a handler makes find nothing in theirs, and the caller's is
// as it was. A query has one too.
//
// Spec: WP §3.1 (/tmp is per invocation and wiped after the handler); sdk §3.9.
func TestScratchIsWiped(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	one, two := alice.Deploy(scribbler, nil), alice.Deploy(scribbler, nil)
	alice.Fund(one, 100_000_000_000)
	for i := range 6 { // before and after there is a template of the top level
		if got := alice.Call(one, "leave", fmt.Sprint(i)); got != fmt.Sprint(i) {
			t.Error(got)
		}
		if got := alice.Call(one, "look", ""); got != "nothing" {
			t.Error(got)
		}
	}
	if got, want := alice.Call(one, "nested", two.String()), "['nothing', 'nothing', b'theirs']mine"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	alice.Call(one, "later", "")
	seen := map[block.Kind]string{}
	for _, x := range c.Mine().Receipts {
		seen[x.Kind] = string(x.ReturnData)
	}
	if seen[block.Message] != "gnothing" || seen[block.Deferred] != "nothing" || seen[block.Timer] != "nothing" { // "g": CBOR, a text of seven
		t.Errorf("%q", seen)
	}
	if out := c.Query(one, "leave", []byte("q"), nil); string(out.Return) != "q" {
		t.Errorf("a query: %+v", out)
	}
}

// 256 KiB and a cell a byte hold for transactions, and a call's own cells are the caller's. What a full space raises goes to the caller as any exception.
//
// Spec: WP §3.1, §4.1; CIP-3 §2.2.2.
func TestScratchIsMetered(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(scribbler, nil)
	cells := func(n int) uint64 {
		x := alice.Try(a, "fill", fmt.Sprint(n))
		if x.Status != block.Success || string(x.ReturnData) != fmt.Sprint(n) {
			t.Fatal(testkit.Describe(x))
		}
		return uint64(x.CellsUsed)
	}
	if more := cells(262_144) - cells(162_144); more != 100_000 {
		t.Errorf("100,000 bytes more cost %d cells", more)
	}
	if x := alice.Try(a, "fill", "262145"); x.Fault.Code != 1210 || !strings.Contains(x.Fault.Text, "No space left on device") {
		t.Error(testkit.Describe(x))
	}
	if got := alice.Call(a, "caught", ""); !strings.Contains(got, "OSError: No space left on device") {
		t.Error(got)
	}
	in := &tx.Execute{To: a, Handler: []byte("fill"), Payload: []byte("100000")}
	if x := alice.Do(in, testkit.ExecuteCycles, 100_000); x.Fault.Code != 1006 { // the payload's six cells are missing
		t.Error(testkit.Describe(x))
	}
}

// A program whose top level writes to its space does the same on every turn, for the same price.
//
// Spec: WP §3.1; CIP-3 §2.2.1 (a module's body is paid on every call).
func TestScratchOfTheTopLevel(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(`
with open("/tmp/table", "x") as f:
    f.write("kept for this call")

def get(payload):
    with open("/tmp/table", "r+") as f:
        text = f.read()
        f.write("!")
    return text.encode()
`, nil)
	var first *block.Receipt
	for range 8 {
		x := alice.Try(a, "get", "")
		if first == nil {
			first = x
		}
		if x.Status != block.Success || string(x.ReturnData) != "kept for this call" || x.CyclesUsed != first.CyclesUsed || x.CellsUsed != first.CellsUsed {
			t.Errorf("%s, first %s", testkit.Describe(x), testkit.Describe(first))
		}
	}
}
