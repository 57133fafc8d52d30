package economy_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// What rent costs here: an epoch of 20 blocks, no byte free, and a rate at which the few bytes of an actor matter.
const (
	epochBlocks = 20
	rate        = 300_000_000_000 // base units a byte and year
	year        = 31_536_000      // blocks
	survives    = 10              // epochs that are not paid
)

// terms are those of rent on the chain.
func terms() params.RentConfig {
	c := params.Genesis().Rent
	c.RatePerByteYear, c.EpochBlocks, c.GraceBytes, c.ReserveBPS, c.EvictionEpochs = rate, epochBlocks, 0, 0, survives
	return c
}

// debtor is an actor as the documents speak of it: it is billed in the moment an epoch begins.
type debtor struct {
	due                 int64 // for an epoch: its bytes do not change
	balance, debt, paid int64
	missed              int
	prepaid             int64 // the last epoch that is paid for
	dormant             bool
}

// coins is what there is of base units, and who has it.
type coins struct {
	height   int64
	person   []int64
	treasury int64
	actors   []*debtor
	epoch    int64
	next     int64 // the first block of the next epoch
	supply   int64
	burned   int64    // of the block
	base     *big.Int // the supply that the year's inflation is a share of
}

// begins is what happens before the transactions of a block: inflation is made, and where an epoch begins everybody is billed for it.
//
// 8 % of the supply at the year's first block come in equal steps, of which each block has what makes the sum right to the unit.
func (c *coins) begins(height int64) {
	c.height, c.burned = height, 0
	sum := func(blocks int64) int64 {
		x := new(big.Int).Mul(c.base, big.NewInt(8))
		x.Div(x, big.NewInt(100)) // the year's
		return x.Mul(x, big.NewInt(blocks)).Div(x, big.NewInt(year)).Int64()
	}
	c.supply += sum(height) - sum(height-1)
	if height < c.next {
		return
	}
	c.epoch, c.next = c.epoch+1, height+epochBlocks
	for _, d := range c.actors {
		if d.dormant || d.prepaid >= c.epoch {
			continue
		}
		pay := min(d.due, d.balance)
		d.balance -= pay
		c.burned += pay
		if d.debt += d.due - pay; pay < d.due {
			d.missed++
			d.dormant = d.missed > survives
		}
	}
}

// owed is 110 % of the debt, rounded up, without what was paid of it.
func (d *debtor) owed() int64 { return (d.debt*11+9)/10 - d.paid }

// pays takes so much of what is owed.
func (c *coins) pays(d *debtor, amount int64) {
	d.paid, c.burned = d.paid+amount, c.burned+amount
	if d.owed() == 0 {
		d.debt, d.paid, d.missed = 0, 0, 0
	}
}

// touched has an actor pay what it can of its debt: before it is paid, and from what it is paid.
func (c *coins) touched(d *debtor) {
	if d.missed > 0 && !d.dormant {
		pay := min(d.owed(), d.balance)
		d.balance -= pay
		c.pays(d, pay)
	}
}

// moves draws a transaction about coins and rent.
func moves(r *rand.Rand, who []*testkit.Account, actors []account.Address) operation {
	by, to, k := r.IntN(people), r.IntN(people), r.IntN(len(actors))
	amount := 1 + r.Int64N(5_000_000)
	switch r.IntN(6) {
	case 0:
		return operation{&tx.Transfer{To: who[to].Address(), Amount: unit.Amount(amount)}, by, func(l *ledger) uint16 {
			l.person[by] -= amount
			l.person[to] += amount
			return 0
		}}
	case 1:
		gift := amount * 1_000
		return operation{&tx.Transfer{To: account.System(account.Treasury), Amount: unit.Amount(gift)}, by, func(l *ledger) uint16 {
			l.person[by] -= gift
			l.treasury += gift
			return 0
		}}
	case 2:
		epochs := r.Int64N(3)
		return operation{&tx.PayRent{Actor: actors[k], Epochs: uint64(epochs)}, by, func(l *ledger) uint16 {
			d := l.actors[k]
			switch {
			case d.dormant:
				return drain.FaultDormant
			case d.owed() == 0 && epochs == 0:
				return drain.FaultInput
			}
			debt, ahead := d.owed(), d.due*epochs
			l.person[by] -= debt + ahead
			l.pays(d, debt)
			l.burned += ahead
			if epochs > 0 {
				d.prepaid = max(d.prepaid, l.epoch) + epochs
			}
			return 0
		}}
	}
	return operation{&tx.FundActor{Actor: actors[k], Amount: unit.Amount(amount)}, by, func(l *ledger) uint16 {
		d := l.actors[k]
		l.touched(d)
		l.person[by] -= amount
		d.balance += amount
		l.touched(d) // what it owes is paid from what it got
		return 0
	}}
}

// compareCoins holds the chain's coins to the model's.
func (l *ledger) compareCoins(t *testing.T, c *testkit.Chain, who []*testkit.Account, actors []account.Address, supply unit.Amount) {
	t.Helper()
	equal := func(what any, got unit.Amount, want int64) {
		if uint64(got) != uint64(want) {
			t.Fatalf("block %d: %v has %d, the model says %d", l.height, what, got, want)
		}
	}
	for p := range people {
		equal(who[p].Hex(), c.Balance(who[p].Address()), l.person[p])
	}
	equal("the treasury", c.Balance(account.System(account.Treasury)), l.treasury)
	for k, addr := range actors {
		a, d := c.Record(addr), l.actors[k]
		equal(addr, a.Balance, d.balance)
		record, err := rent.Load(c.State(), addr)
		if err != nil || uint64(record.Debt) != uint64(d.debt) || int(a.RentMissed) != d.missed || a.Dormant != d.dormant {
			t.Fatalf("block %d: actor %d owes %d, missed %d, dormant %v; the model says %+v; %v", l.height, k, record.Debt, a.RentMissed, a.Dormant, d, err)
		}
	}
	equal("the chain", supply, l.supply)
}
