package recorded

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// coins are all coins of a state, counted entry by entry: what accounts have, of it the two vaults, and what lies outside of accounts, by pot.
type coins struct {
	accounts, treasury, stake, outside unit.Amount
	pots                               map[string]unit.Amount
}

func recount(t *testing.T, r state.Reader) coins {
	t.Helper()
	c := coins{pots: map[string]unit.Amount{flow.Messages: 0, flow.Fees: 0}}
	var bad error
	err := r.Scan(account.KindPrefix(account.KindAccount), nil, 0, func(key, value []byte) bool {
		var a account.Account
		if a, bad = account.Decode(value); bad != nil {
			return false
		}
		c.accounts += a.Balance
		switch string(key) {
		case string(account.System(account.Treasury).Key()):
			c.treasury = a.Balance
		case string(account.System(account.Governance).Key()):
			c.stake = a.Balance
		}
		return true
	})
	if err == nil && bad == nil {
		err = mailbox.EachValue(r, func(n unit.Amount) bool {
			c.pots[flow.Messages] += n
			return true
		})
	}
	if err == nil && bad == nil {
		err = mailbox.EachPool(r, func(p mailbox.Pool) bool {
			n, e := p.Escrow()
			c.pots[flow.Fees], bad = c.pots[flow.Fees]+n, e
			return e == nil
		})
	}
	list, failed := system.Pots(r)
	for _, p := range list {
		c.pots[p.Name] += p.Held
	}
	if err != nil || bad != nil || failed != nil {
		t.Fatal(err, bad, failed)
	}
	for _, n := range c.pots {
		c.outside += n
	}
	return c
}

// all is every coin there is.
func (c coins) all() unit.Amount { return c.accounts + c.outside }

// The ledger of coins, counted a second time, block by block, over the recorded chain's mix: fees and tips from the receipts; what else was burned, what was
// minted, what went into each pot and came out of it from the balances of the whole state; and the supply from the genesis on from the sheets alone.
//
// Spec: WP §8.1, §8.2, §8.4; WP §2.3 (basefees are burned, tips are paid).
func TestFlowsRecounted(t *testing.T) {
	p := newPlayer(t)
	first := len(p.chain.Blocks())
	was := recount(t, p.chain.State())
	supply := was.all()
	causes, pots := map[string]int{}, map[string]int{}
	for len(p.chain.Blocks()) < first+1_500 {
		p.step()
		if len(p.chain.Blocks())%200 == 0 {
			p.deploy(t)
			was = recount(t, p.chain.State()) // its block is not counted here
			supply = was.all()
			continue
		}
		made := p.chain.Blocks()
		b, is := made[len(made)-1], recount(t, p.chain.State())
		sheet := b.Flows
		fees, tips := unit.Amount(0), unit.Amount(0)
		for _, x := range b.Receipts {
			fees, tips = fees+x.FeeBurned, tips+x.FeeTipped
		}
		equal := func(what string, got, want unit.Amount) {
			t.Helper()
			if got != want {
				t.Fatalf("block %d: %s: the sheet says %d, the recount %d; %+v", b.Header.Height, what, got, want, sheet)
			}
		}
		equal("basefees burned", sheet.Of(flow.Burned, flow.Cycles)+sheet.Of(flow.Burned, flow.Cells), fees)
		equal("tips", sheet.Of(flow.Paid, flow.Tips), tips)
		equal("coins after what was minted and burned", was.all()+sheet.Sum(flow.Minted)-sheet.Sum(flow.Burned), is.all())
		equal("the supply", sheet.Supply, is.all())
		equal("the treasury", was.treasury+sheet.Of(flow.In, flow.Treasury)-sheet.Of(flow.Out, flow.Treasury), is.treasury)
		equal("the account of stakes", was.stake+sheet.Of(flow.In, flow.Stake)-sheet.Of(flow.Out, flow.Stake), is.stake)
		into, out := unit.Amount(0), unit.Amount(0)
		for name, held := range is.pots {
			equal(name, was.pots[name]+sheet.Of(flow.In, name)-sheet.Of(flow.Out, name), held)
			into, out = into+sheet.Of(flow.In, name), out+sheet.Of(flow.Out, name)
			if sheet.Of(flow.In, name) > 0 {
				pots[name]++
			}
		}
		equal("the accounts", was.accounts+sheet.Sum(flow.Minted)+out-sheet.Sum(flow.Burned)-into, is.accounts)
		supply = supply + sheet.Sum(flow.Minted) - sheet.Sum(flow.Burned)
		equal("the supply since the first block", supply, is.all())
		for _, l := range sheet.Lines {
			if l.Kind == flow.Burned {
				causes[l.Label]++
			}
		}
		was = is
	}
	if err := transition.CheckSupply(p.chain.State()); err != nil {
		t.Error(err)
	}
	for _, cause := range []string{flow.Cycles, flow.Cells, flow.Rent} {
		if causes[cause] == 0 {
			t.Errorf("nothing was burned for %s: %v", cause, causes)
		}
	}
	if len(pots) < 4 {
		t.Errorf("pots that were filled: %v", pots)
	}
	t.Logf("burned in blocks %v; pots %v", causes, pots)
}
