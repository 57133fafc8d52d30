package timers

import (
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// inboxCapacity bounds waiting questions; final blocks are never shed.
const inboxCapacity = 1024

type (
	final struct{ final *ledger.Final }
	due   struct {
		height unit.Height
		reply  chan []timer.Entry
	}
	ahead struct {
		height unit.Height
		reply  chan Ahead
	}
)

// Abandoned implements supervision.Abandoner.
func (d due) Abandoned(error) { d.reply <- nil }

// Abandoned implements supervision.Abandoner.
func (a ahead) Abandoned(error) { a.reply <- Ahead{} }

// Ahead is what a tier knows.
type Ahead struct {
	Tip      unit.Height // the newest final block it has seen
	From, To unit.Height // its range of heights, To excluded
	Pending  int         // timers in it
	At       int         // timers at the height asked for (in the far set: in its epoch)
}

// Handle is how others ask the tiers.
type Handle struct{ tiers [TierCount]*supervision.Inbox }

// NewHandle makes the handle, with the inboxes the tree declares.
func NewHandle() *Handle {
	h := &Handle{}
	for t := range TierCount {
		h.tiers[t] = supervision.NewInbox("timers-"+t.String(), inboxCapacity)
	}
	return h
}

// Tier is the inbox of a tier.
func (h *Handle) Tier(t Tier) *supervision.Inbox { return h.tiers[t] }

// Finalized tells the tiers about a final block; it is a ledger.Subscriber.
func (h *Handle) Finalized(f *ledger.Final) {
	for _, inbox := range h.tiers {
		inbox.Reply(final{f})
	}
}

// Due lists the timers pending at a height of the ring, in the order in which they will fire. It blocks and is not for actors.
func (h *Handle) Due(height unit.Height) []timer.Entry {
	reply := make(chan []timer.Entry, 1)
	return ask(h.tiers[Ring], due{height, reply}, reply)
}

// Ahead tells what a tier knows, and how many timers are at a height. It blocks and is not for actors.
func (h *Handle) Ahead(t Tier, height unit.Height) Ahead {
	reply := make(chan Ahead, 1)
	return ask(h.tiers[t], ahead{height, reply}, reply)
}

// answerWithin bounds the wait for an answer.
const answerWithin = 2 * time.Second

func ask[T any](inbox *supervision.Inbox, question any, reply chan T) (answer T) {
	if inbox.Send(question) != supervision.Accepted {
		return answer
	}
	timeout := time.NewTimer(answerWithin)
	defer timeout.Stop()
	select {
	case answer = <-reply:
	case <-timeout.C:
	}
	return answer
}
