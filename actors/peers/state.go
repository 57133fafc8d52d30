package peers

import (
	"errors"
	"net/netip"
	"time"

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

// state decides what to do about what the network and other subsystems say.
type state struct {
	link    transport.Link
	book    *book.Book
	finder  *discovery.Finder
	observe func(Event)
	changed bool // the book differs from its file
	saved   time.Time
}

// begin tells the transport about bans that outlived the last start.
func (s *state) begin(now time.Time) {
	for _, b := range s.book.Bans(now) {
		s.link.Block(b.ID, b.Until)
	}
	s.saved = now
}

func (s *state) up(p transport.Peer, now time.Time) {
	if p.Purpose == transport.Full {
		s.book.Up(p, now)
		s.changed = true
		s.observe(Event{Kind: Connected, Peer: p.ID, Address: p.Address, Why: p.Agent})
	}
	s.finder.Up(p, now)
	s.perform()
}

func (s *state) down(p transport.Peer, why error, now time.Time) {
	s.finder.Down(p.ID, now)
	s.perform()
	if p.Purpose != transport.Full {
		return
	}
	s.book.Down(p.ID, now)
	s.observe(Event{Kind: Disconnected, Peer: p.ID, Address: p.Address, Why: text(why), Err: why})
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

func (s *state) failed(target transport.Target, why error, now time.Time) {
	s.finder.Failed(target, now)
	s.perform()
	if target.Purpose != transport.Full || errors.Is(why, transport.ErrDuplicate) && s.connected(target.ID) {
		// The other side's dial was first: the connection there is has been told by up.
		return
	}
	s.book.Failed(target.ID, now)
	s.changed = true
	s.observe(Event{Kind: DialFailed, Peer: target.ID, Address: target.Address, Why: text(why), Err: why})
}

func (s *state) connected(id transport.ID) bool {
	for _, p := range s.link.Peers() {
		if p.ID == id && p.Purpose == transport.Full {
			return true
		}
	}
	return false
}

func (s *state) refused(from netip.AddrPort, why error) {
	s.observe(Event{Kind: Refused, Address: from, Why: text(why), Err: why})
}

// heard handles a discovery frame.
func (s *state) heard(f *transport.Frame, now time.Time) {
	defer f.Done()
	if err := s.finder.Receive(f.From, f.Data, now); err != nil {
		s.penalize(f.From, book.Fatal, err.Error(), now)
	}
	s.perform()
}

// perform carries out what discovery wants done.
func (s *state) perform() {
	for _, e := range s.finder.Effects() {
		switch {
		case e.Send != nil:
			s.link.Send(e.Send.To, transport.Discovery, e.Send.Frame)
		case e.Dial != nil:
			s.link.Dial(*e.Dial)
		case e.Drop != nil:
			s.link.Drop(*e.Drop, transport.NewRefusal(transport.CodeDone, "the lookup is over"))
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
	s.link.Block(id, until)
	s.link.Drop(id, transport.NewRefusal(transport.CodeMisconduct, "%s", why))
	s.observe(Event{Kind: Banned, Peer: id, Until: until, Why: why})
}

func (s *state) pardon(id transport.ID) {
	s.book.Pardon(id)
	s.link.Block(id, time.Time{})
	s.changed = true
}

// tick dials whoever is due.
func (s *state) tick(now time.Time) {
	for _, target := range s.book.Next(now) {
		s.link.Dial(target)
	}
	s.finder.Tick(s.book.Hungry(now), now)
	s.perform()
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
