package transition

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// prunedPerBlock bounds how many aged message identities a block forgets. What a busier block enqueued is forgotten over several
// blocks.
//
// Spec: WP §3.3, §13 (dedup_window).
const prunedPerBlock = 1 << 17

// Finish closes the block after Next has returned nil. Errors: *Invalid with a *Mismatch when a verified header differs; anything
// else is a failure.
//
// Spec: WP "The State Transition Function" (5, 6), §4.2, §8.2, §8.4.
func (s *State) Finish() (*Result, error) {
	if _, over := s.effect.(drain.Finished); !over || s.running != nil || s.finished {
		return nil, errOrder
	}
	s.finished = true
	if _, err := mailbox.Prune(s.overlay, s.limits, s.header.Height, prunedPerBlock); err != nil {
		return nil, err
	}
	if err := s.timers.close(s); err != nil {
		return nil, err
	}
	next := fee.NextBasefees(s.block.Params.Basefee, s.block.Basefees, s.used)
	fee.SaveBasefees(s.overlay, next)
	supply, err := s.reward()
	if err != nil {
		return nil, err
	}
	if err := s.balance(&supply); err != nil {
		return nil, err
	}
	commit, err := s.overlay.Commit(s.header.Height)
	if err != nil {
		return nil, err
	}
	if err := s.seal(commit); err != nil {
		return nil, err
	}
	flows := s.flows // a pointer into s would keep the execution for as long as the result
	return &Result{
		Header: s.header, Txs: s.txs, Refused: s.refused, Receipts: s.receipts, State: commit, Used: s.used, Supply: supply,
		Basefees: next, Known: s.kept(), Flows: &flows,
	}, nil
}

// kept is what the block knew and did not write.
func (s *State) kept() Known {
	k := Known{Params: s.block.Params, Proposer: s.proposer}
	s.overlay.Written(params.KeyPrefix(), func(key []byte) bool {
		if params.Holds(key) {
			k.Params = nil
		}
		return k.Params != nil
	})
	s.overlay.Written(stake.KeyPrefix(), func(key []byte) bool {
		if stake.InvalidatesProposer(key) {
			k.Proposer = nil
		}
		return k.Proposer != nil
	})
	return k
}

// reward mints inflation, lets the chapters end the block, pays tips and writes the supply.
//
// Spec: WP "Staking and Rewards", §8.2, §8.4.
func (s *State) reward() (fee.Supply, error) {
	supply, err := fee.LoadSupply(s.overlay)
	if err != nil {
		return supply, err
	}
	minted, supply, err := fee.Inflation(supply, s.header.Height)
	if err != nil {
		return supply, err
	}
	if supply, err = supply.Burn(s.burned); err != nil {
		return supply, err
	}
	supply.Save(s.overlay) // chapters read what was minted
	s.flows.Add(flow.Minted, flow.Inflation, minted)
	s.flows.Add(flow.Paid, flow.Tips, s.tipped)
	burned, err := s.chapters(system.End)
	if err != nil {
		return supply, err
	}
	if supply, err = supply.Burn(burned); err != nil {
		return supply, err
	}
	supply.Save(s.overlay)
	rest := minted
	if s.proposer != nil {
		rest = 0 // owed to the registry's members
		s.flows.Add(flow.In, flow.Owed, minted)
	} else {
		s.flows.Add(flow.Paid, flow.Rewards, minted)
	}
	if s.proposer == nil && s.rewards != nil {
		for _, p := range s.rewards(&s.header, minted) {
			if rest, err = rest.Sub(p.Amount); err != nil {
				return supply, fmt.Errorf("transition: shares exceed the reward: %w", err)
			}
			if err := account.Credit(s.overlay, p.To, p.Amount); err != nil {
				return supply, err
			}
		}
	}
	income, err := rest.Add(s.tipped)
	if err != nil {
		return supply, err
	}
	return supply, account.Credit(s.overlay, s.header.Proposer, income)
}

// chapters runs the chapters' part of an end of the block, records what they announce, and gives what they burned.
func (s *State) chapters(walk system.Walk) (burned unit.Amount, err error) {
	err = walk(s.block.Version(), func(c *chapter.Chapter) *chapter.Boundary {
		return &chapter.Boundary{
			Block: s.block, Header: &s.header, State: s.overlay, Sums: s.sumsOf(c.Name), Release: s.releaseHeld, Rent: &s.rent,
		}
	}, func(c *chapter.Chapter, b *chapter.Boundary) (err error) {
		if r := b.Receipt(c); r != nil {
			s.record(r)
		}
		burned, err = burned.Add(b.Burned)
		for _, l := range b.Flows {
			s.flows.Add(l.Kind, l.Label, l.Amount)
		}
		return err
	})
	return burned, err
}

// addSums adds what a turn added to the sums of the block.
func (s *State) addSums(list []drain.Sum) {
	for _, x := range list {
		at := slices.IndexFunc(s.sums, func(y drain.Sum) bool { return x.ID == y.ID })
		if at < 0 {
			s.sums = append(s.sums, x)
		} else {
			s.sums[at].Delta += x.Delta
		}
	}
}

func (s *State) sumsOf(name tx.Chapter) (list []drain.Sum) {
	for _, x := range s.sums {
		if x.ID.Chapter == name {
			list = append(list, x)
		}
	}
	return list
}

// seal computes what the header commits to and, in Verify, holds the header against it.
func (s *State) seal(commit *state.Commit) error {
	want := s.header
	want.ReceiptRoot = block.ReceiptRoot(s.receipts)
	want.StateRoot = commit.Root()
	want.CyclesUsed, want.CellsUsed = s.used.Cycles, s.used.Cells
	if s.mode == Verify { // the transaction root was checked when the block was opened
		return compare(&s.header, &want)
	}
	hashes := make([]digest.Hash, len(s.txs))
	for i, v := range s.txs {
		hashes[i] = v.Hash()
	}
	want.TxRoot, want.TxCount = block.TxRoot(hashes), uint32(len(s.txs))
	s.header = want
	return nil
}

func compare(have, want *block.Header) error {
	for _, f := range [...]struct{ name, have, want string }{
		{"cycles used", number(have.CyclesUsed), number(want.CyclesUsed)},
		{"cells used", number(have.CellsUsed), number(want.CellsUsed)},
		{"receipt root", have.ReceiptRoot.String(), want.ReceiptRoot.String()},
		{"state root", have.StateRoot.String(), want.StateRoot.String()},
	} {
		if f.have != f.want {
			return invalid(&Mismatch{Field: f.name, Have: f.have, Want: f.want})
		}
	}
	return nil
}

func number[N unit.Cycles | unit.Cells](n N) string { return fmt.Sprint(uint64(n)) }
