package peers

import (
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity bounds waiting reports and discovery frames. Events of connections are not shed: the transport's caps bound them.
const inboxCapacity = 4096

// Events of the network below. generation names the transport that reported: a restarted subsystem ignores its predecessor's.
type (
	up struct {
		generation uint64
		peer       transport.Peer
	}
	down struct {
		generation uint64
		peer       transport.Peer
		why        error
	}
	refused struct {
		from netip.AddrPort
		why  error
	}
	failed struct {
		generation uint64
		target     transport.Target
		why        error
	}
	heard struct {
		generation uint64
		frame      *transport.Frame
	}
	tick     struct{ generation uint64 }
	resolved struct {
		generation uint64
		name       Name
		boot       bool
		addresses  []netip.Addr
		err        error
	}
)

// Abandoned implements supervision.Abandoner: the peer gets its credit back.
func (h heard) Abandoned(error) { h.frame.Done() }

// Commands of other subsystems.
type (
	penalize struct {
		id     transport.ID
		points int
		why    string
	}
	pardon struct{ id transport.ID }
	ban    struct {
		id   transport.ID
		span time.Duration
	}
	bans struct{ reply chan []book.Ban }
)

// Abandoned implements supervision.Abandoner.
func (b bans) Abandoned(error) { b.reply <- nil }

// Handle is how others use the network. It is a link.Messenger: frames go straight to the transport, on the caller's goroutine, and
// come straight from it, so that no channel waits for another in an inbox they share.
type Handle struct {
	inbox    *supervision.Inbox
	self     link.Peer
	receiver link.Receiver
	network  atomic.Pointer[carrier]

	generations atomic.Uint64 // of the subsystem behind the handle
}

// carrier is the network of the running instance.
type carrier struct{ Network }

var _ link.Messenger = (*Handle)(nil)

// NewHandle makes the handle of the node with a key, with the inbox the tree declares.
func NewHandle(key transport.Key) *Handle {
	return &Handle{inbox: supervision.NewInbox("peers", inboxCapacity), self: link.Peer(key.ID()), receiver: discard{}}
}

// discard is the receiver of a node to which none was attached: it drops what comes.
type discard struct{}

func (discard) Up(link.Peer)                          {}
func (discard) Down(link.Peer)                        {}
func (discard) Frame(link.Peer, link.Channel, []byte) {}

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Self implements link.Messenger.
func (h *Handle) Self() link.Peer { return h.self }

// Attach implements link.Messenger. It is called before the tree starts.
func (h *Handle) Attach(r link.Receiver) { h.receiver = r }

// Send implements link.Messenger.
func (h *Handle) Send(to link.Peer, c link.Channel, frame []byte) {
	if n := h.network.Load(); n != nil {
		n.Send(transport.ID(to), below(c), frame)
	}
}

// Broadcast implements link.Messenger.
func (h *Handle) Broadcast(c link.Channel, frame []byte) {
	n := h.network.Load()
	if n == nil {
		return
	}
	for _, p := range n.Peers() {
		if p.Purpose == transport.Full {
			n.Send(p.ID, below(c), frame)
		}
	}
}

// below is the transport's name of a channel. The first is the network's own.
func below(c link.Channel) transport.Channel { return transport.Channel(c) + 1 }

// above is the reverse of below.
func above(c transport.Channel) link.Channel { return link.Channel(c) - 1 }

// Report implements link.Messenger: the peer is banned and its connection ended.
func (h *Handle) Report(p link.Peer, why string) { h.Penalize(p, book.Fatal, why) }

// Penalize charges a peer's score; the weights are book.Minor, book.Major and book.Fatal.
func (h *Handle) Penalize(p link.Peer, points int, why string) {
	h.inbox.Send(penalize{transport.ID(p), points, why})
}

// Pardon ends a peer's ban.
func (h *Handle) Pardon(p link.Peer) { h.inbox.Send(pardon{transport.ID(p)}) }

// Ban keeps a peer away for a span and ends its connection: the operator's decision.
func (h *Handle) Ban(p link.Peer, span time.Duration) { h.inbox.Send(ban{transport.ID(p), span}) }

// Peers lists the connected peers by identity.
func (h *Handle) Peers() []transport.Peer {
	n := h.network.Load()
	if n == nil {
		return nil
	}
	full := []transport.Peer{}
	for _, p := range n.Peers() {
		if p.Purpose == transport.Full {
			full = append(full, p)
		}
	}
	return full
}

// Tallies gives the counters of the transport's channels since the subsystem's last start; ok is false while it is down.
func (h *Handle) Tallies() (tallies [transport.ChannelCount]transport.Tally, ok bool) {
	n := h.network.Load()
	if n == nil {
		return tallies, false
	}
	return n.Tallies(), true
}

// Bans lists who is banned and until when. It waits for the subsystem and is for goroutines of a server, never for an actor.
func (h *Handle) Bans() []book.Ban {
	reply := make(chan []book.Ban, 1)
	if h.inbox.Send(bans{reply}) != supervision.Accepted {
		return nil
	}
	timeout := time.NewTimer(answerWithin)
	defer timeout.Stop()
	select {
	case list := <-reply:
		return list
	case <-timeout.C:
		return nil
	}
}

// answerWithin bounds the wait for the subsystem.
const answerWithin = 2 * time.Second
