package runner

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Each rate at both ends of its band and beyond them, for whoever registers, declares itself anew or changes its card: it is flagged and takes jobs as before.
// At genesis no rate is outside.
//
// Spec: WP-January "Anti-Gaming Measures"; runner-marketplace §2.5.
func TestRatesOutsideTheirBandsAreFlagged(t *testing.T) {
	bands := Bands{}
	for i := range bands {
		bands[i] = Band{10, 20}
	}
	fill := func(rate unit.Amount) RateCard {
		return RateCard{LLMInputToken: rate, LLMOutputToken: rate, HTTPRequestBase: rate, MCPCallBase: rate, ComputeSecond: rate, MemoryMB: rate}
	}
	one := func(change func(c *RateCard)) RateCard {
		c := fill(15)
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		card RateCard
		want uint64
	}{
		"least": {fill(10), 0}, "less": {fill(9), 63}, "most": {fill(20), 0}, "more": {fill(21), 63},
		"input": {one(func(c *RateCard) { c.LLMInputToken = 21 }), 1}, "output": {one(func(c *RateCard) { c.LLMOutputToken = 9 }), 2},
		"request": {one(func(c *RateCard) { c.HTTPRequestBase = 21 }), 4}, "call": {one(func(c *RateCard) { c.MCPCallBase = 9 }), 8},
		"second": {one(func(c *RateCard) { c.ComputeSecond = 21 }), 16}, "megabyte": {one(func(c *RateCard) { c.MemoryMB = 9 }), 32},
	} {
		t.Run(name, func(t *testing.T) {
			for _, set := range []bool{false, true} {
				w := newWorld(t)
				want := uint64(0)
				if set {
					w.overlay.Set(params.StateKey(KeyBands), bands.Encode())
					want = c.want
				}
				terms := plain(1, 20_000*unit.CBY, 0)
				terms.Card = c.card
				flagged := func() (last string) {
					for _, e := range w.events {
						var topic, data string
						if n, _ := fmt.Sscanf(e, "%s %s", &topic, &data); n == 2 && topic == TopicFlagged {
							last = data
						}
					}
					w.events = nil
					return last
				}
				told := ""
				if want > 0 {
					told = fmt.Sprintf("%02x", want)
				}
				for step, do := range []func() error{
					func() error { return w.register(1, terms) },
					func() error { terms.Stake = 0; return w.register(1, terms) },
					func() error { w.Height += 3_600; return w.UpdateCard(keyOf(1).Address(), c.card) },
				} {
					w.must(do())
					if got := flagged(); got != told {
						t.Errorf("step %d: flagged %q, want %q", step, got, told)
					}
				}
				if got := w.runner(1).Health(w.Height - 3_600); got != Healthy {
					t.Errorf("it is %v", got)
				}
			}
		})
	}
	if CheckBands(bands.Encode()) != nil || CheckBands(append(bands.Encode(), 0)) == nil || CheckBands(nil) == nil {
		t.Error("what is no value is taken")
	}
	bands[3].Least = 21
	if CheckBands(bands.Encode()) == nil {
		t.Error("a band without a rate is taken")
	}
}
