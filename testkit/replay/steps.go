package replay

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// Steps is one recorded block under way on its recorded parent state.
type Steps struct {
	work     *transition.State
	runner   drain.Runner
	receipts []*block.Receipt
}

// Steps begins a block at its height. The parent state is read from the recording.
func (r *Recording) Steps(height unit.Height) (*Steps, error) {
	if height == 0 {
		return nil, fmt.Errorf("replay: the genesis has no parent")
	}
	b, receipts, err := r.Block(height)
	if err != nil {
		return nil, err
	}
	parent, err := r.chain.Block(height - 1)
	if err != nil {
		return nil, err
	}
	state, err := r.chain.At(height - 1)
	if err != nil {
		return nil, err
	}
	txs := make([]tx.Verified, len(b.Txs))
	for i, t := range b.Txs {
		if txs[i], err = tx.Verify(t, r.spec.ChainID, sig.Default()); err != nil {
			return nil, err
		}
	}
	work, err := transition.Begin(transition.Parent{Header: &parent.Header, State: state}, transition.Job{Header: b.Header, Txs: txs})
	return &Steps{work, host.New(host.NewPrograms()), receipts}, err
}

// Step is one turn and what came of it.
type Step struct {
	Turn    *drain.Turn
	Outcome drain.Outcome
}

// Next runs the next turn; nil when the block has no more. Plain transfers are no turns and happen between.
func (s *Steps) Next() (*Step, error) {
	turn, err := s.work.Next()
	if err != nil || turn == nil {
		return nil, err
	}
	step := &Step{Turn: turn}
	if step.Outcome, err = s.runner.Run(turn); err != nil {
		return nil, err
	}
	return step, s.work.Take(step.Outcome)
}

// Finish ends the block after Next gave nil. The error says where it is not the recorded one.
func (s *Steps) Finish() (*transition.Result, error) {
	result, err := s.work.Finish()
	if err != nil {
		return nil, err
	}
	if d := testkit.Differ(result.Receipts, s.receipts); d != "" {
		return nil, fmt.Errorf("replay: block %d: %s", result.Header.Height, d)
	}
	return result, nil
}
