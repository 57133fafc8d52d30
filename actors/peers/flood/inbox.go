package flood

import (
	"slices"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/gossip"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity bounds waiting frames and local batches. Verdicts are answers and are never shed.
const inboxCapacity = 1024

type (
	hear struct {
		from  link.Peer
		frame []byte
	}
	local  struct{ items [][]byte }
	judged struct {
		names    []gossip.Name
		verdicts []gossip.Verdict
	}
	up    struct{ peer link.Peer }
	down  struct{ peer link.Peer }
	flush struct{}
)

// Handle is how others use the flood.
type Handle struct {
	inbox *supervision.Inbox

	mu    sync.Mutex
	peers []link.Peer // connected
}

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle { return &Handle{inbox: supervision.NewInbox("flood", inboxCapacity)} }

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Hear takes a peer's frame of the transactions channel. A shed frame is lost; its transactions come from others too.
func (h *Handle) Hear(from link.Peer, frame []byte) supervision.Delivery {
	return h.inbox.Send(hear{from, frame})
}

// Local passes on transactions that this node has taken. They must not be changed afterwards.
func (h *Handle) Local(items [][]byte) supervision.Delivery { return h.inbox.Send(local{items}) }

// Up tells of a peer.
func (h *Handle) Up(p link.Peer) {
	h.mu.Lock()
	h.peers = append(slices.Clone(h.peers), p)
	h.mu.Unlock()
	h.inbox.Reply(up{p})
}

// Down tells of a peer's end.
func (h *Handle) Down(p link.Peer) {
	h.mu.Lock()
	h.peers = slices.DeleteFunc(slices.Clone(h.peers), func(q link.Peer) bool { return q == p })
	h.mu.Unlock()
	h.inbox.Reply(down{p})
}

func (h *Handle) connected() []link.Peer {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.peers
}
