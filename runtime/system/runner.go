package system

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// runners runs a call of 0x09 that scripts the runners of a developer's network.
//
// Spec: sdk §9.6; runner-marketplace §5; governance-staking B10.
func runners(t *drain.Turn, r *codec.Reader) (drain.Outcome, error) {
	switch t.Payload.Handler {
	case HandlerSetRunner:
		script := dispatcher.ReadScript(r)
		if r.Finish() != nil {
			return t.Failed(fee.Use{}, drain.FaultInput, "the payload is a script for the runners"), nil
		}
		number, err := dispatcher.Set(t.Overlay, script)
		return counted(t, number, err)
	case HandlerClearRunner:
		scope := dispatcher.ReadScope(r)
		if r.Finish() != nil {
			return t.Failed(fee.Use{}, drain.FaultInput, "the payload is whose jobs of which type"), nil
		}
		n, err := dispatcher.Clear(t.Overlay, &scope)
		return counted(t, n, err)
	case HandlerAnswerJob:
		hand := dispatcher.ReadByHand(r)
		if r.Finish() != nil {
			return t.Failed(fee.Use{}, drain.FaultInput, "the payload is a job that waits and its answer"), nil
		}
		err := hand.Answer(t.Overlay, t.Block)
		if code, rejected := runnerFault(err); rejected {
			return t.Failed(fee.Use{}, code, err.Error()), nil
		}
		return drain.Outcome{Turn: t.Number}, err
	}
	return unavailable(t), nil
}

// counted is the outcome that returns a number, or the fault of the rule that was broken.
func counted(t *drain.Turn, n uint64, err error) (drain.Outcome, error) {
	if code, rejected := runnerFault(err); rejected {
		return t.Failed(fee.Use{}, code, err.Error()), nil
	}
	return drain.Outcome{Turn: t.Number, Return: codec.AppendU64(nil, n)}, err
}

// runnerFault gives the code of a reject of package dispatcher; rejected is false for a failure.
func runnerFault(err error) (code uint16, rejected bool) {
	for _, c := range [...]struct {
		class error
		code  uint16
	}{
		{dispatcher.ErrScript, drain.FaultInput},
		{dispatcher.ErrScripts, drain.FaultLimit},
		{dispatcher.ErrFull, drain.FaultLimit},
		{dispatcher.ErrReply, drain.FaultLimit},
		{dispatcher.ErrNoJob, drain.FaultMissing},
	} {
		if errors.Is(err, c.class) {
			return c.code, true
		}
	}
	return 0, false
}
