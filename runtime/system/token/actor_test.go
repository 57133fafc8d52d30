package token_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	chapter "github.com/cowboyinc/cowboy-go/runtime/system/token"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// calls makes the calls of the table by name, for whoever asks.
const calls = `import pvm_host

def init(p):
    pass

def run(p):
    name, id, who = p[72:].decode(), p[:32], p[32:52]
    spend = p[52:72]
    made = {
        "token_create": lambda: pvm_host.token_create(b"n", b"S", 0, 5),
        "token_transfer": lambda: pvm_host.token_transfer(id, who, 1),
        "token_transfer_from": lambda: pvm_host.token_transfer_from(id, spend, who, 1),
        "token_transfer_batch": lambda: pvm_host.token_transfer_batch([(id, who, 1)]),
        "token_approve": lambda: pvm_host.token_approve(id, who, 1),
        "token_increase_allowance": lambda: pvm_host.token_increase_allowance(id, who, 1),
        "token_decrease_allowance": lambda: pvm_host.token_decrease_allowance(id, who, 1),
        "token_permit": lambda: pvm_host.token_permit(id, spend, who, 1, 2**64 - 1, 0, bytes(65)),
        "token_mint": lambda: pvm_host.token_mint(id, who, 1),
        "token_burn": lambda: pvm_host.token_burn(id, 1),
        "token_freeze_account": lambda: pvm_host.token_freeze_account(id, who),
        "token_unfreeze_account": lambda: pvm_host.token_unfreeze_account(id, who),
        "token_set_hook": lambda: pvm_host.token_set_hook(id, None),
        "token_transfer_ownership": lambda: pvm_host.token_transfer_ownership(id, who),
        "token_balance_of": lambda: pvm_host.token_balance_of(id, spend),
        "token_allowance": lambda: pvm_host.token_allowance(id, spend, who),
        "token_total_supply": lambda: pvm_host.token_total_supply(id),
        "token_info": lambda: pvm_host.token_info(id)["symbol"],
    }
    try:
        return str(made[name]()).encode()
    except pvm_host.HostError as e:
        return (e.name + " " + e.slug).encode()
`

// A reader may ask the four queries, and every other call is refused there; whoever called the actor, in a transaction it is the actor that acts.
//
// Spec: tokens §3 (authority; read-only contexts).
func TestWhoAsks(t *testing.T) {
	w := newWorld(t)
	actor := w.ann.Deploy(calls, []byte{})
	id := w.create("RAW", nil)
	ann, bob := w.ann.Address(), w.bob.Address()
	payload := func(name string) string { return string(id[:]) + string(bob[:]) + string(ann[:]) + name }
	for _, s := range chapter.New().Syscalls {
		t.Run(s.Name, func(t *testing.T) {
			out := w.chain.Query(actor, "run", []byte(payload(s.Name)), nil)
			if refused := string(out.Return) == "ReadOnlyError E1205"; out.Fault != nil || refused == s.Reads {
				t.Errorf("a reader gets %q, %+v", out.Return, out.Fault)
			}
		})
	}
	// ann owns the token and has all of it; the actor she calls is neither she nor approved by her
	mark := w.chain.Snapshot()
	for name, want := range map[string]string{
		"token_transfer": "TokenBalanceError E1403", "token_transfer_from": "TokenAllowanceError E1404", "token_transfer_batch": "TokenBalanceError E1403",
		"token_burn": "TokenBalanceError E1403", "token_decrease_allowance": "TokenAllowanceError E1404", "token_mint": "TokenAuthorityError E1406",
		"token_freeze_account": "TokenAuthorityError E1406", "token_unfreeze_account": "TokenAuthorityError E1406",
		"token_set_hook": "TokenAuthorityError E1406", "token_transfer_ownership": "TokenAuthorityError E1406",
		"token_permit": "TokenPermitSignatureError E1414", "token_approve": "True", "token_increase_allowance": "True",
		"token_balance_of": "1000", "token_allowance": "0", "token_total_supply": "1000", "token_info": "RAW",
	} {
		t.Run("called: "+name, func(t *testing.T) {
			w.chain.Revert(mark)
			if got := string(w.ann.Try(actor, "run", payload(name)).ReturnData); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	if got, err := token.Allowance(w.chain.State(), id, ann, bob); err != nil || got != unit.Wide(0) {
		t.Errorf("ann allows %v, %v", got, err)
	}
}

// Where the registry keeps what, by the text: below 0x06, balances by owner, so that the tokens of an account are one range.
//
// Spec: tokens §2 (state keys).
func TestKeysOfTheText(t *testing.T) {
	w := newWorld(t)
	ann, bob := w.ann.Address(), w.bob.Address()
	for _, in := range []tx.Instruction{
		&tx.TokenApprove{TokenID: w.id, Spender: bob, Amount: unit.Wide(7)}, &tx.TokenFreeze{TokenID: w.id, Account: bob},
	} {
		if r := w.ann.Do(in, limitCycles, limitCells); r.Status != block.Success {
			t.Fatal(testkit.Describe(r))
		}
	}
	home := account.Address{19: 6}
	for suffix, want := range map[string]string{
		"tokens/mints/" + string(w.id[:]):                                                    "",
		"tokens/balances/" + string(ann[:]) + "/" + string(w.id[:]):                          strings.Repeat("0", 28) + "03e8",
		"tokens/allowances/" + string(ann[:]) + "/" + string(bob[:]) + "/" + string(w.id[:]): strings.Repeat("0", 31) + "7",
		"tokens/frozen/" + string(w.id[:]) + "/" + string(bob[:]):                            "01",
	} {
		t.Run(fmt.Sprintf("%.18q", suffix), func(t *testing.T) {
			value, ok, err := w.chain.State().Lookup(account.KeyString(account.KindRecord, home, suffix))
			if err != nil || !ok || want != "" && hex.EncodeToString(value) != want {
				t.Errorf("%x, %v, %v", value, ok, err)
			}
		})
	}
}

// A sender whose hook loops pays for it and no more: the fault's transaction costs its own 22,000 and the hook's 50,000, and the cells of the transfer.
// The same in a call of an actor's that goes on.
//
// Spec: tokens §6 (charged to the transfer's caller).
func TestLoopingHookOfAnActor(t *testing.T) {
	w := newWorld(t)
	actor := w.ann.Deploy(calls, []byte{})
	if r := w.ann.Do(&tx.TokenTransfer{TokenID: w.id, To: actor, Amount: unit.Wide(5)}, limitCycles, limitCells); r.Status != block.Success {
		t.Fatal(testkit.Describe(r))
	}
	ann, bob := w.ann.Address(), w.bob.Address()
	call := func(plan string) *block.Receipt {
		w.plan(plan, "yes")
		return w.ann.Try(actor, "run", string(w.id[:])+string(bob[:])+string(ann[:])+"token_transfer")
	}
	short, loop := call("no"), call("loop")
	if string(short.ReturnData) != "TokenHookRejectedError E1408" || string(loop.ReturnData) != "TokenHookCyclesError E1411" {
		t.Fatalf("%q, %q", short.ReturnData, loop.ReturnData)
	}
	if more := loop.CyclesUsed - short.CyclesUsed; more < 40_000 || more >= 50_000 {
		t.Errorf("the loop costs %d cycles more than a refusal", more)
	}
	w.has(actor, 5)
	in := &tx.Execute{To: actor, Handler: []byte("run"), Payload: []byte(string(w.id[:]) + string(bob[:]) + string(ann[:]) + "token_transfer")}
	if r := w.ann.Do(in, loop.CyclesUsed-1_000, limitCells); r.Status != block.Faulted || r.Fault.Code != drain.FaultCycles {
		t.Errorf("with fewer cycles than the hook's: %s", testkit.Describe(r))
	}
	w.has(actor, 5)
}
