package grant

import (
	"math"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Terms are the constraints of a grant or a role. Amounts are of whatever the action moves: base units for coins.
//
// Spec: CIP-2 §7.1; entitlement-extras §5 (RateLimit).
type Terms struct {
	ValidFrom       *uint64 // first height; nil: from the start
	ValidUntil      *uint64 // last height; nil: for ever
	MaxUses         uint64  // 0: unlimited
	MaxAmountPerUse *uint64 // nil: unlimited
	MaxTotalAmount  *uint64 // nil: unlimited
	// MaxCalls in PerBlocks blocks is the rate limit; both are zero where there is none. The window begins with the first use behind the one before.
	MaxCalls, PerBlocks uint64
	Delegatable         bool
	Revocable           bool
	DelegationDepthMax  uint8 // 0: cannot be delegated
}

// Check gives ErrTerms for terms that can hold at no height from now on.
func (t *Terms) Check(now unit.Height) error {
	switch {
	case t.ValidUntil != nil && *t.ValidUntil < uint64(now),
		t.ValidUntil != nil && t.ValidFrom != nil && *t.ValidUntil < *t.ValidFrom,
		(t.MaxCalls == 0) != (t.PerBlocks == 0):
		return ErrTerms
	}
	return nil
}

// Within reports whether terms are a strict subset of others: in everything at most as wide, and with less depth to delegate, which makes it strict.
//
// Spec: CIP-2 §7.2 (32); entitlement-extras §5.
func (t *Terms) Within(p *Terms) bool {
	switch {
	case p.ValidFrom != nil && (t.ValidFrom == nil || *t.ValidFrom < *p.ValidFrom),
		!lessEqual(t.ValidUntil, p.ValidUntil),
		p.MaxUses != 0 && (t.MaxUses == 0 || t.MaxUses > p.MaxUses),
		!lessEqual(t.MaxAmountPerUse, p.MaxAmountPerUse),
		!lessEqual(t.MaxTotalAmount, p.MaxTotalAmount),
		p.PerBlocks != 0 && (t.PerBlocks < p.PerBlocks || t.MaxCalls > p.MaxCalls),
		t.Delegatable && !p.Delegatable,
		!t.Revocable && p.Revocable,
		t.DelegationDepthMax >= p.DelegationDepthMax:
		return false
	}
	return true
}

// lessEqual compares bounds; nil is none.
func lessEqual(a, b *uint64) bool { return b == nil || a != nil && *a <= *b }

// expired reports whether the terms hold at no height from now on.
func (t *Terms) expired(now unit.Height) bool {
	return t.ValidUntil != nil && uint64(now) > *t.ValidUntil
}

// begun reports whether the first height is reached.
func (t *Terms) begun(now unit.Height) bool { return t.ValidFrom == nil || uint64(now) >= *t.ValidFrom }

// Append appends Option<UInt> valid_from, Option<UInt> valid_until, UInt max_uses, Option<UInt> max_amount_per_use, Option<UInt> max_total_amount,
// Option of (UInt max_calls, UInt per_blocks), bool delegatable, bool revocable, U8 delegation_depth_max.
func (t Terms) Append(dst []byte) []byte {
	dst = codec.AppendOptionUint(codec.AppendOptionUint(dst, t.ValidFrom), t.ValidUntil)
	dst = codec.AppendUint(dst, t.MaxUses)
	dst = codec.AppendOptionUint(codec.AppendOptionUint(dst, t.MaxAmountPerUse), t.MaxTotalAmount)
	limited := t.MaxCalls != 0 || t.PerBlocks != 0
	if dst = codec.AppendBool(dst, limited); limited {
		dst = codec.AppendUint(codec.AppendUint(dst, t.MaxCalls), t.PerBlocks)
	}
	return codec.AppendU8(codec.AppendBool(codec.AppendBool(dst, t.Delegatable), t.Revocable), t.DelegationDepthMax)
}

// ReadTerms reads what Append wrote; errors stay in r.
func ReadTerms(r *codec.Reader) Terms {
	t := Terms{ValidFrom: r.OptionUint(), ValidUntil: r.OptionUint(), MaxUses: r.Uint(), MaxAmountPerUse: r.OptionUint(), MaxTotalAmount: r.OptionUint()}
	if r.Option() {
		if t.MaxCalls, t.PerBlocks = r.Uint(), r.Uint(); r.Err() == nil && t.MaxCalls == 0 && t.PerBlocks == 0 {
			r.Fail(ErrTerms, 0) // the other encoding of no limit
		}
	}
	t.Delegatable, t.Revocable, t.DelegationDepthMax = r.Bool(), r.Bool(), r.U8()
	return t
}

// Counters are what was used of terms.
//
// Spec: CIP-2 §7.1; entitlement-extras §5 (the window's start and count).
type Counters struct {
	Used        uint64      // uses
	Total       uint64      // amounts
	WindowStart unit.Height // of the rate limit
	WindowCalls uint64
}

// exhausted reports whether all uses are used.
func (c *Counters) exhausted(t *Terms) bool { return t.MaxUses != 0 && c.Used >= t.MaxUses }

// allows reports whether one more use of an amount is within the terms at a height at which they hold.
func (c *Counters) allows(t *Terms, amount unit.Uint128, now unit.Height) bool {
	total, tooMuch := amount.Add(unit.Wide(c.Total))
	switch {
	case c.exhausted(t),
		t.MaxAmountPerUse != nil && amount.Cmp(unit.Wide(*t.MaxAmountPerUse)) > 0,
		t.MaxTotalAmount != nil && (tooMuch != nil || total.Cmp(unit.Wide(*t.MaxTotalAmount)) > 0),
		t.PerBlocks != 0 && c.inWindow(t, now) && c.WindowCalls >= t.MaxCalls:
		return false
	}
	return true
}

// inWindow reports whether a height lies in the window that was begun.
func (c *Counters) inWindow(t *Terms, now unit.Height) bool {
	return c.WindowCalls > 0 && uint64(now-c.WindowStart) < t.PerBlocks
}

// count counts a use that allows has allowed. Amounts that no bound limits add up to 2^64-1 at most.
func (c *Counters) count(t *Terms, amount unit.Uint128, now unit.Height) {
	total, tooMuch := amount.Add(unit.Wide(c.Total))
	if tooMuch != nil || total.Hi > 0 {
		total = unit.Wide(math.MaxUint64)
	}
	c.Used, c.Total = c.Used+1, total.Lo
	if t.PerBlocks == 0 {
		return
	}
	if !c.inWindow(t, now) {
		c.WindowStart, c.WindowCalls = now, 0
	}
	c.WindowCalls++
}

// append appends UInt used, UInt total, UInt window start, UInt window calls.
func (c *Counters) append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendUint(dst, c.Used), c.Total)
	return codec.AppendUint(codec.AppendUint(dst, uint64(c.WindowStart)), c.WindowCalls)
}

func readCounters(r *codec.Reader) Counters {
	return Counters{r.Uint(), r.Uint(), unit.Height(r.Uint()), r.Uint()}
}
