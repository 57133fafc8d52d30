package executor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// attempts is how often one block is executed before the node stops over it.
const attempts = 2

// Evidence is what is known about a block that could not be executed.
type Evidence struct {
	Height   unit.Height
	Parent   *block.Header
	Header   block.Header // as far as it is known
	Block    []byte       // encoded header and transactions
	Failures []string     // one per attempt
}

// Error implements error.
func (e *Evidence) Error() string {
	return fmt.Sprintf("block %d failed %d times: %s", e.Height, len(e.Failures), strings.Join(e.Failures, "; "))
}

// work is one job in progress.
type work struct {
	order    Execute
	number   uint64
	attempt  uint64
	machine  *transition.State
	failures []string
}

// state decides what the executor does next. It starts no turn itself.
type state struct {
	jobs    uint64
	current *work
	waiting []Execute
	last    transition.Parent // what was executed last; zero before, and after a block that is invalid
}

// step is what to do after an event: hand a turn out, answer a job, or stop the node. At most one field is set.
type step struct {
	turn     *drain.Turn
	key      key
	answer   *Executed
	order    *Execute // that is answered
	evidence *Evidence
}

// submit takes a job; the first one begins at once.
func (s *state) submit(e Execute) step {
	if s.current != nil {
		s.waiting = append(s.waiting, e)
		return step{}
	}
	return s.begin(e)
}

// next begins the oldest waiting job when none is in progress.
func (s *state) next() step {
	if s.current != nil || len(s.waiting) == 0 {
		return step{}
	}
	e := s.waiting[0]
	s.waiting = append(s.waiting[:0:0], s.waiting[1:]...)
	return s.begin(e)
}

func (s *state) begin(e Execute) step {
	s.jobs++
	s.current = &work{order: e, number: s.jobs}
	if e.Parent.State == nil {
		if s.last.State == nil || s.last.Header.Hash() != e.Job.Header.ParentHash {
			return s.answer(Executed{Err: ErrParent})
		}
		s.current.order.Parent = s.last
	}
	return s.start()
}

// start executes the current block from its parent state.
func (s *state) start() step {
	w := s.current
	w.attempt++
	machine, err := transition.Begin(w.order.Parent, w.order.Job)
	if err != nil {
		return s.judge(err)
	}
	w.machine = machine
	return s.advance()
}

// advance runs the machine up to its next turn or its end.
func (s *state) advance() step {
	w := s.current
	turn, err := w.machine.Next()
	if err != nil {
		return s.judge(err)
	}
	if turn != nil {
		return step{turn: turn, key: key{w.number, w.attempt, turn.Number}}
	}
	result, err := w.machine.Finish()
	if err != nil {
		return s.judge(err)
	}
	return s.answer(Executed{Result: result})
}

// take gives the machine the outcome of its turn. An outcome of an earlier attempt or job is ignored.
func (s *state) take(o outcome) step {
	if !s.awaits(o.key) {
		return step{}
	}
	if err := s.current.machine.Take(o.outcome); err != nil {
		return s.judge(err)
	}
	return s.advance()
}

// lose drops the overlay of a lost turn and executes the block again, once.
func (s *state) lose(l lost) step {
	if !s.awaits(l.key) {
		return step{}
	}
	return s.fail(fmt.Errorf("turn %d: %w", l.key.turn, l.cause))
}

func (s *state) awaits(k key) bool {
	return s.current != nil && s.current.number == k.job && s.current.attempt == k.attempt
}

// judge tells a verdict about the block, which is the asker's to act on, from a failure of this machine.
func (s *state) judge(err error) step {
	var invalid *transition.Invalid
	if errors.As(err, &invalid) {
		return s.answer(Executed{Err: err})
	}
	return s.fail(err)
}

func (s *state) fail(cause error) step {
	w := s.current
	w.machine = nil
	w.failures = append(w.failures, cause.Error())
	if len(w.failures) < attempts {
		return s.start()
	}
	return step{evidence: w.evidence()}
}

func (s *state) answer(e Executed) step {
	w := s.current
	s.current, s.last = nil, transition.Parent{}
	if e.Result != nil {
		s.last = transition.Parent{Header: &e.Result.Header, State: e.Result.State}
	}
	e.Attempts = int(w.attempt)
	return step{answer: &e, order: &w.order}
}

func (w *work) evidence() *Evidence {
	b := block.Block{Header: w.order.Job.Header, Txs: make([]*tx.Tx, len(w.order.Job.Txs))}
	for i, v := range w.order.Job.Txs {
		b.Txs[i] = v.Tx()
	}
	return &Evidence{
		Height: b.Header.Height, Parent: w.order.Parent.Header, Header: b.Header, Block: b.Encode(), Failures: w.failures,
	}
}
