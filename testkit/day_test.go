package testkit

import (
	"fmt"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// day is one day of blocks, a second each.
const day = 86_400

// idle gives a chain on which so many timers wait for heights after the day.
func idle(t testing.TB, timers int) *Chain {
	c := NewChain(t)
	alice := c.Account("alice")
	actor := alice.Deploy(counting, nil)
	for n := range timers {
		alice.Send(&tx.TimerSchedule{Actor: actor, Height: c.Height() + 2*day + unit.Height(n), Handler: []byte("n")}, 100_000, 10_000)
	}
	c.Mine()
	return c
}

// BenchmarkDay advances a chain by one day with idle timers on it.
func BenchmarkDay(b *testing.B) {
	for _, timers := range []int{0, 100} {
		b.Run(fmt.Sprintf("timers=%d", timers), func(b *testing.B) {
			c := idle(b, timers)
			at := c.Snapshot()
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				c.AdvanceTo(c.Height() + day)
				b.StopTimer()
				c.Revert(at)
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*day), "µs/block")
		})
	}
}

// BenchmarkSnapshot takes a chain with so many keys back to where it was, after a block.
func BenchmarkSnapshot(b *testing.B) {
	const keys = 1_000_000
	c := NewChain(b)
	overlay := c.tip.State.Overlay()
	for n := range keys {
		overlay.Set(account.KeyString(account.KindStorage, account.Address{0xac}, fmt.Sprint(n)), []byte("value"))
	}
	commit, err := overlay.Commit(0)
	if err != nil {
		b.Fatal(err)
	}
	c.settle(c.tip.Header, commit)
	b.Run(fmt.Sprintf("keys=%d", keys), func(b *testing.B) {
		for b.Loop() {
			at := c.Snapshot()
			b.StopTimer()
			c.Mine()
			b.StartTimer()
			c.Revert(at)
		}
	})
}

// BenchmarkHandlerTest is a whole test of one handler: a chain of its own, the actor deployed, one call and a look at what it returned.
func BenchmarkHandlerTest(b *testing.B) {
	source, err := os.ReadFile("../cmd/cowboy/project/starter/counter.py")
	if err != nil {
		b.Fatal(err)
	}
	test := func(c *Chain) {
		alice := c.Account("alice")
		a := alice.Deploy(string(source), []byte("{}"))
		if got := alice.Call(a, "increment", ""); got != "1" {
			b.Fatal(got)
		}
	}
	b.Run("chain=new", func(b *testing.B) {
		for b.Loop() {
			test(NewChain(b))
		}
	})
	b.Run("chain=fork", func(b *testing.B) {
		first := NewChain(b)
		first.Account("alice")
		for b.Loop() {
			test(first.Fork(b))
		}
	})
}
