package transition

import (
	"bytes"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// What an estimate goes as far as: limits of a transaction that names none, deliveries behind it, blocks these take, and keys it lists.
const (
	EstimateCycles  unit.Cycles = 10_000_000
	EstimateCells   unit.Cells  = 1_000_000
	EstimateFollows             = 64
	EstimateBlocks              = 32
	EstimateKeys                = 1_000
)

// Touch is a key of the state that an execution read or wrote. A key that it looked for in vain is none.
type Touch struct {
	Key     []byte
	Written bool
}

// Estimate is what a transaction would use and lead to.
type Estimate struct {
	Trial
	Limit fee.Use // it was tried with
	// Lent says that the sender's balance does not cover this limit, and was taken to.
	Lent bool
	// Follows are the receipts of the messages and deferred calls that it leads to, in their order, as if each block held nothing else; More says that
	// there are others behind them. Use is what they used together.
	Follows []*block.Receipt
	More    bool
	Use     fee.Use
	Timers  uint32  // that are pending because of it
	Touched []Touch // by the transaction itself, ascending; at most EstimateKeys
}

// Assess is Try, which goes on with what the transaction leads to. Where the transaction names no limits it is tried with EstimateCycles and EstimateCells, and
// where it names no price with that of the block; the sender need not have the coins for limits it did not name.
//
// Spec: WP §17.10.
func Assess(parent Parent, t *tx.Tx, now uint64, runner drain.Runner, interrupt drain.Interrupt) (*Estimate, error) {
	open := *t
	lend := t.CyclesLimit == 0 && t.CellsLimit == 0
	if lend {
		floor := t.Intrinsic()
		open.CyclesLimit = max(min(EstimateCycles, tx.LaneOf(t.Instruction).Budget()), floor.Cycles)
		open.CellsLimit = max(EstimateCells, floor.Cells)
	}
	prepare := func(s *State) error {
		if !lend {
			return nil
		}
		sender, err := account.Load(s.overlay, t.From)
		if err != nil {
			return err
		}
		need, err := open.MaxFee()
		if err == nil {
			need, err = need.Add(tx.ValueOf(t.Instruction))
		}
		if err != nil || sender.Balance >= need || sender.Balance < tx.ValueOf(t.Instruction) {
			return nil // what is too much for 64 bits is refused
		}
		return account.Credit(s.overlay, t.From, need-sender.Balance)
	}
	if t.MaxFeePerCycle == 0 && t.MaxFeePerCell == 0 {
		rates, err := laneRates(parent.State, tx.LaneOf(t.Instruction))
		if err != nil {
			return nil, err
		}
		open.MaxFeePerCycle, open.MaxFeePerCell = rates.Cycle, rates.Cell
	}
	if lend {
		if err := fitCard(parent, &open); err != nil {
			return nil, err
		}
	}
	trial, s, err := try(parent, &open, now, runner, interrupt, prepare)
	if err != nil {
		return nil, err
	}
	e := &Estimate{Trial: *trial, Limit: fee.Use{Cycles: open.CyclesLimit, Cells: open.CellsLimit}}
	if trial.Refused != nil {
		return e, nil
	}
	before, err := account.Load(parent.State, t.From)
	if err != nil {
		return nil, err
	}
	need, err := open.MaxFee()
	if err != nil {
		return nil, err
	}
	e.Lent = before.Balance-min(before.Balance, tx.ValueOf(t.Instruction)) < need
	e.touched(s.overlay)
	if trial.Enqueued > 0 {
		err = e.follow(s, runner, interrupt)
	}
	return e, err
}

// What limits have above an estimate, since the state may be another when the transaction is executed: a quarter of it and this much.
const (
	MarginPart               = 4
	MarginCycles unit.Cycles = 10_000
	MarginCells  unit.Cells  = 500
)

// Limits are those that hold for the transaction and what it leads to, with the margin; without one for what always uses its intrinsic cost, and no more than a
// block takes. Where More follows than was tried they are at least those it was tried with.
//
// Spec: WP §17.10.
func (e *Estimate) Limits(t *tx.Tx) fee.Use {
	floor := t.Intrinsic()
	fits := fee.Use{Cycles: floor.Cycles, Cells: floor.Cells}
	if x := e.Receipt; x != nil {
		fits = fee.Use{Cycles: x.CyclesUsed + e.Use.Cycles, Cells: x.CellsUsed + e.Use.Cells}
	}
	if fits.Cycles != floor.Cycles || fits.Cells != floor.Cells {
		fits.Cycles += fits.Cycles/MarginPart + MarginCycles
		fits.Cells += fits.Cells/MarginPart + MarginCells
	}
	if e.More {
		fits = fee.Use{Cycles: max(fits.Cycles, e.Limit.Cycles), Cells: max(fits.Cells, e.Limit.Cells)}
	}
	return fee.Use{Cycles: min(fits.Cycles, tx.LaneOf(t.Instruction).Budget()), Cells: min(fits.Cells, params.MaxTxCells)}
}

// laneRates are the prices of the next block in a lane.
func laneRates(r state.Reader, lane params.Lane) (fee.Rates, error) {
	p, err := params.Load(r)
	if err != nil {
		return fee.Rates{}, err
	}
	fees, err := fee.LoadBasefees(r)
	if err != nil {
		return fee.Rates{}, err
	}
	return p.Lanes.Scale(fees, lane)
}

// touched notes what the transaction read, wrote and scheduled.
func (e *Estimate) touched(o *state.Overlay) {
	timers := account.Key(account.KindTimer, account.Address{}) // by identifier; what an owner's timers are counted by lies under the owner
	o.Touched(func(key []byte, written bool) {
		e.Touched = append(e.Touched, Touch{bytes.Clone(key), written})
		if _, old := o.Base().Index().Find(key); written && !old && bytes.HasPrefix(key, timers) && o.Has(key) {
			e.Timers++
		}
	})
	slices.SortFunc(e.Touched, func(a, b Touch) int { return bytes.Compare(a.Key, b.Key) })
	e.Touched = e.Touched[:min(len(e.Touched), EstimateKeys)]
}

// follow runs the messages and deferred calls that were not there before the transaction, in blocks that hold nothing else.
func (e *Estimate) follow(s *State, runner drain.Runner, interrupt drain.Interrupt) error {
	start, err := mailbox.LoadCounters(s.parent.State)
	if err != nil {
		return err
	}
	for range EstimateBlocks {
		counters, err := mailbox.LoadCounters(s.overlay)
		if err != nil {
			return err
		}
		n := &State{
			mode: Verify, parent: s.parent, version: s.version, overlay: s.overlay, lanes: s.lanes, fresh: &drain.Fresh{},
			messages: queue{list: since(mailbox.Pending, start.Sent), before: counters.Sent},
			calls:    queue{list: since(mailbox.PendingDeferred, start.Created), before: counters.Created},
			timers:   timers{none: true}, limits: s.limits,
		}
		n.header = following(&s.header, s.header.ParentHash, s.header.TimestampMs+1_000)
		n.header.Version = s.header.Version
		n.block = n.context(s.block.Params, s.block.Basefees)
		n.block.Rent = s.block.Rent
		n.effect = n.drain.Step(drain.Start{DeferredPending: counters.DeferredLeft > 0, ActorCycles: s.block.Params.Limits.PerActorPerBlockCycles})
		done, err := e.deliveries(n, runner, interrupt)
		if err != nil || done || len(n.receipts) == 0 {
			return err
		}
		s = n
	}
	e.More = true
	return nil
}

// deliveries runs one block of follow and reports whether there is no room for more.
func (e *Estimate) deliveries(n *State, runner drain.Runner, interrupt drain.Interrupt) (full bool, err error) {
	for told := 0; ; {
		turn, err := n.Next()
		if err != nil {
			return false, err
		}
		for _, x := range n.receipts[told:] {
			if len(e.Follows) == EstimateFollows {
				e.More = true
				return true, nil
			}
			e.Follows = append(e.Follows, x)
			e.Use.Cycles += x.CyclesUsed
			e.Use.Cells += x.CellsUsed
		}
		told = len(n.receipts)
		if turn == nil {
			return false, nil
		}
		if interrupt != nil && interrupt.Raised() {
			return false, drain.ErrInterrupted
		}
		turn.Interrupt = interrupt
		outcome, err := runner.Run(turn)
		if err != nil {
			return false, err
		}
		if err := n.Take(outcome); err != nil {
			return false, err
		}
	}
}

// since lists what is pending from a sequence number on.
func since(list func(state.Reader, *uint64, int) ([]mailbox.Entry, error), first uint64) func(state.Reader, *uint64, int) ([]mailbox.Entry, error) {
	return func(r state.Reader, cursor *uint64, limit int) ([]mailbox.Entry, error) {
		if cursor == nil && first > 0 {
			before := first - 1
			cursor = &before
		}
		return list(r, cursor, limit)
	}
}

// try is Try, with what is to be changed before the transaction, and the block as the transaction left it.
func try(parent Parent, t *tx.Tx, now uint64, runner drain.Runner, interrupt drain.Interrupt, prepare func(*State) error) (*Trial, *State, error) {
	v, err := tx.Verify(t, parent.Header.ChainID, Trusting(t))
	if err != nil {
		return &Trial{Refused: err}, nil, nil
	}
	s, err := trying(parent, v, now)
	if refused := (*InvalidTx)(nil); errors.As(err, &refused) {
		return &Trial{Refused: refused.Reason}, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	trial := &Trial{}
	if trial.Ahead, err = s.skipAhead(t); err != nil {
		return nil, nil, err
	}
	if err := prepare(s); err != nil {
		return nil, nil, err
	}
	for {
		turn, err := s.Next()
		if refused := (*InvalidTx)(nil); errors.As(err, &refused) {
			return &Trial{Refused: refused.Reason, Ahead: trial.Ahead}, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if turn == nil {
			break
		}
		turn.Interrupt = interrupt
		outcome, err := runner.Run(turn)
		if err != nil {
			return nil, nil, err
		}
		if outcome.Fault == nil {
			trial.Enqueued = outcome.Enqueued
		}
		if err := s.Take(outcome); err != nil {
			return nil, nil, err
		}
	}
	for _, x := range s.receipts {
		trial.Receipt = x
	}
	return trial, s, nil
}
