package transition

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
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
	entry, notes := s.overlay.Mark(), s.rent
	sender, card, reason, err := s.admit(v)
	if err != nil {
		return err
	}
	if reason != nil {
		s.overlay.Revert(entry)
		s.rent = notes
		if err := s.refuse(index, reason); err != nil {
			return err
		}
		s.dropped(e.Turn)
		return nil
	}
	bid := t.Bid()
	if card != nil {
		bid = card.bid
	}
	price, err := bid.At(s.lanes[v.Lane()])
	if err != nil {
		return err // Admit has checked it
	}
	sender.Nonce++
	r := &running{
		number:    e.Turn,
		index:     index,
		entry:     entry,
		rent:      notes,
		intrinsic: fee.Use{Cycles: v.Intrinsic().Cycles, Cells: v.Intrinsic().Cells},
		limit:     fee.Use{Cycles: t.CyclesLimit, Cells: t.CellsLimit},
		price:     price,
		bid:       bid,
		card:      card,
		receipt: &block.Receipt{
			Kind: block.Transaction, ID: v.Hash(), Cause: v.Hash(), Sender: t.From, Value: tx.ValueOf(t.Instruction),
		},
	}
	r.payer, _ = t.Payer()
	if row, _ := s.version.Rows.Of(t.Instruction.Opcode()); row.Payment != tx.NoPayment {
		return s.transfer(r, &sender, tx.TargetOf(t.Instruction, t.From), row.Payment)
	}
	if err := s.begin(r, v, &sender); err != nil {
		return err
	}
	if t.Instruction.Opcode() == tx.OpTimerSchedule { // bookkeeping: nobody has to run it
		outcome, err := system.Run(r.turn, nil)
		if err != nil {
			return err
		}
		return s.Take(outcome)
	}
	return nil
}

// transfer executes a plain movement of value without a turn.
//
// Spec: WP §2.3, §17.2 (Transfer); ENT §9.7 (econ.hold_balance); runner-marketplace §3 (CreateAccount, FundActor).
func (s *State) transfer(r *running, sender *account.Account, to account.Address, payment tx.Payment) error {
	amount := r.receipt.Value
	r.receipt.Target = to
	settled, err := r.price.Settle(r.limit, r.intrinsic)
	if err != nil {
		return err
	}
	// Admit has found limits at maximum fees plus value covered, so neither subtraction can fail.
	if err := s.charge(r, sender, settled.Burned+settled.Tipped); err != nil {
		return err
	}
	switch {
	case to == r.receipt.Sender:
		switch payment {
		case tx.PayActor:
			r.fault(drain.FaultActor, "not an actor")
		case tx.PayNewAccount:
			r.fault(drain.FaultExists, "an account is at "+to.String()+" already")
		}
	default:
		if err := s.bill(to); err != nil {
			return err
		}
		target, err := account.Load(s.overlay, to)
		if err != nil {
			return err
		}
		if payment == tx.PayNewAccount {
			if s.overlay.Has(to.Key()) {
				r.fault(drain.FaultExists, "an account is at "+to.String()+" already")
				break
			}
			if to.IsZero() || to.IsReserved() {
				r.fault(drain.FaultForbidden, to.String()+" is reserved")
				break
			}
		}
		if payment == tx.PayActor && target.Kind == account.External {
			r.fault(drain.FaultActor, "not an actor")
			break
		}
		holds, err := entitle.MayHold(s.overlay, to, target.Kind)
		if err != nil {
			return err
		}
		if !holds && amount > 0 { // no turn of it runs, so it could only keep them
			r.fault(drain.FaultEntitlement, keeps(to))
			break
		}
		if err := sender.Debit(amount); err != nil {
			return err
		}
		if err := target.Credit(amount); err != nil {
			return err
		}
		account.Save(s.overlay, to, &target)
		if err := s.bill(to); err != nil { // what it owes is paid from what it got
			return err
		}
	}
	account.Save(s.overlay, r.receipt.Sender, sender)
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
	if r.card == nil {
		if err := s.charge(r, sender, charge); err != nil {
			return err
		}
	}
	account.Save(s.overlay, t.From, sender)
	left, err := r.limit.Sub(r.intrinsic)
	if err != nil {
		return err // Verify has checked it
	}
	turn := &drain.Turn{
		Number: r.number, Kind: block.Transaction, Sender: t.From, ID: v.Hash(), TxHash: v.Hash(), Origin: v.Hash(),
		Signer: &t.From, Nonce: t.Nonce, Limit: left, Block: s.block, Overlay: s.overlay,
		Payload: drain.Payload{Instruction: t.Instruction}, Target: tx.TargetOf(t.Instruction, t.From),
	}
	row, _ := s.version.Rows.Of(t.Instruction.Opcode())
	_, turn.Native = row.HomeAddress()
	if in, ok := t.Instruction.(*tx.Execute); ok { // a message to an actor, which may be a system actor
		turn.Value, turn.Native = in.Amount, in.To.IsReserved()
		turn.Payload.Handler, turn.Payload.Data = string(in.Handler), in.Payload
	}
	r.turn, r.receipt.Target = turn, turn.Target
	if err := s.bill(turn.Target); err != nil {
		return err
	}
	r.mark = s.overlay.Mark()
	s.running = r
	return s.moveValue(t, turn.Target)
}

// moveValue gives an Execute's value to its target; a fault of the turn undoes it.
//
// Spec: WP §2.3; ENT §9.7 (econ.hold_balance).
func (s *State) moveValue(t *tx.Tx, to account.Address) error {
	amount := tx.ValueOf(t.Instruction)
	if amount == 0 || to == t.From {
		return nil
	}
	if err := account.Move(s.overlay, t.From, to, amount); err != nil {
		return err // Admit has checked that the balance covers it
	}
	target, err := account.Load(s.overlay, to)
	if err != nil {
		return err
	}
	holds, err := entitle.MayHold(s.overlay, to, target.Kind)
	if err == nil && !holds {
		s.running.passing.Note(to, target.Balance-amount)
	}
	return err
}

func keeps(actor account.Address) string {
	return actor.String() + " keeps coins without the entitlement " + entitle.HoldBalance
}

// checkHeld faults a turn that leaves coins with an actor that may not keep them. What somebody sent to an address before there was an actor goes to
// whoever deploys one there that may not keep it, so that it neither stays nor stands in the way.
//
// Spec: ENT §9.7 (econ.hold_balance: only pass through funds within a single transaction).
func (s *State) checkHeld(r *running, o *drain.Outcome) error {
	keeper, ok, err := r.passing.Keeper(s.overlay)
	if err != nil {
		return err
	}
	if ok {
		o.Fault = &block.Fault{Code: drain.FaultEntitlement, Text: keeps(keeper)}
	}
	if o.Created == nil || o.Fault != nil {
		return nil
	}
	a, err := account.Load(s.overlay, *o.Created)
	if err != nil || a.Balance == 0 {
		return err
	}
	holds, err := entitle.MayHold(s.overlay, *o.Created, a.Kind)
	if err != nil || holds {
		return err
	}
	return account.Move(s.overlay, *o.Created, r.turn.Sender, a.Balance)
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
		o.Events, o.Return, o.Created, o.Enqueued, o.Fanout, o.Burned, o.Sums = nil, nil, nil, 0, 0, 0, nil
		o.Flows = nil
	}
	if err := s.ended(r, o); err != nil {
		return err
	}
	r.receipt.Events, r.receipt.ReturnData, r.receipt.Created = o.Events, o.Return, o.Created
	if err := s.settleHooks(o); err != nil {
		return err
	}
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
	s.addSums(o.Sums)
	s.note(r, o)
	if r.turn.Batch != nil {
		r.receipt.CyclesUsed, r.receipt.CellsUsed = o.Hooks.Cycles, o.Hooks.Cells
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
		if r.card != nil {
			pool.Since = r.card.charged
		}
		escrow, err := pool.Escrow()
		if err != nil {
			return err
		}
		pool.Save(s.overlay)
		s.flows.Add(flow.In, flow.Fees, escrow)
		refund -= escrow // settled.Refund is the escrow plus what the used units did not cost
	}
	if r.card != nil {
		return s.settleCard(r, refund)
	}
	if r.drawn != nil {
		if err := r.drawn.Return(s.overlay, uint64(refund)); err != nil {
			return err
		}
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
	s.used, s.checked, s.hashed, s.sent, s.burned, s.tipped, s.sums, s.rent = fee.Use{}, 0, 0, 0, 0, 0, nil, rent.Notes{}
	return true, s.open()
}
