package relay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/relay/retained"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/retention"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Retention is a contract as a relay sees it.
type Retention struct {
	Blobs []retention.Blob
	// Audit is what is asked of this relay in this epoch; zero for nothing.
	Audit digest.Hash
	Asked []retention.Place
}

// Contracts is what a relay wants of the chain about retention contracts.
type Contracts interface {
	// Retention tells of a contract. Error: reach.ErrUnknown where there is none.
	Retention(ctx context.Context, id digest.Hash) (*Retention, error)
	// ProveRetention sends an answer; what became of it a later look shows.
	ProveRetention(ctx context.Context, id digest.Hash, pieces []cbfs.Piece) error
}

// auditAgain is after how many looks an answer that the chain does not show is sent again.
const auditAgain = 10

// Retainer is the supervised actor that answers audits of retained blobs. It keeps nothing that a restart has not to read anew: what is asked stands on the
// chain until it is answered.
//
// Spec: storage-cbfs §7; WP §17.6.
type Retainer struct {
	Inbox   *supervision.Inbox
	Chain   Contracts
	Store   *retained.Store
	Every   time.Duration // between two looks
	Clock   supervision.Clock
	Base    context.Context
	Observe func(what string, err error) // may be nil; must not wait

	sent map[digest.Hash]answered // by contract
	next supervision.Deadline
}

// answered is an answer that was sent.
type answered struct {
	audit digest.Hash
	looks int // since
}

// NewRetaining gives the inbox of a relay's retainer.
func NewRetaining() *supervision.Inbox { return supervision.NewInbox("retainer", 16) }

// Receive is the subsystem's one switch.
func (r *Retainer) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		r.sent = map[digest.Hash]answered{}
		r.look()
	case *actor.Stopping, *actor.Restarting:
		if r.next != nil {
			r.next.Stop()
		}
	case due:
		r.look()
	}
}

// look looks at each contract of which blobs are here, and answers what is asked.
func (r *Retainer) look() {
	defer func() { r.next = r.Clock.AfterFunc(r.Every, func() { r.Inbox.Reply(due{}) }) }()
	list, err := r.Store.Contracts()
	if err != nil {
		r.told(err)
	}
	for _, id := range list {
		within, cancel := context.WithTimeout(r.Base, courierWithin)
		err := r.audit(within, id)
		cancel()
		if err != nil {
			r.told(fmt.Errorf("contract %s: %w", id, err))
		}
	}
	for id := range r.sent { // order-free: each by itself
		if !slices.Contains(list, id) {
			delete(r.sent, id)
		}
	}
}

func (r *Retainer) told(err error) {
	if r.Observe != nil {
		r.Observe("audit", err)
	}
}

// audit answers what a contract asks of this relay, unless it was answered just now. A piece that is damaged is not brought: it would cost a strike at once,
// and until the epoch ends the operator may put the blob there again.
//
// Spec: storage-cbfs §7 (every sample must pass).
func (r *Retainer) audit(ctx context.Context, id digest.Hash) error {
	c, err := r.Chain.Retention(ctx, id)
	if err != nil {
		return err
	}
	if c.Audit.IsZero() || len(c.Asked) == 0 {
		return nil
	}
	if before := r.sent[id]; before.audit == c.Audit && before.looks < auditAgain {
		before.looks++
		r.sent[id] = before
		return nil
	}
	pieces := make([]cbfs.Piece, len(c.Asked))
	for i, at := range c.Asked {
		if at.Blob < 0 || at.Blob >= len(c.Blobs) {
			return errors.New("the node asks for a blob that the contract has not")
		}
		if pieces[i], err = r.Store.Piece(id, at.Blob, &c.Blobs[at.Blob], at.Piece); err != nil {
			return fmt.Errorf("blob %d, piece %d: %w", at.Blob, at.Piece, err)
		}
	}
	if err := r.Chain.ProveRetention(ctx, id, pieces); err != nil {
		return err
	}
	r.sent[id] = answered{audit: c.Audit}
	r.told(nil)
	return nil
}
