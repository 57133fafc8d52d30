package catchup

import (
	"sync"
	"sync/atomic"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity bounds waiting frames.
const inboxCapacity = 128

type (
	seek      struct{ height unit.Height }
	delivered struct {
		from  link.Peer
		frame []byte
	}
	peerUp   struct{ peer link.Peer }
	peerDown struct{ peer link.Peer }
	final    struct{ at place }
	look     struct{ life uint64 }
)

// Handle is how others use the catch-up.
type Handle struct {
	inbox *supervision.Inbox
	lives atomic.Uint64

	status atomic.Pointer[Status]

	mu    sync.Mutex
	peers []link.Peer
}

// Status is how far a node is behind and what it does about it.
type Status struct {
	Tip    unit.Height // newest durable block
	Target unit.Height // newest height others claimed; below Tip: none above
	// Snapshot says that a state is being fetched; Height is its block's, 0 while none is chosen, and Operations of Total are held.
	Snapshot          bool
	Height            unit.Height
	Operations, Total uint64
	// Trouble is why the last attempt to fetch a state stopped, "" if none did.
	Trouble string
}

// Status may be called from any goroutine.
func (h *Handle) Status() Status { return *h.status.Load() }

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle {
	h := &Handle{inbox: supervision.NewInbox("catchup", inboxCapacity)}
	h.status.Store(&Status{})
	return h
}

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Seek tells that there are final blocks up to a height that this node has not got.
func (h *Handle) Seek(height unit.Height) { h.inbox.Reply(seek{height}) }

// Finalized tells about a durable block; it is a ledger.Subscriber.
func (h *Handle) Finalized(f *ledger.Final) { h.inbox.Reply(final{place{f.Height(), f.Hash}}) }

// Up says that a peer is connected.
func (h *Handle) Up(p link.Peer) {
	h.mu.Lock()
	h.peers = append(h.peers, p)
	h.mu.Unlock()
	h.inbox.Reply(peerUp{p})
}

// Down says that a peer is gone.
func (h *Handle) Down(p link.Peer) {
	h.mu.Lock()
	kept := h.peers[:0:0]
	for _, q := range h.peers {
		if q != p {
			kept = append(kept, q)
		}
	}
	h.peers = kept
	h.mu.Unlock()
	h.inbox.Reply(peerDown{p})
}

// Deliver takes a frame of channel Sync.
func (h *Handle) Deliver(from link.Peer, frame []byte) supervision.Delivery {
	return h.inbox.Send(delivered{from, frame})
}

func (h *Handle) connected() []link.Peer {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.peers
}
