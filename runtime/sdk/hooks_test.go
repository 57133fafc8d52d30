package sdk_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit"
)

// A class says by two hooks how its instances cross a boundary: in storage, in messages and in parameters of jobs they are what the first gives, at any depth,
// and the second makes an instance of it again. A class with the first alone is refused, since nobody could read what it wrote.
//
// Spec: WP-January "Serialization" (Custom Types).
func TestSerializationHooks(t *testing.T) {
	got := looking(t, `
from cowboy_sdk import codec
class Money:
    def __init__(self, amount, unit):
        self.amount, self.unit = amount, unit
    def __cowboy_serialize__(self):
        return (self.amount, self.unit)
    @classmethod
    def __cowboy_deserialize__(cls, value):
        return cls(*value)
class Nested:
    def __init__(self, all):
        self.all = all
    def __cowboy_serialize__(self):
        return {"all": self.all}
    @staticmethod
    def __cowboy_deserialize__(value):
        return Nested([Money.__cowboy_deserialize__(v) for v in value["all"]])
class Half:
    def __cowboy_serialize__(self):
        return 1
class Neither:
    pass
class Endless:
    def __cowboy_serialize__(self):
        return self
    def __cowboy_deserialize__(value):
        return value
class Broken:
    def __cowboy_serialize__(self):
        raise KeyError("no")
    def __cowboy_deserialize__(value):
        raise KeyError("no")
`, `
        out.append(codec.encode(Money(5, "CBY")).hex())
        back = codec.decode(bytes.fromhex("820563434259"), Money)
        out.append((type(back).__name__, back.amount, back.unit))
        out.append(codec.encode(Nested([Money(1, "A"), Money(2, "B")])).hex())
        out.append([m.unit for m in codec.decode(codec.encode(Nested([Money(1, "A"), Money(2, "B")])), Nested).all])
        self.storage["purse"] = {"left": Money(7, "x"), "list": [Money(8, "y")]}
        out.append(self.storage["purse"])
        refused(lambda: codec.encode(Half()))
        refused(lambda: codec.encode(Neither()))
        refused(lambda: codec.encode(Endless()))
        refused(lambda: codec.encode(Broken()))
        refused(lambda: codec.decode(b"\x01", Neither))
        refused(lambda: codec.decode(b"\x01", Broken))
        refused(lambda: codec.encode(Money))
`)
	expectAll(t, got,
		"820563434259", // RFC 8949: an array of two, 5, a text of three bytes
		"('Money', 5, 'CBY')",
		"a163616c6c828201614182026142",
		"['A', 'B']",
		"{'left': [7, 'x'], 'list': [[8, 'y']]}",
		"('CodecError', 'E1213')", "('CodecError', 'E1213')", "('CodecError', 'E1213')", "('KeyError', None)",
		"('CodecError', 'E1213')", "('KeyError', None)", "('CodecError', 'E1213')",
	)
}

// TestHooksInMessages: what arrives is what the first hook gave.
//
// Spec: WP-January "Serialization" (messages).
func TestHooksInMessages(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(`
from cowboy_sdk import actor, public, send
class Money:
    def __init__(self, amount):
        self.amount = amount
    def __cowboy_serialize__(self):
        return {"amount": self.amount}
    @classmethod
    def __cowboy_deserialize__(cls, value):
        return cls(value["amount"])
@actor
class A:
    @public
    def go(self, payload):
        send(self.address, {"handler": "note", "money": Money(41)})
    @public
    def note(self, msg):
        self.storage["came"] = Money.__cowboy_deserialize__(msg["money"]).amount + 1
    @public
    def out(self, payload):
        return repr(self.storage["came"]).encode()
`, nil)
	alice.Call(a, "go", "")
	c.Mine()
	if got := alice.Call(a, "out", ""); got != "42" {
		t.Errorf("got %q", got)
	}
}
