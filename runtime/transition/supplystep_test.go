package transition

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// TestCheckSupplyStep notices coin that appears or vanishes in any of the places that hold it, and nothing else. That honest blocks of every
// kind pass is proved by the other tests of the package, whose blocks are all checked.
//
// Spec: WP §8.
func TestCheckSupplyStep(t *testing.T) {
	c := newChain(t, nil)
	before := c.tip.State
	set := func(o *state.Overlay, to account.Address, balance unit.Amount) {
		a := account.Account{Balance: balance}
		o.Set(to.Key(), a.Encode())
	}
	pool := mailbox.Pool{Origin: [32]byte{1}, Left: fee.Use{Cycles: 7}, Bid: fee.Bid{Max: fee.Rates{Cycle: 3, Cell: 1}}}
	record := func(o *state.Overlay, change func(*fee.Supply)) {
		s, err := fee.LoadSupply(o)
		if err != nil {
			t.Fatal(err)
		}
		change(&s)
		s.Save(o)
	}
	for _, x := range []struct {
		name  string
		write func(o *state.Overlay)
		ok    bool
	}{
		{"nothing", func(*state.Overlay) {}, true},
		{"storage", func(o *state.Overlay) { o.Set(account.Key(account.KindStorage, account.Address{5}), []byte{1}) }, true},
		{"an empty account", func(o *state.Overlay) { set(o, account.Address{9}, 0) }, true},
		{"coin from nowhere", func(o *state.Overlay) { set(o, account.Address{9}, 21) }, false},
		{"minted coin", func(o *state.Overlay) {
			set(o, account.Address{9}, 21)
			record(o, func(s *fee.Supply) { s.Minted += 21 })
		}, true},
		{"burned on paper only", func(o *state.Overlay) { record(o, func(s *fee.Supply) { s.Burned += 21 }) }, false},
		{"a pool from nowhere", func(o *state.Overlay) { pool.Save(o) }, false},
		{"coins sent", func(o *state.Overlay) {
			if _, err := mailbox.Enqueue(o, limitsOf(params.Genesis()), 1, mailbox.Message{Sender: actorAt(1), Target: actorAt(2), Value: 21}); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"a message's coins from nowhere", func(o *state.Overlay) {
			m := mailbox.Message{Sender: actorAt(1), Target: actorAt(2), Value: 21}
			o.Set(append(account.Key(account.KindMailbox, actorAt(2)), 0, 0, 0, 0, 0, 0, 0, 9), m.Encode())
		}, false},
		{"a pool of minted coin", func(o *state.Overlay) {
			pool.Save(o)
			record(o, func(s *fee.Supply) { s.Minted += 21 })
		}, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			o := before.Overlay()
			x.write(o)
			after, err := o.Commit(1)
			if err != nil {
				t.Fatal(err)
			}
			var wrong *SupplyError
			if err := CheckSupplyStep(before, after); (err == nil) != x.ok || err != nil && !errors.As(err, &wrong) {
				t.Errorf("%s: %v", x.name, err)
			}
		})
	}
	o := before.Overlay()
	set(o, account.Address{9}, 21)
	record(o, func(s *fee.Supply) { s.Minted += 21 })
	held, err := o.Commit(1)
	if err != nil {
		t.Fatal(err)
	}
	o = held.Overlay()
	o.Delete(account.Address{9}.Key())
	gone, err := o.Commit(2)
	if err != nil {
		t.Fatal(err)
	}
	if CheckSupplyStep(held, gone) == nil {
		t.Error("a deleted account's coin was not missed")
	}
	if CheckSupplyStep(before, before.Settled(nil)) == nil {
		t.Error("a state without its delta passed")
	}
}

// TestKnownIsKept gives the next block what this one read, unless this one wrote it. Spec: WP §13.1; governance-staking A3.
func TestKnownIsKept(t *testing.T) {
	c := newValidators(t, 2)
	c.to(2) // the first block of an epoch writes its record
	first := c.tip.Known
	if c.empty(); first.Params == nil || first.Proposer == nil || c.tip.Known != first {
		t.Error("what an idle block knows is read again")
	}
	limits := params.Genesis().Limits.Append(nil)
	validator := account.KeyString(account.KindRecord, account.System(account.Governance), "stake:validator:"+string(make([]byte, account.AddressSize)))
	for _, x := range []struct {
		name             string
		key              []byte
		params, proposer bool
	}{
		{"a parameter", params.StateKey(params.KeyLimits), false, true},
		{"a validator", validator, true, false},
		{"a set", stake.SetKey(0), true, false},
		{"an epoch", stake.EpochKey(0), true, false},
		{"a set's name in storage", account.KeyString(account.KindStorage, account.System(account.Governance), "stake:set:"), true, true},
		{"another record of 0x09", account.KeyString(account.KindRecord, account.System(account.Governance), "stake:other"), true, true},
		{"a validator's name elsewhere", account.KeyString(account.KindRecord, account.Address{7}, "stake:validator:"), true, true},
		{"other storage of 0x09", params.StateKey("system:other"), true, true},
		{"storage of an actor", account.KeyString(account.KindStorage, account.Address{7}, params.KeyLimits), true, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			s, err := Begin(c.tip, Job{Mode: Build, Header: c.header()})
			if err != nil {
				t.Fatal(err)
			}
			s.overlay.Set(x.key, limits)
			if k := s.kept(); (k.Params != nil) != x.params || (k.Proposer != nil) != x.proposer {
				t.Errorf("%s: kept %+v", x.name, k)
			}
		})
	}
}
