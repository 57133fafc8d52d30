package transition

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// held is what a card reserves for the transactions of sign: 1,000,000 cycles and 100,000 cells at the basefee of 10,000.
const held = (1_000_000 + 100_000) * 10_000

// card has person 1 issue a card for an agent, with coins on it.
func (c *chain) card(agent account.Address, policy bank.Policy, coins unit.Amount) account.Address {
	c.t.Helper()
	r := c.mine(c.sign(person(1), &tx.IssueCard{BankID: 1, Agent: agent, Policy: policy})).wantReceipt(c.t, 0, block.Transaction, block.Success, 0)
	card := account.Address(r.ReturnData)
	c.mine(c.sign(person(1), &tx.Deposit{Card: card, Amount: unit.Wide(uint64(coins))})).wantReceipt(c.t, 0, block.Transaction, block.Success, 0)
	return card
}

// spent is what a card has spent in this hour, in this day and in this month: the same in these tests.
func (c *chain) spent(card account.Address) uint64 {
	c.t.Helper()
	w, err := bank.LoadWindow(c.tip.State, card)
	if err != nil || w[bank.Hour].Amount != w[bank.Month].Amount || w[bank.Day].Amount != w[bank.Month].Amount {
		c.t.Fatal(w, err)
	}
	return w[bank.Hour].Amount.Lo
}

// The card pays fees with tips to the base unit and the agent what it moves; the receipt says what the card paid, and its periods have spent that. 21,000
// cycles for a transfer and 3,000 for naming a payer, 37 cells for its metadata, at the basefee of 10,000 and a tip of 500 a cycle and 300 a cell.
//
// Spec: gateway-payments-streams §G.3 (1 to 3; tips), §G.4 (GasCharged); WP §2.3.
func TestCardPays(t *testing.T) {
	const transferFee = 24_000*10_500 + 37*10_300
	c := newChain(t, script{
		"work": func(x *call) *block.Fault { x.use(5_000, 7); return nil },
		"fail": func(x *call) *block.Fault { x.use(900, 0); return &block.Fault{Code: 1100, Text: "no"} },
	})
	agent := person(2)
	card := c.card(agent, bank.Policy{}, 1_000*unit.CBY)
	tips := func(t *tx.Tx) { t.MaxPriorityFeePerCycle, t.MaxPriorityFeePerCell = 500, 300 }
	paid, moved := unit.Amount(0), unit.Amount(0)
	for i, x := range []struct {
		in    tx.Instruction
		fee   unit.Amount
		moves unit.Amount
	}{
		{&tx.Transfer{To: person(3), Amount: 5}, transferFee, 5},
		{&tx.Transfer{To: agent, Amount: 5}, transferFee, 0},
		{&tx.Execute{To: actorAt(1), Handler: []byte("work"), Amount: 11}, 29_000*10_500 + (37+4+7)*10_300, 11},
		{&tx.Execute{To: actorAt(1), Handler: []byte("fail"), Amount: 11}, 24_900*10_500 + (37+4)*10_300, 0},
	} {
		t.Run(fmt.Sprintf("%d %T", i, x.in), func(t *testing.T) {
			r := c.mine(c.sign(agent, x.in, paidBy(card), tips)).Receipts[0]
			paid, moved = paid+x.fee, moved+x.moves
			if r.FeeBurned+r.FeeTipped != x.fee || r.Sender != agent {
				t.Errorf("a fee of %d, want %d", r.FeeBurned+r.FeeTipped, x.fee)
			}
			last := r.Events[len(r.Events)-1]
			want := codec.AppendUint(unit.Wide(uint64(x.fee)).AppendBig(card[:len(card):len(card)]), uint64(x.fee))
			if string(last.Topic) != "GasCharged" || last.Actor != account.System(account.Bank) || !bytes.Equal(last.Data, want) {
				t.Errorf("%s %x, want %x", last.Topic, last.Data, want)
			}
			if got := c.account(card).Balance; got != 1_000*unit.CBY-paid || c.spent(card) != uint64(paid) {
				t.Errorf("the card has %d and has spent %d, want %d", got, c.spent(card), paid)
			}
			if got := c.account(agent); got.Balance != 10_000*unit.CBY-moved || got.Nonce != uint64(i+1) {
				t.Errorf("the agent has %d", got.Balance)
			}
		})
	}
}

// Who may not have a card pay, and when. Nothing changes, and a block that holds the transaction is invalid.
//
// Spec: gateway-payments-streams §G.3 (2), §G.4 (state, bank_activation_height); WP §9 (the band of system actors).
func TestCardRefuses(t *testing.T) {
	agent := person(2)
	n := func(v uint64) *unit.Uint128 { x := unit.Wide(v); return &x }
	send := func(card account.Address) tx.Instruction { return &tx.Transfer{To: person(5), Amount: 1} }
	whole := func(c *chain, card account.Address) {}
	by := func(who account.Address, in func(card account.Address) tx.Instruction) func(c *chain, card account.Address) {
		return func(c *chain, card account.Address) {
			c.mine(c.sign(who, in(card))).wantReceipt(c.t, 0, block.Transaction, block.Success, 0)
		}
	}
	for name, x := range map[string]struct {
		policy bank.Policy
		coins  unit.Amount
		from   account.Address
		in     func(card account.Address) tx.Instruction
		before func(c *chain, card account.Address)
		want   error
	}{
		"exactly enough":  {bank.Policy{PerHourCap: n(held)}, held, agent, send, whole, nil},
		"a cap too low":   {bank.Policy{PerDayCap: n(held - 1)}, held, agent, send, whole, bank.ErrCap},
		"a unit too few":  {bank.Policy{}, held - 1, agent, send, whole, bank.ErrFunds},
		"another's agent": {bank.Policy{}, held, person(3), send, whole, bank.ErrAgent},
		"the owner":       {bank.Policy{}, held, person(1), send, whole, bank.ErrAgent},
		"a receiver":      {bank.Policy{AllowedReceivers: []bank.Receiver{{Address: person(6)}}}, held, agent, send, whole, bank.ErrDenied},
		"a kind":          {bank.Policy{AllowedSyscallKinds: []bank.Kind{{Family: bank.Token}}}, held, agent, send, whole, bank.ErrDenied},
		"its own deposit": {bank.Policy{}, held, agent, func(card account.Address) tx.Instruction {
			return &tx.Deposit{Card: card, Amount: unit.Wide(1)}
		}, whole, bank.ErrDenied},
		"its bank": {bank.Policy{}, held, agent, func(account.Address) tx.Instruction { return &tx.PauseBank{BankID: 1} }, whole, bank.ErrDenied},
		"frozen": {bank.Policy{}, held, agent, send, by(admin, func(card account.Address) tx.Instruction {
			return &tx.Freeze{Card: card}
		}), bank.ErrFrozen},
		"paused": {bank.Policy{}, held, agent, send, by(admin, func(account.Address) tx.Instruction { return &tx.PauseBank{BankID: 1} }), bank.ErrPaused},
		"closed": {bank.Policy{}, held, agent, send, by(person(1), func(card account.Address) tx.Instruction {
			return &tx.CloseCard{Card: card, RefundTo: person(1)}
		}), bank.ErrClosed},
		"a cap that came later": {bank.Policy{}, held, agent, send, by(person(1), func(card account.Address) tx.Instruction {
			return &tx.SetPolicy{Card: card, Policy: bank.Policy{PerMonthCap: n(1)}}
		}), bank.ErrCap},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t, nil)
			card := c.card(agent, x.policy, x.coins)
			x.before(c, card)
			v := c.sign(x.from, x.in(card), paidBy(card))
			built, err := Apply(c.tip, Job{Mode: Build, Header: c.header(), Txs: []tx.Verified{v}}, c.script)
			if err != nil {
				t.Fatal(err)
			}
			if x.want == nil {
				if len(built.Txs) != 1 {
					t.Error(built.Refused)
				}
				return
			}
			if len(built.Refused) != 1 || !errors.Is(built.Refused[0].Reason, tx.ErrPayer) || !errors.Is(built.Refused[0].Reason, x.want) {
				t.Fatalf("%v, want %v", built.Refused, x.want)
			}
			empty, err := Apply(c.tip, Job{Mode: Build, Header: c.header()}, c.script)
			if err != nil || empty.Header.StateRoot != built.Header.StateRoot {
				t.Errorf("a refused transaction leaves something: %v", err)
			}
		})
	}
}

// Between the charge and its settlement the card is frozen, its policy changed and its bank paused: the running transaction is paid for, gets its change, and
// so do its messages in the next block; the next transaction is refused.
//
// Spec: gateway-payments-streams §G.3 (a freeze or a new policy in between); scheduler-timers §10 (the origin's pool).
func TestCardIsFrozenMidway(t *testing.T) {
	var card account.Address
	agent := person(2)
	c := newChain(t, script{
		"freeze": func(x *call) *block.Fault {
			none := unit.Uint128{}
			g := bank.Registry{
				State: x.turn.Overlay, Height: x.turn.Block.Height, Governs: func(account.Address) bool { return true }, Emit: func(string, []byte) {},
			}
			x.use(1_000, 0)
			return must(x, errors.Join(
				g.SetPolicy(person(1), card, bank.Policy{PerHourCap: &none}), g.Freeze(admin, card, nil), g.Pause(admin, 1), x.send(actorAt(2), "work", ""),
			))
		},
		"work": func(x *call) *block.Fault { x.use(2_000, 3); return nil },
	})
	card = c.card(agent, bank.Policy{}, 100*unit.CBY)
	built := c.mine(c.execute(agent, actorAt(1), "freeze", paidBy(card)), c.execute(agent, actorAt(1), "freeze", paidBy(card)))
	if len(built.Txs) != 1 || len(built.Refused) != 1 || !errors.Is(built.Refused[0].Reason, bank.ErrPaused) {
		t.Fatal(len(built.Txs), built.Refused)
	}
	c.nonces[agent]--
	c.mine()
	var fees unit.Amount
	for _, r := range c.results[2:] {
		for _, x := range r.Receipts {
			if x.Status != block.Success {
				t.Errorf("%+v", x)
			}
			fees += x.FeeBurned + x.FeeTipped
		}
	}
	if got := c.account(card).Balance; got != 100*unit.CBY-fees || c.spent(card) != uint64(fees) || sumPools(c) != 0 {
		t.Errorf("the card has %d, want %d; it has spent %d; %d in pools", got, 100*unit.CBY-fees, c.spent(card), sumPools(c))
	}
}

// A timer's fire is paid when it is scheduled, by the default card of the actor, at the prices of then; what it did not use comes back. An interval's next
// fire is paid when one runs, and the interval ends with the card's cap. A card that may not pay leaves the actor to pay.
//
// Spec: gateway-payments-streams §G.3 (1; timers charge the card when they are scheduled).
func TestCardPaysTimers(t *testing.T) {
	gas := unit.Cycles(50_000)
	c := newChain(t, script{
		"plan": func(x *call) *block.Fault {
			prices, err := timer.LoadPrices(x.turn.Overlay, x.turn.Block.Params, x.turn.Block.Basefees, x.turn.Block.Height)
			if err == nil {
				_, err = x.schedule(timer.Request{Every: 2, Handler: "wake", GasLimit: &gas, Prices: &prices})
			}
			return must(x, err)
		},
		"wake": func(x *call) *block.Fault { x.use(1_000, 2); return nil },
	})
	cells := unit.Amount(params.Genesis().Timer.MaxCellsPerFire)
	reserve := (50_000 + cells) * 10_000
	most := unit.Wide(uint64(reserve))
	actor := actorAt(4)
	card := c.card(actor, bank.Policy{PerHourCap: &most}, 100*reserve)
	c.mine(c.sign(person(1), &tx.SetDefaultCard{Agent: actor, Card: &card})).wantReceipt(t, 0, block.Transaction, block.Success, 0)
	before := c.account(actor).Balance
	c.mine(c.execute(person(3), actor, "plan"))
	if got := c.account(bank.Home()).Balance; got != reserve || c.spent(card) != uint64(reserve) {
		t.Fatalf("%d are held, %d spent, want %d", got, c.spent(card), reserve)
	}
	c.mine(c.execute(person(3), actor, "plan")) // the cap is reached: the actor pays this one itself
	var fired, dropped int
	var fees unit.Amount
	for range 8 {
		for _, r := range c.mine().Receipts {
			switch {
			case r.Status == block.Dropped:
				dropped++
			case len(r.Events) > 0:
				fired++
				fees += r.FeeBurned + r.FeeTipped
			}
		}
	}
	if fired != 1 || dropped != 1 {
		t.Errorf("the card has paid %d fires, and %d intervals ended", fired, dropped)
	}
	if got := c.account(card).Balance; got != 100*reserve-fees || c.account(bank.Home()).Balance != 0 || c.spent(card) != uint64(fees) {
		t.Errorf("the card has %d, want %d; %d are held, %d spent", got, 100*reserve-fees, c.account(bank.Home()).Balance, c.spent(card))
	}
	if c.account(actor).Balance >= before {
		t.Error("the actor has paid nothing for the timer that no card paid")
	}
}

// An interval goes on for as long as the cap covers what a fire reserves beside what the fires before it have cost.
//
// Spec: gateway-payments-streams §G.3 (timers).
func TestCardPaysInterval(t *testing.T) {
	gas := unit.Cycles(50_000)
	c := newChain(t, script{
		"plan": func(x *call) *block.Fault {
			prices, err := timer.LoadPrices(x.turn.Overlay, x.turn.Block.Params, x.turn.Block.Basefees, x.turn.Block.Height)
			if err == nil {
				_, err = x.schedule(timer.Request{Every: 1, Handler: "wake", GasLimit: &gas, Prices: &prices})
			}
			return must(x, err)
		},
		"wake": func(x *call) *block.Fault { x.use(1_000, 2); return nil },
	})
	reserve := (50_000 + unit.Amount(params.Genesis().Timer.MaxCellsPerFire)) * 10_000
	const fee = 60_020_000 // 5,000 cycles of delivery and 1,000 of the handler, and 2 cells
	most := unit.Wide(uint64(reserve + 3*fee))
	card := c.card(actorAt(4), bank.Policy{PerHourCap: &most}, 100*reserve)
	c.mine(c.sign(person(1), &tx.SetDefaultCard{Agent: actorAt(4), Card: &card}))
	c.mine(c.execute(person(3), actorAt(4), "plan"))
	what := ""
	for range 6 {
		for _, r := range c.mine().Receipts {
			what += fmt.Sprint(r.Status, " ")
		}
	}
	if want := fmt.Sprint(block.Success, " ", block.Success, " ", block.Success, " ", block.Success, " ", block.Dropped, " "); what != want {
		t.Errorf("%s, want %s", what, want)
	}
	if got := c.spent(card); got != 4*fee || c.account(card).Balance != 100*reserve-4*fee {
		t.Errorf("%d spent, %d left", got, c.account(card).Balance)
	}
}

// An estimate goes as far as the card can pay, by balance and by caps.
//
// Spec: WP §17.10; gateway-payments-streams §G.3.
func TestEstimateWithCard(t *testing.T) {
	for name, x := range map[string]struct {
		coins, cap unit.Amount
		ok         bool
	}{
		"plenty": {1_000 * unit.CBY, 1_000 * unit.CBY, true}, "little": {held, 1_000 * unit.CBY, true}, "a low cap": {1_000 * unit.CBY, held, true},
		"too little": {240_410_000 - 1, unit.CBY, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t, script{"work": func(x *call) *block.Fault { x.use(5_000, 7); return nil }})
			limit := unit.Wide(uint64(x.cap))
			card := c.card(person(2), bank.Policy{PerHourCap: &limit}, x.coins)
			in := &tx.Tx{ChainID: 1, From: person(2), Instruction: &tx.Execute{To: actorAt(1), Handler: []byte("work")}, Metadata: tx.PayerMetadata(card)}
			e, err := Assess(c.tip, in, 0, c.script, nil)
			if err != nil || x.ok != (e.Refused == nil) {
				t.Fatalf("%+v %v", e, err)
			}
			if x.ok && (e.Receipt.Status != block.Success || e.Receipt.CyclesUsed != 29_000) {
				t.Errorf("%+v", e.Receipt)
			}
		})
	}
}
