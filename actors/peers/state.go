package peers

import (
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/discovery"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// EventKind is a kind of Event.
type EventKind string

// The kinds.
const (
	Connected    EventKind = "connected"
	Disconnected EventKind = "disconnected"
	DialFailed   EventKind = "dial failed"
	Refused      EventKind = "refused" // somebody dialed us and was not taken
	Banned       EventKind = "banned"
	BookLost     EventKind = "address book rebuilt"
	BookUnsaved  EventKind = "address book not saved"
	Unresolved   EventKind = "name not resolved"
)

// Event is something an operator may want to know.
type Event struct {
	Kind    EventKind
	Peer    transport.ID // zero if unknown
	Address netip.AddrPort
	Until   time.Time // of a ban
	Why     string
	Err     error // what Why says, if it is an error
}

// String is the event as a line of a log.
func (e Event) String() string {
	s := string(e.Kind)
	if !e.Peer.IsZero() {
		s += " " + e.Peer.Short()
	}
	if e.Address.IsValid() {
		s += " " + e.Address.String()
	}
	if !e.Until.IsZero() {
		s += " until " + e.Until.UTC().Format(time.RFC3339)
	}
	if e.Why != "" {
		s += ": " + e.Why
	}
	return s
}

// state decides what to do about what the network and other subsystems say. It is told the time and what the network knows, and says what is to be done.
type state struct {
	book    *book.Book
	finder  *discovery.Finder
	names   []*lookup
	effects []effect
	changed bool // the book differs from its file
	saved   time.Time
	since   time.Time // since when validators are missing
	yielded time.Time // when a peer was let go for them last
}

// do adds an effect behind those that wait.
func (s *state) do(e effect) { s.effects = append(s.effects, e) }

// take gives the effects that wait, which are the caller's then.
func (s *state) take() []effect {
	list := s.effects
	s.effects = nil
	return list
}

// begin tells the transport about bans that outlived the last start.
func (s *state) begin(now time.Time) {
	for _, b := range s.book.Bans(now) {
		s.do(block{b.ID, b.Until})
	}
	s.saved = now
}

func (s *state) up(p transport.Peer, now time.Time) {
	if p.Purpose == transport.Full {
		s.book.Up(p, now)
		s.changed = true
		s.do(observe{Event{Kind: Connected, Peer: p.ID, Address: p.Address, Why: p.Agent}})
	}
	s.finder.Up(p, now)
	s.find()
}

func (s *state) down(p transport.Peer, why error, now time.Time) {
	s.finder.Down(p.ID, now)
	s.find()
	if p.Purpose != transport.Full {
		return
	}
	s.book.Down(p.ID, now)
	s.do(observe{Event{Kind: Disconnected, Peer: p.ID, Address: p.Address, Why: text(why), Err: why}})
	s.fault(p.ID, why, now)
}

// fault charges a peer for a connection that ended by its breaking the protocol.
func (s *state) fault(id transport.ID, why error, now time.Time) {
	var r *transport.Refusal
	if !errors.As(why, &r) || r.Remote {
		return
	}
	switch r.Code {
	case transport.CodeFrame, transport.CodeStream:
		s.penalize(id, book.Fatal, r.Text, now)
	case transport.CodeStalled:
		s.penalize(id, book.Major, r.Text, now)
	}
}

// failed is told of a dial that gave no connection; connected says whether the network has another one to the node.
func (s *state) failed(target transport.Target, why error, connected bool, now time.Time) {
	s.finder.Failed(target, now)
	s.find()
	if target.Purpose != transport.Full || errors.Is(why, transport.ErrDuplicate) && connected {
		// The other side's dial was first: the connection there is has been told by up.
		return
	}
	s.book.Failed(target.ID, now)
	s.changed = true
	s.do(observe{Event{Kind: DialFailed, Peer: target.ID, Address: target.Address, Why: text(why), Err: why}})
}

func (s *state) refused(from netip.AddrPort, why error) {
	s.do(observe{Event{Kind: Refused, Address: from, Why: text(why), Err: why}})
}

// heard handles the bytes of a discovery frame.
func (s *state) heard(from transport.ID, data []byte, now time.Time) {
	if err := s.finder.Receive(from, data, now); err != nil {
		s.penalize(from, book.Fatal, err.Error(), now)
	}
	s.find()
}

// find takes over what discovery wants done.
func (s *state) find() {
	for _, e := range s.finder.Effects() {
		switch {
		case e.Send != nil:
			s.do(send{e.Send.To, e.Send.Frame})
		case e.Dial != nil:
			s.do(dial{*e.Dial})
		case e.Drop != nil:
			s.do(drop{*e.Drop, transport.NewRefusal(transport.CodeDone, "the lookup is over")})
		case e.Learned != nil:
			s.book.Learn(e.Learned.ID(), e.Learned.Address)
		}
	}
}

// penalize charges a peer's score, and ends its connection if that bans it.
func (s *state) penalize(id transport.ID, points int, why string, now time.Time) {
	until := s.book.Penalize(id, points, now)
	s.changed = true
	if until.IsZero() {
		return
	}
	s.do(block{id, until})
	s.do(drop{id, transport.NewRefusal(transport.CodeMisconduct, "%s", why)})
	s.do(observe{Event{Kind: Banned, Peer: id, Until: until, Why: why}})
}

// ban is the operator's.
func (s *state) ban(id transport.ID, span time.Duration, now time.Time) {
	until := s.book.Ban(id, span, now)
	if until.IsZero() {
		return
	}
	s.changed = true
	s.do(block{id, until})
	s.do(drop{id, transport.NewRefusal(transport.CodeBlocked, "this node's operator banned the peer")})
	s.do(observe{Event{Kind: Banned, Peer: id, Until: until, Why: "the operator's decision"}})
}

func (s *state) pardon(id transport.ID) {
	s.book.Pardon(id)
	s.do(block{id, time.Time{}})
	s.changed = true
}

const (
	// shortAfter is how long validators are missing before more nodes are dialed for them: at an epoch's start all introduce themselves anew.
	shortAfter = 5 * time.Second
	// yieldEvery is how often a peer is let go for one that may be a missing validator.
	yieldEvery = 20 * time.Second
)

// makeRoom lets peers go for validators that are missing. missing is how many are, met which peers are validators.
func (s *state) makeRoom(missing int, met []link.Peer, now time.Time) {
	if missing <= 0 {
		s.since = time.Time{}
		s.book.Need(0)
		return
	}
	if s.since.IsZero() {
		s.since = now
	}
	if now.Sub(s.since) < shortAfter {
		return
	}
	s.book.Need(missing)
	if now.Sub(s.yielded) < yieldEvery {
		return
	}
	if id, ok := s.book.Yield(now, func(id transport.ID) bool { return slices.Contains(met, link.Peer(id)) }); ok {
		s.yielded = now
		s.do(drop{id, transport.NewRefusal(transport.CodeFull, "the place is needed to look for a validator")})
	}
}

// tick looks up names and dials nodes that are due. connected says to which nodes there are connections.
func (s *state) tick(connected map[transport.ID]bool, now time.Time) {
	s.look(connected, now)
	s.dial(now)
}

// dial dials the nodes that are due.
func (s *state) dial(now time.Time) {
	for _, target := range s.book.Next(now) {
		s.do(dial{target})
	}
	s.finder.Tick(s.book.Hungry(now), now)
	s.find()
}

// saveEvery is how old the file of the book may grow when the book has changed.
const saveEvery = time.Minute

// unsaved gives the bytes to write, if it is time to.
func (s *state) unsaved(now time.Time, closing bool) []byte {
	if !s.changed || !closing && now.Sub(s.saved) < saveEvery {
		return nil
	}
	s.changed, s.saved = false, now
	return s.book.Encode()
}

// text is an error's, for people.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
