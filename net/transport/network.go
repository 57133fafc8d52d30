package transport

import (
	"fmt"
	"net/netip"
	"time"
)

// Channel separates traffic: each has streams, queues and budgets of its own.
type Channel uint8

const (
	// Discovery carries node records and lookups.
	Discovery Channel = iota
	// Consensus carries votes, certificates and proposals; it is sent before the others.
	Consensus
	// Transactions carries flooded transactions.
	Transactions
	// Blocks carries announcements and blocks.
	Blocks
	// Sync carries what nodes that are behind ask for.
	Sync

	// ChannelCount is the number of channels.
	ChannelCount = 5
)

// String returns the channel in lower case.
func (c Channel) String() string {
	names := [ChannelCount]string{"discovery", "consensus", "transactions", "blocks", "sync"}
	if int(c) < len(names) {
		return names[c]
	}
	return fmt.Sprintf("channel(%d)", uint8(c))
}

// Purpose is what a connection is for.
type Purpose uint8

const (
	// Full connections carry every channel and count towards the caps on peers.
	Full Purpose = iota
	// Lookup connections carry Discovery only, live briefly and have a cap of their own.
	Lookup
)

// String returns the purpose in lower case.
func (p Purpose) String() string {
	switch p {
	case Full:
		return "full"
	case Lookup:
		return "lookup"
	}
	return fmt.Sprintf("purpose(%d)", uint8(p))
}

// Peer is an authenticated node at the other end of a connection.
type Peer struct {
	ID      ID
	Key     PublicKey
	Address netip.AddrPort // where its packets come from
	Listen  uint16         // UDP port it says it can be dialed at, 0 = it takes no connections
	Inbound bool           // it dialed us
	Purpose Purpose
	Agent   string // what it calls its software; printable ASCII, at most 64 bytes
	Version uint16 // protocol version both speak
}

// Dialable is the address at which the peer says it can be dialed: its own IP with its listen port.
func (p Peer) Dialable() (netip.AddrPort, bool) {
	if p.Listen == 0 {
		return netip.AddrPort{}, false
	}
	return netip.AddrPortFrom(p.Address.Addr(), p.Listen), true
}

// Target is a node to dial. A zero ID accepts whoever answers at the address.
type Target struct {
	ID      ID
	Address netip.AddrPort
	Purpose Purpose
}

// Outcome is what a sender learns at once about a frame.
type Outcome uint8

const (
	// Queued: the frame waits for its turn on the connection. Delivery is not promised.
	Queued Outcome = iota
	// Shed: the peer's queue on that channel has no room; the frame was dropped and counted.
	Shed
	// Absent: no connection to that peer carries that channel.
	Absent
	// TooLarge: the frame is empty or above the channel's limit.
	TooLarge
)

// String returns the outcome in lower case.
func (o Outcome) String() string {
	switch o {
	case Queued:
		return "queued"
	case Shed:
		return "shed"
	case Absent:
		return "absent"
	case TooLarge:
		return "too large"
	}
	return fmt.Sprintf("outcome(%d)", uint8(o))
}

// Network is the network as one node sees it. No method waits for the network, so an implementation on one goroutine, with a
// queue of future deliveries, satisfies it as well as sockets do. What happens later is told to the Handler.
type Network interface {
	// Self is the node's own identity.
	Self() ID
	// Peers lists the connections by identity.
	Peers() []Peer
	// Send queues a frame for a connected peer. The frame must not be changed afterwards; the same frame may be sent to several.
	Send(to ID, channel Channel, frame []byte) Outcome
	// Dial begins a connection; Handler.Up or Handler.Failed follows.
	Dial(target Target)
	// Drop ends the connection to a peer, telling it why; Handler.Down follows. Without a connection it does nothing, nor with CodeDone
	// if the connection is a full one: the lookup it was meant for has ended already.
	Drop(id ID, why *Refusal)
	// Block refuses connections of an identity until an instant; an instant in the past lifts the refusal. It does not drop.
	Block(id ID, until time.Time)
}

// Handler is what a Network reports to. Its methods must not wait: they send a command. Calls that concern different peers, or
// different channels of one peer, may come at the same time; Up comes before and Down after every Receive of a connection,
// and the Down of an old connection before the Up of its successor.
type Handler interface {
	// Up: the peer is connected.
	Up(peer Peer)
	// Down: the peer is no longer connected, and why.
	Down(peer Peer, why error)
	// Failed: a Dial led to no connection.
	Failed(target Target, why error)
	// Refused: a connection that somebody dialed was not taken, or the hello failed. Strangers decide how often this is called.
	Refused(from netip.AddrPort, why error)
	// Receive takes a frame over. Whoever accepts it calls its Done once; false sheds it.
	Receive(frame *Frame) bool
}
