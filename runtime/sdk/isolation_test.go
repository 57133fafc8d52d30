package sdk_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit"
)

// vandal is an actor that describes all it can reach of the SDK and the standard library, and can spoil it.
const vandal = `
from cowboy_sdk import actor, public
import cowboy_sdk, pvm_host, collections, functools, json, enum, dataclasses
from cowboy_sdk import (
    _actor, _storage, _mapping, call, codec, collections as ordered, continuation, entitlements, errors, guards, http, models, payments, rent, routes, runner,
    runtime, secrets, taskgroup, token, types, verification, vrf,
)

MODULES = [
    cowboy_sdk, _actor, _storage, _mapping, call, codec, ordered, continuation, entitlements, errors, guards, http, models, payments, rent, routes, runner,
    runtime, secrets, taskgroup, token, types, verification, vrf, pvm_host, collections, functools, json, enum, dataclasses,
]
FUNCTION = type(lambda: None)

def reached():
    seen = {}
    todo = [(m.__name__, v, n) for m in MODULES for n, v in vars(m).items()]
    while todo:
        where, value, name = todo.pop()
        if id(value) in seen or isinstance(value, (str, bytes, int, float)):
            continue
        seen[id(value)] = (where, name, value)
        if isinstance(value, type):
            todo += [(where + "." + name, v, n) for n, v in vars(value).items()]
        elif isinstance(value, dict):
            todo += [(where + "." + name, v, repr(k)) for k, v in value.items()]
        elif isinstance(value, (list, tuple)):
            todo += [(where + "." + name, v, str(i)) for i, v in enumerate(value)]
        elif isinstance(value, FUNCTION):
            todo += [(where + "." + name, v, n) for n, v in value.__dict__.items()]
            todo += [(where + "." + name, v, "default") for v in value.__defaults__ or ()]
    return list(seen.values())

def describe():
    out = []
    for where, name, value in reached():
        held = ""
        if isinstance(value, type):
            held = sorted(vars(value))
        elif isinstance(value, (dict, list, tuple)):
            held = [len(value), sorted(k if isinstance(k, str) else type(k).__name__ for k in value)]
        elif isinstance(value, FUNCTION):
            held = [sorted(value.__dict__), value.__name__, value.__doc__, len(value.__defaults__ or ())]
        out.append(where + "." + name + ":" + type(value).__name__ + str(held))
    for m in MODULES:
        out.append(str(list(vars(m))))
    return pvm_host.keccak256("\n".join(sorted(out)).encode()).hex() + " " + str(len(out))

def attempt(change, *a):
    try:
        change(*a)
        return 1
    except Exception:
        return 0

@actor
class Vandal:
    @public
    def look(self, payload):
        return describe().encode()

    @public
    def spoil(self, payload):
        done = 0
        for where, name, value in reached():
            if isinstance(value, type):
                done += attempt(setattr, value, "spoiled", 1)
                for n in list(vars(value)):
                    if not n.startswith("__"):
                        done += attempt(delattr, value, n)
            elif isinstance(value, FUNCTION):
                done += attempt(setattr, value, "spoiled", 1)
                done += attempt(setattr, value, "__name__", "spoiled")
                done += attempt(setattr, value, "__defaults__", None)
            elif isinstance(value, dict):
                done += attempt(value.__setitem__, "spoiled", 1)
            elif isinstance(value, list):
                done += attempt(value.append, "spoiled")
            else:
                done += attempt(setattr, value, "spoiled", 1)
        for m in MODULES:
            done += attempt(setattr, m, "spoiled", 1)
            done += attempt(lambda: vars(m).__setitem__("spoiled", 1))
        return str(done).encode()
`

// TestNothingLeaks: whatever an actor does to the SDK and the library, the next call and the next actor find them as they were.
//
// Spec: sdk §2; CIP-3 §2.2.
func TestNothingLeaks(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	first := alice.Deploy(vandal, nil)
	before := alice.Call(first, "look", "")
	if len(before) < 64 {
		t.Fatal(before)
	}
	if done := alice.Call(first, "spoil", ""); len(done) < 3 {
		t.Errorf("only %s changes were possible", done)
	}
	if after := alice.Call(first, "look", ""); after != before {
		t.Errorf("the next call finds %s, not %s", after, before)
	}
	alice.Call(first, "spoil", "")
	second := alice.Deploy(vandal+"\n", nil)
	if other := alice.Call(second, "look", ""); other != before {
		t.Errorf("the next actor finds %s, not %s", other, before)
	}
}
