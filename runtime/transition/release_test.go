package transition

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
)

// Messages that are sent for an origin after its transaction, as the answers of jobs are, are pending in its pool and count against its fan-out: a job
// is no way around the bound.
//
// Spec: WP §3.3 (fan-out); sdk §9.6.
func TestReleaseCountsFanout(t *testing.T) {
	for _, x := range []struct {
		sent            uint32
		done            bool
		pending, fanout uint32
	}{{0, true, 1, 5}, {3, false, 5, 8}, {3, true, 4, 8}} {
		t.Run(fmt.Sprintf("%d sent, done %v", x.sent, x.done), func(t *testing.T) {
			c := newChain(t, script{})
			s := &State{overlay: c.tip.State.Overlay()}
			pool := mailbox.Pool{Origin: digest.Hash{7}, Payer: person(1), Left: fee.Use{Cycles: 10}, Pending: 2, Fanout: 5}
			pool.Save(s.overlay)
			if err := s.releaseHeld(pool.Origin, x.sent, x.done); err != nil {
				t.Fatal(err)
			}
			got, ok, err := mailbox.LoadPool(s.overlay, pool.Origin)
			if err != nil || !ok || got.Pending != x.pending || got.Fanout != x.fanout {
				t.Errorf("%d pending, fan-out %d (%v %v); want %d and %d", got.Pending, got.Fanout, ok, err, x.pending, x.fanout)
			}
		})
	}
}
