package gossip

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// ErrFrame: a frame that is not of this package.
var ErrFrame = errors.New("gossip: bad frame")

// Verdict is the node's word on an item that was delivered to it.
type Verdict uint8

const (
	// Good: it is passed on.
	Good Verdict = iota
	// Stale: it is not passed on, and honest peers may send such.
	Stale
	// Bad: no honest peer sends it.
	Bad
	// Busy: the node could not look at it.
	Busy
)

// Effect is something to be done. Exactly one field is set.
type Effect struct {
	Send    *Send
	Deliver *Deliver
	Charge  *Charge
}

// Send is a frame for a peer.
type Send struct {
	To    transport.ID
	Frame []byte
}

// Deliver hands items to the node. A verdict on each must follow.
type Deliver struct {
	From  transport.ID
	Items []Item
}

// Item is one transaction or block, under its name.
type Item struct {
	Name Name
	Data []byte
}

// Name is a transaction's SHA-256 digest, or what a block is announced as.
type Name [32]byte

// Charge asks for a peer's score to be charged.
type Charge struct {
	Peer transport.ID
	Why  string
}

// queue gathers effects.
type queue struct{ effects []Effect }

// Effects takes what there is to do, in order.
func (q *queue) Effects() []Effect {
	e := q.effects
	q.effects = nil
	return e
}

func (q *queue) send(to transport.ID, frame []byte) {
	q.effects = append(q.effects, Effect{Send: &Send{to, frame}})
}

func (q *queue) charge(id transport.ID, why string) {
	q.effects = append(q.effects, Effect{Charge: &Charge{id, why}})
}
