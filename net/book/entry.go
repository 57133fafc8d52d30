package book

import (
	"net/netip"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// entry is what is known of one node.
type entry struct {
	id         transport.ID
	address    netip.AddrPort // invalid: it cannot be dialed
	persistent bool

	connected bool
	inbound   bool // how it is connected
	dialing   bool

	lastUp   time.Time // when a dial last led to it; zero = never
	failures int       // in a row
	due      time.Time // not to be dialed before

	points   int
	pointsAt time.Time
	bans     int
	banned   time.Time // until
}

// halfLives beyond which nothing is left of any score.
const halfLives = 30

// score is the points that are left at an instant.
func (e *entry) score(now time.Time, halfLife time.Duration) int {
	n := now.Sub(e.pointsAt) / halfLife
	if n < 0 {
		n = 0
	}
	return e.points >> min(n, halfLives)
}

// dialable reports whether the node may be dialed at an instant.
func (e *entry) dialable(now time.Time) bool {
	return e.address.IsValid() && !e.connected && !e.dialing && !now.Before(e.due) && !now.Before(e.banned)
}

// group is the network an address lies in, as one owner is likely to hold it; ok is false for addresses that are one's own.
func group(a netip.Addr) (netip.Prefix, bool) {
	a = a.Unmap()
	if a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() {
		return netip.Prefix{}, false
	}
	bits := 16
	if a.Is6() {
		bits = 32
	}
	p, err := a.Prefix(bits)
	return p, err == nil
}
