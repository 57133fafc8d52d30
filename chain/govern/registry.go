package govern

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Group is what governance knows of a parameter group.
type Group struct {
	Tier uint8 // the least of a proposal that changes it
	// Check gives an error for an encoding that the group may not get now; nil takes any.
	Check func(value []byte) error
}

// Registry is governance during one block. Methods that return a reject of this package may have written before they found it: the caller undoes the turn.
type Registry struct {
	State     state.Store
	ChainID   uint64
	Config    *params.GovernanceConfig
	Height    unit.Height // of the block
	Tx        digest.Hash // the transaction that runs; zero at the end of a block
	Recoverer sig.Recoverer
	// Group finds a parameter group; ok is false for a key that is none.
	Group func(key string) (g Group, ok bool)
	// Bill has an address that is about to be paid pay its rent first; nil bills nobody.
	Bill func(account.Address) error
	// Relays is the Relay Registry; nil where there is none.
	Relays Relays

	from unit.Height // what delays of upgrades are counted from

	Events []block.Event
	Burned unit.Amount // deposits, in base units
}

// The topics of the events. Their data begins with the proposal's number as UInt, that of a pause with the address of the system actor.
// Spec: governance-staking B7, B9.
const (
	TopicSubmitted = "proposal.submitted" // address, u8 tier
	TopicVoted     = "proposal.voted"     // address, u8 choice, UInt stake, Bool validator
	TopicPhase     = "proposal.phase"     // u8 status, UInt last block of the phase
	TopicExtended  = "proposal.extended"  // UInt last block of the phase
	TopicCancelled = "proposal.cancelled" // UInt refund
	TopicClosed    = "proposal.closed"    // u8 status, UInt deposit that went back
	TopicFailed    = "proposal.failed"    // u8 reason
	TopicParam     = "param.updated"      // Bytes key, Bytes value
	TopicPaid      = "treasury.disbursed" // address, UInt amount
	TopicAwarded   = "treasury.awarded"   // UInt grant, Bytes bucket, address, UInt amount
	TopicRevoked   = "treasury.revoked"   // UInt grant, UInt what the bucket may award again
	TopicPaused    = "actor.paused"       // UInt until
	TopicResumed   = "actor.resumed"
	TopicCouncil   = "council.changed" // UInt rotation
	TopicLabs      = "labs.changed"
	TopicWarned    = "council.warned" // UInt warnings
)

func (h *Registry) emit(topic string, data []byte) {
	h.Events = append(h.Events, block.Event{Actor: home(), Topic: []byte(topic), Data: data})
}

func (h *Registry) emitNumbers(topic string, numbers ...uint64) {
	var data []byte
	for _, n := range numbers {
		data = codec.AppendUint(data, n)
	}
	h.emit(topic, data)
}

func (h *Registry) save(p *Proposal) { h.State.Set(proposalKey(p.ID), p.Encode()) }

// due has the end of the block at a height look at a proposal.
func (h *Registry) due(at unit.Height, what byte, number uint64) {
	h.State.Set(dueKey(at, what, number), []byte{1})
}

// snapshot is what all could vote with when this block began: what its own turns do to their stakes is too late for it.
// Spec: governance-staking B4, B5.
func (h *Registry) snapshot() (Snapshot, error) {
	s := Snapshot{Height: h.Height - 1}
	all, err := stake.WeightsAt(h.State, s.Height)
	s.Stake, s.Validators = all.Stake, all.Validators
	return s, err
}

// take moves a deposit, which came to 0x09 with the instruction, into escrow.
func (h *Registry) take(amount unit.Amount) error {
	if err := account.Debit(h.State, home(), amount); err != nil {
		return err
	}
	return h.hold(func(held unit.Amount) (unit.Amount, error) { return held.Add(amount) })
}

// release takes a proposal's deposit out of escrow and gives it back, or burns it, and gives what went back.
// Spec: governance-staking B4 (deposit).
func (h *Registry) release(p *Proposal, back bool) (unit.Amount, error) {
	amount := p.Deposit
	if amount == 0 {
		return 0, nil
	}
	if err := h.hold(func(held unit.Amount) (unit.Amount, error) { return held.Sub(amount) }); err != nil {
		return 0, err
	}
	if back {
		if err := h.bill(p.Proposer); err != nil {
			return 0, err
		}
		return amount, account.Credit(h.State, p.Proposer, amount)
	}
	burned, err := h.Burned.Add(amount)
	h.Burned = burned
	return 0, err
}

func (h *Registry) bill(addr account.Address) error {
	if h.Bill == nil {
		return nil
	}
	return h.Bill(addr)
}

func (h *Registry) hold(change func(held unit.Amount) (unit.Amount, error)) error {
	held, err := Escrow(h.State)
	if err == nil {
		held, err = change(held)
	}
	if err == nil {
		setNumber(h.State, keyEscrow, uint64(held))
	}
	return err
}

// finish closes a proposal with a status. Its deposit goes back, or is burned.
// Spec: governance-staking B4, B5.
func (h *Registry) finish(p *Proposal, with Status, back bool) error {
	p.Status, p.ClosedAt = with, h.Height
	refund, err := h.release(p, back)
	if err != nil {
		return err
	}
	if p.people() {
		open, err := number(h.State, keyOpen)
		if err != nil {
			return err
		}
		setNumber(h.State, keyOpen, open-1)
	}
	h.save(p)
	h.emit(TopicClosed, codec.AppendUint(append(codec.AppendUint(nil, p.ID), byte(with)), uint64(refund)))
	return nil
}

// enroll gives a proposal its number.
func (h *Registry) enroll(p *Proposal) error {
	count, err := number(h.State, keyCount)
	if err != nil {
		return err
	}
	p.ID, p.SubmittedAt = count+1, h.Height
	setNumber(h.State, keyCount, p.ID)
	h.emit(TopicSubmitted, append(codec.AppendFixed(codec.AppendUint(nil, p.ID), p.Proposer[:]), p.Tier))
	return nil
}

// phase takes a proposal into its check or its vote, whose last block is given.
func (h *Registry) phase(p *Proposal, into Status, last unit.Height) (err error) {
	p.Status, p.Deadline = into, last
	if into == TempCheck {
		p.CheckSnapshot, err = h.snapshot()
	} else {
		p.VoteSnapshot, err = h.snapshot()
	}
	if err != nil {
		return err
	}
	h.due(last, dueProposal, p.ID)
	h.save(p)
	h.emit(TopicPhase, codec.AppendUint(append(codec.AppendUint(nil, p.ID), byte(into)), uint64(last)))
	return nil
}
