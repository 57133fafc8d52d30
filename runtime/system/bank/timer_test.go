package bank_test

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// planner schedules timers, with a card of its agent's as the payer where it is told one, and says in its answer what a refusal is called.
const planner = `
from pvm_host import schedule_timer, schedule_timer_ex, cancel_timer, set_state, get_state, get_block_height

def plan(card):
    set_state(b"id", schedule_timer_ex(get_block_height() + 2, b"", card, 20000))

def plain(p):
    schedule_timer(get_block_height() + 2, b"")

def drop(p):
    cancel_timer(get_state(b"id"))

def handle_timer(p):
    set_state(b"woke", b"yes")
`

// An actor names the card that pays its timer, or its default card does: charged when it is scheduled, given back when it is cancelled, settled when it
// fires. A card of another's agent, and one that is frozen, are refused by name.
//
// Spec: gateway-payments-streams §G.3 (timers), §G.4 (errors); scheduler-timers §4 (3).
func TestTimersOfActors(t *testing.T) {
	c := testkit.NewChain(t)
	ann, admin := c.Account("ann"), c.Impersonate(genesis.DevFaucet().Address())
	c.SetBalance(ann.Address(), 100_000*unit.CBY)
	actor := ann.Deploy(planner, nil)
	issue := func(agent account.Address) account.Address {
		t.Helper()
		r := ann.Do(&tx.IssueCard{BankID: 1, Agent: agent}, 100_000, 5_000)
		if r.Status != block.Success {
			t.Fatal(r.Fault)
		}
		card := account.Address(r.ReturnData)
		ann.Do(&tx.Deposit{Card: card, Amount: unit.Wide(uint64(10_000 * unit.CBY))}, 100_000, 5_000)
		return card
	}
	card, other := issue(actor), issue(ann.Address())
	full := c.Balance(card)
	if r := ann.Try(actor, "plan", string(other[:])); r.Status != block.Faulted || c.Balance(bank.Home()) != 0 {
		t.Errorf("a card of another agent's: %v %+v", r.Status, r.Fault)
	}
	before := c.Balance(actor)
	ann.Call(actor, "plan", string(card[:]))
	held := c.Balance(bank.Home())
	if held == 0 || c.Balance(card)+held != full {
		t.Errorf("%d are held, the card has %d of %d", held, c.Balance(card), full)
	}
	ann.Call(actor, "drop", "")
	if c.Balance(card) != full || c.Balance(bank.Home()) != 0 {
		t.Errorf("after cancelling: %d are held, the card has %d of %d", c.Balance(bank.Home()), c.Balance(card), full)
	}
	ann.Call(actor, "plan", string(card[:]))
	for range 3 {
		c.Mine()
	}
	spent := full - c.Balance(card)
	if string(c.Storage(actor, "woke")) == "" || spent == 0 || c.Balance(bank.Home()) != 0 || c.Balance(actor) != before {
		t.Errorf("fired: %d spent, %d held, the actor has %d of %d", spent, c.Balance(bank.Home()), c.Balance(actor), before)
	}
	if got := len(c.Events(bank.Home(), bank.TopicGas)); got != 1 {
		t.Errorf("%d charges were told of", got)
	}
	if r := ann.Do(&tx.SetDefaultCard{Agent: actor, Card: &card}, 100_000, 5_000); r.Status != block.Success {
		t.Fatal(r.Fault)
	}
	ann.Call(actor, "plain", "")
	if c.Balance(bank.Home()) == 0 {
		t.Error("the default card has not paid")
	}
	admin.Do(&tx.Freeze{Card: card}, 100_000, 5_000)
	if r := ann.Try(actor, "plan", string(card[:])); r.Status != block.Faulted || !strings.Contains(r.Fault.Text, "BankCardFrozen") {
		t.Errorf("a frozen card: %v %+v", r.Status, r.Fault)
	}
	ann.Call(actor, "plain", "") // the actor pays, for the default card may not
}
