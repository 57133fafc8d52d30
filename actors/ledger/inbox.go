package ledger

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity is above the number of blocks a replica lets wait.
const inboxCapacity = 192

// Commit asks for a finalized block to be made durable. Reply is called once it is; it must only send a command.
type Commit struct {
	Final *Final
	Reply func(durable unit.Height)

	life uint64 // of the ledger that was asked
}

// flush ends a group.
type flush struct{ life uint64 }

// adopt asks for a snapshot to take the chain's place.
type adopt struct{ loaded *Loaded }

// tidied says that the store's maintenance ended.
type tidied struct{ err error }

// Tip is the newest durable block.
type Tip struct {
	Header *block.Header
	Hash   digest.Hash
	State  *state.Commit
}

// Subscriber is told about each durable block, in order, on the ledger's goroutine. It must only send a command, and may be told a
// block twice when the ledger restarts.
type Subscriber func(f *Final)

// Handle is how others use the ledger. Its reading methods may be called from any goroutine once the subsystem has started.
type Handle struct {
	inbox       *supervision.Inbox
	subscribers []Subscriber
	tip         atomic.Pointer[Tip]
	store       atomic.Pointer[Store]
	lives       atomic.Uint64 // starts so far
	mu          sync.Mutex
	arrived     chan struct{} // closed and replaced with each new tip
}

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle {
	return &Handle{inbox: supervision.NewInbox("ledger", inboxCapacity), arrived: make(chan struct{})}
}

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Subscribe adds a subscriber. It may only be called before the tree starts.
func (h *Handle) Subscribe(s Subscriber) { h.subscribers = append(h.subscribers, s) }

// Commit asks for a block to be made durable. What was asked of an instance that failed is not done by the next: whoever asked is restarted as well and
// asks again, and a block in between may have been lost.
func (h *Handle) Commit(c Commit) supervision.Delivery {
	c.life = h.lives.Load()
	return h.inbox.Send(c)
}

// Tip is the newest durable block; nil until the subsystem has started once.
func (h *Handle) Tip() *Tip { return h.tip.Load() }

// Finalized is the height of the newest durable block; 0 before the start.
func (h *Handle) Finalized() unit.Height {
	if t := h.Tip(); t != nil {
		return t.Header.Height
	}
	return 0
}

// Await returns when the block at height is durable, or with the error of ctx.
func (h *Handle) Await(ctx context.Context, height unit.Height) error {
	for {
		h.mu.Lock()
		arrived := h.arrived
		h.mu.Unlock()
		if t := h.Tip(); t != nil && t.Header.Height >= height {
			return nil
		}
		select {
		case <-arrived:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Block gives a durable block; ErrAbsent above the tip.
func (h *Handle) Block(height unit.Height) (*block.Block, error) {
	s, err := h.reader(height)
	if err != nil {
		return nil, err
	}
	return s.Block(height)
}

// Receipts gives the receipts of a durable block; ErrAbsent above the tip.
func (h *Handle) Receipts(height unit.Height) ([]*block.Receipt, error) {
	s, err := h.reader(height)
	if err != nil {
		return nil, err
	}
	return s.Receipts(height)
}

// Flows gives what became of the coins of a durable block, nil where the block was kept without; ErrAbsent above the tip.
func (h *Handle) Flows(height unit.Height) (*flow.Sheet, error) {
	s, err := h.reader(height)
	if err != nil {
		return nil, err
	}
	return s.Flows(height)
}

// Certificates gives what made a block final; ErrAbsent above the tip. Of an epoch's last block that is not held it is the finalization.
func (h *Handle) Certificates(height unit.Height) ([]*sig.Certificate, error) {
	s, err := h.reader(height)
	if err != nil {
		return nil, err
	}
	list, err := s.Certificates(height)
	if errors.Is(err, ErrAbsent) {
		if x := h.lastOf(height); x != nil {
			return []*sig.Certificate{x.Certificate}, nil
		}
	}
	return list, err
}

// Encoded gives a durable block's encoding and what made it final; ErrAbsent above the tip.
func (h *Handle) Encoded(height unit.Height) ([]byte, []*sig.Certificate, error) {
	s, err := h.reader(height)
	if err != nil {
		return nil, nil, err
	}
	return s.Encoded(height)
}

// HeightOf finds a durable block by its hash, or gives ErrAbsent.
func (h *Handle) HeightOf(hash digest.Hash) (unit.Height, error) {
	s, err := h.reader(0)
	if err != nil {
		return 0, err
	}
	height, err := s.HeightOf(hash)
	if err == nil && height > h.Finalized() {
		return 0, ErrAbsent
	}
	return height, err
}

// Transaction finds the receipt of a transaction, message, timer fire or deferred call, or gives ErrAbsent.
func (h *Handle) Transaction(id digest.Hash) (Place, error) {
	s, err := h.reader(0)
	if err != nil {
		return Place{}, err
	}
	p, err := s.Transaction(id)
	if err == nil && p.Height > h.Finalized() {
		return Place{}, ErrAbsent
	}
	return p, err
}

// First is the lowest height above the genesis whose block is held; 0 when all are.
func (h *Handle) First() unit.Height {
	s := h.store.Load()
	if s == nil {
		return 0
	}
	return (*s).First()
}

// Header gives the header of a durable block: of every one that is held, and of every epoch's last one. ErrAbsent for any other.
func (h *Handle) Header(height unit.Height) (*block.Header, error) {
	b, err := h.Block(height)
	if err == nil {
		return &b.Header, nil
	}
	if x := h.lastOf(height); x != nil {
		return x.Header, nil
	}
	return nil, err
}

// lastOf gives the way out of the epoch that a height is the last of.
func (h *Handle) lastOf(height unit.Height) *light.EpochProof {
	t := h.Tip()
	if t == nil || height > t.Header.Height {
		return nil
	}
	calendar, err := params.LoadCalendar(t.State)
	if err != nil {
		return nil
	}
	x, err := h.EpochProof(calendar.Epoch(height))
	if err != nil || x.Header.Height != height {
		return nil
	}
	return x
}

// EpochProof gives the way out of an epoch; ErrAbsent for one that is not over.
func (h *Handle) EpochProof(epoch uint64) (*light.EpochProof, error) {
	s, err := h.reader(0)
	if err != nil {
		return nil, err
	}
	return s.EpochProof(epoch)
}

// Keep keeps an epoch proof that was verified. An error means that our machine failed.
func (h *Handle) Keep(x *light.EpochProof) error {
	s, err := h.reader(0)
	if err != nil {
		return err
	}
	return s.Keep(x)
}

// Snapshots gives the store if it can be replaced by a snapshot.
func (h *Handle) Snapshots() (Snapshots, bool) {
	s := h.store.Load()
	if s == nil {
		return nil, false
	}
	replaceable, ok := (*s).(Snapshots)
	return replaceable, ok
}

// Adopt hands over a loaded snapshot. It takes the chain's place unless the chain got above it meanwhile, and everything that stands on the ledger
// starts again.
func (h *Handle) Adopt(s *Loaded) supervision.Delivery { return h.inbox.Send(adopt{s}) }

// At gives the state after a durable block: ErrAbsent above the tip and where the store no longer keeps it.
func (h *Handle) At(height unit.Height) (*state.Commit, error) {
	s, err := h.reader(height)
	if err != nil {
		return nil, err
	}
	return s.At(height)
}

// Rewinder is a store that takes blocks back to give an old state.
type Rewinder interface {
	// Back is how many changes of entries it would take back for the state after a block.
	Back(height unit.Height) uint64
}

// Back is how many changes of entries At would take back: 0 where the store has every state it answers, or would refuse.
func (h *Handle) Back(height unit.Height) uint64 {
	s, err := h.reader(height)
	if err != nil {
		return 0
	}
	if r, ok := s.(Rewinder); ok {
		return r.Back(height)
	}
	return 0
}

func (h *Handle) reader(height unit.Height) (Store, error) {
	s := h.store.Load()
	if s == nil || height > h.Finalized() {
		return nil, ErrAbsent
	}
	return *s, nil
}

// publish makes a block the tip for readers.
func (h *Handle) publish(s Store, t *Tip) {
	h.store.Store(&s)
	h.tip.Store(t)
	h.mu.Lock()
	close(h.arrived)
	h.arrived = make(chan struct{})
	h.mu.Unlock()
}
