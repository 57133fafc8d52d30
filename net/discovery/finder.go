package discovery

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

const (
	answerWithin = 8 * time.Second  // from the dial, or the question, to the answer
	hungryFirst  = 5 * time.Second  // between lookups of a node that needs peers, doubling while nothing new is found
	hungryMax    = time.Minute      // the most of it
	sateEvery    = 10 * time.Minute // between lookups of a node that does not
	checkEvery   = 30 * time.Second // between checks of the node longest unheard of
)

// Effect is something the Finder wants done. Exactly one of the fields is meant.
type Effect struct {
	Send    *Send
	Dial    *transport.Target
	Drop    *transport.ID // a lookup connection that has served
	Learned *Record       // a node can be dialed there, in its own word
}

// Send is a frame for the Discovery channel of a connected peer.
type Send struct {
	To    transport.ID
	Frame []byte
}

// Config is what a Finder is made of.
type Config struct {
	Key     transport.Key
	Network Network
	Seq     uint64 // of the own record; higher than at the last start
	// Address is where the node can be dialed. If it is not a definite one, a node that listens goes by where its peers see it; one that does not finds and is
	// not found.
	Address netip.AddrPort
	Listen  uint16 // port the node takes connections at, 0: none
	// Own are the peers the operator named. Their word of where they dialed this node counts; that of strangers who came by themselves does not.
	Own []transport.ID
	// Private are nodes whose addresses are told to nobody.
	Private []transport.ID
	Boot    []transport.Target
	Seed    uint64
}

// question is an answer waited for.
type question struct {
	request uint32
	since   time.Time
	sent    bool
	lookup  bool // of the present lookup, else a check
	target  transport.ID
}

// Finder discovers nodes. It is not safe for use by several goroutines.
type Finder struct {
	config    Config
	own       *Record
	words     map[transport.ID]netip.AddrPort // where peers say this node is, one each while they are connected
	random    *rand.Rand
	table     *table
	peers     map[transport.ID]transport.Peer
	questions map[transport.ID]*question
	lookup    *lookup
	looked    time.Time // when the last lookup ended
	wait      time.Duration
	first     bool // no lookup was made yet
	checked   time.Time
	verified  verified
	effects   []Effect
}

// New makes a finder that knows nobody but the bootstrap nodes.
//
// Spec: WP §6.2 (DHT and bootstrap nodes).
func New(c Config) *Finder {
	self := c.Key.ID()
	f := &Finder{
		config: c, random: rand.New(rand.NewPCG(c.Seed, 1)), table: newTable(self), peers: map[transport.ID]transport.Peer{},
		questions: map[transport.ID]*question{}, words: map[transport.ID]netip.AddrPort{}, wait: hungryFirst, first: true,
	}
	f.config.Boot = slices.Clone(c.Boot)
	if c.Address.IsValid() && !c.Address.Addr().IsUnspecified() {
		r := Sign(c.Key, c.Network, c.Seq, c.Address)
		f.own = &r
	}
	return f
}

// Effects takes what there is to do, in order.
func (f *Finder) Effects() []Effect {
	e := f.effects
	f.effects = nil
	return e
}

// Known is how many nodes have a place in the table.
func (f *Finder) Known() int { return f.table.len() }

// Bootstrap says where a bootstrap node is, one of the configuration or another. It is asked soon, if nobody is known.
func (f *Finder) Bootstrap(b transport.Target) {
	i := slices.IndexFunc(f.config.Boot, func(x transport.Target) bool { return x.ID == b.ID })
	if i < 0 {
		f.config.Boot = append(f.config.Boot, b)
	} else {
		f.config.Boot[i] = b
	}
	f.looked, f.wait = time.Time{}, hungryFirst
}

// Up tells of a connection, full or lookup.
func (f *Finder) Up(p transport.Peer, now time.Time) {
	f.peers[p.ID] = p
	f.table.hear(p.ID, now)
	f.tell(p)
	if f.own != nil {
		f.send(p.ID, message{kind: kindAdvert, records: []Record{*f.own}})
	}
	if q := f.questions[p.ID]; q != nil && !q.sent {
		f.ask(p.ID, q)
	} else if q == nil && !p.Inbound && p.Purpose == transport.Lookup {
		f.effects = append(f.effects, Effect{Drop: &p.ID}) // it took too long; nobody waits for it any more
	} else if q == nil && f.table.len() == 0 && f.lookup == nil && p.Purpose == transport.Full {
		f.reach(p.ID, p.Address, &question{since: now, target: f.table.self})
	}
}

// Down tells of a connection's end.
func (f *Finder) Down(id transport.ID, now time.Time) {
	delete(f.peers, id)
	delete(f.words, id)
	if q := f.questions[id]; q != nil && q.sent {
		f.unanswered(id, q, now)
	}
}

// Failed tells of a dial that led nowhere.
func (f *Finder) Failed(target transport.Target, now time.Time) {
	if _, connected := f.peers[target.ID]; connected {
		return // another connection was first
	}
	if q := f.questions[target.ID]; q != nil {
		f.unanswered(target.ID, q, now)
	} else {
		f.table.fail(target.ID)
	}
}

// Receive takes a frame of a connected peer. The error is the sender's fault.
func (f *Finder) Receive(from transport.ID, data []byte, now time.Time) error {
	m, err := decodeMessage(data)
	if err != nil {
		return err
	}
	p, connected := f.peers[from]
	if !connected {
		return nil
	}
	for _, r := range m.records {
		if err := f.verified.check(r, f.config.Network); err != nil {
			return err
		}
	}
	switch m.kind {
	case kindAdvert:
		return f.advert(p, m.records[0], now)
	case kindFind:
		f.send(from, message{kind: kindFound, request: m.request, records: f.table.closest(m.target, answerMax, from)})
	case kindFound:
		f.found(from, m, now)
	case kindSeen:
		f.seen(p, m.address)
	}
	return nil
}

// advert takes a peer's own record.
func (f *Finder) advert(p transport.Peer, r Record, now time.Time) error {
	if r.Key != p.Key {
		return fmt.Errorf("%w: another node's advert", ErrRecord)
	}
	f.learned(p, r)
	proven := r.Address.Addr() == p.Address.Addr().Unmap() && (p.Inbound || r.Address.Port() == p.Address.Port())
	if proven && !slices.Contains(f.config.Private, p.ID) {
		f.table.add(r, now)
	}
	return nil
}

// learned passes an address on to the book; a private one only from a peer that has one itself: to others it means another machine.
func (f *Finder) learned(from transport.Peer, r Record) bool {
	if r.ID() == f.table.self || public(from.Address) && !public(r.Address) {
		return false
	}
	f.effects = append(f.effects, Effect{Learned: &r})
	return true
}

// found takes an answer to our question.
func (f *Finder) found(from transport.ID, m message, now time.Time) {
	q := f.questions[from]
	if q == nil || !q.sent || q.request != m.request {
		return
	}
	delete(f.questions, from)
	f.table.hear(from, now)
	records := slices.DeleteFunc(m.records, func(r Record) bool { return !f.learned(f.peers[from], r) })
	for _, r := range records {
		if f.lookup != nil {
			f.lookup.add(r)
		}
	}
	if p := f.peers[from]; p.Purpose == transport.Lookup && !p.Inbound {
		f.effects = append(f.effects, Effect{Drop: &from})
	}
	switch {
	case q.lookup && f.lookup != nil:
		f.lookup.settle(from, answered)
		f.advance(now)
	case f.lookup == nil && (f.first || f.table.len() == 0) && len(records) > 0:
		f.look(f.table.self, records, now)
	}
}

// unanswered ends a question without an answer.
func (f *Finder) unanswered(id transport.ID, q *question, now time.Time) {
	delete(f.questions, id)
	f.table.fail(id)
	if q.lookup && f.lookup != nil {
		f.lookup.settle(id, silent)
		f.advance(now)
	}
}

// look begins a lookup.
func (f *Finder) look(target transport.ID, extra []Record, now time.Time) {
	f.first = false
	from := append(f.table.closest(target, answerMax, transport.ID{}), extra...)
	from = slices.DeleteFunc(from, func(r Record) bool { return r.ID() == f.table.self })
	f.lookup = newLookup(target, from, now)
	f.advance(now)
}

// advance asks whoever is next and notices the end.
func (f *Finder) advance(now time.Time) {
	for c := f.lookup.next(); c != nil; c = f.lookup.next() {
		c.stage = asked
		if q := f.questions[c.id]; q != nil { // a check under way serves as well
			q.lookup, q.target = true, f.lookup.target
			continue
		}
		f.reach(c.id, c.record.Address, &question{since: now, lookup: true, target: f.lookup.target})
	}
	if !f.lookup.over() {
		return
	}
	if f.lookup.found > 0 {
		f.wait = hungryFirst
	} else {
		f.wait = min(2*f.wait, hungryMax)
	}
	f.lookup, f.looked = nil, now
}

// reach asks a node, over the connection there is or one to be made.
func (f *Finder) reach(id transport.ID, at netip.AddrPort, q *question) {
	q.request = f.random.Uint32()
	f.questions[id] = q
	if _, connected := f.peers[id]; connected {
		f.ask(id, q)
		return
	}
	f.effects = append(f.effects, Effect{Dial: &transport.Target{ID: id, Address: at, Purpose: transport.Lookup}})
}

func (f *Finder) ask(id transport.ID, q *question) {
	q.sent = true
	f.send(id, message{kind: kindFind, request: q.request, target: q.target})
}

func (f *Finder) send(to transport.ID, m message) {
	f.effects = append(f.effects, Effect{Send: &Send{to, m.encode()}})
}

// Tick is called about once a second. hungry says that more peers are wanted than are known.
func (f *Finder) Tick(hungry bool, now time.Time) {
	f.expire(now)
	if f.lookup != nil {
		return
	}
	if f.table.len() == 0 {
		f.boot(now)
		return
	}
	pause := sateEvery
	if hungry {
		pause = f.wait
	}
	switch {
	case f.first:
		f.look(f.table.self, nil, now)
	case now.Sub(f.looked) >= pause:
		f.look(f.draw(), nil, now)
	case now.Sub(f.checked) >= checkEvery:
		f.check(now)
	}
}

// expire ends the questions that have waited too long, in the order of identities.
func (f *Finder) expire(now time.Time) {
	var late []transport.ID
	for id, q := range f.questions {
		if now.Sub(q.since) >= answerWithin {
			late = append(late, id)
		}
	}
	slices.SortFunc(late, transport.ID.Compare)
	for _, id := range late {
		if q := f.questions[id]; q != nil {
			f.unanswered(id, q, now)
		}
	}
}

// boot asks the bootstrap nodes and whoever is connected, while nobody else is known.
func (f *Finder) boot(now time.Time) {
	if !f.looked.IsZero() && now.Sub(f.looked) < f.wait {
		return
	}
	f.looked = now
	f.wait = min(2*f.wait, hungryMax)
	for _, b := range f.config.Boot {
		if b.ID != f.table.self && f.questions[b.ID] == nil && b.Address.IsValid() {
			f.reach(b.ID, b.Address, &question{since: now, target: f.table.self})
		}
	}
	for _, id := range f.connected() {
		if f.questions[id] == nil && f.peers[id].Purpose == transport.Full {
			f.reach(id, f.peers[id].Address, &question{since: now, target: f.table.self})
		}
	}
}

// check asks the node longest unheard of, unless it is connected.
func (f *Finder) check(now time.Time) {
	f.checked = now
	n := f.table.stalest()
	if n == nil || now.Sub(n.heard) < checkEvery || f.questions[n.id] != nil {
		return
	}
	if _, connected := f.peers[n.id]; connected {
		n.heard = now
		return
	}
	f.reach(n.id, n.record.Address, &question{since: now, target: f.draw()})
}

// draw gives a random target.
func (f *Finder) draw() (id transport.ID) {
	for i := 0; i < len(id); i += 8 {
		binary.BigEndian.PutUint64(id[i:], f.random.Uint64())
	}
	return id
}
