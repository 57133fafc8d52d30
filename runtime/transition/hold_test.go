package transition

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/entitlement"
)

// manifested gives an actor a manifest.
func (c *chain) manifested(actor account.Address, text string) {
	m, err := entitlement.Parse([]byte(text))
	if err != nil {
		c.t.Fatal(err)
	}
	c.edit(func(s timer.Store) { s.Set(account.Key(account.KindActorMeta, actor), m.Encode()) }, c.tip.Header.Height+2)
}

// Coins that transactions bring: an actor whose manifest lacks econ.hold_balance may pass on what came with a call, to the last unit, and keep none
// of it; a transfer and a funding, which give it no turn, fail. With the entitlement, or without a manifest, it keeps them.
//
// Spec: ENT §9.7 (econ.hold_balance).
func TestCoinsOfTransactionsAreHeldToManifest(t *testing.T) {
	pass := func(keep unit.Amount) handler {
		return func(c *call) *block.Fault { // on with what came, but keep
			a := c.accountOf(c.turn.Target)
			c.pay(actorAt(9), a.Balance-1_000*unit.CBY-keep)
			return nil
		}
	}
	script := script{"keep": wake, "pass": pass(0), "but one": pass(1), "more": func(c *call) *block.Fault {
		c.pay(actorAt(9), c.accountOf(c.turn.Target).Balance)
		return nil
	}}
	for _, x := range []struct {
		manifest string // "" for none
		send     tx.Instruction
		want     uint16
		keeps    unit.Amount
	}{
		{"[]", &tx.Transfer{To: actorAt(1), Amount: 1}, drain.FaultEntitlement, 0},
		{"[]", &tx.Transfer{To: actorAt(1), Amount: 0}, 0, 0},
		{"[]", &tx.FundActor{Actor: actorAt(1), Amount: 1}, drain.FaultEntitlement, 0},
		{"[]", &tx.Execute{To: actorAt(1), Handler: []byte("keep"), Amount: 5}, drain.FaultEntitlement, 0},
		{"[]", &tx.Execute{To: actorAt(1), Handler: []byte("but one"), Amount: 5}, drain.FaultEntitlement, 0},
		{"[]", &tx.Execute{To: actorAt(1), Handler: []byte("pass"), Amount: 5}, 0, 0},
		{"[]", &tx.Execute{To: actorAt(1), Handler: []byte("keep")}, 0, 0},
		{`[{"id":"econ.hold_balance"}]`, &tx.Transfer{To: actorAt(1), Amount: 1}, 0, 1},
		{`[{"id":"econ.hold_balance"}]`, &tx.FundActor{Actor: actorAt(1), Amount: 1}, 0, 1},
		{`[{"id":"econ.hold_balance"}]`, &tx.Execute{To: actorAt(1), Handler: []byte("keep"), Amount: 5}, 0, 5},
		{"", &tx.Transfer{To: actorAt(1), Amount: 1}, 0, 1},
		{"", &tx.FundActor{Actor: actorAt(1), Amount: 1}, 0, 1},
		{"", &tx.Execute{To: actorAt(1), Handler: []byte("keep"), Amount: 5}, 0, 5},
	} {
		c := newChain(t, script)
		if x.manifest != "" {
			c.manifested(actorAt(1), x.manifest)
		}
		before := c.account(person(1)).Balance
		r := c.mine(c.sign(person(1), x.send)).Receipts[0]
		if r.Fault.Code != x.want {
			t.Errorf("%s, %T %+v: %d %s", x.manifest, x.send, x.send, r.Fault.Code, r.Fault.Text)
		}
		if got := c.account(actorAt(1)).Balance; got != 1_000*unit.CBY+x.keeps {
			t.Errorf("%s, %T %+v: the actor has %d more", x.manifest, x.send, x.send, got-1_000*unit.CBY)
		}
		sent := x.send.Value()
		if x.want != 0 {
			sent = 0
		}
		if got := before - c.account(person(1)).Balance; got != r.FeeBurned+r.FeeTipped+sent {
			t.Errorf("%s, %T %+v: the sender paid %d", x.manifest, x.send, x.send, got)
		}
	}
}
