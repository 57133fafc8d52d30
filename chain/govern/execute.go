package govern

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/treasury"
)

// leastTier is the tier that a payload takes at least.
// Spec: governance-staking B3, B4, B9.
func (h *Registry) leastTier(p Payload) (uint8, error) {
	switch p := p.(type) {
	case *ParamUpdate:
		g, ok, err := h.group(p.Key)
		if err != nil {
			return 0, err
		}
		if !ok {
			return 0, fmt.Errorf("%w: there is no parameter group %.64q", ErrPayload, p.Key)
		}
		return g.Tier, nil
	case *RegistryUpdate, *DrainRelay:
		return registryTier, nil
	case *Disbursement, *GrantAward, *GrantRevoke:
		return 2, nil
	case *SystemActorUpgrade, *SystemActorRollback:
		return protocolTier, nil
	case *Circuit:
		if p.Action != Permanent {
			return protocolTier, nil
		}
	}
	return params.GovernanceTiers - 1, nil
}

// valid gives an error wrapping ErrPayload for a payload that could not be applied now; whether the treasury has the coins is not asked yet.
// Spec: governance-staking B4, B7, B9.
func (h *Registry) valid(p Payload) error {
	switch p := p.(type) {
	case *ParamUpdate:
		g, ok, err := h.group(p.Key)
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("%w: there is no parameter group %.64q", ErrPayload, p.Key)
		}
		if g.Check == nil {
			return nil
		}
		if err := g.Check(p.Value); err != nil {
			return fmt.Errorf("%w: %w", ErrPayload, err)
		}
		return nil
	case *Disbursement:
		if p.Amount == 0 || p.Recipient.IsReserved() {
			return fmt.Errorf("%w: a disbursement pays something, and not to a system actor", ErrPayload)
		}
		return nil
	case *GrantAward:
		return grantable(p.Check(h.State))
	case *GrantRevoke:
		return grantable(treasury.Revocable(h.State, p.Grant))
	case *RegistryUpdate:
		return h.validRegistry(p)
	case *DrainRelay:
		return h.validDrain(p)
	case *SystemActorUpgrade:
		return h.validUpgrade(p)
	case *SystemActorRollback:
		return h.validRollback(p)
	case *Circuit:
		return h.validCircuit(p)
	case *SetCouncil:
		return h.validCouncil(p)
	case *SetLabs:
		return h.validLabs(p)
	case *SetFoundation:
		return h.validFoundation(p)
	case *ReviewCouncil:
		if _, ok, err := LoadCouncil(h.State); err != nil {
			return err
		} else if !ok {
			return fmt.Errorf("%w: %w", ErrPayload, ErrNoCouncil)
		}
	}
	return nil
}

// validCouncil gives an error for members who cannot be the council, or of whom multisig or foundation has more than one.
// Spec: governance-staking B2.
func (h *Registry) validCouncil(p *SetCouncil) error {
	if err := Seats(p.Members); err != nil {
		return err
	}
	labs, ok, err := LoadLabs(h.State)
	if err == nil && ok {
		err = shareAtMostOne(p.Members, labs.Members)
	}
	if err != nil {
		return err
	}
	foundation, err := LoadFoundation(h.State)
	if err != nil {
		return err
	}
	return shareAtMostOne(p.Members, foundation)
}

func (h *Registry) validLabs(p *SetLabs) error {
	if p.Threshold == 0 || int(p.Threshold) > len(p.Members) {
		return fmt.Errorf("%w: %d of %d cannot sign", ErrPayload, p.Threshold, len(p.Members))
	}
	council, ok, err := LoadCouncil(h.State)
	if err == nil {
		err = people(p.Members)
	}
	if err != nil || !ok {
		return err
	}
	return shareAtMostOne(p.Members, council.Members)
}

func (h *Registry) validCircuit(p *Circuit) error {
	if !Pausable(p.Target) {
		return fmt.Errorf("%w: %w", ErrPayload, ErrTarget)
	}
	was, paused, err := h.pauseOf(p.Target)
	switch {
	case err != nil:
		return err
	case p.Action == Permanent && was.Until == Forever:
		return fmt.Errorf("%w: it is paused for ever", ErrPayload)
	case p.Action == Permanent:
	case !paused:
		return fmt.Errorf("%w: %v is not paused", ErrPayload, p.Target)
	case p.Action == RatifyExtend && was.Until == Forever:
		return fmt.Errorf("%w: it is paused for ever", ErrPayload)
	case p.Action == RatifyExtend && was.Extensions >= h.Config.PauseExtensions:
		return fmt.Errorf("%w: the pause was extended %d times, and may not be again", ErrPayload, was.Extensions)
	}
	return nil
}

// shareAtMostOne gives an error for more than one member in common. Both lists ascend.
// Spec: governance-staking B2.
func shareAtMostOne(a, b []account.Address) error {
	common := 0
	for len(a) > 0 && len(b) > 0 {
		switch order := a[0].Compare(b[0]); {
		case order < 0:
			a = a[1:]
		case order > 0:
			b = b[1:]
		default:
			common, a, b = common+1, a[1:], b[1:]
		}
	}
	if common > 1 {
		return fmt.Errorf("%w: the council has %d members in common with multisig or foundation, at most one is allowed", ErrPayload, common)
	}
	return nil
}

// Execute applies a queued proposal, for whoever asks, once its timelock is over. What can not be applied now can be tried again until the window closes; that
// is no error. Rejects: ErrNoProposal, ErrStatus, ErrTimelock.
// Spec: governance-staking B5.
func (h *Registry) Execute(id uint64) error {
	p, err := Load(h.State, id)
	switch {
	case err != nil:
		return err
	case p.Status != Queued && p.Status != ExecutionFailed || !p.Open():
		return ErrStatus
	case h.Height < p.ExecutableAt || h.Height > p.RetryUntil:
		return fmt.Errorf("%w: blocks %d to %d", ErrTimelock, p.ExecutableAt, p.RetryUntil)
	}
	payload, err := DecodePayload(p.Payload)
	if err == nil {
		h.from = p.ExecutableAt
		err = h.apply(payload)
	}
	if err == nil {
		p.Reason = NoReason
		return h.finish(p, Executed, true)
	}
	if err := h.failed(p, err); err != nil {
		return err
	}
	h.save(p)
	return nil
}

// failed writes a reject down as the reason; any other error is a failure and is passed on.
func (h *Registry) failed(p *Proposal, err error) error {
	var short *account.ShortfallError
	switch {
	case errors.As(err, &short):
		p.Reason = Short
	case errors.Is(err, ErrPayload):
		p.Reason = Refused
	default:
		return err
	}
	p.Status = ExecutionFailed
	h.emit(TopicFailed, append(codec.AppendUint(nil, p.ID), byte(p.Reason)))
	return nil
}

// apply does what a payload says, or gives an error before it has written anything.
// Spec: governance-staking B4, B7, B9.
func (h *Registry) apply(p Payload) error {
	if err := h.valid(p); err != nil {
		return err
	}
	switch p := p.(type) {
	case *ParamUpdate:
		version, err := params.Update(h.State, p.Key, params.Change{Height: h.Height, By: home(), Tx: h.Tx, Value: p.Value})
		if err != nil {
			return err
		}
		h.emit(TopicParam, codec.AppendBytes(codec.AppendBytes(nil, []byte(p.Key)), p.Value))
		h.emit(params.TopicVersion, params.EventVersion(version, p.Key))
		return nil
	case *Disbursement:
		if err := h.bill(p.Recipient); err != nil {
			return err
		}
		if err := account.Move(h.State, account.System(account.Treasury), p.Recipient, p.Amount); err != nil {
			return err
		}
		h.emit(TopicPaid, codec.AppendUint(codec.AppendFixed(nil, p.Recipient[:]), uint64(p.Amount)))
		return nil
	case *GrantAward, *GrantRevoke:
		return h.applyGrant(p)
	case *RegistryUpdate:
		return h.applyRegistry(p)
	case *DrainRelay:
		return h.Relays.Drain(p.Node)
	case *SystemActorUpgrade:
		return h.applyUpgrade(p)
	case *SystemActorRollback:
		return h.applyRollback(p)
	case *Circuit:
		return h.applyCircuit(p)
	}
	return h.applyMeta(p)
}

func (h *Registry) applyCircuit(p *Circuit) error {
	was, _, err := h.pauseOf(p.Target)
	if err != nil {
		return err
	}
	switch p.Action {
	case RatifyExtend:
		was.Extensions++
		was.Until += h.Config.Blocks(h.Config.RatifyHours)
		return h.pause(was)
	case Permanent:
		was.Target, was.Until = p.Target[account.AddressSize-1], Forever
		if was.Since == 0 {
			was.Since = h.Height
		}
		return h.pause(was)
	}
	return h.resume(was.Target)
}

func (h *Registry) applyMeta(p Payload) error {
	council, ok, err := LoadCouncil(h.State)
	if err != nil {
		return err
	}
	switch p := p.(type) {
	case *SetCouncil:
		next := &Council{Members: p.Members}
		if ok {
			next.Rotation = council.Rotation + 1
		}
		h.State.Set(recordKey(keyCouncil), next.Encode())
		h.emitNumbers(TopicCouncil, next.Rotation)
	case *SetLabs:
		h.State.Set(recordKey(keyLabs), (&Labs{p.Members, p.Threshold}).Encode())
		h.emit(TopicLabs, nil)
	case *SetFoundation:
		h.State.Set(recordKey(keyFoundation), appendAddresses(nil, p.Members))
		h.emit(TopicFoundation, nil)
	case *ReviewCouncil:
		council.Warnings++
		h.State.Set(recordKey(keyCouncil), council.Encode())
		h.emitNumbers(TopicWarned, uint64(council.Warnings))
	}
	return nil
}
