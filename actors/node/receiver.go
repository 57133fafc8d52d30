package node

import (
	"github.com/cowboyinc/cowboy-go/actors/attendant"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/push"
)

// receiver hands what comes from the network to the subsystem it is for.
type receiver struct{ node *Node }

var _ link.Receiver = (*receiver)(nil)

// Up implements link.Receiver.
func (r *receiver) Up(p link.Peer) {
	r.node.Lanes.Up(p)
	r.node.Catchup.Up(p)
	r.node.Replica.Up(p)
	r.node.Attendant.Up(p)
	if r.node.config.Runners != nil {
		r.node.Push.Up(p)
	}
}

// Down implements link.Receiver.
func (r *receiver) Down(p link.Peer) {
	r.node.Lanes.Down(p)
	r.node.Catchup.Down(p)
	r.node.Replica.Down(p)
	r.node.Attendant.Down(p)
	if r.node.config.Runners != nil {
		r.node.Push.Down(p)
	}
}

// Frame implements link.Receiver.
func (r *receiver) Frame(from link.Peer, c link.Channel, frame []byte) {
	switch c {
	case link.Consensus, link.Blocks:
		switch {
		case push.Owns(frame):
			if r.node.config.Runners != nil {
				r.node.Push.Deliver(from, frame)
			}
		case attendant.Owns(frame):
			r.node.Attendant.Deliver(from, frame)
		default:
			r.node.Replica.Deliver(from, frame)
		}
	case link.Sync:
		r.node.Catchup.Deliver(from, frame)
	case link.Transactions:
		if err := r.node.Lanes.Hear(from, frame); err != nil {
			r.node.config.Link.Report(from, "transactions that do not decode: "+err.Error())
		}
	}
}
