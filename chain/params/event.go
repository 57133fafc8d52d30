package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// Event subscriptions, beside the coins they cost. What is not in the text is priced by the records it reads and writes.
//
// Spec: gateway-payments-streams §H.2.
const (
	CostEventSubscribe unit.Cycles = 3_000
	CostEventBid       unit.Cycles = 2_000 // to raise a bid, or to add gas
	CostEventEnd       unit.Cycles = 2_000
	CostEventFire                  = 2_000 // gas of every fire, of the least 5,000: its record, its snapshot, the call
)
