package book

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// Points of misdeeds. A ban comes at Config.BanPoints.
const (
	// Minor: something an honest peer may do now and then, such as a late answer.
	Minor = 4
	// Major: something an honest peer does only by accident, such as a transaction that was valid a moment ago.
	Major = 20
	// Fatal: something no honest peer does, such as bytes that do not decode.
	Fatal = 100
)

// ErrPeer: text that names no peer.
var ErrPeer = errors.New("book: not a peer: want id@ip:port")

// ParsePeer reads "id@ip:port" as operators write it.
func ParsePeer(s string) (transport.Target, error) {
	id, at, ok := strings.Cut(s, "@")
	if !ok {
		return transport.Target{}, fmt.Errorf("%w: %q", ErrPeer, s)
	}
	target := transport.Target{}
	var err error
	if target.ID, err = transport.ParseID(id); err != nil {
		return transport.Target{}, fmt.Errorf("%w: %q: %w", ErrPeer, s, err)
	}
	if target.Address, err = netip.ParseAddrPort(at); err != nil || target.Address.Port() == 0 || target.Address.Addr().IsUnspecified() {
		return transport.Target{}, fmt.Errorf("%w: %q", ErrPeer, s)
	}
	return target, nil
}

// Config is what a book goes by. Zero fields take the values of DefaultConfig.
type Config struct {
	Self       transport.ID
	Persistent []transport.Target // dialed for ever, once they have an address; never evicted; may be banned like any other
	Outbound   int                // connections held by dialing, persistent ones not counted
	Group      int                // of them, in one network
	Entries    int                // nodes remembered
	Seed       uint64             // of jitter and choice

	Initial, Max  time.Duration // delays between dials of one address
	PersistentMax time.Duration // the same as Max, of a persistent peer
	GiveUp        int           // failures in a row after which an address is forgotten

	BanPoints        int
	HalfLife         time.Duration // of points
	BanFirst, BanMax time.Duration
}

// DefaultConfig holds the values for a public network.
func DefaultConfig() Config {
	return Config{
		Outbound: 16, Group: 2, Entries: 2_000, Initial: time.Second, Max: 5 * time.Minute, PersistentMax: 10 * time.Second, GiveUp: 12,
		BanPoints: 100, HalfLife: 10 * time.Minute, BanFirst: 10 * time.Minute, BanMax: 24 * time.Hour,
	}
}

func (c Config) withDefaults() Config {
	d := DefaultConfig()
	number := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	span := func(v *time.Duration, d time.Duration) {
		if *v == 0 {
			*v = d
		}
	}
	number(&c.Outbound, d.Outbound)
	number(&c.Group, d.Group)
	number(&c.Entries, d.Entries)
	number(&c.GiveUp, d.GiveUp)
	number(&c.BanPoints, d.BanPoints)
	span(&c.Initial, d.Initial)
	span(&c.Max, d.Max)
	span(&c.PersistentMax, min(d.PersistentMax, c.Max))
	span(&c.HalfLife, d.HalfLife)
	span(&c.BanFirst, d.BanFirst)
	span(&c.BanMax, d.BanMax)
	return c
}

// Book is the memory of one node. It is not safe for use by several goroutines.
type Book struct {
	config  Config
	random  *rand.Rand
	entries map[transport.ID]*entry
	extra   int // places beyond Config.Outbound, and beyond the groups
}

// ExtraMax bounds the places Need adds.
const ExtraMax = 64

// Need adds places to those filled by dialing: for a validator that does not reach all the others. Config.Group does not hold for as many of them.
func (b *Book) Need(places int) { b.extra = min(max(places, 0), ExtraMax) }

// New makes a book that knows the persistent peers.
func New(config Config) *Book {
	config = config.withDefaults()
	b := &Book{config: config, random: rand.New(rand.NewPCG(config.Seed, 0)), entries: map[transport.ID]*entry{}}
	for _, p := range config.Persistent {
		if p.ID != config.Self {
			b.entries[p.ID] = &entry{id: p.ID, address: p.Address, persistent: true}
		}
	}
	return b
}

// sorted gives the entries in the order of their identities, so that nothing depends on the order of a map.
func (b *Book) sorted() []*entry {
	list := make([]*entry, 0, len(b.entries))
	for _, e := range b.entries {
		list = append(list, e)
	}
	slices.SortFunc(list, func(x, y *entry) int { return x.id.Compare(y.id) })
	return list
}

// Len is how many nodes are remembered.
func (b *Book) Len() int { return len(b.entries) }

// Learn notes that a node says it can be dialed at an address. The word of the node itself is expected: a signed record, or its
// hello. An address that works is kept until it fails. It reports whether the book took the address.
func (b *Book) Learn(id transport.ID, at netip.AddrPort) bool {
	if id == b.config.Self || id.IsZero() || !at.IsValid() || at.Port() == 0 || at.Addr().IsUnspecified() || at.Addr().IsMulticast() {
		return false
	}
	at = netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
	e := b.entries[id]
	if e == nil {
		if !b.room(at) {
			return false
		}
		b.entries[id] = &entry{id: id, address: at}
		return true
	}
	if e.address == at || e.persistent || e.dialing || !e.lastUp.IsZero() && e.failures == 0 {
		return e.address == at
	}
	e.address, e.failures, e.due = at, 0, time.Time{}
	return true
}

// Move gives a persistent peer the address its name stands for now; any other peer keeps what it has. The new address may be dialed at once.
func (b *Book) Move(id transport.ID, at netip.AddrPort) {
	e := b.entries[id]
	if e == nil || !e.persistent || e.address == at || !at.IsValid() || at.Port() == 0 || at.Addr().IsUnspecified() {
		return
	}
	e.address, e.failures, e.due = at, 0, time.Time{}
}

// crowd is the most new addresses of one network that the book holds, as a share of its size.
const crowd = 16

// room makes place for a new address: none of a crowded network, and only in place of one that never worked.
func (b *Book) room(at netip.AddrPort) bool {
	if g, public := group(at.Addr()); public {
		n := 0
		for _, e := range b.entries { // a count
			if h, ok := group(e.address.Addr()); ok && h == g && e.lastUp.IsZero() {
				n++
			}
		}
		if n >= max(b.config.Entries/crowd, 1) {
			return false
		}
	}
	if len(b.entries) < b.config.Entries {
		return true
	}
	var worst []*entry
	for _, e := range b.sorted() {
		if e.idle() && e.lastUp.IsZero() && e.bans == 0 {
			worst = append(worst, e)
		}
	}
	if len(worst) == 0 {
		return false
	}
	delete(b.entries, worst[b.random.IntN(len(worst))].id)
	return true
}

// idle reports whether nothing but memory would be lost with the entry.
func (e *entry) idle() bool { return !e.persistent && !e.connected && !e.dialing }

// Up notes a full connection. Where an inbound peer says it can be dialed is learned like any new address.
func (b *Book) Up(p transport.Peer, now time.Time) {
	if at, ok := p.Dialable(); ok && p.Inbound {
		b.Learn(p.ID, at)
	}
	e := b.entries[p.ID]
	if e == nil {
		e = &entry{id: p.ID}
		b.entries[p.ID] = e // without an address, it is forgotten when the connection ends
	}
	e.connected, e.inbound, e.dialing = true, p.Inbound, false
	if !p.Inbound {
		e.address, e.lastUp, e.failures, e.due = p.Address, now, 0, time.Time{}
	}
}

// Down notes that the connection has ended. The next dial waits at least the first delay, so that a peer that keeps hanging up is
// not dialed in a circle.
func (b *Book) Down(id transport.ID, now time.Time) {
	e := b.entries[id]
	if e == nil {
		return
	}
	e.connected = false
	e.due = later(e.due, now.Add(b.jitter(b.config.Initial)))
	if !e.address.IsValid() && e.points == 0 && e.bans == 0 && e.idle() {
		delete(b.entries, id)
	}
}

// Failed notes that a dial led nowhere.
func (b *Book) Failed(id transport.ID, now time.Time) {
	e := b.entries[id]
	if e == nil {
		return
	}
	e.dialing = false
	e.failures++
	most := b.config.Max
	if e.persistent {
		most = b.config.PersistentMax
	}
	e.due = now.Add(b.jitter(delay(b.config.Initial, most, e.failures)))
	if e.failures >= b.config.GiveUp && e.idle() {
		e.address, e.lastUp = netip.AddrPort{}, time.Time{}
		if e.points == 0 && e.bans == 0 {
			delete(b.entries, id)
		}
	}
}

// delay is how long an address waits after n failures, before jitter.
func delay(initial, most time.Duration, n int) time.Duration {
	d := initial
	for range n - 1 {
		if d >= most/2 {
			return most
		}
		d *= 2
	}
	return min(d, most)
}

// jitter draws from the upper half of a delay.
func (b *Book) jitter(d time.Duration) time.Duration {
	return d - time.Duration(b.random.Int64N(int64(d/2)+1))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Next names the nodes to dial now and counts them as being dialed: Up or Failed must follow for each.
func (b *Book) Next(now time.Time) []transport.Target {
	var out []transport.Target
	var tried, fresh []*entry
	groups := map[netip.Prefix]int{}
	free, over := b.config.Outbound+b.extra, 0
	for _, e := range b.sorted() {
		switch {
		case e.persistent && e.dialable(now):
			out = append(out, e.dial())
		case e.persistent:
		case e.dialing, e.connected && !e.inbound:
			free--
			if g, public := group(e.address.Addr()); public {
				if groups[g]++; groups[g] > b.config.Group {
					over++
				}
			}
		case !e.dialable(now):
		case e.lastUp.IsZero():
			fresh = append(fresh, e)
		default:
			tried = append(tried, e)
		}
	}
	for i := 0; free > 0 && len(tried)+len(fresh) > 0; i++ {
		pool := &tried
		if len(tried) == 0 || i%2 == 1 && len(fresh) > 0 {
			pool = &fresh
		}
		k := b.random.IntN(len(*pool))
		e := (*pool)[k]
		*pool = slices.Delete(*pool, k, k+1)
		if g, public := group(e.address.Addr()); public {
			if groups[g] >= b.config.Group {
				if over >= b.extra {
					continue
				}
				over++
			}
			groups[g]++
		}
		out = append(out, e.dial())
		free--
	}
	return out
}

func (e *entry) dial() transport.Target {
	e.dialing = true
	return transport.Target{ID: e.id, Address: e.address}
}

// Hungry reports whether there are places to fill and nobody known to fill them with at present.
func (b *Book) Hungry(now time.Time) bool {
	free := b.config.Outbound + b.extra
	known := false
	for _, e := range b.entries { // a count
		switch {
		case e.persistent:
		case e.dialing, e.connected && !e.inbound:
			free--
		case e.dialable(now):
			known = true
		}
	}
	return free > 0 && !known
}

// Penalize adds points to a peer's score and bans it when they are too many; until is then the ban's end, else zero.
func (b *Book) Penalize(id transport.ID, points int, now time.Time) (until time.Time) {
	if points <= 0 || id == b.config.Self {
		return time.Time{}
	}
	e := b.entries[id]
	if e == nil {
		b.trim()
		e = &entry{id: id}
		b.entries[id] = e
	}
	e.points = min(e.score(now, b.config.HalfLife)+points, 1<<20)
	e.pointsAt = now
	if e.points < b.config.BanPoints {
		return time.Time{}
	}
	if now.Sub(e.banned) > b.config.BanMax {
		e.bans = 0
	}
	span := b.config.BanFirst
	for range min(e.bans, 30) {
		span = min(2*span, b.config.BanMax)
	}
	e.bans++
	e.points = 0
	e.banned = later(e.banned, now.Add(span))
	return e.banned
}

// trim makes place for one more stranger to remember for its misdeeds, at most a book's size of them: it forgets the node whose
// ban ends first.
func (b *Book) trim() {
	if len(b.entries) < 2*b.config.Entries {
		return
	}
	var oldest *entry
	for _, e := range b.sorted() {
		if e.idle() && (oldest == nil || e.banned.Before(oldest.banned)) {
			oldest = e
		}
	}
	if oldest != nil {
		delete(b.entries, oldest.id)
	}
}

// Pardon ends a ban and clears the score.
func (b *Book) Pardon(id transport.ID) {
	if e := b.entries[id]; e != nil {
		e.points, e.bans, e.banned = 0, 0, time.Time{}
	}
}

// Ban is a peer that is not wanted for the time being.
type Ban struct {
	ID    transport.ID
	Until time.Time
}

// Bans gives those in force, by identity.
func (b *Book) Bans(now time.Time) []Ban {
	var out []Ban
	for _, e := range b.sorted() {
		if now.Before(e.banned) {
			out = append(out, Ban{e.id, e.banned})
		}
	}
	return out
}

// Score is a peer's points at an instant.
func (b *Book) Score(id transport.ID, now time.Time) int {
	if e := b.entries[id]; e != nil {
		return e.score(now, b.config.HalfLife)
	}
	return 0
}

// restAfter is how long a peer that was let go for another is not dialed.
const restAfter = 10 * time.Minute

// Yield names a peer to let go, where Need is for more and every place is taken while nodes are known that were never reached: one that this
// node dialed, that is neither persistent nor kept. It is not dialed again for a while.
func (b *Book) Yield(now time.Time, kept func(transport.ID) bool) (id transport.ID, ok bool) {
	free, waiting := b.config.Outbound+b.extra, false
	var list []*entry
	for _, e := range b.sorted() {
		switch {
		case e.persistent:
		case e.dialing, e.connected && !e.inbound:
			free--
			if e.connected && !kept(e.id) {
				list = append(list, e)
			}
		case e.dialable(now) && e.lastUp.IsZero():
			waiting = true
		}
	}
	if b.extra == 0 || free > 0 || !waiting || len(list) == 0 {
		return transport.ID{}, false
	}
	e := list[b.random.IntN(len(list))]
	e.due = now.Add(restAfter)
	return e.id, true
}

// Ban keeps a peer away for a span, whatever its score; it gives the ban's end.
func (b *Book) Ban(id transport.ID, span time.Duration, now time.Time) (until time.Time) {
	if id == b.config.Self || id.IsZero() || span <= 0 {
		return time.Time{}
	}
	e := b.entries[id]
	if e == nil {
		b.trim()
		e = &entry{id: id}
		b.entries[id] = e
	}
	e.banned = now.Add(span)
	return e.banned
}

// Persistent reports whether a peer is one of the configuration's.
func (b *Book) Persistent(id transport.ID) bool {
	e := b.entries[id]
	return e != nil && e.persistent
}
