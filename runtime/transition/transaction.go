package transition

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/entitlement"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// actorOf is whose cycles a transaction's count towards: the actor it addresses.
func actorOf(t *tx.Tx) account.Address {
	if e, ok := t.Instruction.(*tx.Execute); ok {
		return e.To
	}
	return t.From
}

// transaction admits and charges one transaction, and executes it or leaves it running.
//
// Spec: WP §2.2, §2.3, "The State Transition Function" (2).
func (s *State) transaction(e drain.Deliver) error {
	index := int(e.Item.Place)
	v := s.txs[index]
	t := v.Tx()
	if s.stopped != nil {
		if err := s.refuse(index, s.stopped); err != nil {
			return err
		}
		s.dropped(e.Turn)
		return nil
	}
	sender, err := s.loadAccount(t.From)
	if err != nil {
		return err
	}
	reason := error(tx.ErrUnjustified)
	if !t.IsDeferred() {
		reason = v.Admit(&sender, s.block.Params, s.block.Basefees)
	}
	if reason != nil {
		if err := s.refuse(index, reason); err != nil {
			return err
		}
		s.dropped(e.Turn)
		return nil
	}
	bid := fee.Bid{
		Max: fee.Rates{Cycle: t.MaxFeePerCycle, Cell: t.MaxFeePerCell},
		Tip: fee.Rates{Cycle: t.MaxPriorityFeePerCycle, Cell: t.MaxPriorityFeePerCell},
	}
	price, err := bid.At(s.lanes[v.Lane()])
	if err != nil {
		return err // Admit has checked it
	}
	sender.Nonce++
	r := &running{
		number:    e.Turn,
		index:     index,
		entry:     s.overlay.Mark(),
		intrinsic: fee.Use{Cycles: v.Intrinsic().Cycles, Cells: v.Intrinsic().Cells},
		limit:     fee.Use{Cycles: t.CyclesLimit, Cells: t.CellsLimit},
		price:     price,
		bid:       bid,
		payer:     t.From,
		receipt: &block.Receipt{
			Kind: block.Transaction, ID: v.Hash(), Cause: v.Hash(), Sender: t.From, Value: t.Instruction.Value(),
		},
	}
	switch in := t.Instruction.(type) {
	case *tx.Transfer:
		return s.transfer(r, &sender, in.To, in.Amount, anybody)
	case *tx.FundActor:
		return s.transfer(r, &sender, in.Actor, in.Amount, anActor)
	case *tx.CreateAccount:
		return s.transfer(r, &sender, in.Address, in.Amount, nobody)
	}
	if err := s.begin(r, v, &sender); err != nil {
		return err
	}
	if in, ok := t.Instruction.(*tx.TimerSchedule); ok { // bookkeeping: nobody has to run it
		outcome, err := schedule(r.turn, in)
		if err != nil {
			return err
		}
		return s.Take(outcome)
	}
	return nil
}

// who has to be at the address that value moves to.
type who uint8

const (
	anybody who = iota
	anActor     // the rule of FundActor
	nobody      // the rule of CreateAccount
)

// transfer executes a plain movement of value without a turn.
//
// Spec: WP §2.3, §17.2 (Transfer); ENT §9.7 (econ.hold_balance); runner-marketplace §3 (CreateAccount, FundActor).
func (s *State) transfer(r *running, sender *account.Account, to account.Address, amount unit.Amount, there who) error {
	r.receipt.Target = to
	settled, err := r.price.Settle(r.limit, r.intrinsic)
	if err != nil {
		return err
	}
	// Admit has found limits at maximum fees plus value covered, so neither subtraction can fail.
	if sender.Balance, err = sender.Balance.Sub(settled.Burned + settled.Tipped); err != nil {
		return err
	}
	switch {
	case to == r.payer:
		switch there {
		case anActor:
			r.fault(drain.FaultActor, "not an actor")
		case nobody:
			r.fault(drain.FaultExists, "an account is at "+to.String()+" already")
		}
	default:
		target, err := s.loadAccount(to)
		if err != nil {
			return err
		}
		if there == nobody {
			if s.overlay.Has(to.Key()) {
				r.fault(drain.FaultExists, "an account is at "+to.String()+" already")
				break
			}
			if to.IsZero() || to.IsReserved() {
				r.fault(drain.FaultForbidden, to.String()+" is reserved")
				break
			}
		}
		if there == anActor && target.Kind == account.External {
			r.fault(drain.FaultActor, "not an actor")
			break
		}
		holds, err := entitlement.MayHold(s.overlay, to, target.Kind)
		if err != nil {
			return err
		}
		if !holds && amount > 0 { // no turn of it runs, so it could only keep them
			r.fault(drain.FaultEntitlement, keeps(to))
			break
		}
		if sender.Balance, err = sender.Balance.Sub(amount); err != nil {
			return err
		}
		if target.Balance, err = target.Balance.Add(amount); err != nil {
			return err
		}
		s.saveAccount(to, &target)
	}
	s.saveAccount(r.payer, sender)
	if err := s.spend(r.receipt, r.intrinsic, settled); err != nil {
		return err
	}
	s.record(r.receipt)
	s.ran(r.number, r.intrinsic.Cycles)
	return nil
}

func (r *running) fault(code uint16, text string) {
	r.receipt.Status, r.receipt.Fault = block.Faulted, block.Fault{Code: code, Text: text}
}

// begin charges a transaction that needs a turn and leaves it running.
func (s *State) begin(r *running, v tx.Verified, sender *account.Account) error {
	t := v.Tx()
	charge, err := r.price.Precharge(r.limit)
	if err != nil {
		return err
	}
	if sender.Balance, err = sender.Balance.Sub(charge); err != nil {
		return err
	}
	s.saveAccount(t.From, sender)
	left, err := r.limit.Sub(r.intrinsic)
	if err != nil {
		return err // Verify has checked it
	}
	turn := &drain.Turn{
		Number: r.number, Kind: block.Transaction, Sender: t.From, ID: v.Hash(), TxHash: v.Hash(), Origin: v.Hash(),
		Signer: &t.From, Nonce: t.Nonce, Limit: left, Block: s.block, Overlay: s.overlay,
		Payload: drain.Payload{Instruction: t.Instruction},
	}
	switch in := t.Instruction.(type) {
	case *tx.Execute:
		turn.Target, turn.Value = in.To, in.Amount
		turn.Payload.Handler, turn.Payload.Data = string(in.Handler), in.Payload
		turn.Native = in.To.IsReserved()
	case *tx.Deploy:
		turn.Target = t.From
	case *tx.UpgradeActor:
		turn.Target = in.Actor
	case *tx.TimerSchedule:
		turn.Target = in.Actor
	default:
		turn.Target = system.Owner(t.Instruction.Opcode())
		turn.Native = true
	}
	r.turn, r.receipt.Target = turn, turn.Target
	r.mark = s.overlay.Mark()
	s.running = r
	return s.moveValue(t, turn.Target)
}

// moveValue gives an Execute's value to its target; a fault of the turn undoes it.
//
// Spec: WP §2.3; ENT §9.7 (econ.hold_balance).
func (s *State) moveValue(t *tx.Tx, to account.Address) error {
	amount := t.Instruction.Value()
	if amount == 0 || to == t.From {
		return nil
	}
	sender, err := s.loadAccount(t.From)
	if err != nil {
		return err
	}
	if sender.Balance, err = sender.Balance.Sub(amount); err != nil {
		return err // Admit has checked it
	}
	s.saveAccount(t.From, &sender)
	target, err := s.loadAccount(to)
	if err != nil {
		return err
	}
	holds, err := entitlement.MayHold(s.overlay, to, target.Kind)
	if err != nil {
		return err
	}
	if !holds {
		s.running.passing = &passing{to, target.Balance}
	}
	return s.credit(to, amount)
}

// passing is an actor that a transaction gives coins to which it may only pass on, and what it held before.
type passing struct {
	actor  account.Address
	before unit.Amount
}

func keeps(actor account.Address) string {
	return actor.String() + " keeps coins without the entitlement " + entitlement.HoldBalance
}

// checkHeld faults a turn that leaves coins with an actor that may not keep them. What somebody sent to an address before there was an actor goes to
// whoever deploys one there that may not keep it, so that it neither stays nor stands in the way.
//
// Spec: ENT §9.7 (econ.hold_balance: only pass through funds within a single transaction).
func (s *State) checkHeld(r *running, o *drain.Outcome) error {
	if p := r.passing; p != nil {
		a, err := s.loadAccount(p.actor)
		if err != nil {
			return err
		}
		if a.Balance > p.before {
			o.Fault = &block.Fault{Code: drain.FaultEntitlement, Text: keeps(p.actor)}
		}
	}
	if o.Created == nil || o.Fault != nil {
		return nil
	}
	a, err := s.loadAccount(*o.Created)
	if err != nil || a.Balance == 0 {
		return err
	}
	holds, err := entitlement.MayHold(s.overlay, *o.Created, a.Kind)
	if err != nil || holds {
		return err
	}
	found := a.Balance
	a.Balance = 0
	s.saveAccount(*o.Created, &a)
	return s.credit(r.turn.Sender, found)
}

// settle ends a turn: undo on a fault, burn, tip, refund, and what the origin's pool keeps.
//
// Spec: WP §2.3, §4.2, §8.4; scheduler-timers §6.2, §10.
func (s *State) settle(r *running, o *drain.Outcome) error {
	if o.Fault == nil {
		if err := s.checkHeld(r, o); err != nil {
			return err
		}
	}
	if o.Fault != nil {
		s.overlay.Revert(r.mark)
		if err := s.credit(r.turn.Sender, r.carried); err != nil {
			return err
		}
		r.fault(o.Fault.Code, o.Fault.Text)
		o.Events, o.Return, o.Created, o.Enqueued, o.Fanout, o.Burned = nil, nil, nil, 0, 0, 0
	}
	r.receipt.Events, r.receipt.ReturnData, r.receipt.Created = o.Events, o.Return, o.Created
	used, err := r.intrinsic.Add(o.Used)
	if err != nil {
		return err
	}
	settled, err := r.price.Settle(r.limit, used)
	if err != nil {
		return err
	}
	if err := s.spend(r.receipt, used, settled); err != nil {
		return err
	}
	if s.burned, err = s.burned.Add(o.Burned); err != nil {
		return err
	}
	s.record(r.receipt)
	if r.pool != nil {
		return s.settlePool(r, o, used, settled)
	}
	refund := settled.Refund
	if o.Enqueued > 0 {
		left, err := r.limit.Sub(used)
		if err != nil {
			return err
		}
		pool := mailbox.Pool{
			Origin: r.turn.Origin, Payer: r.payer, Left: left, Bid: r.bid, Pending: o.Enqueued, Fanout: o.Fanout,
			Since: s.header.Height,
		}
		escrow, err := pool.Escrow()
		if err != nil {
			return err
		}
		pool.Save(s.overlay)
		refund -= escrow // settled.Refund is the escrow plus what the used units did not cost
	}
	return s.credit(r.payer, refund)
}

// refuse leaves a transaction out of a block that is being built, and ends one that is being verified.
func (s *State) refuse(index int, reason error) error {
	v := s.txs[index]
	if s.mode == Verify {
		return invalid(&InvalidTx{Index: index, Hash: v.Hash(), Reason: reason})
	}
	s.skipped[index] = true
	s.refused = append(s.refused, Refusal{Tx: v, Reason: reason})
	return nil
}

// settleRefusals ends the pass of a block being built. If leaving transactions out changed the order of the rest, or what the lanes
// spill, the block starts over with what remains; it reports whether it did. Every restart has fewer transactions.
func (s *State) settleRefusals() (bool, error) {
	kept := make([]tx.Verified, 0, len(s.txs))
	claims := false
	for i, v := range s.txs {
		if !s.skipped[i] {
			kept = append(kept, v)
		} else if v.Lane() != block.LaneUser {
			claims = true
		}
	}
	if len(kept) == len(s.txs) {
		return false, nil
	}
	same := !claims
	for i, v := range block.Order(kept, s.header.VRFOutput) {
		same = same && v.Hash() == kept[i].Hash()
	}
	s.txs = kept
	if same {
		s.skipped = make([]bool, len(kept))
		return false, nil
	}
	s.used, s.checked, s.burned, s.tipped = fee.Use{}, 0, 0, 0
	return true, s.open()
}
