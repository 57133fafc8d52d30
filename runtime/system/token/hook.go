package token

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// The handlers of a hook: can_transfer(token_id, from, to, amount) -> bool and on_transfer(token_id, from, to, amount). Spec: tokens §6.
const (
	handlerAllow = "can_transfer"
	handlerTell  = "on_transfer"
)

// hooks runs the hooks of tokens within one execution.
type hooks struct{ env *chapter.Env }

// Busy implements token.Hooks.
func (h *hooks) Busy(id token.ID) bool { return h.env.Effects.Entered(id) }

// call runs a handler of a hook within its budget.
//
// Spec: tokens §6; WP §17.3 (50,000 cycles).
func (h *hooks) call(hook account.Address, handler string, m token.Move) ([]byte, error) {
	args, err := cbor.Append(nil, []any{m.Token[:], m.From[:], m.To[:], m.Amount.Int()})
	if err != nil {
		return nil, err
	}
	h.env.Effects.Enter(m.Token)
	defer h.env.Effects.Leave()
	return h.env.Call(chapter.Call{
		Target: hook, Handler: handler, Args: args, Cycles: uint64(params.TokenHookCycles), Cells: uint64(params.TokenHookCells),
	})
}

// Allow implements token.Hooks. A hook that is missing or dormant, that raises, or that returns anything but True rejects.
//
// Spec: tokens §5, §6.
func (h *hooks) Allow(hook account.Address, m token.Move) error {
	answer, err := h.call(hook, handlerAllow, m)
	var refused *chapter.CallError
	switch {
	case errors.As(err, &refused) && refused.Code == drain.FaultCycles:
		return token.ErrHookCycles
	case errors.As(err, &refused) && refused.Code == drain.FaultCells:
		return token.ErrHookCells
	case errors.As(err, &refused):
		return fmt.Errorf("%w: %s", token.ErrRejected, refused.Text)
	case err != nil:
		return err
	}
	if yes, err := cbor.Parse(answer); err != nil || yes != true {
		return token.ErrRejected
	}
	return nil
}

// Tell implements token.Hooks. What on_transfer did is undone where it failed, and the failure is an event.
//
// Spec: tokens §5 (6), §6.
func (h *hooks) Tell(hook account.Address, m token.Move) error {
	_, err := h.call(hook, handlerTell, m)
	var refused *chapter.CallError
	if errors.As(err, &refused) {
		emit(h.env, token.TopicHookFailed, token.HookFailed(m.Token, hook, refused.Code))
		return nil
	}
	return err
}

func event(topic string, data []byte) block.Event {
	return block.Event{Actor: token.Home(), Topic: []byte(topic), Data: data}
}
