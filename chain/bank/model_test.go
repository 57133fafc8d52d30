package bank

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// cardModel is a card as the text has it: a status, a purse, and every charge there ever was.
type cardModel struct {
	owner, agent account.Address
	frozen, shut bool
	locked       bool
	expires      uint64 // 0: never
	purse        uint64
	hourCap      uint64 // 0: none
	charges      []chargeModel
}

type chargeModel struct {
	at, coins, back uint64
	seen            bool // that came back while its hour was the last one charged
}

// spentIn adds up what an hour has cost by now.
func (c *cardModel) spentIn(hour uint64) (sum uint64) {
	for _, x := range c.charges {
		if x.at/3_600 == hour {
			sum += x.coins
			if x.seen {
				sum -= x.back
			}
		}
	}
	return sum
}

// duel is a world and the model of it.
type duel struct {
	*world
	r      *rand.Rand
	people []account.Address
	coins  map[account.Address]uint64
	cards  map[account.Address]*cardModel
	order  []account.Address
	preset map[account.Address]account.Address
	paused bool
	spent  uint64
}

// turn is who does something to which card in a step, and how the card stands.
type turn struct {
	now, amount uint64
	by, to, at  account.Address
	c           *cardModel
	active      bool
}

// 10,000 operations of owners, agents, operators and strangers, each allowed or refused as the model says, with the same money everywhere afterwards and no
// coin more or less than there was.
//
// Spec: gateway-payments-streams §G.2, §G.3, §G.4.
func TestAgainstModel(t *testing.T) {
	d := &duel{
		world: newWorld(t), r: rand.New(rand.NewPCG(28, 13)), people: []account.Address{ann, bob, stranger, agent},
		coins: map[account.Address]uint64{ann: rich, bob: rich, stranger: rich}, cards: map[account.Address]*cardModel{},
		preset: map[account.Address]account.Address{},
	}
	d.cards[d.card], d.order = &cardModel{owner: ann, agent: agent}, append(d.order, d.card)
	operations := []func(x *turn) (string, bool, error){
		d.issues, d.deposits, d.withdraws, d.charges, d.refunds, d.freezes, d.pauses, d.closes, d.presets, d.hands,
	}
	allowed := 0
	for step := range 10_000 {
		d.Height += unit.Height(d.r.Uint64N(900))
		x := &turn{now: uint64(d.Height), amount: d.r.Uint64N(400), by: d.people[d.r.IntN(4)], to: d.people[d.r.IntN(4)], at: d.order[d.r.IntN(len(d.order))]}
		x.c = d.cards[x.at]
		x.active = !x.c.frozen && !x.c.shut && (x.c.expires == 0 || x.now <= x.c.expires)
		what, ok, err := operations[d.r.IntN(len(operations))](x)
		if ok != (err == nil) {
			t.Fatalf("%d, %s at %d by %v: %v, the model allows it: %v; %+v", step, what, x.now, x.by, err, ok, x.c)
		}
		if ok {
			allowed++
		}
		if got := d.balance(x.at); uint64(got) != x.c.purse {
			t.Fatalf("%d, %s: the card has %d, want %d", step, what, got, x.c.purse)
		}
	}
	var sum uint64
	for _, who := range d.people {
		if got := uint64(d.balance(who)); got != d.coins[who] {
			t.Errorf("%v has %d, want %d", who, got, d.coins[who])
		}
		sum += uint64(d.balance(who))
	}
	for _, at := range d.order {
		sum += uint64(d.balance(at))
	}
	if sum+d.spent != 3*rich || allowed < 2_000 {
		t.Error(fmt.Sprint(sum, " and ", d.spent, " spent of ", 3*rich, "; ", allowed, " operations were allowed"))
	}
}

func (d *duel) issues(x *turn) (string, bool, error) {
	m, terms := &cardModel{owner: x.by, agent: x.to}, Terms{Bank: 1, Agent: x.to}
	if d.r.IntN(2) == 0 {
		m.hourCap = 1 + d.r.Uint64N(600)
		limit := unit.Wide(m.hourCap)
		terms.Policy.PerHourCap = &limit
	}
	if d.r.IntN(3) == 0 {
		m.expires = x.now + d.r.Uint64N(400_000)
		h := unit.Height(m.expires)
		terms.Expires = &h
	}
	ok := !d.paused && (m.expires == 0 || m.expires > x.now)
	made, err := d.Issue(x.by, terms)
	if err == nil && ok {
		d.cards[made], d.order = m, append(d.order, made)
	}
	return "issue", ok, err
}

func (d *duel) deposits(x *turn) (string, bool, error) {
	ok := !d.paused && !x.c.shut && x.amount > 0 && d.coins[x.by] >= x.amount
	if ok {
		d.coins[x.by], x.c.purse = d.coins[x.by]-x.amount, x.c.purse+x.amount
	}
	return "deposit", ok, d.Deposit(x.by, x.at, unit.Wide(x.amount))
}

func (d *duel) withdraws(x *turn) (string, bool, error) {
	ok := x.by == x.c.owner && !x.c.frozen && x.amount > 0 && x.c.purse >= x.amount
	if ok {
		d.coins[x.to], x.c.purse = d.coins[x.to]+x.amount, x.c.purse-x.amount
	}
	return "withdraw", ok, d.Withdraw(x.by, x.at, x.to, nil, unit.Wide(x.amount))
}

func (d *duel) charges(x *turn) (string, bool, error) {
	c := x.c
	ok := !d.paused && x.active && (c.hourCap == 0 || c.spentIn(x.now/3_600)+x.amount <= c.hourCap) && c.purse >= x.amount
	if ok {
		c.purse, d.spent = c.purse-x.amount, d.spent+x.amount
		c.charges = append(c.charges, chargeModel{at: x.now, coins: x.amount})
	}
	return "charge", ok, d.charge(x.at, unit.Amount(x.amount))
}

func (d *duel) refunds(x *turn) (string, bool, error) {
	for i := range x.c.charges {
		charge := &x.c.charges[i]
		if charge.back > 0 || charge.coins == 0 {
			continue
		}
		charge.back = 1 + d.r.Uint64N(charge.coins)
		charge.seen = x.c.charges[len(x.c.charges)-1].at/3_600 == charge.at/3_600
		x.c.purse, d.spent = x.c.purse+charge.back, d.spent-charge.back
		_, err := Refund(d.State, x.at, unit.Amount(charge.back), unit.Height(charge.at))
		return "refund", true, err
	}
	return "nothing to refund", true, nil
}

func (d *duel) freezes(x *turn) (string, bool, error) {
	if x.c.frozen {
		ok := x.by == bob
		x.c.frozen = !ok
		return "unfreeze", ok, d.Unfreeze(x.by, x.at)
	}
	ok := x.by == bob && !x.c.shut
	x.c.frozen = ok
	return "freeze", ok, d.Freeze(x.by, x.at, nil)
}

func (d *duel) pauses(x *turn) (string, bool, error) {
	was, ok := d.paused, x.by == bob
	d.paused = was != ok
	if was {
		return "unpause", ok, d.Unpause(x.by, 1)
	}
	return "pause", ok, d.Pause(x.by, 1)
}

func (d *duel) closes(x *turn) (string, bool, error) {
	ok := x.by == x.c.owner && !x.c.frozen && !x.c.shut && d.preset[x.c.agent] != x.at
	if ok {
		d.coins[x.to], x.c.purse, x.c.shut = d.coins[x.to]+x.c.purse, 0, true
	}
	return "close", ok, d.Close(x.by, x.at, x.to)
}

func (d *duel) presets(x *turn) (string, bool, error) {
	if d.r.IntN(2) == 0 {
		card, has := d.preset[x.to]
		ok := has && (x.by == x.to || x.by == d.cards[card].owner)
		if ok {
			delete(d.preset, x.to)
		}
		return "unset", ok, d.SetDefault(x.by, x.to, nil)
	}
	ok := (x.by == x.c.owner || x.by == x.c.agent) && x.active
	if ok {
		d.preset[x.c.agent] = x.at
	}
	return "default", ok, d.SetDefault(x.by, x.c.agent, &x.at)
}

func (d *duel) hands(x *turn) (string, bool, error) {
	set := d.r.IntN(3) == 0
	ok := x.by == x.c.owner && !x.c.shut && !(x.c.locked && x.c.owner == x.c.agent)
	if ok {
		x.c.owner, x.c.locked = x.to, x.c.locked || set
	}
	return "transfer", ok, d.TransferOwnership(x.by, x.at, x.to, set)
}
