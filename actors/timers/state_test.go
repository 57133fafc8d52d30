package timers

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// chain is a bare state with actors that hold timers.
type chain struct {
	t      testing.TB
	source *state.Memory
	commit *state.Commit
	height unit.Height
	nonce  uint64
	ids    []timer.ID
}

var config = params.Genesis().Timer

func owner(n byte) account.Address { return account.Address{0: 0xcc, 19: n} }

func newChain(t testing.TB, at unit.Height) *chain {
	c := &chain{t: t, source: state.NewMemory(state.Config{})}
	c.commit = state.New(state.Config{}, c.source)
	c.add()
	c.height = at - 1
	c.block(func(o *state.Overlay) {
		for n := range byte(20) {
			a := account.Account{Kind: account.Actor, Balance: 1 << 60, CodeHash: digest.Hash{1}}
			o.Set(owner(n).Key(), a.Encode())
		}
	})
	return c
}

func (c *chain) add() {
	if err := c.source.Add(c.commit.Delta()); err != nil {
		c.t.Fatal(err)
	}
}

func (c *chain) block(change func(*state.Overlay)) {
	c.height++
	o := c.commit.Overlay()
	change(o)
	next, err := o.Commit(c.height)
	if err != nil {
		c.t.Fatal(err)
	}
	c.commit = next
	c.add()
}

func (c *chain) schedule(o *state.Overlay, who byte, at unit.Height, every uint64) {
	c.nonce++
	id, err := timer.Schedule(o, config, timer.Request{
		Owner: owner(who), Target: owner(who), Now: c.height, Height: at, Handler: "tick", Nonce: c.nonce, Every: every,
	})
	if err == nil {
		c.ids = append(c.ids, id)
	}
}

// fire takes due timers as a block does, but leaves some behind as a full lane would.
func (c *chain) fire(o *state.Overlay, limit int) {
	list, err := timer.Due(o, c.height, nil, limit)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, e := range list {
		t, ok, err := timer.Load(o, e.ID)
		if err == nil && ok {
			err = timer.Take(o, c.height, &t)
		}
		if err != nil {
			c.t.Fatal(err)
		}
	}
}

// scan is the plain oracle: every pending timer by height, in order.
func (c *chain) scan() map[unit.Height][]timer.Entry {
	all := map[unit.Height][]timer.Entry{}
	err := c.commit.Scan(timer.IndexPrefix(), nil, 0, func(key, value []byte) bool {
		e, ok := timer.ParseEntry(key, value)
		if !ok {
			c.t.Fatal("malformed entry")
		}
		all[e.Height] = append(all[e.Height], e)
		return true
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return all
}

// compare holds the three tiers against the scan.
func (c *chain) compare(tiers []*index) {
	c.t.Helper()
	want := c.scan()
	total := 0
	for h, list := range want {
		total += len(list)
		for _, x := range tiers {
			if from, to := x.tier.span(c.height); h < from || h >= to {
				continue
			}
			if x.tier == Ring && !slices.Equal(x.entries[h], list) {
				c.t.Fatalf("height %d: ring at %d holds %v, scan %v", c.height, h, x.entries[h], list)
			}
			if x.tier == Epoch && x.counts[uint64(h)] != len(list) {
				c.t.Fatalf("height %d: queue counts %d at %d, scan %d", c.height, x.counts[uint64(h)], h, len(list))
			}
		}
	}
	for _, x := range tiers {
		total -= x.total
		fresh, err := load(x.tier, c.commit, c.height)
		if err != nil {
			c.t.Fatal(err)
		}
		if fmt.Sprint(fresh.counts) != fmt.Sprint(x.counts) || fresh.total != x.total || len(fresh.entries) != len(x.entries) {
			c.t.Fatalf("height %d: %v holds %d, a fresh one %d\n%v\n%v", c.height, x.tier, x.total, fresh.total, x.counts, fresh.counts)
		}
	}
	if total != 0 {
		c.t.Fatalf("height %d: the tiers miss %d timers", c.height, total)
	}
}

// The tiers hold exactly what a plain scan of the state finds, block after block, across epochs, over schedules, cancellations, fires,
// intervals and carry-over.
//
// Spec: WP §5.1a; scheduler-timers §3, §6.
func TestTiersAgreeWithAScan(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := newChain(t, params.EpochBlocks-unit.Height(20))
		var tiers []*index
		for tier := range TierCount {
			x, err := load(tier, c.commit, c.height)
			if err != nil {
				t.Fatal(err)
			}
			tiers = append(tiers, x)
		}
		ranges := []uint64{3, 300, 4_000, 9_000, 40_000}
		for range 120 {
			c.block(func(o *state.Overlay) {
				for range r.IntN(12) {
					every := uint64(0)
					if r.IntN(4) == 0 {
						every = 1 + r.Uint64N(400)
					}
					c.schedule(o, byte(r.IntN(20)), c.height+1+unit.Height(r.Uint64N(ranges[r.IntN(len(ranges))])), every)
				}
				for range r.IntN(4) {
					if len(c.ids) > 0 {
						if _, err := timer.Cancel(o, nil, c.ids[r.IntN(len(c.ids))]); err != nil {
							t.Fatal(err)
						}
					}
				}
				c.fire(o, 1+r.IntN(6))
			})
			for _, x := range tiers {
				if err := x.apply(c.commit, c.height); err != nil {
					t.Fatal(err)
				}
			}
			c.compare(tiers)
		}
	}
}

// A block the tier has seen changes nothing; after a gap it reads its range again.
func TestApplyTwiceAndAfterAGap(t *testing.T) {
	c := newChain(t, 10)
	x, err := load(Ring, c.commit, c.height)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		c.block(func(o *state.Overlay) { c.schedule(o, 1, c.height+5, 0) })
	}
	for range 2 {
		if err := x.apply(c.commit, c.height); err != nil {
			t.Fatal(err)
		}
	}
	c.compare([]*index{x, {tier: Epoch, counts: map[uint64]int{}}, {tier: Far, counts: map[uint64]int{}}})
}

// The spans of a tip cover every height once.
func TestSpansMeet(t *testing.T) {
	for _, tip := range []unit.Height{0, 1, 3_340, 3_343, 3_344, 3_599, 3_600, 7_199, 1 << 40} {
		r0, r1 := Ring.span(tip)
		e0, e1 := Epoch.span(tip)
		f0, f1 := Far.span(tip)
		if r0 != 0 || r1 != e0 || e1 != f0 || f1 != ^unit.Height(0) || e0 > e1 || uint64(e1)%params.EpochBlocks != 0 && e0 != e1 {
			t.Errorf("tip %d: [%d,%d) [%d,%d) [%d,%d)", tip, r0, r1, e0, e1, f0, f1)
		}
	}
}

// What a block costs the tiers, with so many timers pending elsewhere and 16 due in it.
func BenchmarkBlock(b *testing.B) {
	for _, pending := range []int{10, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("pending=%d", pending), func(b *testing.B) {
			c := newChain(b, 10)
			c.block(func(o *state.Overlay) {
				for i := range pending {
					e := timer.IndexKey(unit.Height(50_000+i), uint64(1_000_000+i))
					o.Set(e, make([]byte, entryValueSize))
				}
			})
			var tiers []*index
			for tier := range TierCount {
				x, _ := load(tier, c.commit, c.height)
				tiers = append(tiers, x)
			}
			b.ResetTimer()
			for range b.N {
				b.StopTimer()
				c.block(func(o *state.Overlay) {
					for n := range byte(16) {
						c.schedule(o, n, c.height+1, 0)
					}
					c.fire(o, 16)
				})
				b.StartTimer()
				for _, x := range tiers {
					if err := x.apply(c.commit, c.height); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
