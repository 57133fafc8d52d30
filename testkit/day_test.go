package testkit

import (
	"fmt"
	"testing"

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
