package testkit_test

import (
	"fmt"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
	"github.com/cowboyinc/cowboy-go/testkit/sim"
)

const counter = `
from cowboy_sdk import Storage, actor, public, runtime

@actor
class Counter:
    storage: Storage

    @public
    def init(self, payload):
        self.storage["count"] = 0

    @public
    def increment(self, payload):
        self.storage["count"] += 1
        runtime.emit_event("counter.increment", {"count": self.storage["count"]})
        return str(self.storage["count"]).encode()
`

// In a test the chain takes the test itself: NewChain(t). What it is asked and cannot do then fails the test.
func Example() {
	c := testkit.NewChain(testkit.Outside{})
	alice := c.Account("alice") // funded
	actor := alice.Deploy(counter, []byte("{}"))
	alice.Call(actor, "increment", "")

	before := c.Snapshot()
	fmt.Println(alice.Call(actor, "increment", ""), c.Events(actor, "counter.increment"))

	c.Revert(before)
	fmt.Println(alice.Call(actor, "increment", ""))

	c.AdvanceTo(c.Height() + 100) // a hundred blocks; timers would fire on their way
	receipt := alice.Try(actor, "missing", "")
	fmt.Println(receipt.Fault.Code, receipt.Fault.Text)
	// Output:
	// 2 [{"count":1} {"count":2}]
	// 2
	// 1206 ActorCallError: actor has no handler "missing"
}

const desk = `
from cowboy_sdk import SELF, actor, callable_by, deferred, public, runner, runtime, set_timer

@actor
class Desk:
    @public
    def init(self, payload):
        self.storage["paid"] = {"coins": 0, "times": 0}

    @public
    def pay(self, payload):
        paid = self.storage["paid"]
        self.storage["paid"] = {"coins": paid["coins"] + runtime.context()["value"], "times": paid["times"] + 1}

    @deferred
    @public
    def wake(self, payload):
        set_timer(runtime.get_block_height() + 90, "ring", b"")

    @callable_by(SELF)
    def ring(self, payload):
        runtime.emit_event("ring", b"!")

    @public
    @runner.continuation(timeout_blocks=10)
    async def ask(self, payload):
        self.storage["answer"] = str(await runner.llm(payload.decode(), model="small"))

    @public
    def take(self, payload):
        paid = self.storage["paid"]
        self.storage["paid"] = {"coins": paid["coins"] - int(payload), "times": paid["times"]}
`

// Coins come with a call, and storage is read as a Go value.
func ExampleAccount_CallWith() {
	c := testkit.NewChain(testkit.Outside{})
	alice := c.Account("alice")
	actor := alice.Deploy(desk, []byte("{}"))
	alice.CallWith(actor, "pay", "", 3*unit.CBY)

	paid, ok := testkit.Stored[struct{ Coins, Times uint64 }](c, actor, "paid")
	fmt.Println(paid.Coins, paid.Times, ok, c.Balance(actor).CBY())
	// Output: 3000000000 1 true 3
}

// Storage that is not there is told from storage that is zero.
func ExampleStored() {
	c := testkit.NewChain(testkit.Outside{})
	actor := c.Account("alice").Deploy(counter, []byte("{}"))
	count, ok := testkit.Stored[int](c, actor, "count")
	_, other := testkit.Stored[string](c, actor, "other")
	fmt.Println(count, ok, other)
	// Output: 0 true false
}

// Time passes by duration; a timer rings when its actor holds what the fire takes.
func ExampleChain_Advance() {
	c := testkit.NewChain(testkit.Outside{})
	alice := c.Account("alice")
	actor := alice.Deploy(desk, []byte("{}"))
	alice.Call(actor, "wake", "")
	cost, has := c.Fire(&c.Timers(actor)[0])
	fmt.Println("a fire takes", cost.CBY(), "beforehand; there are", has.CBY())
	alice.Fund(actor, 20*unit.CBY)

	c.Advance(time.Minute)
	fmt.Println(c.Events(actor, "ring"))
	c.Advance(30 * time.Second)
	fmt.Println(c.Events(actor, "ring"))
	// Output:
	// a fire takes 11 beforehand; there are 0
	// []
	// [!]
}

// A function answers the jobs of actors, and sees what they ask.
func ExampleChain_Jobs() {
	c := testkit.NewChain(testkit.Outside{})
	c.Jobs(func(j *testkit.Job) testkit.Answer {
		return testkit.Answer{Result: j.Model() + " heard: " + j.Prompt()}
	})
	alice := c.Account("alice")
	actor := alice.Deploy(desk, []byte("{}"))
	alice.Call(actor, "ask", "anybody there?")
	c.Advance(2 * time.Second)
	answer, _ := testkit.Stored[string](c, actor, "answer")
	fmt.Println(answer)
	// Output: small heard: anybody there?
}

// Fuzz finds the one call after which more was taken than came.
func ExampleChain_Fuzz() {
	c := testkit.NewChain(testkit.Outside{})
	actor := c.Account("alice").Deploy(desk, []byte("{}"))
	found := c.Fuzz(actor, 1, 100, testkit.Invariant{Name: "never owes", Check: func(c *testkit.Chain) string {
		if paid, _ := testkit.Stored[struct{ Coins int64 }](c, actor, "paid"); paid.Coins < 0 {
			return fmt.Sprint(paid.Coins, " coins")
		}
		return ""
	}})
	for _, f := range found {
		fmt.Println(f.Invariant, f.Wrong, f.Calls)
	}
	// Output: never owes -1 coins [alice take "1" 0 1]
}

// Several validators, with faults: whole nodes on one goroutine, with real actors, journals and stores. The same seed is the same run.
func Example_network() {
	plan := sim.PlanOf(1)
	plan.Validators, plan.Faulty = 4, map[uint32]string{3: "silent"}
	result, err := sim.Run(plan)
	fmt.Println(err, len(result.Wrong), "rules were broken;", result.Blocks > 0)
	// Output: <nil> 0 rules were broken; true
}
