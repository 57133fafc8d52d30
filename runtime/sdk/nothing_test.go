package sdk_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// A handler that takes nothing is called without arguments, or with none in a list or a map; one argument in either is one too many. Events nest as deep as
// JSON may and no deeper, in lists as in maps.
//
// Spec: sdk §3.3 (delivery rule), §3.4.
func TestCalledWithNothing(t *testing.T) {
	c := testkit.NewChain(t)
	by := c.Account("alice")
	at := by.Deploy(`
from cowboy_sdk import actor, call, runtime

@actor
class Plain:
    def nothing(self):
        return 7
    def ask(self, payload):
        args = {"none": None, "list": [], "map": {}, "one": [1], "named": {"a": 1}, "two": {"a": 1, "b": 2}}[payload.decode()]
        return str(call(runtime.get_actor_address(), "nothing", args)).encode()
    def nest(self, payload):
        kind, depth = payload.decode().split()
        value = 1
        for _ in range(int(depth)):
            value = [value] if kind == "list" else {"k": value}
        runtime.emit_event("deep", {"k": value})
`, nil)
	for payload, want := range map[string]block.Status{
		"none": block.Success, "list": block.Success, "map": block.Success, "one": block.Faulted, "named": block.Faulted, "two": block.Faulted,
	} {
		t.Run(payload, func(t *testing.T) {
			if x := by.Try(at, "ask", payload); x.Status != want || want == block.Success && string(x.ReturnData) != "7" {
				t.Errorf("%s: %s", payload, testkit.Describe(x))
			}
		})
	}
	for _, kind := range []string{"list", "map"} {
		for depth, want := range map[string]block.Status{" 3": block.Success, " 20": block.Success, " 400": block.Faulted} {
			t.Run(depth, func(t *testing.T) {
				if x := by.Try(at, "nest", kind+depth); x.Status != want {
					t.Errorf("%s%s: %s", kind, depth, testkit.Describe(x))
				}
			})
		}
	}
}
