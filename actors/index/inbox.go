package index

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity is small because heights merge: a shed one is made up for by the next.
const inboxCapacity = 64

// batch is the most blocks one transaction indexes.
const batch = 256

// Source is where blocks come from: the ledger's readers.
type Source interface {
	// Receipts gives the receipts of a finalized block.
	Receipts(height unit.Height) ([]*block.Receipt, error)
	// Flows gives what became of a finalized block's coins, nil where it was kept without.
	Flows(height unit.Height) (*flow.Sheet, error)
	// Header gives the header of a finalized block.
	Header(height unit.Height) (*block.Header, error)
	// Finalized is the newest finalized height.
	Finalized() unit.Height
	// First is the lowest height above the genesis that is held; 0 when all are.
	First() unit.Height
	// Tip is the newest finalized block with its state; nil before there is one. It is not below what Finalized gave before.
	Tip() *ledger.Tip
}

// finalized says that a block is final.
type finalized struct{ height unit.Height }

// next asks the subsystem to go on with a backlog.
type next struct{}

// damaged says that a file was found to be.
type damaged struct {
	file *file
	err  error
}

// Handle is how others use the index.
type Handle struct {
	inbox *supervision.Inbox
	file  atomic.Pointer[file]

	mu      sync.Mutex
	reached unit.Height // blocks below it are indexed
	moved   chan struct{}
}

// NewHandle makes the handle, with the inbox the tree declares.
func NewHandle() *Handle {
	return &Handle{inbox: supervision.NewInbox("index", inboxCapacity), moved: make(chan struct{})}
}

// reach notes that the blocks below a height are indexed, and no others.
func (h *Handle) reach(below unit.Height) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reached = below
	close(h.moved)
	h.moved = make(chan struct{})
}

// Await waits until the block at a height is indexed, or for the end of the context, and reports whether it is.
func (h *Handle) Await(ctx context.Context, height unit.Height) bool {
	for {
		h.mu.Lock()
		reached, moved := h.reached, h.moved
		h.mu.Unlock()
		if reached > height {
			return true
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return false
		}
	}
}

// noticed passes on the error of a read, and tells the subsystem of a damaged file. Where the inbox is full the next read does.
func (h *Handle) noticed(f *file, err error) error {
	var wrong *DamagedError
	if errors.As(err, &wrong) {
		h.inbox.Send(damaged{f, err})
	}
	return err
}

// Inbox is the subsystem's inbox.
func (h *Handle) Inbox() *supervision.Inbox { return h.inbox }

// Finalized tells the subsystem about a block. It never waits.
func (h *Handle) Finalized(height unit.Height) { h.inbox.Send(finalized{height}) }

// Newest gives the receipts that concern an address in a role, newest first, and how many there are. Pages cost the same however deep they lie.
func (h *Handle) Newest(addr account.Address, role Role, offset, limit uint64) ([]Place, uint64, error) {
	f := h.file.Load()
	if f == nil {
		return nil, 0, nil
	}
	list, total, err := f.newest(addr, role, offset, limit)
	return list, total, h.noticed(f, err)
}

// From gives the receipts that concern an address in a role from a place on, oldest first.
func (h *Handle) From(addr account.Address, role Role, place Place, limit uint64) ([]Place, error) {
	f := h.file.Load()
	if f == nil {
		return nil, nil
	}
	list, err := f.from(addr, role, place, limit)
	return list, h.noticed(f, err)
}
