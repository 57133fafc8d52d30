package transition

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// spend counts what an execution used and where its price went.
func (s *State) spend(r *block.Receipt, used fee.Use, price fee.Settlement) error {
	r.CyclesUsed, r.CellsUsed, r.FeeBurned, r.FeeTipped = used.Cycles, used.Cells, price.Burned, price.Tipped
	var err error
	if s.used, err = s.used.Add(used); err != nil {
		return err
	}
	if s.burned, err = s.burned.Add(price.Burned); err != nil {
		return err
	}
	s.flows.Add(flow.Burned, flow.Cycles, price.Cycles)
	s.flows.Add(flow.Burned, flow.Cells, price.Burned-price.Cycles)
	s.tipped, err = s.tipped.Add(price.Tipped)
	return err
}

// note enters what a turn says of its coins. What it burned without a cause has the name of the chapter of its instruction.
func (s *State) note(r *running, o *drain.Outcome) {
	rest := o.Burned
	for _, l := range o.Flows {
		if l.Kind == flow.Burned {
			rest -= l.Amount
		}
		s.flows.Add(l.Kind, l.Label, l.Amount)
	}
	if rest == 0 {
		return
	}
	cause := string(tx.ChapterActor)
	if in := r.turn.Payload.Instruction; in != nil {
		if row, ok := s.version.Rows.Of(in.Opcode()); ok {
			cause = string(row.Chapter)
		}
	}
	s.flows.Add(flow.Burned, cause, rest)
}

// Pots are what the chapters hold, and the coins of the protocol's accounts.
func Pots(r state.Reader) ([]system.Pot, error) {
	list, err := system.Pots(r)
	if err != nil {
		return nil, err
	}
	for _, v := range [...]struct {
		name string
		home byte
	}{{flow.Treasury, account.Treasury}, {flow.Stake, account.Governance}} {
		a, err := account.Load(r, account.System(v.home))
		if err != nil {
			return nil, err
		}
		list = append(list, system.Pot{Name: v.name, Held: a.Balance})
	}
	return list, nil
}

// balance closes the block's sheet: what the pots hold now against what they held before.
//
// Spec: WP §8.1, §8.4.
func (s *State) balance(supply *fee.Supply) (err error) {
	if s.flows.Supply, err = supply.Total(); err != nil {
		return err
	}
	was, err := Pots(s.parent.State)
	if err != nil {
		return err
	}
	is, err := Pots(s.overlay)
	if err != nil {
		return err
	}
	for i := range is {
		s.flows.Net(is[i].Name, was[i].Held, is[i].Held)
	}
	s.flows.Add(flow.Paid, flow.Rewards, s.flows.Of(flow.Out, flow.Owed))
	return nil
}

// FlowError says that the sheet of a block is not what became of its coins.
type FlowError struct {
	What          string
	Before, After unit.Amount // what the states have
	In, Out       unit.Amount // what the sheet says
}

// Error implements error.
func (e *FlowError) Error() string {
	return fmt.Sprintf("transition: flows of %s: %d before, %d in, %d out, %d after", e.What, e.Before, e.In, e.Out, e.After)
}

// CheckFlows holds the sheet of a block against the states before and after it, which say what the pots hold and what the accounts have without any rule's
// help: it adds up what the block's operations changed. after must still carry its delta.
//
// Spec: WP §8.1, §8.4.
func CheckFlows(before, after *state.Commit, sheet *flow.Sheet) error {
	gone, come, err := changed(before, after)
	if err != nil {
		return err
	}
	was, err := fee.LoadSupply(before)
	if err != nil {
		return err
	}
	is, err := fee.LoadSupply(after)
	if err != nil {
		return err
	}
	old, err := was.Total()
	if err != nil {
		return err
	}
	now, err := is.Total()
	if err != nil {
		return err
	}
	all := []FlowError{
		{"the supply", old, now, sheet.Sum(flow.Minted), sheet.Sum(flow.Burned)},
		{"the supply that is recorded", sheet.Before(), sheet.Supply, now, old},
		{"what is minted", was.Minted, is.Minted, sheet.Sum(flow.Minted), 0},
		{"what is burned", was.Burned, is.Burned, sheet.Sum(flow.Burned), 0},
		{flow.Fees, gone.pools, come.pools, sheet.Of(flow.In, flow.Fees), sheet.Of(flow.Out, flow.Fees)},
		{flow.Messages, gone.messages, come.messages, sheet.Of(flow.In, flow.Messages), sheet.Of(flow.Out, flow.Messages)},
	}
	start, err := Pots(before)
	if err != nil {
		return err
	}
	end, err := Pots(after)
	if err != nil {
		return err
	}
	accounts := FlowError{What: "the accounts", Before: gone.accounts, After: come.accounts, In: sheet.Sum(flow.Minted), Out: sheet.Sum(flow.Burned)}
	for i := range end {
		all = append(all, FlowError{end[i].Name, start[i].Held, end[i].Held, sheet.Of(flow.In, end[i].Name), sheet.Of(flow.Out, end[i].Name)})
	}
	for _, l := range sheet.Lines { // what goes into a pot leaves the accounts; the vaults are accounts
		switch {
		case l.Label == flow.Treasury || l.Label == flow.Stake:
		case l.Kind == flow.In:
			accounts.Out += l.Amount
		case l.Kind == flow.Out:
			accounts.In += l.Amount
		}
	}
	for _, e := range append(all, accounts) {
		if e.Before+e.In != e.After+e.Out {
			return &e
		}
	}
	return nil
}

// holdings are the coins of some entries, by where they lie.
type holdings struct{ accounts, pools, messages unit.Amount }

func (h *holdings) add(key, value []byte) error {
	sum := &h.pools
	switch {
	case isOf(account.KindAccount, key):
		sum = &h.accounts
	case isOf(account.KindMailbox, key):
		sum = &h.messages
	}
	more, err := addCoin(*sum, key, value)
	*sum = more
	return err
}

// changed is what the entries that a block wrote held before it, and what they hold after.
func changed(before, after *state.Commit) (gone, come holdings, err error) {
	delta := after.Delta()
	if delta == nil {
		return gone, come, errNoDelta
	}
	for i := range delta.Len() {
		op, err := after.Config().DecodeOperation(delta.Operation(i))
		if err != nil {
			return gone, come, err
		}
		if op.Kind == state.CommitFloor || !holdsCoin(op.Key) {
			continue
		}
		if op.Kind == state.Update {
			if at, _ := after.Index().Find(op.Key); at != delta.Start+uint64(i) {
				continue // this block wrote the key once more
			}
			if err := come.add(op.Key, op.Value); err != nil {
				return gone, come, err
			}
		}
		value, ok, err := before.Lookup(op.Key)
		if err == nil && ok {
			err = gone.add(op.Key, value)
		}
		if err != nil {
			return gone, come, err
		}
	}
	return gone, come, nil
}
