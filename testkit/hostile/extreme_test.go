package hostile

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// extreme is an actor that calls one function of the host or of the SDK with the least and the greatest numbers, and with other things, and gives how many
// calls of it gave a value and how many raised an exception.
const extreme = `
import pvm_host
import cowboy_sdk
from cowboy_sdk import (actor, deferred, public, bank, blobs, call, codec, collections, continuation, domains, entitlements, errors, events, guards, http,
    ingestion, models, payments, pvm_random, pvm_sys, pvm_time, rent, routes, runner, runtime, secrets, stream_actor, streams, taskgroup, token, types,
    verification, vrf)

MODULES = (pvm_host, cowboy_sdk, bank, blobs, call, codec, collections, continuation, domains, entitlements, errors, events, guards, http, ingestion, models,
    payments, pvm_random, pvm_sys, pvm_time, rent, routes, runner, runtime, secrets, stream_actor, streams, taskgroup, token, types, verification, vrf)
NAMES = sorted({(m.__name__, n) for m in MODULES for n in dir(m) if n[0] != "_" and callable(getattr(m, n))})
VALUES = (0, 1, -1, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 64, 1 << 128, -(1 << 63), -(1 << 64), 1.5, float("inf"), None, True,
    "", "a", b"", b"a" * 20, b"a" * 32, b"a" * 65, [], [1], (), {}, {"a": 1}, set(), object, "0x" + "11" * 20)


def name(payload):
    i = int(payload)
    return "{}.{}".format(*NAMES[i]).encode() if i < len(NAMES) else b""


def go(payload):
    i, seed = (int(x) for x in payload.split(b" "))
    module, n = NAMES[i]
    f = getattr([m for m in MODULES if m.__name__ == module][0], n)
    done, raised, x = 0, 0, seed * 7919 + i
    for round in range(40):
        args = []
        for _ in range(round % 5):
            x = (x * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            args.append(VALUES[(x >> 33) % len(VALUES)])
        try:
            r = f(*args)
            if hasattr(r, "close"): r.close()
            done += 1
        except Exception:
            raised += 1
    return "{} {}".format(done, raised).encode()
`

// TestExtremes calls what actors can ask of the host, and the library for it, with numbers that no field has and with things of other types: each call gives a
// value, raises an exception, or ends its turn, and the next block is made.
//
// Spec: WP §3.1 (bounded execution); sdk §5.
func TestExtremes(t *testing.T) {
	r := newRanch(t)
	a := r.attacker.Deploy(extreme, nil)
	r.attacker.Fund(a, 1_000_000_000_000)
	ended := map[block.Status]int{}
	calls := 0
	for i := 0; ; i++ {
		r.attacker = r.chain.Account(fmt.Sprintf("attacker %d", i)) // one has coins for some of them
		name := r.attacker.Call(a, "name", fmt.Sprint(i))
		if name == "" {
			break
		}
		for seed := range 2 {
			func() {
				defer func() {
					if x := recover(); x != nil {
						t.Fatalf("%s: the machine panics: %v\n%s", name, x, debug.Stack())
					}
				}()
				x := r.attack(a, "go", fmt.Sprintf("%d %d", i, seed))
				if ended[x.Status]++; x.Status != block.Success && x.Fault.Code != drain.FaultCycles && x.Fault.Code != drain.FaultCells {
					t.Errorf("%s: %s", name, testkit.Describe(x))
				}
				calls++
			}()
		}
		r.goesOn()
	}
	if calls < 300 || ended[block.Success] < calls/2 {
		t.Errorf("%d calls, %v", calls, ended)
	}
}
