package proxy

import (
	"context"

	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Commands of the keeper.
type (
	due    struct{} // the next tick
	viewed struct {
		view View
		err  error
	}
	heard struct { // what another proxy answered
		q      question
		status byte
		body   []byte
		err    error
	}
	sent struct { // whether a node took a transaction
		act sending
		err error
	}
	found struct { // whether a receipt is on the chain
		receipt digest.Hash
		there   bool
		err     error
	}
	asked struct { // by another proxy
		from  digest.Hash // the hash of its key
		kind  byte
		body  []byte
		reply chan reply
	}
	released struct { // by the door
		raw   []byte
		scope secret.Scope
		data  []byte
		at    uint64
	}
	refused struct {
		release digest.Hash
		why     secret.Reason
	}
	status struct{ reply chan Status }
)

type reply struct {
	status byte
	body   []byte
}

// Abandoned implements supervision.Abandoner.
func (a asked) Abandoned(error) { a.reply <- reply{frame.Later, nil} }

// Abandoned implements supervision.Abandoner.
func (s status) Abandoned(error) { close(s.reply) }

// errand is the command of a courier.
type errand struct {
	act  any
	from *supervision.Inbox
}

// polling is the question what there is to do.
type polling struct{ scopes []secret.Scope }

// Abandoned implements supervision.Abandoner: what came to nothing is done again.
func (e errand) Abandoned(cause error) {
	switch act := e.act.(type) {
	case polling:
		e.from.Reply(viewed{err: cause})
	case question:
		e.from.Reply(heard{q: act, err: cause})
	case sending:
		e.from.Reply(sent{act, cause})
	case looking:
		e.from.Reply(found{receipt: act.receipt, err: cause})
	}
}

// Status is what a proxy says of itself.
type Status struct {
	ID       string   `json:"proxy_id"`
	Height   uint64   `json:"height"`
	Shares   int      `json:"shares"`
	Keys     int      `json:"keys"`     // it has shares of
	Sessions int      `json:"sessions"` // of keys that are made or passed on
	Receipts int      `json:"receipts"` // that are to be posted
	Scopes   []string `json:"scopes"`   // at most 100
}

const (
	inboxCapacity = 8_192
	couriers      = 4
)

// Handle is how others reach a proxy, over its restarts.
type Handle struct {
	inbox  *supervision.Inbox
	errand [couriers]*supervision.Inbox // the first is the chain's alone
	door   *Door
}

// NewHandle gives the handle of a proxy that is to be started.
func NewHandle() *Handle {
	h := &Handle{inbox: supervision.NewInbox("keeper", inboxCapacity)}
	for i := range h.errand {
		h.errand[i] = supervision.NewInbox("courier", inboxCapacity)
	}
	return h
}

// ask has the keeper answer another proxy, which has shown a key.
func (h *Handle) ask(ctx context.Context, from digest.Hash, kind byte, body []byte) (byte, []byte) {
	a := asked{from, kind, body, make(chan reply, 1)}
	if h.inbox.Send(a) != supervision.Accepted {
		return frame.Later, nil
	}
	select {
	case r := <-a.reply:
		return r.status, r.body
	case <-ctx.Done():
		return frame.Later, nil
	}
}

func (h *Handle) refused(release digest.Hash, why secret.Reason) { h.inbox.Send(refused{release, why}) }

// Status gives what the keeper says of itself; false where it does not answer.
func (h *Handle) Status() (Status, bool) {
	s := status{make(chan Status, 1)}
	if h.inbox.Send(s) != supervision.Accepted {
		return Status{}, false
	}
	v, ok := <-s.reply
	return v, ok
}
