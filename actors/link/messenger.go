package link

import "fmt"

// Peer is a node's network identity, proven by the transport: a digest of its key.
type Peer [32]byte

// String is the identity's first bytes in hexadecimal, enough for a log.
func (p Peer) String() string { return fmt.Sprintf("%x", p[:4]) }

// Channel separates traffic: a flood on one does not delay another.
type Channel uint8

// The channels.
const (
	Consensus    Channel = iota // votes, certificates and what finds them
	Transactions                // waiting transactions
	Blocks                      // proposals and blocks asked for by hash
	Sync                        // ranges of final blocks
	Channels                    // their number
)

// maxFrame bounds a frame of each channel, in bytes.
var maxFrame = [Channels]int{Consensus: 1 << 20, Transactions: 1 << 20, Blocks: 5 << 20, Sync: 9 << 20}

// MaxFrame is the largest frame a channel carries, in bytes.
func (c Channel) MaxFrame() int { return maxFrame[c] }

// String names the channel.
func (c Channel) String() string {
	if c >= Channels {
		return fmt.Sprintf("channel(%d)", uint8(c))
	}
	return [...]string{"consensus", "transactions", "blocks", "sync"}[c]
}

// Messenger sends frames. It never blocks; a frame that cannot be sent now is dropped. Nobody changes a frame once it was given to a Messenger.
type Messenger interface {
	// Self is this node's own identity.
	Self() Peer
	// Send sends a frame to one connected peer.
	Send(to Peer, c Channel, frame []byte)
	// Broadcast sends a frame to every connected peer.
	Broadcast(c Channel, frame []byte)
	// Report says that a peer sent what no honest one sends.
	Report(p Peer, why string)
	// Attach names who receives. It is called once, before the node starts.
	Attach(r Receiver)
}

// Receiver is told what comes in. Its methods may be called from any goroutine, must not block and should only send commands. The frames of a peer
// come between its Up and its Down.
type Receiver interface {
	// Up says that a peer is connected.
	Up(p Peer)
	// Down says that a peer is gone.
	Down(p Peer)
	// Frame hands a frame over. It is shared: nobody may change it.
	Frame(from Peer, c Channel, frame []byte)
}

// Alone is the Messenger of a node without a network.
type Alone struct{}

// Self implements Messenger.
func (Alone) Self() Peer { return Peer{} }

// Send implements Messenger.
func (Alone) Send(Peer, Channel, []byte) {}

// Broadcast implements Messenger.
func (Alone) Broadcast(Channel, []byte) {}

// Report implements Messenger.
func (Alone) Report(Peer, string) {}

// Attach implements Messenger.
func (Alone) Attach(Receiver) {}
