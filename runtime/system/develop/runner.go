package develop

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// setRunner adds a script and gives its number.
//
// Spec: sdk §9.6; runner-marketplace §5; governance-staking B10.
func setRunner(e *chapter.Env, r *codec.Reader) ([]byte, error) {
	script := dispatcher.ReadScript(r)
	if r.Finish() != nil {
		return nil, chapter.Refuse(drain.FaultInput, "the payload is a script for the runners")
	}
	number, err := dispatcher.Set(e.State, script)
	return codec.AppendU64(nil, number), err
}

// clearRunner removes scripts and gives how many.
//
// Spec: governance-staking B10.
func clearRunner(e *chapter.Env, r *codec.Reader) ([]byte, error) {
	scope := dispatcher.ReadScope(r)
	if r.Finish() != nil {
		return nil, chapter.Refuse(drain.FaultInput, "the payload is whose jobs of which type")
	}
	n, err := dispatcher.Clear(e.State, &scope)
	return codec.AppendU64(nil, n), err
}

// answerJob answers a job that waits.
//
// Spec: sdk §9.6; runner-marketplace §5; governance-staking B10.
func answerJob(e *chapter.Env, r *codec.Reader) ([]byte, error) {
	hand := dispatcher.ReadByHand(r)
	if r.Finish() != nil {
		return nil, chapter.Refuse(drain.FaultInput, "the payload is a job that waits and its answer")
	}
	return nil, hand.Answer(e.State, e.Block)
}
