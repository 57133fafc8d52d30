package peers

import (
	"net/netip"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// transportHandler takes the transport's events on the transport's goroutines. It only passes them on.
type transportHandler struct {
	handle     *Handle
	generation uint64
}

var _ transport.Handler = (*transportHandler)(nil)

// Up implements transport.Handler.
func (h *transportHandler) Up(p transport.Peer) {
	h.handle.inbox.Reply(up{h.generation, p})
	if p.Purpose == transport.Full {
		h.handle.receiver.Up(link.Peer(p.ID))
	}
}

// Down implements transport.Handler.
func (h *transportHandler) Down(p transport.Peer, why error) {
	h.handle.inbox.Reply(down{h.generation, p, why})
	if p.Purpose == transport.Full {
		h.handle.receiver.Down(link.Peer(p.ID))
	}
}

// Failed implements transport.Handler.
func (h *transportHandler) Failed(target transport.Target, why error) {
	h.handle.inbox.Reply(failed{h.generation, target, why})
}

// Refused implements transport.Handler.
func (h *transportHandler) Refused(from netip.AddrPort, why error) {
	h.handle.inbox.Send(refused{from, why})
}

// Receive implements transport.Handler.
func (h *transportHandler) Receive(f *transport.Frame) bool {
	if f.Channel == transport.Discovery {
		return h.handle.inbox.Send(heard{h.generation, f}) == supervision.Accepted
	}
	h.handle.receiver.Frame(link.Peer(f.From), above(f.Channel), f.Data)
	f.Done()
	return true
}
