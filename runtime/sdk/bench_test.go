package sdk_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit"
)

// BenchmarkContinuation is a continuation with one await: start, job, answer, resumption; three blocks.
func BenchmarkContinuation(b *testing.B) {
	c := testkit.NewChain(b)
	c.Jobs(echo)
	alice := c.Account("alice")
	a := alice.Deploy(simple(`
    @public
    @runner.continuation
    async def go(self, payload):
        n = len(payload)
        r = await runner.llm("one")
        self.storage["r"] = [n, r]
`), nil)
	for b.Loop() {
		alice.Call(a, "go", "x")
		c.Mine()
		c.Mine()
	}
}
