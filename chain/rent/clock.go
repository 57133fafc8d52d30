package rent

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// epochsBehind bounds how many epochs the sweep may be behind: the next one waits for it. With the parameters of genesis a sweep has 86,400 blocks for what
// it does in a few thousand.
const epochsBehind = 16

// Clock is the rent epoch that a block is in, and how far the sweep has come.
type Clock struct {
	Epoch uint64      // 0 before the first
	Began unit.Height // its first block; 0: no block has ended yet
	Swept uint64      // for all epochs up to this one everybody has been billed
	Terms []Terms     // of the epochs after Swept, up to Epoch

	Sweep  uint64          // the epoch the sweep under way bills; Swept: none is
	Cursor account.Address // the last actor it has billed; the zero address: none
	Bytes  uint64          // the size of the actors it has met
	State  uint64          // and of all, as the sweep before found them
	Rate   unit.Amount     // of the epoch Epoch
	Floor  unit.Amount     // the governed rate that Rate was made from
}

// At is the clock of a state; that of a state without one has not begun: nobody is billed.
func At(r state.Reader) (*Clock, error) {
	data, ok, err := r.Lookup(clockKey())
	if err != nil || !ok {
		return &Clock{}, err
	}
	return decodeClock(data)
}

// Start starts a clock that has not begun, and reports whether it did.
func (c *Clock) Start(p *params.Params, now unit.Height) bool {
	if c.Began > 0 {
		return false
	}
	c.Began = now
	c.Rate, c.Floor = p.Rent.RatePerByteYear, p.Rent.RatePerByteYear
	return true
}

// Now are the terms of the epoch.
func (c *Clock) Now(p *params.Params) Terms {
	if n := len(c.Terms); n > 0 {
		return c.Terms[n-1]
	}
	t := TermsOf(p)
	if c.Rate > t.Rate {
		t.Rate = c.Rate
	}
	return t
}

// Until is the first block that is not in the epoch, unless the sweep is far behind.
func (c *Clock) Until(p *params.Params) unit.Height { return c.Began + unit.Height(p.Rent.EpochBlocks) }

// Advance begins the next epoch if the next block is in it, and reports whether it did.
//
// Spec: WP "State Rent"; rent §2, §4, §6.
func (c *Clock) Advance(p *params.Params, now unit.Height) bool {
	if c.Began == 0 || now+1 < c.Until(p) || len(c.Terms) >= epochsBehind {
		return false
	}
	c.Epoch++
	c.Began = now + 1
	c.Rate = nextRate(c.Rate, c.Floor, &p.Rent, c.State)
	c.Floor = p.Rent.RatePerByteYear
	t := TermsOf(p)
	t.Rate = c.Rate
	c.Terms = append(c.Terms, t)
	return true
}

// nextRate is the rate of the epoch that begins: it moves by at most an eighth towards what the size of the state asks for, and never below the governed one,
// from which it starts anew when governance changes it.
//
// Spec: WP "State Rent"; rent §4; WP-January "Market-Based Rent Pricing".
func nextRate(rate, floor unit.Amount, c *params.RentConfig, size uint64) unit.Amount {
	target := c.TargetStateBytes
	if target == 0 || floor != c.RatePerByteYear {
		return c.RatePerByteYear
	}
	// (1 + clamp((S−T)/(8T), −1/8, 1/8)) is (7T + clamp(S, 0, 2T)) / 8T.
	parts := 7*target + min(size, 2*target)
	next, err := rate.MulDiv(parts, params.RentAlpha*target)
	if err != nil {
		next = rate
	}
	return max(next, c.RatePerByteYear)
}

// Billing begins the sweep of the newest epoch if there is one that was not swept, and gives the epoch of the sweep under way; ok is false where there is
// nothing to sweep.
func (c *Clock) Billing() (epoch uint64, ok bool) {
	if c.Sweep == c.Swept && c.Epoch > c.Swept {
		c.Sweep, c.Cursor, c.Bytes = c.Epoch, account.Address{}, 0
	}
	return c.Sweep, c.Sweep > c.Swept
}

// Met counts an actor the sweep has billed.
func (c *Clock) Met(addr account.Address, a *account.Account) {
	c.Cursor = addr
	c.Bytes += Size(a)
}

// Done ends the sweep: everybody has been billed for all epochs up to its own.
func (c *Clock) Done() {
	c.Terms = c.Terms[c.Sweep-c.Swept:]
	c.Swept, c.State = c.Sweep, c.Bytes
	c.Cursor, c.Bytes = account.Address{}, 0
}

// Save writes the clock.
func (c *Clock) Save(s state.Store) {
	dst := codec.AppendUint(codec.AppendUint(codec.AppendUint(nil, c.Epoch), uint64(c.Began)), c.Swept)
	dst = codec.AppendLen(dst, len(c.Terms))
	for i := range c.Terms {
		dst = c.Terms[i].append(dst)
	}
	dst = codec.AppendFixed(codec.AppendUint(dst, c.Sweep), c.Cursor[:])
	dst = codec.AppendUint(codec.AppendUint(dst, c.Bytes), c.State)
	s.Set(clockKey(), codec.AppendUint(codec.AppendUint(dst, uint64(c.Rate)), uint64(c.Floor)))
}

func decodeClock(data []byte) (*Clock, error) {
	r := codec.NewReader(data)
	c := &Clock{Epoch: r.Uint(), Began: unit.Height(r.Uint()), Swept: r.Uint()}
	for range r.Len(0, epochsBehind, 5) {
		c.Terms = append(c.Terms, readTerms(r))
	}
	c.Sweep = r.Uint()
	r.Into(c.Cursor[:])
	c.Bytes, c.State, c.Rate, c.Floor = r.Uint(), r.Uint(), unit.Amount(r.Uint()), unit.Amount(r.Uint())
	if r.Err() == nil && (c.Swept > c.Epoch || uint64(len(c.Terms)) != c.Epoch-c.Swept || c.Sweep < c.Swept || c.Sweep > c.Epoch) {
		r.Fail(codec.ErrInvalid, 0)
	}
	return c, r.Finish()
}
