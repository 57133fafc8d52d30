package volume

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Relays drain by themselves, by their owners and by votes, and lose the bond of 100 CBY and a CBY for each GiB where they still hold something a week later.
//
// Spec: storage-cbfs §3.2 (85, 86), §4 (relay).
func TestDraining(t *testing.T) {
	for name, c := range map[string]struct {
		act    func(w *world, n int)
		until  unit.Height
		status relay.Status
		cause  relay.Cause
		stake  unit.Amount
	}{
		"well":     {func(*world, int) {}, 3_100, relay.Active, relay.NoCause, 5_000 * cby},
		"wish":     {func(w *world, n int) { w.must(w.g.Drain(holder(n))) }, 11, relay.Draining, relay.Wish, 5_000 * cby},
		"too long": {func(w *world, n int) { w.must(w.g.Drain(holder(n))) }, 1_011, relay.Draining, relay.Wish, 4_899 * cby},
		"a vote":   {func(w *world, n int) { w.must(w.g.DrainNode(profile(n).Node)) }, 11, relay.Draining, relay.Voted, 5_000 * cby},
		"full": {func(w *world, n int) {
			p := profile(n)
			p.Capacity = 10*mebi*10/9 + 1
			w.must(w.register(n, p, 0))
		}, 3_100, relay.Active, relay.NoCause, 5_000 * cby},
		"too full": {func(w *world, n int) {
			p := profile(n)
			p.Capacity = 10 * mebi * 10 / 9
			w.must(w.register(n, p, 0))
		}, 2_011, relay.Draining, relay.HighWater, 5_000 * cby},
		"silent":          {func(w *world, _ int) { w.g.Terms.Policy.StaleMs = 500_000 }, 1_011, relay.Stale, relay.NoBeats, 5_000 * cby},
		"silent for long": {func(w *world, _ int) { w.g.Terms.Policy.StaleMs = 500_000 }, 2_011, relay.Draining, relay.NoBeats, 5_000 * cby},
		"silent, no policy": {func(w *world, _ int) {
			w.g.Terms.Policy.StaleMs, w.g.Terms.Policy.Enabled = 500_000, false
		}, 3_011, relay.Stale, relay.NoBeats, 5_000 * cby},
		"poor": {func(w *world, _ int) { w.g.Terms.Policy.MinStake = 5_000*cby + 1 }, 1_011, relay.Draining, relay.LowStake, 5_000 * cby},
	} {
		t.Run(name, func(t *testing.T) {
			w, _, _ := stocked(t)
			w.g.Terms.Policy.OverEpochs, w.g.Terms.Policy.StaleEpochs, w.g.Terms.Policy.WindowMs = 2, 2, 900_000
			c.act(w, 0)
			w.end(c.until)
			r := w.relay(0)
			if r.Status != c.status || r.Cause != c.cause || r.Stake != c.stake {
				t.Errorf("%v %v stake %d", r.Status, r.Cause, r.Stake)
			}
		})
	}
}

// A relay's way out, and who may not go it.
//
// Spec: storage-cbfs §2.6, §4, §6, §8.
func TestRelaysComeAndGo(t *testing.T) {
	w, id, _ := stocked(t)
	w.try(relay.ErrStake, func() error { return w.register(7, profile(7), 5_000*cby-1) })
	w.try(relay.ErrProfile, func() error { return w.register(7, profile(0), 5_000*cby) })
	for name, change := range map[string]func(p *relay.Profile){
		"no node": func(p *relay.Profile) { p.Node = digest.Hash{} }, "no key": func(p *relay.Profile) { p.Key = digest.Hash{} },
		"no room": func(p *relay.Profile) { p.Capacity = 0 }, "no endpoint": func(p *relay.Profile) { p.Endpoint = "" },
		"a long endpoint": func(p *relay.Profile) { p.Endpoint = string(make([]byte, relay.MaxEndpointBytes+1)) },
	} {
		t.Run(name, func(t *testing.T) {
			p := profile(7)
			change(&p)
			w.try(relay.ErrProfile, func() error { return w.register(7, p, 5_000*cby) })
		})
	}
	w.must(w.register(7, profile(7), 5_000*cby))
	w.try(relay.ErrUnknown, func() error { return w.g.Heartbeat(holder(8)) })
	w.must(w.g.Heartbeat(holder(7)))
	w.try(relay.ErrSlots, func() error { return w.g.Unstake(holder(0)) })
	w.try(relay.ErrCapacity, func() error { p := profile(0); p.Capacity = 10*mebi - 1; return w.register(0, p, 0) })
	w.must(w.g.Drain(holder(0)))
	w.try(relay.ErrStatus, func() error { return w.g.Drain(holder(0)) })
	slot := uint8(0)
	for who, _ := w.holderOf(id, slot); who != holder(0); who, _ = w.holderOf(id, slot) {
		slot++
	}
	w.must(w.m.Repair(holder(0), id, slot, 1)) // it may hand its own slot on
	w.must(w.g.Unstake(holder(0)))
	w.try(relay.ErrStatus, func() error { return w.register(0, profile(0), 0) })
	w.at(w.relay(0).Unlock)
	w.must(w.g.Withdraw(holder(0)))
	w.try(relay.ErrUnknown, func() error { return w.g.Withdraw(holder(0)) })
	w.join(0) // and back
	w.sums()
}
