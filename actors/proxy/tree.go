package proxy

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// Tree declares a proxy: its keeper, and couriers.
func Tree(keeper func() *Keeper, courier func() *Courier) supervision.Spec {
	h := keeper().Handle
	root := supervision.Spec{
		Name: "proxy", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 50, Within: time.Minute},
		Backoff:  supervision.Backoff{Initial: 100 * time.Millisecond, Max: 10 * time.Second},
		Children: []supervision.Spec{{Name: "keeper", Inbox: h.inbox, New: func() actor.Actor { return keeper() }}},
	}
	for i, inbox := range h.errand {
		root.Children = append(root.Children, supervision.Spec{
			Name: fmt.Sprintf("courier-%d", i), Inbox: inbox, New: func() actor.Actor { return courier() }, StopWithin: courierWithin + 5*time.Second,
		})
	}
	return root
}
