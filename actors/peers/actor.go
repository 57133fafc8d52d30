package peers

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/discovery"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// tickEvery is how often the book is asked whom to dial.
const tickEvery = time.Second

// Network is a transport.Network that the subsystem owns: it is made at every start and closed at every stop.
type Network interface {
	transport.Network
	// Address is where the node can be reached from here.
	Address() netip.AddrPort
	// Tallies gives the counters of every channel.
	Tallies() [transport.ChannelCount]transport.Tally
	// Close ends every connection. No event comes after it has returned.
	Close() error
}

// Subsystem is the supervised actor that hosts transport, discovery and the address book.
type Subsystem struct {
	Handle *Handle
	// Transport names the node, its network and the address to bind. Its clock is replaced by Clock; the persistent peers are added to
	// those it reserves a place for.
	Transport transport.Config
	// Book names the persistent peers and the limits of dialing. Without a seed it takes the transport's instance.
	Book book.Config
	// Names are persistent peers whose addresses are to be found by their names, now and whenever they cannot be reached.
	Names []Name
	// Lookup finds the addresses of a name; nil means the machine's resolver. It runs on a goroutine of its own.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	// Boot are the nodes asked for others while nobody else is known; BootNames are those known by a name.
	Boot      []transport.Target
	BootNames []Name
	// Private are nodes whose addresses are told to nobody.
	Private []transport.ID
	// Missing tells how many validators this node should be connected to and is not, and which peers are validators; nil: it needs none. It must not wait.
	Missing func() (n int, met []link.Peer)
	// Advertise is where others can dial this node; if it is unset the bound address is advertised if it is a definite one, else where peers see the node.
	Advertise netip.AddrPort
	// Path is the address book's file; empty keeps it in memory.
	Path string
	// Clock defaults to the machine's.
	Clock supervision.Clock
	// Observe is told what an operator may want to know; it must not wait. It may be nil.
	Observe func(Event)
	// Listen makes the network; nil means transport.Listen.
	Listen func(transport.Config, transport.Handler) (Network, error)

	generation uint64
	network    Network
	state      *state
	resolver   *resolver
	deadline   supervision.Deadline
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.stop()
	case up:
		s.current(command.generation, func(now time.Time) { s.state.up(command.peer, now) })
	case down:
		s.current(command.generation, func(now time.Time) { s.state.down(command.peer, command.why, now) })
	case failed:
		s.current(command.generation, func(now time.Time) {
			s.state.failed(command.target, command.why, s.connected()[command.target.ID], now)
		})
	case heard:
		s.current(command.generation, func(now time.Time) { s.state.heard(command.frame.From, command.frame.Data, now) })
		command.frame.Done()
	case tick:
		s.current(command.generation, s.tick)
	case resolved:
		s.current(command.generation, func(now time.Time) { s.state.resolved(command, now) })
	case refused:
		s.state.refused(command.from, command.why)
	case penalize:
		s.state.penalize(command.id, command.points, command.why, s.Clock.Now())
	case pardon:
		s.state.pardon(command.id)
	case ban:
		s.state.ban(command.id, command.span, s.Clock.Now())
	case bans:
		command.reply <- s.state.book.Bans(s.Clock.Now())
	}
	if s.network != nil {
		s.perform()
	}
}

// current handles an event of this instance's network; one of a predecessor's is left out.
func (s *Subsystem) current(generation uint64, handle func(time.Time)) {
	if generation == s.generation {
		handle(s.Clock.Now())
	}
}

// connected lists the nodes to which there are connections, other than for a lookup.
func (s *Subsystem) connected() map[transport.ID]bool {
	list := map[transport.ID]bool{}
	for _, p := range s.network.Peers() {
		if p.Purpose == transport.Full {
			list[p.ID] = true
		}
	}
	return list
}

func (s *Subsystem) start() {
	if s.Clock == nil {
		s.Clock = supervision.RealClock{}
	}
	if s.Observe == nil {
		s.Observe = func(Event) {}
	}
	if s.Listen == nil {
		s.Listen = listen
	}
	s.generation = s.Handle.generations.Add(1)
	s.Transport.Clock = clock{s.Clock}
	s.Transport.Instance += s.generation // a restarted network is another instance to its peers
	for _, p := range s.Book.Persistent {
		s.Transport.Reserved = append(s.Transport.Reserved, p.ID)
	}
	for _, n := range s.Names {
		s.Transport.Reserved = append(slices.Clip(s.Transport.Reserved), n.ID)
		s.Book.Persistent = append(slices.Clip(s.Book.Persistent), transport.Target{ID: n.ID})
	}
	s.resolver = newResolver(s.Lookup)
	s.Book.Self = s.Transport.Key.ID()
	if s.Book.Seed == 0 {
		s.Book.Seed = s.Transport.Instance
	}
	network, err := s.Listen(s.Transport, &transportHandler{s.Handle, s.generation})
	if err != nil {
		panic(err)
	}
	s.network = network
	s.state = &state{book: s.open(), finder: s.finder(), names: lookups(s.Names, s.BootNames)}
	now := s.Clock.Now()
	s.state.begin(now)
	s.perform()
	s.Handle.network.Store(&carrier{network})
	s.tick(now)
}

func listen(c transport.Config, h transport.Handler) (Network, error) {
	return disk.Patiently(func() (Network, error) { return transport.Listen(c, h) })
}

// open reads the address book. One that is damaged is set aside and rebuilt; a disk that fails is the supervisor's concern.
func (s *Subsystem) open() *book.Book {
	b := book.New(s.Book)
	if s.Path == "" {
		return b
	}
	err := book.File{Path: s.Path}.Load(b)
	switch {
	case errors.Is(err, book.ErrCorrupt):
		s.Observe(Event{Kind: BookLost, Why: err.Error()})
	case err != nil:
		_ = s.network.Close()
		panic(err)
	}
	return b
}

func (s *Subsystem) finder() *discovery.Finder {
	at, port := s.Advertise, uint16(0)
	if !s.Transport.Closed {
		port = s.network.Address().Port()
		if !at.IsValid() {
			at = s.network.Address()
		}
	}
	return discovery.New(discovery.Config{
		Key: s.Transport.Key, Network: discovery.NetworkOf(s.Transport.Network, s.Transport.Genesis),
		Seq: uint64(max(s.Clock.Now().Unix(), 0)), Address: at, Listen: port, Own: s.Transport.Reserved, Private: s.Private, Boot: s.Boot, Seed: s.Book.Seed,
	})
}

// tick lets the state act on the time and sets the next one.
func (s *Subsystem) tick(now time.Time) {
	if s.Missing != nil {
		missing, met := s.Missing()
		s.state.makeRoom(missing, met, now)
	}
	s.state.tick(s.connected(), now)
	s.save(now, false)
	generation, inbox := s.generation, s.Handle.inbox
	s.deadline = s.Clock.AfterFunc(tickEvery, func() { inbox.Reply(tick{generation}) })
}

// save writes the book. Losing it costs a rediscovery, so a failure is told and does not stop the node.
func (s *Subsystem) save(now time.Time, closing bool) {
	if s.Path == "" {
		return
	}
	data := s.state.unsaved(now, closing)
	if data == nil {
		return
	}
	if err := (book.File{Path: s.Path}).Save(data); err != nil {
		s.state.changed = true
		s.Observe(Event{Kind: BookUnsaved, Why: err.Error()})
	}
}

func (s *Subsystem) stop() {
	if s.network == nil {
		return
	}
	if s.deadline != nil {
		s.deadline.Stop()
	}
	s.resolver.cancel()
	s.Handle.network.Store(nil)
	network := s.network
	s.network = nil
	if err := network.Close(); err != nil {
		panic(err)
	}
	s.save(s.Clock.Now(), true)
}

// clock lends the tree's clock to the transport.
type clock struct{ supervision.Clock }

// AfterFunc implements transport.Clock.
func (c clock) AfterFunc(d time.Duration, f func()) transport.Timer { return c.Clock.AfterFunc(d, f) }
