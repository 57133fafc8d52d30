package daemon

import (
	"fmt"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/spans"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// traces is a node's export of traces; without an endpoint it does nothing.
type traces struct{ *spans.Recorder }

func (s *settings) traces() (traces, error) {
	if s.otlp == "" {
		return traces{}, nil
	}
	r, err := spans.Dial(s.otlp, s.chainID)
	if err != nil {
		return traces{}, usageError{fmt.Errorf("--otlp: %w", err)}
	}
	s.traced = r
	return traces{r}, nil
}

// endTraces sends what is left, after the node has stopped. A collector that is away loses it.
func (s *settings) endTraces() {
	if s.traced != nil {
		_ = s.traced.Close()
		s.traced = nil
	}
}

func (t traces) around(r drain.Runner) drain.Runner {
	if t.Recorder == nil {
		return r
	}
	return t.Runner(r)
}

func (t traces) follow(n *rpc.Node) {
	if t.Recorder != nil {
		n.Submitted = t.Submitted
	}
}

// proposed is what a node tells of the blocks it puts together.
func (t traces) proposed() func(digest.Hash, time.Duration) {
	if t.Recorder == nil {
		return nil
	}
	return t.Proposed
}

func (t traces) subscribe(n *node.Node) {
	if t.Recorder != nil {
		n.Ledger.Subscribe(t.Finalized)
	}
}
