package govern

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Forever is when a permanent pause ends.
const Forever unit.Height = math.MaxUint64

// Pause is a system actor that answers nobody.
// Spec: governance-staking B7.
type Pause struct {
	Target     byte // last byte of its address
	Since      unit.Height
	Until      unit.Height // first block in which it answers again; Forever
	Extensions uint32
	Proposal   uint64 // that ratifies it
}

// Pausable reports whether the circuit breaker reaches an address: a system actor of WP §9, and not 0x09.
// Spec: governance-staking B7.
func Pausable(addr account.Address) bool {
	if addr == home() {
		return false
	}
	return slices.ContainsFunc(account.SystemTable(), func(e account.SystemEntry) bool { return account.System(e.Number) == addr })
}

// Pauses are the pauses of a state, ascending by address, those among them that ended and are not forgotten yet.
func Pauses(r state.Reader) ([]Pause, error) {
	raw, ok, err := r.Lookup(pausedKey)
	if err != nil || !ok {
		return nil, err
	}
	c := codec.NewReader(raw)
	list := make([]Pause, c.Len(0, account.ReservedLimit, 5))
	for i := range list {
		list[i] = Pause{c.U8(), unit.Height(c.Uint()), unit.Height(c.Uint()), c.Uint32(), c.Uint()}
	}
	return list, c.Finish()
}

func (h *Registry) setPauses(list []Pause) {
	if len(list) == 0 {
		h.State.Delete(pausedKey)
		return
	}
	slices.SortFunc(list, func(a, b Pause) int { return cmp.Compare(a.Target, b.Target) })
	dst := codec.AppendLen(nil, len(list))
	for _, p := range list {
		dst = codec.AppendUint(codec.AppendUint(codec.AppendU8(dst, p.Target), uint64(p.Since)), uint64(p.Until))
		dst = codec.AppendUint(codec.AppendUint(dst, uint64(p.Extensions)), p.Proposal)
	}
	h.State.Set(pausedKey, dst)
}

// Paused reports whether a system actor answers nobody in the block at a height, and until when. It is one lookup.
// Spec: governance-staking B7.
func Paused(r state.Reader, addr account.Address, height unit.Height) (until unit.Height, paused bool, err error) {
	list, err := Pauses(r)
	for _, p := range list {
		if account.System(p.Target) == addr && height < p.Until {
			return p.Until, true, nil
		}
	}
	return 0, false, err
}

// Pause pauses a system actor with the council's signatures, and opens the vote on it. It decides before the pause ends. Rejects: ErrNoCouncil, ErrNonce,
// ErrSignatures, ErrTarget.
// Spec: governance-staking B7.
func (h *Registry) Pause(target account.Address, nonce uint64, signatures []sig.Signature) error {
	if err := h.act(nonce, PauseAct(target), signatures); err != nil {
		return err
	}
	if !Pausable(target) {
		return ErrTarget
	}
	_, paused, err := Paused(h.State, target, h.Height)
	if err != nil {
		return err
	}
	if paused {
		return fmt.Errorf("%w: it is paused", ErrTarget)
	}
	until := h.Height + h.Config.Blocks(h.Config.PauseHours)
	last := min(h.Height+h.Config.Blocks(h.Config.Tiers[protocolTier].VoteHours), until-1)
	p, err := h.open(protocolTier, &Circuit{target, RatifyExtend}, last)
	if err != nil {
		return err
	}
	return h.pause(Pause{Target: target[account.AddressSize-1], Since: h.Height, Until: until, Proposal: p.ID})
}

// pause puts a pause in the place of the one the actor has.
func (h *Registry) pause(p Pause) error {
	list, err := Pauses(h.State)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(q Pause) bool { return q.Target == p.Target })
	h.setPauses(append(list, p))
	if p.Until != Forever {
		h.due(p.Until, duePause, uint64(p.Target))
	}
	target := account.System(p.Target)
	h.emit(TopicPaused, codec.AppendUint(codec.AppendFixed(nil, target[:]), uint64(p.Until)))
	return nil
}

// resume ends the pause of an actor.
func (h *Registry) resume(target byte) error {
	list, err := Pauses(h.State)
	if err != nil {
		return err
	}
	h.setPauses(slices.DeleteFunc(list, func(q Pause) bool { return q.Target == target }))
	addr := account.System(target)
	h.emit(TopicResumed, addr[:])
	return nil
}

// pauseOf is the pause an actor is in.
func (h *Registry) pauseOf(target account.Address) (p Pause, ok bool, err error) {
	list, err := Pauses(h.State)
	for _, p := range list {
		if account.System(p.Target) == target && h.Height < p.Until {
			return p, true, nil
		}
	}
	return p, false, err
}

// lapse ends a pause whose time has come.
func (h *Registry) lapse(target byte) error {
	list, err := Pauses(h.State)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(list, func(p Pause) bool { return p.Target == target && p.Until <= h.Height }) {
		return h.resume(target)
	}
	return nil
}
