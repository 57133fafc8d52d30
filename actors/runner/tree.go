package runner

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// Places says how many jobs of a capability are done at a time.
type Places struct {
	Capability string
	Count      int
}

// limit and backoff are those of every group: a worker that fails all the time waits longer and longer, and ends the runner at last.
var (
	limit   = supervision.Limit{Restarts: 50, Within: time.Minute}
	backoff = supervision.Backoff{Initial: 100 * time.Millisecond, Max: 10 * time.Second}
)

// Tree declares a runner: a dispatcher with its courier, if there is one, workers, and what stands beside.
func Tree(
	dispatcher func() *Dispatcher, courier func() *Courier, places []Places, worker func(capability string, inbox *supervision.Inbox) *Worker,
	beside ...supervision.Spec,
) supervision.Spec {
	root := supervision.Spec{Name: "runner", Strategy: supervision.OneForOne, Limit: limit, Backoff: backoff}
	if dispatcher != nil {
		h := dispatcher().Handle
		root.Children = append(root.Children,
			supervision.Spec{Name: "dispatcher", Inbox: h.inbox, New: func() actor.Actor { return dispatcher() }},
			supervision.Spec{Name: "courier", Inbox: h.courier, New: func() actor.Actor { return courier() }, StopWithin: courierWithin + 5*time.Second})
	}
	root.Children = append(root.Children, beside...)
	workers := supervision.Spec{Name: "workers", Strategy: supervision.OneForOne, Limit: limit, Backoff: backoff}
	for _, p := range places {
		for i := range p.Count {
			name := fmt.Sprintf("%s-%d", p.Capability, i)
			inbox := supervision.NewInbox(name, 4)
			workers.Children = append(workers.Children, supervision.Spec{
				Name: name, Inbox: inbox, New: func() actor.Actor { return worker(p.Capability, inbox) }, StopWithin: 15 * time.Second,
			})
		}
	}
	if len(workers.Children) > 0 {
		root.Children = append(root.Children, workers)
	}
	return root
}
