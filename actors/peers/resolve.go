package peers

import (
	"context"
	"net"
	"net/netip"
	"time"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// lookupWithin bounds one lookup.
const lookupWithin = 10 * time.Second

// resolver asks for the addresses of names, each on a goroutine of its own, until the subsystem stops.
type resolver struct {
	find   func(context.Context, string) ([]netip.Addr, error)
	ctx    context.Context
	cancel context.CancelFunc
}

// newResolver makes the resolver of one instance; a nil find is the machine's.
func newResolver(find func(context.Context, string) ([]netip.Addr, error)) *resolver {
	r := &resolver{find: find}
	if r.find == nil {
		r.find = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// look asks for one name; the answer comes back as a resolved command.
func (r *resolver) look(inbox *supervision.Inbox, generation uint64, e resolve) {
	go func() {
		ctx, cancel := context.WithTimeout(r.ctx, lookupWithin)
		defer cancel()
		addresses, err := r.find(ctx, e.name.Host)
		inbox.Reply(resolved{generation, e.name, e.boot, addresses, err})
	}()
}
