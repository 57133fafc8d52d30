package payment

import (
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Verdict is how a request is let through, or why not.
type Verdict uint8

// The verdicts, in the order in which they are looked for.
const (
	ByFree Verdict = iota
	BySubscription
	ByPass
	ByBudget
	ByPayment
	Required    // 402
	Unavailable // 503: the actor's budget does not cover it
)

// Request is what is asked for, and what its sender has: as the chain has it at the present height.
type Request struct {
	Method, Path string
	Now          unit.Height

	Subscribed *unit.Height // the last height of a subscription; nil: there is none
	Credits    uint64       // of passes
	Expires    unit.Height  // the last height of the passes
	Paid       bool         // a payment of this request came with it, and Intent.Verify has taken it

	Budget  unit.Uint128 // of the actor, what is left
	Today   unit.Uint128 // spent of it today
	Seconds uint32       // requests that it paid in this second
}

// Decision is a verdict with the price it is about; nil for requests without one.
type Decision struct {
	Verdict Verdict
	Price   *Price
}

// Decide says what becomes of a request.
//
// Spec: gateway-payments-streams §F (the decision goes down: free, subscription, pass, budget, payment of the request, 402).
func Decide(p *Policy, r *Request) Decision {
	if p == nil || !p.Enabled {
		return Decision{Verdict: ByFree}
	}
	x := p.PriceOf(r.Method, r.Path)
	switch {
	case x == nil || x.Mode == Free || x.Amount.IsZero():
		return Decision{ByFree, x}
	case p.Epoch != nil && r.Subscribed != nil && r.Now <= *r.Subscribed:
		return Decision{BySubscription, x}
	case p.Pass != nil && r.Credits > 0 && r.Now <= r.Expires:
		return Decision{ByPass, x}
	}
	funded := x.Mode == ActorFunded && p.Budget != nil
	if funded && p.Budget.covers(x, r) {
		return Decision{ByBudget, x}
	}
	if r.Paid {
		return Decision{ByPayment, x}
	}
	if funded && p.Budget.Unavailable {
		return Decision{Unavailable, x}
	}
	return Decision{Required, x}
}

// covers reports whether a budget pays for a request: its rate, its daily cap and what is left of it.
func (b *Budget) covers(x *Price, r *Request) bool {
	if b.RatePerSecond > 0 && r.Seconds >= b.RatePerSecond || r.Budget.Cmp(x.Amount) < 0 {
		return false
	}
	sum, err := r.Today.Add(x.Amount)
	return err == nil && (b.DailyCap.IsZero() || sum.Cmp(b.DailyCap) <= 0)
}

// Fee is the protocol's part of an amount: 500 basis points of it, rounded down.
//
// Spec: gateway-payments-streams §F (500 basis points of the base amount, rounded down).
func Fee(amount unit.Uint128) unit.Uint128 {
	const part = 10_000 / FeeBps // exactly a twentieth, so that nothing is multiplied
	fee := unit.Uint128{Hi: amount.Hi / part}
	fee.Lo, _ = bits.Div64(amount.Hi%part, amount.Lo, part)
	return fee
}
