package govern

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Close is governance's part of a block's end: what fell due, oldest first, and at most params.ProposalStepsPerBlock of it.
// Spec: governance-staking B5, B7.
func (h *Registry) Close() error {
	type entry struct {
		key    []byte
		what   byte
		number uint64
	}
	var list []entry
	prefix := recordKey(keyDue)
	err := h.State.Scan(prefix, nil, params.ProposalStepsPerBlock, func(key, _ []byte) bool {
		rest := key[len(prefix):]
		if unit.Height(binary.BigEndian.Uint64(rest)) > h.Height {
			return false
		}
		list = append(list, entry{append([]byte(nil), key...), rest[8], binary.BigEndian.Uint64(rest[9:])})
		return true
	})
	for i := 0; err == nil && i < len(list); i++ {
		h.State.Delete(list[i].key)
		switch list[i].what {
		case duePause:
			err = h.lapse(byte(list[i].number))
		case dueUpload:
			err = h.forget(list[i].number)
		default:
			err = h.decide(list[i].number)
		}
	}
	return err
}

// decide ends the phase a proposal is in, if that is over.
func (h *Registry) decide(id uint64) error {
	p, err := Load(h.State, id)
	if err != nil || !p.Open() {
		return err
	}
	switch p.Status {
	case TempCheck:
		if !p.checked(h.Config) {
			return h.finish(p, Rejected, false)
		}
		return h.phase(p, Voting, h.Height+h.Config.Blocks(p.Rules.VoteHours))
	case Voting:
		return h.count(p)
	}
	// the window of execution is over
	if p.Reason == NoReason {
		p.Reason = Late
	}
	return h.finish(p, ExecutionFailed, true)
}

// count ends a vote: it is extended, lost, or won.
// Spec: governance-staking B5.
func (h *Registry) count(p *Proposal) error {
	pause, ratifies, err := h.ratifies(p)
	if err != nil {
		return err
	}
	last := h.Height + h.Config.Blocks(h.Config.ExtendHours)
	kept := last-p.VoteSnapshot.Height <= params.GovernanceLongest // an older snapshot has no weights
	if kept && p.thin(h.Config) && p.Extensions < h.Config.Extensions && (!ratifies || last < pause.Until) {
		p.Extensions++
		p.Deadline = last
		h.due(last, dueProposal, p.ID)
		h.save(p)
		h.emitNumbers(TopicExtended, p.ID, uint64(last))
		return nil
	}
	switch {
	case !p.passes():
		return h.finish(p, Rejected, true)
	case !p.people():
		return h.enact(p, ratifies)
	}
	p.Status = Queued
	p.ExecutableAt = h.Height + h.Config.Blocks(p.Rules.TimelockHours)
	p.RetryUntil = p.ExecutableAt + h.Config.Blocks(h.Config.RetryHours)
	h.due(p.RetryUntil, dueProposal, p.ID)
	h.save(p)
	h.emit(TopicPhase, codec.AppendUint(append(codec.AppendUint(nil, p.ID), byte(Queued)), uint64(p.ExecutableAt)))
	return nil
}

// ratifies gives the pause that a proposal of the circuit breaker ratifies, while there is that pause.
func (h *Registry) ratifies(p *Proposal) (Pause, bool, error) {
	list, err := Pauses(h.State)
	for _, q := range list {
		if q.Proposal == p.ID && h.Height < q.Until {
			return q, true, nil
		}
	}
	return Pause{}, false, err
}

// enact applies a proposal that the circuit breaker opened, at once.
// Spec: governance-staking B7.
func (h *Registry) enact(p *Proposal, ratifies bool) error {
	payload, err := DecodePayload(p.Payload)
	if err != nil {
		return err
	}
	if _, circuit := payload.(*Circuit); circuit && !ratifies {
		p.Reason = PauseOver
		return h.finish(p, ExecutionFailed, true)
	}
	switch err := h.apply(payload); {
	case err == nil:
		return h.finish(p, Executed, true)
	default:
		if err := h.failed(p, err); err != nil {
			return err
		}
		return h.finish(p, ExecutionFailed, true)
	}
}
