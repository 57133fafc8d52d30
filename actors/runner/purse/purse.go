package purse

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// When events are read, and how many.
const (
	every  = 5 * time.Second
	within = 10 * time.Second
	pages  = 20
	page   = 100
)

// Events are the verifier's, oldest first, behind a place; "" for the newest ones. next is the place of the last of them, "" where there is none, and height
// its block.
type Events interface {
	Events(ctx context.Context, after string, most int) (list []Event, next string, height uint64, err error)
}

// File keeps a count over restarts.
type File interface {
	Load() ([]byte, error) // nil where nothing was kept
	Keep(data []byte) error
}

// kept is what the file has.
type kept struct {
	Count
	Place string `json:"place"`
}

// Status is the count, and why it may be old.
type Status struct {
	Count
	Earned uint64 `json:"earned"` // all it was paid
	Why    string `json:"why,omitempty"`
}

// Handle is how others ask for the count, over restarts.
type Handle struct {
	inbox  *supervision.Inbox
	status atomic.Pointer[Status]
}

// NewHandle gives the handle of a purse that is to be started.
func NewHandle() *Handle {
	h := &Handle{inbox: supervision.NewInbox("purse", 4)}
	h.status.Store(&Status{})
	return h
}

// Status is the count at present.
func (h *Handle) Status() Status { return *h.status.Load() }

// due is the time to read.
type due struct{}

// Purse is the supervised actor that counts.
type Purse struct {
	Handle *Handle
	Runner account.Address
	Events Events
	File   File
	Clock  supervision.Clock

	kept kept
	next supervision.Deadline
}

// Receive is the subsystem's one switch.
func (p *Purse) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		p.start()
	case *actor.Stopping, *actor.Restarting:
		if p.next != nil {
			p.next.Stop()
		}
	case due:
		p.tell(p.read())
		p.later()
	}
}

func (p *Purse) start() {
	data, err := p.File.Load()
	if err == nil && data != nil {
		err = json.Unmarshal(data, &p.kept)
	}
	if err != nil {
		p.tell(err) // what is there is not written over
		return
	}
	p.tell(nil)
	p.Handle.inbox.Reply(due{})
}

func (p *Purse) later() {
	p.next = p.Clock.AfterFunc(every, func() { p.Handle.inbox.Reply(due{}) })
}

func (p *Purse) tell(err error) {
	c := p.kept.Count
	s := &Status{Count: c, Earned: c.Shares + c.Bonuses + c.Tips}
	if err != nil {
		s.Why = err.Error()
	}
	p.Handle.status.Store(s)
}

// read counts what is new.
func (p *Purse) read() error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	if p.kept.Place == "" {
		_, place, height, err := p.Events.Events(ctx, "", 1)
		if err != nil {
			return err
		}
		if place == "" {
			place = "0.0" // before the first
		}
		p.kept.Place, p.kept.Since = place, height
		return p.keep()
	}
	for range pages {
		list, place, _, err := p.Events.Events(ctx, p.kept.Place, page)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, e := range list {
			p.kept.add(e, p.Runner)
		}
		p.kept.Place = place
		if err := p.keep(); err != nil {
			return err
		}
		if len(list) < page {
			return nil
		}
	}
	return nil
}

func (p *Purse) keep() error {
	data, err := json.Marshal(&p.kept)
	if err != nil {
		return err
	}
	return p.File.Keep(data)
}

// Spec declares the purse as a member of a tree.
func Spec(h *Handle, of func() *Purse) supervision.Spec {
	return supervision.Spec{Name: "purse", Inbox: h.inbox, New: func() actor.Actor { return of() }, StopWithin: within + 5*time.Second}
}
