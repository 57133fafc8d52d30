package peers

import (
	"net/netip"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// lookupEvery is how often the name of a peer that is not connected is looked up.
const lookupEvery = 15 * time.Second

// Name is a persistent peer, or a bootstrap node, that is known by a host name.
type Name struct {
	ID   transport.ID
	Host string
	Port uint16
}

// lookup is a name and when it is to be looked up. A name that stands for several addresses gives them in turn, so that one that is out of order does not
// keep a peer away.
type lookup struct {
	Name
	pending bool
	due     time.Time
	turn    int
	failed  bool // the last time; told once
	boot    bool // a bootstrap node: looked up while nobody else is known
	found   bool // once
}

// lookups are the names of persistent peers and of bootstrap nodes, due at once.
func lookups(names, boot []Name) (list []*lookup) {
	for _, n := range names {
		list = append(list, &lookup{Name: n})
	}
	for _, n := range boot {
		list = append(list, &lookup{Name: n, boot: true})
	}
	return list
}

// look has the names looked up that are due, of peers that are not connected.
func (s *state) look(connected map[transport.ID]bool, now time.Time) {
	for _, l := range s.names {
		if l.pending || now.Before(l.due) || connected[l.ID] || l.boot && l.found && s.finder.Known() > 0 {
			continue
		}
		l.pending, l.due = true, now.Add(lookupEvery)
		s.do(resolve{l.Name, l.boot})
	}
}

// resolved moves a peer to where its name points, and has a bootstrap node asked there.
func (s *state) resolved(r resolved, now time.Time) {
	for _, l := range s.names {
		if l.Name != r.name || l.boot != r.boot {
			continue
		}
		l.pending = false
		if r.err != nil || len(r.addresses) == 0 {
			if !l.failed {
				s.do(observe{Event{Kind: Unresolved, Peer: l.ID, Why: l.Host + ": " + text(r.err), Err: r.err}})
			}
			l.failed = true
			return
		}
		l.failed = false
		at := netip.AddrPortFrom(r.addresses[l.turn%len(r.addresses)].Unmap(), l.Port)
		l.turn++
		l.found = true
		if l.boot {
			s.finder.Bootstrap(transport.Target{ID: l.ID, Address: at})
		} else {
			s.book.Move(l.ID, at)
		}
		s.dial(now)
	}
}
