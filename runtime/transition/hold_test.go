package transition

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// manifested gives an actor a manifest.
func (c *chain) manifested(actor account.Address, text string) {
	m, err := entitle.Parse([]byte(text))
	if err != nil {
		c.t.Fatal(err)
	}
	c.edit(func(s state.Store) { s.Set(account.Key(account.KindActorMeta, actor), m.Encode()) }, c.tip.Header.Height+2)
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
	for i, x := range []struct {
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
		t.Run(fmt.Sprint(i), func(t *testing.T) {
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
			sent := tx.ValueOf(x.send)
			if x.want != 0 {
				sent = 0
			}
			if got := before - c.account(person(1)).Balance; got != r.FeeBurned+r.FeeTipped+sent {
				t.Errorf("%s, %T %+v: the sender paid %d", x.manifest, x.send, x.send, got)
			}
		})
	}
}

// An account is opened where there is none, with coins or without; elsewhere the instruction fails and moves nothing.
//
// Spec: runner-marketplace §3 (CreateAccount, 0); WP §2.1, §17.2, §17.4.
func TestCreateAccount(t *testing.T) {
	for i, x := range []struct {
		at     account.Address
		amount unit.Amount
		want   uint16
	}{
		{person(200), 7, 0}, {person(200), 0, 0}, {person(2), 7, drain.FaultExists}, {actorAt(1), 7, drain.FaultExists},
		{person(1), 7, drain.FaultExists}, {account.Address{}, 7, drain.FaultForbidden}, {account.System(0x30), 7, drain.FaultForbidden},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			c := newChain(t, nil)
			before, had := c.account(person(1)).Balance, c.account(x.at).Balance
			r := c.mine(c.sign(person(1), &tx.CreateAccount{Address: x.at, Amount: x.amount})).Receipts[0]
			if r.Fault.Code != x.want || r.CyclesUsed != 21_000 || r.CellsUsed != 64 {
				t.Errorf("%v: %d %s, %d/%d", x.at, r.Fault.Code, r.Fault.Text, r.CyclesUsed, r.CellsUsed)
			}
			sent := x.amount
			if x.want != 0 {
				sent = 0
			}
			if got := before - c.account(person(1)).Balance; got != r.FeeBurned+r.FeeTipped+sent {
				t.Errorf("%v: the sender paid %d", x.at, got)
			}
			if x.at != person(1) && c.account(x.at).Balance != had+sent {
				t.Errorf("%v has %d", x.at, c.account(x.at).Balance)
			}
			if x.want != 0 {
				return
			}
			again := c.mine(c.sign(person(2), &tx.CreateAccount{Address: x.at, Amount: 1})).Receipts[0]
			if again.Fault.Code != drain.FaultExists {
				t.Errorf("%v with %d: opened twice", x.at, x.amount)
			}
		})
	}
}
