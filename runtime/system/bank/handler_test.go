package bank_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// caller asks 0x13 whatever it is told, and says how it was answered.
const caller = `
import pvm_host
from cowboy_sdk import bank, codec

def ask(p):
    handler, asked, value = codec.decode(p)
    return _told(lambda: pvm_host.call(bank.BANK, handler, asked, 200_000, value))

def issue(p):
    return _told(lambda: bank.issue_card(p.decode(), per_day_cap=2**100, allowed_receivers=["33" * 20, "22" * 20], allowed_kinds=["custom:91", "send"]))

def change(p):
    return _told(lambda: bank.set_policy(bytes.fromhex(p.decode()), per_hour_cap=5, none=None))

def rest(p):
    card = bank.issue_card(pvm_host.get_actor_address())
    bank.deposit(card, 5_000)
    bank.set_default_card(card)
    bank.set_default_card(None)
    bank.set_policy(card, per_hour_cap=7, locked_after_transfer=True)
    bank.withdraw(card, 2_000)
    shown = bank.get_card(card)
    words = [shown["status"], str(shown["balance"]), str(shown["owner"] == shown["agent"]), str(bank.get_card(b"\x01" * 20))]
    for refused in (bank.freeze, bank.unfreeze):
        try:
            refused(card)
        except pvm_host.HostError as e:
            words.append(e.name)
    bank.close_card(card)
    return " ".join(words + [bank.get_card(card)["status"]]).encode()

def _told(what):
    try:
        what()
    except pvm_host.HostError as e:
        return ("%s %s" % (e.name, e.slug)).encode()
    except TypeError as e:
        return b"TypeError"
    return b"well"
`

// What actors ask of the bank, and how a request is refused that is not one.
//
// Spec: gateway-payments-streams §G.1, §G.2, §G.4 (errors).
func TestActorsAskTheBank(t *testing.T) {
	c := testkit.NewChain(t)
	ann := c.Account("ann")
	actor := ann.Deploy(caller, nil)
	ann.Fund(actor, unit.CBY)
	const bad = "InvalidInputError E1202"
	who := strings.Repeat("a", 20)
	for name, x := range map[string]struct{ handler, payload, want string }{
		"not a map":                  {"ask", "\x83\x6aissue_card\x80\x00", bad},
		"no agent":                   {"ask", "\x83\x6aissue_card\xa0\x00", bad},
		"an unknown name":            {"ask", "\x83\x68get_card\xa2\x61x\x01\x64card\x54" + who + "\x00", bad},
		"a short address":            {"ask", "\x83\x68get_card\xa1\x64card\x53" + strings.Repeat("a", 19) + "\x00", bad},
		"no amount":                  {"ask", "\x83\x68withdraw\xa2\x62to\x54" + who + "\x64card\x54" + who + "\x00", bad},
		"a card of nobody":           {"ask", "\x83\x6aclose_card\xa1\x64card\x54" + who + "\x00", "BankCardNotFound E1751"},
		"coins for a card of nobody": {"ask", "\x83\x67deposit\xa1\x64card\x54" + who + "\x05", "BankCardNotFound E1751"},
		"a policy in any order":      {"issue", "0x" + strings.Repeat("44", 20), "well"},
		"a policy that is none":      {"change", strings.Repeat("44", 20), "TypeError"},
		"everything else":            {"rest", "", "Active 3000 True None NotBankOperator NotBankOperator Closed"},
	} {
		t.Run(name, func(t *testing.T) {
			c := c.Fork(t)
			if got := c.Account("ben").Call(actor, x.handler, x.payload); got != x.want {
				t.Errorf("%q, want %q", got, x.want)
			}
			if got := c.Balance(actor); got != unit.CBY {
				t.Errorf("the actor has %s CBY", fmt.Sprint(got.CBY()))
			}
		})
	}
}
