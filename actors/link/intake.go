package link

import "github.com/cowboyinc/cowboy-go/supervision"

// What a subsystem hears of peers.
type (
	// Delivered is a frame that was taken into the inbox; whoever handles it gives its place back with Intake.Handled.
	Delivered struct {
		From  Peer
		Frame []byte
	}
	// PeerUp is a peer that has connected.
	PeerUp struct{ Peer Peer }
	// PeerDown is a peer that is gone.
	PeerDown struct{ Peer Peer }
)

// Intake brings what comes from peers into a subsystem's inbox, from each at most its quota of frames. Its methods may be called from any goroutine.
type Intake struct {
	*Quota
	inbox *supervision.Inbox
}

// NewIntake lets most frames of each peer wait in an inbox.
func NewIntake(inbox *supervision.Inbox, most int) *Intake { return &Intake{NewQuota(most), inbox} }

// Up is the part of Receiver that concerns the subsystem.
func (i *Intake) Up(p Peer) {
	i.Quota.Up(p)
	i.inbox.Reply(PeerUp{p})
}

// Down is the part of Receiver that concerns the subsystem.
func (i *Intake) Down(p Peer) {
	i.Quota.Down(p)
	i.inbox.Reply(PeerDown{p})
}

// Deliver takes a frame. A peer with too much waiting, or one that is not connected, is not heard.
func (i *Intake) Deliver(from Peer, frame []byte) supervision.Delivery {
	if !i.Take(from, len(frame)) {
		return supervision.Shed
	}
	d := i.inbox.Send(Delivered{from, frame})
	if d != supervision.Accepted {
		i.Release(from, len(frame))
	}
	return d
}

// Handled gives the place of a frame back, before or after it is looked at.
func (i *Intake) Handled(d Delivered) { i.Release(d.From, len(d.Frame)) }
