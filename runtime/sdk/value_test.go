package sdk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// purse notes what comes to it, and hands coins on as its payload says: words are a handler, an address and an amount.
const purse = `
from cowboy_sdk import actor, call, call_builder, codec, errors, runtime, send

errors.CowboyError  # registers the classes

def came():
    return runtime.context()["value"]

@actor
class Purse:
    def note(self, payload=None):
        self.storage["came"] = (self.storage["came"] or []) + [came()]
        return came()
    def on_message(self, payload):
        return self.note()
    def refuse(self, payload=None):
        self.storage["came"] = "kept"
        raise ValueError(str(came()))
    def spin(self, payload=None):
        while True:
            pass
    def pass_on(self, to):
        runtime.transfer(to, came())
    def pass_letter(self, msg):
        self.pass_on(msg["to"])
    def held(self, payload=None):
        return runtime.get_balance()
    def letter(self, payload):
        handler, to, amount = payload.decode().split()
        send(to, {"handler": handler}, value=int(amount))
        return str(runtime.get_balance()).encode()
    def raw_letter(self, payload):
        to, amount = payload.decode().split()
        send(to, b"raw", raw=True, value=int(amount))
    def letter_and_raise(self, payload):
        self.letter(payload)
        raise ValueError("after the send")
    def ring(self, payload):
        handler, to, amount = payload.decode().split()
        got = call(to, handler, [], value=int(amount))
        return (str(got) + " " + str(runtime.get_balance())).encode()
    def build(self, payload):
        handler, to, amount = payload.decode().split()
        return str(call_builder(to).method(handler).value(int(amount)).execute()).encode()
    def ring_caught(self, payload):
        handler, to, amount = payload.decode().split()
        try:
            call(to, handler, [], cycles_limit=30_000, value=int(amount))
        except Exception as e:
            return (getattr(e, "name", type(e).__name__) + " " + str(runtime.get_balance())).encode()
    def ring_and_raise(self, payload):
        self.ring(payload)
        raise ValueError("after the call")
    def ring_and_spin(self, payload):
        self.ring(payload)
        self.spin()
    def ring_back(self, back, amount):
        return [came(), call(back, "note", [], value=amount), came()]
    def reenter(self, payload):
        to, amount, back = payload.decode().split()
        return codec.encode(call(to, "ring_back", [runtime.get_actor_address(), int(back)], cycles_limit=200_000, value=int(amount)))
    def ring_passing(self, payload):
        to, further, amount = payload.decode().split()
        call(to, "pass_on", [further], value=int(amount))
    def letter_passing(self, payload):
        to, further, amount = payload.decode().split()
        send(to, {"handler": "pass_letter", "to": further}, value=int(amount))
    def later(self, payload):
        runtime.create_deferred_tx("note", b"")
    def tomorrow(self, payload):
        runtime.set_timer(runtime.get_block_height() + 1, "note")
`

// duo is two purses with 20 CBY each, and who calls them.
type duo struct {
	t        *testing.T
	c        *testkit.Chain
	by       *testkit.Account
	one, two account.Address
}

func newDuo(t *testing.T) *duo {
	c := testkit.NewChain(t)
	by := c.Account("alice")
	d := &duo{t, c, by, by.Deploy(purse, nil), by.Deploy(purse, nil)}
	by.Fund(d.one, 20*unit.CBY)
	by.Fund(d.two, 20*unit.CBY)
	return d
}

// asks calls a handler of the first purse; {two} and {one} in the payload are the addresses.
func (d *duo) asks(handler, payload string) *block.Receipt {
	d.t.Helper()
	return d.by.Try(d.one, handler, strings.NewReplacer("{one}", d.one.String(), "{two}", d.two.String()).Replace(payload))
}

// holds fails unless the purses hold 20 CBY and so many base units more.
func (d *duo) holds(when string, one, two int64) {
	d.t.Helper()
	a, b := int64(d.c.Balance(d.one))-int64(20*unit.CBY), int64(d.c.Balance(d.two))-int64(20*unit.CBY)
	if a != one || b != two {
		d.t.Errorf("%s: purses hold %+d and %+d, want %+d and %+d", when, a, b, one, two)
	}
}

// delivery is the only message of the next block.
func (d *duo) delivery() *block.Receipt {
	d.t.Helper()
	for _, x := range d.c.Mine().Receipts {
		if x.Kind == block.Message {
			return x
		}
	}
	d.t.Fatal("nothing was delivered")
	return nil
}

func (d *duo) ok(x *block.Receipt, want string) {
	d.t.Helper()
	if x.Status != block.Success || string(x.ReturnData) != want {
		d.t.Errorf("%s, want %q", testkit.Describe(x), want)
	}
}

func (d *duo) faults(x *block.Receipt, code uint16) {
	d.t.Helper()
	if x.Fault.Code != code {
		d.t.Errorf("%s, want %d", testkit.Describe(x), code)
	}
}

// A message takes its coins along: they leave the sender at once, lie with the message until it is delivered, and are the target's, who reads how many
// came. Every block of the kit is held against the supply, the one between included.
//
// Spec: WP "Transactions and Message Passing"; README "Value".
func TestMessageCarriesCoins(t *testing.T) {
	d := newDuo(t)
	d.ok(d.asks("letter", "note {two} 700"), fmt.Sprint(20*unit.CBY-700))
	d.holds("in flight", -700, 0)
	x := d.delivery()
	d.ok(x, "\x19\x02\xbc") // CBOR of 700
	if x.Value != 700 {
		t.Errorf("the receipt says %d", x.Value)
	}
	d.holds("delivered", -700, 700)
	d.ok(d.asks("raw_letter", "{two} 5"), "")
	d.ok(d.delivery(), "\x05")
	d.holds("raw", -705, 705)
	d.ok(d.asks("letter", "note {one} 9"), fmt.Sprint(20*unit.CBY-705-9))
	d.ok(d.delivery(), "\x09")
	d.holds("to itself", -705, 705)
	d.ok(d.asks("letter", "note {two} 0"), fmt.Sprint(20*unit.CBY-705))
	d.ok(d.delivery(), "\x00")
	d.ok(d.asks("later", ""), "")
	for _, x := range d.c.Mine().Receipts {
		d.ok(x, "\x00") // a deferred call brings nothing
	}
	d.holds("in the end", -705, 705)
	d.ok(d.asks("tomorrow", ""), "")
	for _, x := range d.c.Mine().Receipts {
		d.ok(x, "\x00") // nor does a timer, which the purse pays for
	}
}

// What is not delivered well comes back: a handler that raises, that is not there, that runs out of cycles; and a sender that raises never sent.
//
// Spec: WP "Transactions and Message Passing", "Transactions and Message Passing"; README "Value" (undone with a fault).
func TestMessageCoinsReturn(t *testing.T) {
	d := newDuo(t)
	for handler, code := range map[string]uint16{"refuse": 1210, "nothing": 1206, "spin": 1005} {
		t.Run(handler, func(t *testing.T) {
			d.ok(d.asks("letter", handler+" {two} 700"), fmt.Sprint(20*unit.CBY-700))
			x := d.delivery()
			d.faults(x, code)
			if x.Value != 700 {
				t.Errorf("%s: the receipt says %d", handler, x.Value)
			}
			d.holds(handler, 0, 0)
			if n := d.c.Record(d.two).MailboxCount; n != 0 {
				t.Errorf("%s: %d messages are left", handler, n)
			}
		})
	}
	d.faults(d.asks("letter_and_raise", "note {two} 700"), 1210)
	d.holds("sender raised", 0, 0)
	for _, x := range d.c.Mine().Receipts {
		t.Errorf("delivered: %s", testkit.Describe(x))
	}
	// Refused at the send: more than there is, nobody there, a system actor, amounts that are none.
	for what, c := range map[string]struct {
		payload string
		code    uint16
	}{
		"all": {fmt.Sprintf("note {two} %d", 20*unit.CBY), 0}, "one too many": {fmt.Sprintf("note {two} %d", 20*unit.CBY+1), 1003},
		"most": {"note {two} 18446744073709551615", 1003}, "beyond": {"note {two} 18446744073709551616", 1202}, "negative": {"note {two} -1", 1202},
		"nobody": {"note " + d.by.Hex() + " 5", 1220}, "system": {"note 0x0000000000000000000000000000000000000002 5", 1202},
		"last reserved": {"note 0x00000000000000000000000000000000000000ff 5", 1202}, "first free": {"note 0x0000000000000000000000000000000000000100 5", 1220},
	} {
		t.Run(what, func(t *testing.T) {
			before := d.c.Snapshot()
			x := d.asks("letter", c.payload)
			if x.Fault.Code != c.code {
				t.Errorf("%s: %s, want %d", what, testkit.Describe(x), c.code)
			}
			if c.code != 0 {
				d.holds(what, 0, 0)
			}
			d.c.Revert(before)
		})
	}
}

// A message without gas is not run, and its coins are the sender's again.
//
// Spec: scheduler-timers §10 (gas carried from the parent); README "Value".
func TestMessageCoinsWithoutGas(t *testing.T) {
	d := newDuo(t)
	payload := []byte("note " + d.two.String() + " 700")
	used := d.asks("letter", string(payload)).CyclesUsed // of the first delivery and this one's own
	d.delivery()
	// The second letter costs what the first did but for one digit of the balance it returns.
	x := d.by.Do(&tx.Execute{To: d.one, Handler: []byte("letter"), Payload: payload}, used, testkit.ExecuteCells)
	d.ok(x, fmt.Sprint(20*unit.CBY-1_400))
	d.faults(d.delivery(), 1005)
	d.holds("no gas", -700, 700)
}

// A call hands coins over before the callee runs and takes them back if it raises; what the caller does afterwards is undone with it.
//
// Spec: WP "Transactions and Message Passing"; sdk §7 (one shared read and write set); README "Value".
func TestCallCarriesCoins(t *testing.T) {
	d := newDuo(t)
	d.ok(d.asks("ring", "note {two} 700"), fmt.Sprint("700 ", 20*unit.CBY-700))
	d.holds("called", -700, 700)
	d.ok(d.asks("ring", "held {two} 50"), fmt.Sprint(20*unit.CBY+750, " ", 20*unit.CBY-750))
	d.ok(d.asks("build", "note {two} 50"), "50")
	d.holds("built", -800, 800)
	d.ok(d.asks("ring", "note {one} 7"), fmt.Sprint("7 ", 20*unit.CBY-800))
	d.holds("itself", -800, 800)
	for handler, want := range map[string]string{"refuse": "ActorCallError", "nothing": "ActorCallError", "spin": "CycleLimitExceeded"} {
		d.ok(d.asks("ring_caught", handler+" {two} 700"), fmt.Sprint(want, " ", 20*unit.CBY-800))
	}
	d.ok(d.asks("ring_caught", "note "+d.by.Hex()+" 700"), fmt.Sprint("ActorNotFoundError ", 20*unit.CBY-800))
	d.ok(d.asks("ring_caught", fmt.Sprintf("note {two} %d", 20*unit.CBY-799)), fmt.Sprint("InsufficientBalanceError ", 20*unit.CBY-800))
	d.ok(d.asks("ring_caught", "note {two} -1"), fmt.Sprint("InvalidInputError ", 20*unit.CBY-800))
	d.ok(d.asks("ring_caught", "note 0x0000000000000000000000000000000000000009 7"), fmt.Sprint("NotAvailableError ", 20*unit.CBY-800))
	d.faults(d.asks("ring_and_raise", "note {two} 700"), 1210)
	d.faults(d.asks("ring_and_spin", "note {two} 700"), 1005)
	d.holds("in the end", -800, 800)
	// Re-entered: the callee calls back with coins of its own; each frame reads what came with it.
	d.ok(d.asks("reenter", "{two} 100 30"), "\x83\x18\x64\x18\x1e\x18\x64")
	d.holds("re-entered", -870, 870)
	// A transaction's coins are seen the same way.
	x := d.by.TryWith(d.one, "note", "", 12)
	d.ok(x, "\x0c")
	if x.Value != 12 {
		t.Errorf("the receipt says %d", x.Value)
	}
	d.holds("by transaction", -858, 870)
	if got := d.by.CallWith(d.one, "note", "", 1); got != "\x01" {
		t.Errorf("called with a coin: %q", got)
	}
	d.holds("by another", -857, 870)
	// A query moves nothing.
	out := d.c.Query(d.one, "ring", []byte("note "+d.two.String()+" 7"), nil)
	if out.Fault == nil || out.Fault.Code != 1205 {
		t.Errorf("a query: %+v", out)
	}
}

// econ.transfer is asked of the sender, with its limits, and econ.hold_balance of whoever keeps what comes.
//
// Spec: ENT §9.7, §9.12 (max_amount, max_per_block).
func TestCoinsAreEntitled(t *testing.T) {
	const storage = `{"id":"storage.kv","params":{"max_bytes":4096}}`
	for _, x := range []struct {
		name, sender, target, handler string
		amount                        int
		sent, delivered               uint16
	}{
		{"no econ.transfer", `[` + storage + `]`, `[]`, "note", 5, 1207, 0},
		{"nothing is no transfer", `[` + storage + `]`, `[]`, "held", 0, 0, 0},
		{"within max_amount", `[{"id":"econ.transfer","params":{"max_amount":5}}]`, ``, "note", 5, 0, 0},
		{"above max_amount", `[{"id":"econ.transfer","params":{"max_amount":5}}]`, ``, "note", 6, 1208, 0},
		{"within max_per_block", `[{"id":"econ.transfer","params":{"max_per_block":5}}]`, ``, "note", 5, 0, 0},
		{"above max_per_block", `[{"id":"econ.transfer","params":{"max_per_block":5}}]`, ``, "note", 6, 1208, 0},
		{"keeps without econ.hold_balance", ``, `[` + storage + `]`, "note", 5, 0, 1207},
		{"keeps with it", ``, `[{"id":"econ.hold_balance"},` + storage + `]`, "note", 5, 0, 0},
		{"passes on", ``, `[{"id":"econ.transfer","params":{"max_amount":5}}]`, "pass_on", 5, 0, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			for _, way := range []string{"letter", "ring"} {
				c := testkit.NewChain(t)
				by := c.Account("alice")
				make := func(manifest string) account.Address {
					in := &tx.Deploy{Code: []byte(purse), Salt: []byte{byte(c.Height())}}
					if manifest != "" {
						in.Manifest = []byte(manifest)
					}
					d := by.Do(in, testkit.DeployCycles, testkit.DeployCells)
					if d.Status != block.Success {
						t.Fatal(testkit.Describe(d))
					}
					return *d.Created
				}
				target := make(x.target)
				sender := make(strings.Replace(x.sender, `[`, `[{"id":"econ.hold_balance"},`, 1))
				by.Fund(sender, unit.CBY)
				payload := fmt.Sprintf("%s %v %d", x.handler, target, x.amount)
				handler := way
				if x.handler == "pass_on" {
					handler, payload = way+"_passing", fmt.Sprintf("%v %s %d", target, "0x"+strings.Repeat("11", 20), x.amount)
				}
				r := by.Try(sender, handler, payload)
				want := x.sent
				if want == 0 && way == "ring" {
					want = x.delivered
				}
				if r.Fault.Code != want {
					t.Errorf("%s, %s: %s, want %d", x.name, way, testkit.Describe(r), want)
				}
				if way == "letter" && x.sent == 0 {
					for _, m := range c.Mine().Receipts {
						if m.Fault.Code != x.delivered {
							t.Errorf("%s, delivered: %s, want %d", x.name, testkit.Describe(m), x.delivered)
						}
					}
				}
				kept := unit.CBY
				if x.sent == 0 && x.delivered == 0 {
					kept -= unit.Amount(x.amount)
				}
				if got := c.Balance(sender); got != kept {
					t.Errorf("%s, %s: the sender holds %d, want %d", x.name, way, got, kept)
				}
			}
		})
	}
}

// The least that a call can carry is one unit, and it arrives.
//
// Spec: WP "Transactions and Message Passing".
func TestOneUnitWithACall(t *testing.T) {
	d := newDuo(t)
	if x := d.asks("ring", "note {two} 1"); x.Status != block.Success {
		t.Fatalf("%+v", x.Fault)
	}
	d.holds("after a call with one unit", -1, 1)
}
