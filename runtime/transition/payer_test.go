package transition

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// paidBy names a payer.
func paidBy(payer account.Address) func(*tx.Tx) {
	return func(t *tx.Tx) { t.Metadata = tx.PayerMetadata(payer) }
}

// most is what the transactions of sign reserve: 1,000,000 cycles and 100,000 cells at 20,000 each.
const most = (1_000_000 + 100_000) * 20_000

// allow has a person let another use its balance, and gives the record's identity and what the person paid for that.
func (c *chain) allow(owner, to account.Address, t grant.Terms) (digest.Hash, unit.Amount) {
	c.t.Helper()
	s, before := grant.ActorScope(owner), c.account(owner).Balance
	r := c.mine(c.sign(owner, &tx.EntitlementGrant{Grantee: to, Scope: s, Action: tx.PayerAction(), Constraints: t}))
	r.wantReceipt(c.t, 0, block.Transaction, block.Success, 0)
	return (&grant.Record{Grantee: to, Scope: s, Action: tx.PayerAction()}).ID(), before - c.account(owner).Balance
}

func (c *chain) counted(id digest.Hash) grant.Counters {
	c.t.Helper()
	r, err := grant.Load(c.tip.State, id)
	if err != nil || r == nil {
		c.t.Fatal(r, err)
	}
	return r.Counters
}

// The sender pays what it moves, the payer the fee, to the base unit; the record counts the fee and no reserve. Naming a payer costs 3,000 cycles and a cell
// for each of the 37 bytes: (21,000 + 3,000) · 10,000 + 37 · 10,000 base units for a transfer.
//
// Spec: entitlement-extras §5 (UseOwnerBalance); WP §2.3, §17.2, §17.4.
func TestPayer(t *testing.T) {
	const transferFee = 240_370_000
	c := newChain(t, script{
		"work": func(x *call) *block.Fault { x.use(5_000, 7); return nil },
		"fail": func(x *call) *block.Fault { x.use(900, 0); return &block.Fault{Code: 1100, Text: "no"} },
	})
	owner, key := person(1), person(2)
	id, granting := c.allow(owner, key, grant.Terms{Revocable: true})
	paid, moved, total := granting, unit.Amount(0), uint64(0)
	for i, x := range []struct {
		in    tx.Instruction
		fee   unit.Amount
		moves unit.Amount
		fails bool
	}{
		{&tx.Transfer{To: person(3), Amount: 5}, transferFee, 5, false},
		{&tx.Transfer{To: owner, Amount: 7}, transferFee, 7, false}, // to the payer itself
		{&tx.Transfer{To: key, Amount: 9}, transferFee, 0, false},
		{&tx.FundActor{Actor: person(3), Amount: 9}, transferFee, 0, true},
		{&tx.Execute{To: actorAt(1), Handler: []byte("work"), Amount: 11}, 0, 11, false},
		{&tx.Execute{To: actorAt(1), Handler: []byte("fail"), Amount: 11}, 0, 0, true},
	} {
		t.Run(fmt.Sprintf("%d %T", i, x.in), func(t *testing.T) {
			r := c.mine(c.sign(key, x.in, paidBy(owner))).Receipts[0]
			if (r.Status != block.Success) != x.fails || r.Sender != key {
				t.Fatalf("%d: %+v", i, r)
			}
			fee := r.FeeBurned + r.FeeTipped
			if x.fee != 0 && fee != x.fee || fee == 0 {
				t.Errorf("%d: a fee of %d, want %d", i, fee, x.fee)
			}
			paid, moved, total = paid+fee, moved+x.moves, total+uint64(fee)
			if _, got := x.in.(*tx.Transfer); got && i == 1 {
				paid -= x.moves
			}
			if got := c.account(owner).Balance; got != 10_000*unit.CBY-paid {
				t.Errorf("%d: the payer has %d, want %d", i, got, 10_000*unit.CBY-paid)
			}
			if got := c.account(key); got.Balance != 10_000*unit.CBY-moved || got.Nonce != uint64(i+1) {
				t.Errorf("%d: the sender has %d, nonce %d; want %d", i, got.Balance, got.Nonce, 10_000*unit.CBY-moved)
			}
			if got := c.counted(id); got.Used != uint64(i+1) || got.Total != total {
				t.Errorf("%d: counted %+v, want %d", i, got, total)
			}
		})
	}
}

// Limits of the grant one below, at and one above what a transaction reserves, and what a use leaves of them.
//
// Spec: CIP-2 §7.1; entitlement-extras §5 (UseOwnerBalance, --max-total-amount, --max-amount-per-use, RateLimit).
func TestLimitsOfAPayer(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	fee := uint64((21_000+3_000)*10_000 + (37+4)*10_000) // of the Execute below: its handler's name is calldata
	for name, x := range map[string]struct {
		terms grant.Terms
		want  []bool // of the blocks from 2 on
	}{
		"nothing":          {grant.Terms{}, []bool{true, true, true}},
		"per use, below":   {grant.Terms{MaxAmountPerUse: n(most - 1)}, []bool{false}},
		"per use, exactly": {grant.Terms{MaxAmountPerUse: n(most)}, []bool{true, true}},
		"per use, above":   {grant.Terms{MaxAmountPerUse: n(most + 1)}, []bool{true, true}},
		"total of one":     {grant.Terms{MaxTotalAmount: n(most)}, []bool{true, false}},
		"total below two":  {grant.Terms{MaxTotalAmount: n(most + fee - 1)}, []bool{true, false}},
		"total of two":     {grant.Terms{MaxTotalAmount: n(most + fee)}, []bool{true, true, false}},
		"uses":             {grant.Terms{MaxUses: 2}, []bool{true, true, false}},
		"rate":             {grant.Terms{MaxCalls: 1, PerBlocks: 2}, []bool{true, false, true}},
		"ends":             {grant.Terms{ValidUntil: n(3)}, []bool{true, true, false}},
		"begins":           {grant.Terms{ValidFrom: n(3)}, []bool{false, true}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t, script{"work": func(*call) *block.Fault { return nil }})
			owner, key := person(1), person(2)
			c.allow(owner, key, x.terms)
			for i, want := range x.want {
				before := c.account(owner).Balance
				v := c.sign(key, &tx.Execute{To: actorAt(1), Handler: []byte("work")}, paidBy(owner))
				built := c.mine(v)
				switch {
				case want && (len(built.Txs) != 1 || uint64(before-c.account(owner).Balance) > fee):
					t.Errorf("block %d: %v; %d paid", i, built.Refused, before-c.account(owner).Balance)
				case !want && (len(built.Refused) != 1 || !errors.Is(built.Refused[0].Reason, tx.ErrPayer) || before != c.account(owner).Balance):
					t.Errorf("block %d: %v", i, built.Refused)
				}
				if !want {
					c.nonces[key]--
				}
			}
		})
	}
}

// A transaction whose payer has granted nothing, or does not have enough, is left out of a block and makes a block that holds it invalid; one whose metadata
// begins to name a payer and does not is never valid.
//
// Spec: WP §2.2 (b), §2.3; entitlement-extras §5.
func TestRefusedPayers(t *testing.T) {
	owner, key := person(1), person(2)
	for name, x := range map[string]struct {
		payer  account.Address
		before func(c *chain)
	}{
		"no grant":        {owner, func(*chain) {}},
		"another's grant": {owner, func(c *chain) { c.allow(owner, person(3), grant.Terms{}) }},
		"another action": {owner, func(c *chain) {
			c.mine(c.sign(owner, &tx.EntitlementGrant{Grantee: key, Scope: grant.ActorScope(owner), Action: grant.Action{Kind: grant.TokenTransfer}}))
		}},
		"another's scope": {owner, func(c *chain) { c.allow(person(3), key, grant.Terms{}) }},
		"revoked": {owner, func(c *chain) {
			id, _ := c.allow(owner, key, grant.Terms{Revocable: true})
			c.mine(c.sign(owner, &tx.EntitlementRevoke{ID: id}))
		}},
		"nobody": {account.Address{7: 7}, func(*chain) {}},
		"a base unit less": {owner, func(c *chain) {
			c.allow(owner, key, grant.Terms{})
			c.mine(c.sign(owner, &tx.Transfer{To: person(4), Amount: c.account(owner).Balance - 210_000_000 - most + 1}, func(t *tx.Tx) {
				t.CyclesLimit, t.CellsLimit, t.MaxFeePerCycle = 21_000, 0, 10_000
			}))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t, nil)
			x.before(c)
			v := c.sign(key, &tx.Transfer{To: person(5), Amount: 1}, paidBy(x.payer))
			built, err := Apply(c.tip, Job{Mode: Build, Header: c.header(), Txs: []tx.Verified{v}}, c.script)
			if err != nil || len(built.Refused) != 1 || !errors.Is(built.Refused[0].Reason, tx.ErrPayer) {
				t.Fatal(err, built)
			}
			empty, err := Apply(c.tip, Job{Mode: Build, Header: c.header()}, c.script)
			if err != nil || empty.Header.StateRoot != built.Header.StateRoot {
				t.Errorf("a refused transaction leaves something: %v", err)
			}
			h := built.Header
			h.TxRoot, h.TxCount = block.TxRoot([]digest.Hash{v.Hash()}), 1
			var verdict *Invalid
			if _, err := Apply(c.tip, Job{Header: h, Txs: []tx.Verified{v}}, c.script); !errors.As(err, &verdict) || !errors.Is(err, tx.ErrPayer) {
				t.Error(err)
			}
		})
	}
	for name, metadata := range map[string][]byte{
		"nothing": tx.PayerMetadata(owner)[:17], "19 bytes": tx.PayerMetadata(owner)[:36], "the sender": tx.PayerMetadata(key),
		"the zero address": tx.PayerMetadata(account.Address{}), "a system actor": tx.PayerMetadata(account.System(9)),
	} {
		t.Run(name, func(t *testing.T) {
			x := &tx.Tx{ChainID: 1, From: key, Instruction: &tx.Transfer{}, CyclesLimit: 100_000, CellsLimit: 100, Metadata: metadata}
			copy(x.Signature[:], key[:])
			if _, err := tx.Verify(x, 1, named{}); !errors.Is(err, tx.ErrPayer) {
				t.Error(err)
			}
		})
	}
}

// A payer that gives all it has away in the middle of the turn it pays for has paid before, and gets back what was not used; the next transaction it would pay
// for in the same block is refused. It takes the messages of the turn too: what they cost is paid from what was reserved, and the rest comes back.
//
// Spec: WP §2.3; scheduler-timers §10 (the origin's pool); entitlement-extras §5.
func TestPayerRunsDry(t *testing.T) {
	key := person(2)
	c := newChain(t, script{
		"grant": func(x *call) *block.Fault {
			g := &grant.Registry{State: x.turn.Overlay, Height: x.turn.Block.Height, Governs: func(account.Address) bool { return false }}
			_, err := g.Grant(x.turn.Target, key, grant.ActorScope(x.turn.Target), tx.PayerAction(), grant.Terms{Revocable: true})
			return must(x, err)
		},
		"spend": func(x *call) *block.Fault {
			a, err := account.Load(x.turn.Overlay, x.turn.Target)
			if err == nil {
				err = account.Move(x.turn.Overlay, x.turn.Target, person(9), a.Balance)
			}
			if err == nil {
				err = x.send(actorAt(2), "work", "")
			}
			x.use(1_000, 0)
			return must(x, err)
		},
		"work": func(x *call) *block.Fault { x.use(2_000, 3); return nil },
	})
	c.mine(c.execute(person(3), actorAt(1), "grant"))
	first, second := c.execute(key, actorAt(1), "spend", paidBy(actorAt(1))), c.execute(key, actorAt(1), "spend", paidBy(actorAt(1)))
	built := c.mine(first, second)
	if len(built.Txs) != 1 || len(built.Refused) != 1 || !errors.Is(built.Refused[0].Reason, tx.ErrPayer) {
		t.Fatal(len(built.Txs), built.Refused)
	}
	for range 3 {
		c.mine()
	}
	var fees unit.Amount
	ran := ""
	for _, r := range c.results[1:] {
		for _, x := range r.Receipts {
			fees += x.FeeBurned + x.FeeTipped
			ran += fmt.Sprint(x.Kind, " ", x.Status, "; ")
		}
	}
	if want := 1_000*unit.CBY - most; c.account(person(9)).Balance != 10_000*unit.CBY+want {
		t.Errorf("given away %d, want all but what was reserved, %d", c.account(person(9)).Balance-10_000*unit.CBY, want)
	}
	if got := c.account(actorAt(1)).Balance; got != most-fees || sumPools(c) != 0 {
		t.Errorf("%s the payer has %d, want %d; %d in pools", ran, got, most-fees, sumPools(c))
	}
	if got := c.account(key).Balance; got != 10_000*unit.CBY {
		t.Errorf("the sender has %d", got)
	}
}

// A turn may end the grant that pays for it: its fee is paid, and nothing is left to count on.
//
// Spec: CIP-2 §7.2 (31); entitlement-extras §5.
func TestPayerIsRevokedMidway(t *testing.T) {
	c := newChain(t, nil)
	owner, key := person(1), person(2)
	id, granting := c.allow(owner, key, grant.Terms{Revocable: true})
	r := c.mine(c.sign(key, &tx.EntitlementRevoke{ID: id}, paidBy(owner))).wantReceipt(t, 0, block.Transaction, block.Success, 0)
	if got := c.account(owner).Balance; got != 10_000*unit.CBY-granting-r.FeeBurned-r.FeeTipped {
		t.Errorf("the payer has %d", got)
	}
	if x, err := grant.Load(c.tip.State, id); x != nil || err != nil {
		t.Error(x, err)
	}
}
