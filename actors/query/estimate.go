package query

import (
	"context"
	"net/netip"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// Assessed is a transaction whose use was estimated.
type Assessed struct {
	*transition.Estimate
	Told
}

// Assess estimates what a transaction uses and leads to on the state after a block; now is the time, in milliseconds, that its block would
// have. It shares workers with queries and trials.
//
// Spec: WP §17.10.
func (d *Service) Assess(ctx context.Context, client netip.Addr, parent transition.Parent, t *tx.Tx, now time.Time) (Assessed, error) {
	var r Assessed
	err := d.queries.run(ctx, client, d.limits.Within, func(w *worker, i drain.Interrupt) (err error) {
		*w.watch = host.Watch{} // a transfer runs no turn, which would begin with this
		own := &first{host: w.host, told: func() { r.Told = w.told() }}
		r.Estimate, err = transition.Assess(parent, t, uint64(max(now.UnixMilli(), 0)), own, i)
		return err
	})
	return r, err
}

// first runs turns, and says when the first of them is over, which is the transaction's own.
type first struct {
	host *host.Host
	told func()
	done bool
}

// Run implements drain.Runner.
func (f *first) Run(t *drain.Turn) (drain.Outcome, error) {
	o, err := f.host.Run(t)
	if !f.done {
		f.done = true
		f.told()
	}
	return o, err
}
