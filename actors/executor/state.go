package executor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// attempts is how often one block is executed before it is given up, or the node stops over it.
const attempts = 2

// Evidence is what is known about a block that could not be executed. A build in which a turn broke the machine is answered with it; over any other block the
// node stops.
type Evidence struct {
	Height   unit.Height
	Parent   *block.Header
	Header   block.Header // as far as it is known
	Block    []byte       // encoded header and transactions
	Failures []string     // one per attempt
	Turn     *Broken      // the last attempt's, of a build that is answered; nil: the node stops
}

// Error implements error.
func (e *Evidence) Error() string {
	text := fmt.Sprintf("block %d failed %d times: %s", e.Height, len(e.Failures), strings.Join(e.Failures, "; "))
	if t := e.Turn; t != nil {
		text += fmt.Sprintf(": %v %v of %v", t.Kind, t.ID, t.Actor)
	}
	return text
}

// work is one job in progress.
type work struct {
	order    Execute
	number   uint64
	attempt  uint64
	machine  *transition.State
	failures []string

	turn    *drain.Turn          // that is out
	spent   bool                 // the budget
	told    *drain.Turn          // to end, since the budget is spent
	stopped bool                 // the machine of this attempt was told
	refused []transition.Refusal // before the machine began
	report  Report
}

// state decides what the executor does next. It starts no turn itself.
type state struct {
	// slow is how long one turn may take; 0: as long as it likes.
	slow    time.Duration
	jobs    uint64
	lost    uint64 // turns whose holder may not be free again
	current *work
	waiting []Execute
	last    transition.Parent // what was executed last; zero before, and after a block that is invalid
}

// step is what to do after an event: hand a turn out, answer a job, or stop the node.
type step struct {
	turn     *drain.Turn
	key      key
	answer   *Executed
	order    *Execute  // that is answered
	report   *Report   // of the answered job, if there is anything to tell
	evidence *Evidence // the answer, if there is one; otherwise the node stops over it
	lacks    error     // the code of this block is in a newer program
	stop     bool      // the turn that is out is to end
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
	s.current = &work{order: e, number: s.jobs, report: Report{Mode: e.Job.Mode, Height: e.Job.Header.Height}}
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
	w.machine, w.stopped = machine, false
	return s.advance()
}

// advance runs the machine up to its next turn or its end.
func (s *state) advance() step {
	w := s.current
	if w.spent && !w.stopped {
		w.stopped = true
		w.machine.Stop(transition.ErrTime)
	}
	turn, err := w.machine.Next()
	if err != nil {
		return s.judge(err)
	}
	if w.turn = turn; turn != nil {
		return step{turn: turn, key: key{w.number, w.attempt, turn.Number}}
	}
	result, err := w.machine.Finish()
	if err != nil {
		return s.judge(err)
	}
	return s.answer(Executed{Result: result})
}

// take gives the machine the outcome of its turn, which took so long. An outcome of an earlier attempt or job is ignored.
func (s *state) take(o outcome, took time.Duration) step {
	if !s.awaits(o.key) {
		return step{}
	}
	_ = s.clocked(took, false)
	if err := s.current.machine.Take(o.outcome); err != nil {
		return s.judge(err)
	}
	return s.advance()
}

// clocked notes how long the turn took that is out no more, and tells whether that was too long.
func (s *state) clocked(took time.Duration, ended bool) *Slow {
	w := s.current
	if w.turn.Kind == block.Timer || w.turn.Kind == block.Deferred {
		w.report.Owed += took
	}
	x := Slow{Height: w.order.Job.Header.Height, Kind: w.turn.Kind, ID: w.turn.ID, Actor: w.turn.Target, Took: took, Ended: ended}
	if x.Kind == block.Transaction && took > w.report.Longest.Took {
		w.report.Longest = x
	}
	if s.slow == 0 || took < s.slow {
		return nil
	}
	w.report.Slow = append(w.report.Slow, x)
	return &w.report.Slow[len(w.report.Slow)-1]
}

// due takes the end of a build's budget. The transaction whose turn is out is to end; what the block has to hold goes on.
func (s *state) due(job uint64) step {
	w := s.current
	if w == nil || w.number != job {
		return step{}
	}
	w.spent = true
	if w.turn.Kind == block.Transaction {
		w.told = w.turn
	}
	return step{stop: w.told != nil}
}

// give takes a turn back that ended without an outcome: its transaction is left out, as slow or for want of time.
func (s *state) give(i interrupted, took time.Duration) step {
	if !s.awaits(i.key) {
		return step{}
	}
	w := s.current
	reason := transition.ErrTime
	if slow := s.clocked(took, true); slow != nil {
		reason = slow
	} else {
		w.report.Cut = w.turn.ID
	}
	if err := w.machine.Forgo(reason); err != nil {
		return s.fail(err)
	}
	return s.advance()
}

// late takes the end of all patience with a transaction's turn that was told to end and has not, or with a block that started over for the sake of its order
// and takes longer than before: it is built anew from what it has to hold alone, and whoever holds the turn is not waited for.
func (s *state) late(o overrun, took time.Duration) step {
	w := s.current
	if w == nil || w.number != o.job || w.turn.Kind != block.Transaction || o.deaf && w.turn != w.told {
		return step{} // what is out now has to be in the block, and nothing comes sooner without what was executed before it
	}
	slow := s.clocked(took, true)
	if slow == nil {
		w.report.Cut = w.turn.ID
	}
	for _, v := range w.order.Job.Txs {
		r := transition.Refusal{Tx: v, Reason: transition.ErrTime}
		if slow != nil && v.Hash() == slow.ID {
			r.Reason = slow
		}
		w.refused = append(w.refused, r)
	}
	w.order.Job.Txs, w.report.Owed = nil, 0
	s.lost++
	next := s.start()
	next.stop = true
	return next
}

// abandon takes a job back. The turn that is out is to end, and its holder is not waited for.
func (s *state) abandon(e *CancelToken, took time.Duration) step {
	if i := slices.IndexFunc(s.waiting, func(x Execute) bool { return x.Cancel == e }); i >= 0 {
		order := s.waiting[i]
		s.waiting = slices.Delete(s.waiting, i, i+1)
		return step{answer: &Executed{Err: ErrAbandoned}, order: &order}
	}
	if s.current == nil || s.current.order.Cancel != e {
		return step{}
	}
	_ = s.clocked(took, true)
	s.lost++
	next := s.answer(Executed{Err: ErrAbandoned})
	next.stop = true
	return next
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

// fail executes the block again, once. A build may do without the turn that broke the machine, which is the asker's to decide; nothing else may.
func (s *state) fail(cause error) step {
	w := s.current
	turn := w.turn
	w.machine, w.turn = nil, nil
	s.lost++
	var edition *system.LackingError
	var version *protocol.UnknownError
	if errors.As(cause, &edition) || errors.As(cause, &version) {
		return step{lacks: cause}
	}
	w.failures = append(w.failures, cause.Error())
	if len(w.failures) < attempts {
		return s.start()
	}
	e := w.evidence()
	if w.order.Job.Mode != transition.Build || !errors.Is(cause, supervision.ErrAbandoned) {
		return step{evidence: e}
	}
	e.Turn = &Broken{Kind: turn.Kind, ID: turn.ID, Actor: turn.Target}
	done := s.answer(Executed{Err: e})
	done.evidence = e
	return done
}

func (s *state) answer(e Executed) step {
	w := s.current
	s.current, s.last = nil, transition.Parent{}
	if e.Result != nil {
		s.last = transition.Parent{Header: &e.Result.Header, State: e.Result.State}
	}
	e.Attempts = int(w.attempt)
	done := step{answer: &e, order: &w.order}
	if e.Result != nil {
		e.Result.Refused = append(e.Result.Refused, w.refused...)
		w.report.Txs = e.Result.Txs
	}
	if e.Result == nil || len(e.Result.Txs) > 0 {
		w.report.Cut = digest.Hash{}
	}
	if r := &w.report; len(r.Txs) > 0 || len(r.Slow) > 0 || r.Owed > 0 || r.Cut != (digest.Hash{}) {
		done.report = r
	}
	return done
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
