package bank

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Tier is one of the three periods that a card may have a cap for.
type Tier uint8

// The tiers.
const (
	Hour Tier = iota
	Day
	Month
	Tiers
)

// String names the period.
func (t Tier) String() string { return [...]string{"the hour", "the day", "the month"}[t] }

// Blocks is the length of the tier's periods: a block is a second, a month 30 days.
//
// Spec: gateway-payments-streams §G.1 (SpendWindow); WP §17.9.
func (t Tier) Blocks() uint64 { return [...]uint64{3_600, 86_400, 2_592_000}[t] }

// Period is the number of the tier's period that a height lies in.
//
// Spec: gateway-payments-streams §G.1 (fixed periods, not sliding).
func (t Tier) Period(at unit.Height) uint64 { return uint64(at) / t.Blocks() }

// Spent is what a card has spent in one period of a tier.
type Spent struct {
	Period uint64
	Amount unit.Uint128 // units of the payment token
}

// Window is what a card has spent in the last period of each tier that it was charged in (SpendWindow).
//
// Spec: gateway-payments-streams §G.1.
type Window [Tiers]Spent

// At is the window as of a height: a period that is over has spent nothing.
//
// Spec: gateway-payments-streams §G.3 (2: roll the windows).
func (w Window) At(now unit.Height) Window {
	for t := range Tiers {
		if period := t.Period(now); w[t].Period != period {
			w[t] = Spent{Period: period}
		}
	}
	return w
}

// Add rolls the window to a height and adds a charge, or gives a *CapError for the first tier whose cap it would go above.
//
// Spec: gateway-payments-streams §G.3 (2: each cap holds).
func (w Window) Add(p *Policy, now unit.Height, amount unit.Uint128) (Window, error) {
	w = w.At(now)
	for t := range Tiers {
		sum, err := w[t].Amount.Add(amount)
		if err != nil {
			sum = unit.Uint128{Hi: ^uint64(0), Lo: ^uint64(0)}
		}
		if most := p.Cap(t); most != nil && (err != nil || sum.Cmp(*most) > 0) {
			return w, &CapError{t, sum, *most}
		}
		w[t].Amount = sum
	}
	return w, nil
}

// Return takes what came back of a charge out of the periods that the charge was counted in, as far as they are still the last ones.
//
// Spec: gateway-payments-streams §G.3 (3: the refund leaves the present periods only).
func (w Window) Return(charged unit.Height, amount unit.Uint128) Window {
	for t := range Tiers {
		if w[t].Period != t.Period(charged) {
			continue
		}
		left, err := w[t].Amount.Sub(amount)
		if err != nil {
			left = unit.Uint128{}
		}
		w[t].Amount = left
	}
	return w
}

// Append appends the canonical encoding: for each tier UInt period ‖ amount(16).
func (w Window) Append(dst []byte) []byte {
	for _, s := range w {
		dst = s.Amount.AppendBig(codec.AppendUint(dst, s.Period))
	}
	return dst
}

// DecodeWindow reads what Append wrote.
func DecodeWindow(data []byte) (w Window, err error) {
	r := codec.NewReader(data)
	for t := range w {
		w[t] = Spent{r.Uint(), readWide(r)}
	}
	return w, r.Finish()
}
