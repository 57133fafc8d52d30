package peers

import (
	"context"
	"net"
	"net/netip"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

const (
	// lookupEvery is how often the name of a peer that is not connected is looked up.
	lookupEvery = 15 * time.Second
	// lookupWithin bounds one lookup.
	lookupWithin = 10 * time.Second
)

// Name is a persistent peer that is known by a host name.
type Name struct {
	ID   transport.ID
	Host string
	Port uint16
}

// resolver remembers when names were looked up. A name that stands for several addresses gives them in turn, so that one that is
// out of order does not keep a peer away.
type resolver struct {
	names  []*lookup
	find   func(context.Context, string) ([]netip.Addr, error)
	ctx    context.Context
	cancel context.CancelFunc
}

type lookup struct {
	Name
	pending bool
	due     time.Time
	turn    int
	failed  bool // the last time; told once
}

func newResolver(names []Name, find func(context.Context, string) ([]netip.Addr, error)) *resolver {
	r := &resolver{find: find}
	if r.find == nil {
		r.find = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	for _, n := range names {
		r.names = append(r.names, &lookup{Name: n})
	}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// resolve looks up the names that are due, of peers that are not connected. The answers come back as commands.
func (s *Subsystem) resolve(now time.Time) {
	for _, l := range s.resolver.names {
		if l.pending || now.Before(l.due) || s.state.connected(l.ID) {
			continue
		}
		l.pending, l.due = true, now.Add(lookupEvery)
		find, parent, inbox, generation, name := s.resolver.find, s.resolver.ctx, s.Handle.inbox, s.generation, l.Name
		go func() {
			ctx, cancel := context.WithTimeout(parent, lookupWithin)
			defer cancel()
			addresses, err := find(ctx, name.Host)
			inbox.Reply(resolved{generation, name, addresses, err})
		}()
	}
}

// resolved moves a peer to where its name points.
func (s *Subsystem) resolved(r resolved, now time.Time) {
	for _, l := range s.resolver.names {
		if l.Name != r.name {
			continue
		}
		l.pending = false
		if r.err != nil || len(r.addresses) == 0 {
			if !l.failed {
				s.Observe(Event{Kind: Unresolved, Peer: l.ID, Why: l.Host + ": " + text(r.err), Err: r.err})
			}
			l.failed = true
			return
		}
		l.failed = false
		s.state.book.Move(l.ID, netip.AddrPortFrom(r.addresses[l.turn%len(r.addresses)].Unmap(), l.Port))
		l.turn++
		s.state.tick(now)
	}
}
