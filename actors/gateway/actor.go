package gateway

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// DefaultBeat is how often a gateway sends a heartbeat: far more often than its health lasts.
const DefaultBeat = 10 * time.Minute

// beatWithin bounds a heartbeat, and beatAgain is how long after one that failed the next is sent: the node may not have been up yet.
const (
	beatWithin = 20 * time.Second
	beatAgain  = 5 * time.Second
)

// Sender is the supervised actor that sends the gateway's transactions, one after another.
type Sender struct {
	Handle  *Handle
	Node    Node
	Every   time.Duration // between two heartbeats; 0: none are sent
	Clock   supervision.Clock
	Observe func(what string, err error) // may be nil; must not wait

	next supervision.Deadline
}

// Receive is the subsystem's one switch.
func (s *Sender) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.beat()
	case *actor.Stopping, *actor.Restarting:
		if s.next != nil {
			s.next.Stop()
		}
	case beat:
		s.beat()
	case dispatch:
		s.dispatch(command)
	}
}

// beat sends a heartbeat and sets the deadline of the next one, which comes soon after one that failed.
//
// Spec: gateway-payments-streams §B (health).
func (s *Sender) beat() {
	if s.Every == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), beatWithin)
	defer cancel()
	err := s.Node.Heartbeat(ctx)
	next := s.Every
	if err != nil {
		next = min(next, beatAgain)
	}
	s.next = s.Clock.AfterFunc(next, func() { s.Handle.inbox.Send(beat{}) })
	s.told("heartbeat", err)
}

// dispatch sends a request whose client still waits.
func (s *Sender) dispatch(d dispatch) {
	err := d.ctx.Err()
	if err == nil {
		err = s.Node.Dispatch(d.ctx, d.target, d.envelope, d.id)
		s.told("dispatch", err)
	}
	d.reply <- err
}

func (s *Sender) told(what string, err error) {
	if s.Observe != nil {
		s.Observe(what, err)
	}
}

// Tree declares a gateway: its sender. Whoever opens the ports adds the server, which holds no state of its own.
func Tree(sender func() *Sender) supervision.Spec {
	return supervision.Spec{
		Name: "gateway", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 50, Within: time.Minute},
		Backoff: supervision.Backoff{Initial: 100 * time.Millisecond, Max: 10 * time.Second},
		Children: []supervision.Spec{{
			Name: "sender", Inbox: sender().Handle.inbox, New: func() actor.Actor { return sender() }, StopWithin: beatWithin + 5*time.Second,
		}},
	}
}
