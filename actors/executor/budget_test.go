package executor

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// slowTurn is how long one turn may take in these tests.
const slowTurn = 100 * time.Millisecond

// alone builds a block of some transactions undisturbed.
func alone(t *testing.T, txs ...tx.Verified) digest.Hash {
	t.Helper()
	var s state
	_, last := s.turns(s.submit(building(t, nil, txs...)))
	if last.answer == nil || last.answer.Err != nil || len(last.answer.Result.Txs) != len(txs) {
		t.Fatalf("%+v", last)
	}
	return last.answer.Result.Header.Hash()
}

// inOrder gives the transactions as the block of all of them holds them.
func inOrder(t *testing.T, txs []tx.Verified) []tx.Verified {
	return block.Order(txs, building(t, nil).Job.Header.VRFOutput)
}

// run lets the turn that is out run to its end.
func run(next step) outcome {
	o, _ := system.Run(next.turn, nil)
	return outcome{key: next.key, outcome: o}
}

// refusals gives the reasons by transaction.
func refusals(r *transition.Result) map[digest.Hash]error {
	reasons := map[digest.Hash]error{}
	for _, x := range r.Refused {
		reasons[x.Tx.Hash()] = x.Reason
	}
	return reasons
}

// When the budget is spent while a turn runs that comes to its end all the same, its transaction is in the block and no later one is.
func TestSpentBudgetTakesNoMore(t *testing.T) {
	txs := inOrder(t, signed(t, governed(), governed(), governed()))
	s := state{slow: slowTurn}
	first := s.submit(building(t, nil, txs...))
	if told := s.due(first.key.job); !told.stop || told.turn != nil || told.answer != nil {
		t.Fatalf("the budget is spent: %+v", told)
	}
	_, last := s.turns(s.take(run(first), slowTurn-1)) // once more, since the order of what remains is another
	if last.answer == nil || last.answer.Err != nil {
		t.Fatalf("%+v", last)
	}
	r := last.answer.Result
	if len(r.Txs) != 1 || r.Txs[0].Hash() != txs[0].Hash() || r.Header.Hash() != alone(t, txs[0]) {
		t.Errorf("a block of %d transactions", len(r.Txs))
	}
	reasons := refusals(r)
	if len(reasons) != 2 || reasons[txs[1].Hash()] != transition.ErrTime || reasons[txs[2].Hash()] != transition.ErrTime {
		t.Errorf("refused %v", r.Refused)
	}
	if last.report == nil || len(last.report.Slow) != 0 || len(last.report.Txs) != 1 {
		t.Errorf("report %+v", last.report)
	}
	if late := s.due(first.key.job); late != (step{}) {
		t.Errorf("a budget that is spent after the answer: %+v", late)
	}
}

// A block whose turn is lost after its budget was spent is executed again without transactions: the second attempt has no more time than the first, whether
// the machine of the first was told before or not.
//
// Spec: ARCHITECTURE "One block, from bytes to root".
func TestSpentBudgetOfALostTurn(t *testing.T) {
	for _, c := range []struct {
		name string
		told bool
	}{{"before the machine is told", false}, {"after", true}} {
		t.Run(c.name, func(t *testing.T) {
			txs := inOrder(t, signed(t, governed(), governed(), governed()))
			s := state{slow: slowTurn}
			out := s.submit(building(t, nil, txs...))
			s.due(out.key.job)
			if c.told {
				if out = s.take(run(out), 0); out.turn == nil {
					t.Fatalf("the block does not start over for its order: %+v", out)
				}
			}
			handed, last := s.turns(s.lose(lost{out.key, errors.New("broken worker")}))
			if handed != 0 || last.answer == nil || last.answer.Err != nil || last.answer.Attempts != 2 {
				t.Fatalf("%d turns of transactions, %+v", handed, last)
			}
			r := last.answer.Result
			if len(r.Txs) != 0 || r.Header.Hash() != alone(t) {
				t.Errorf("a block of %d transactions", len(r.Txs))
			}
			reasons := refusals(r)
			for i, x := range txs {
				if reasons[x.Hash()] != transition.ErrTime {
					t.Errorf("transaction %d: refused for %v", i, reasons[x.Hash()])
				}
			}
		})
	}
}

// A turn that was ended is undone; its transaction is slow if the turn alone took too long, and unlucky otherwise.
func TestEndedTurn(t *testing.T) {
	for i, c := range []struct {
		took time.Duration
		slow bool
	}{{slowTurn - 1, false}, {slowTurn, true}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			txs := inOrder(t, signed(t, governed(), governed(), governed()))
			s := state{slow: slowTurn}
			first := s.submit(building(t, nil, txs...))
			second := s.take(run(first), time.Millisecond)
			s.due(second.key.job)
			second.turn.Overlay.Set(account.Address{0x77}.Key(), []byte("half done"))
			_, last := s.turns(s.give(interrupted{key: second.key}, c.took))
			if last.answer == nil || last.answer.Err != nil {
				t.Fatalf("%+v", last)
			}
			r := last.answer.Result
			if len(r.Txs) != 1 || r.Header.Hash() != alone(t, txs[0]) {
				t.Errorf("after %v: a block of %d transactions", c.took, len(r.Txs))
			}
			reasons := refusals(r)
			var slow *Slow
			if errors.As(reasons[txs[1].Hash()], &slow) != c.slow || !c.slow && reasons[txs[1].Hash()] != transition.ErrTime {
				t.Errorf("after %v: refused for %v", c.took, reasons[txs[1].Hash()])
			}
			if stale := s.give(interrupted{key: second.key}, c.took); stale != (step{}) {
				t.Errorf("ended twice: %+v", stale)
			}
			want := Slow{Height: 1, Kind: block.Transaction, ID: txs[1].Hash(), Actor: second.turn.Target, Took: c.took, Ended: true}
			if c.slow && (*slow != want || len(last.report.Slow) != 1 || last.report.Slow[0] != want) {
				t.Errorf("%+v, report %+v", slow, last.report)
			}
			if reasons[txs[2].Hash()] != transition.ErrTime {
				t.Errorf("the next one: %v", reasons[txs[2].Hash()])
			}
			if last.report.Cut != (digest.Hash{}) {
				t.Errorf("something came before it, and %v is told", last.report.Cut)
			}
		})
	}
}

// The first turn of a block has all of its budget. If it is ended, the block holds nothing: it is told which one that was, unless it was slow.
func TestCutTurn(t *testing.T) {
	for i, c := range []struct {
		took time.Duration
		cut  bool
	}{{slowTurn - 1, true}, {slowTurn, false}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			txs := inOrder(t, signed(t, governed(), governed()))
			s := state{slow: slowTurn}
			first := s.submit(building(t, nil, txs...))
			s.due(first.key.job)
			_, last := s.turns(s.give(interrupted{key: first.key}, c.took))
			if last.answer == nil || last.answer.Err != nil || len(last.answer.Result.Txs) != 0 || last.report == nil {
				t.Fatalf("%+v", last)
			}
			want := digest.Hash{}
			if c.cut {
				want = txs[0].Hash()
			}
			if last.report.Cut != want || len(last.report.Slow) == 1 == c.cut {
				t.Errorf("after %v: report %+v", c.took, last.report)
			}
		})
	}
}

// A turn that goes on though it was told to end is not waited for: the block is built from what it has to hold, and what comes next goes to another worker.
func TestDeafTurn(t *testing.T) {
	txs := inOrder(t, signed(t, governed(), governed()))
	s := state{slow: slowTurn}
	first := s.submit(building(t, nil, txs...))
	if early := s.late(overrun{first.key.job, true}, 0); early != (step{}) {
		t.Fatalf("it was not told yet: %+v", early)
	}
	s.due(first.key.job)
	_, second := s.turns(s.take(run(first), 0)) // it ended, and the block is over
	if second.answer == nil {
		t.Fatalf("%+v", second)
	}
	if late := s.late(overrun{first.key.job, true}, 0); late != (step{}) {
		t.Fatalf("after the answer: %+v", late)
	}

	again := s.submit(building(t, nil, txs...))
	s.due(again.key.job)
	last := s.late(overrun{again.key.job, true}, 3*slowTurn)
	if last.answer == nil || !last.stop || s.lost != 1 {
		t.Fatalf("%+v, %d lost", last, s.lost)
	}
	r := last.answer.Result
	reasons := refusals(r)
	var slow *Slow
	if len(r.Txs) != 0 || r.Header.Hash() != alone(t) || !errors.As(reasons[txs[0].Hash()], &slow) || reasons[txs[1].Hash()] != transition.ErrTime {
		t.Errorf("a block of %d transactions, refused %v", len(r.Txs), r.Refused)
	}
	if stale := s.take(run(again), 0); stale != (step{}) {
		t.Errorf("its late outcome led to %+v", stale)
	}
}

// A block that takes twice its budget, though no turn of it is slow, is built from what it has to hold.
func TestOverrunBuild(t *testing.T) {
	txs := signed(t, governed(), governed())
	s := state{slow: slowTurn}
	first := s.submit(building(t, nil, txs...))
	s.due(first.key.job)
	last := s.late(overrun{first.key.job, false}, slowTurn-1)
	if last.answer == nil || len(last.answer.Result.Txs) != 0 || len(last.answer.Result.Refused) != 2 || last.report == nil {
		t.Fatalf("%+v, report %+v", last.answer, last.report)
	}
	if last.report.Cut != first.turn.ID || len(last.report.Slow) != 0 {
		t.Errorf("report %+v", last.report)
	}
	for _, x := range last.answer.Result.Refused {
		if x.Reason != transition.ErrTime {
			t.Errorf("refused for %v", x.Reason)
		}
	}
}

// A job is taken back while its turn is out, or while it waits; the others go on, and no outcome of it counts.
func TestAbandon(t *testing.T) {
	txs := signed(t, governed())
	token, waits := &CancelToken{}, &CancelToken{}
	s := state{slow: slowTurn}
	e := building(t, nil, txs...)
	e.Cancel = token
	behind := building(t, nil)
	behind.Cancel = waits
	first := s.submit(e)
	s.submit(behind)
	s.submit(building(t, nil))
	if nobody := s.abandon(&CancelToken{}, 0); nobody != (step{}) {
		t.Fatalf("nobody's job: %+v", nobody)
	}
	if got := s.abandon(waits, 0); got.answer == nil || got.answer.Err != ErrAbandoned || got.order.Cancel != waits || s.current == nil || got.stop {
		t.Fatalf("a waiting job: %+v", got)
	}
	got := s.abandon(token, slowTurn)
	if got.answer == nil || got.answer.Err != ErrAbandoned || !got.stop || s.current != nil || s.lost != 1 {
		t.Fatalf("the job in progress: %+v", got)
	}
	if got.report == nil || len(got.report.Slow) != 1 || got.report.Slow[0].ID != txs[0].Hash() || len(got.report.Txs) != 0 {
		t.Errorf("report %+v", got.report)
	}
	if next := s.next(); next.answer == nil || next.answer.Err != nil {
		t.Errorf("the last job: %+v", next)
	}
	if stale := s.take(run(first), 0); stale != (step{}) {
		t.Errorf("its late outcome led to %+v", stale)
	}
	if gone := s.abandon(token, 0); gone != (step{}) {
		t.Errorf("taken back twice: %+v", gone)
	}
}

// Turns of a check are measured like those of a build, and never ended for want of time.
func TestSlowTurnOfACheck(t *testing.T) {
	txs := signed(t, governed())
	var s state
	_, built := s.turns(s.submit(building(t, nil, txs...)))
	e := building(t, nil)
	e.Job = transition.Job{Mode: transition.Verify, Header: built.answer.Result.Header, Txs: built.answer.Result.Txs}
	s = state{slow: slowTurn}
	out := s.submit(e)
	last := s.take(run(out), 5*slowTurn)
	if last.answer == nil || last.answer.Err != nil || len(last.report.Slow) != 1 || last.report.Slow[0].Ended || last.report.Mode != transition.Verify {
		t.Errorf("%+v, report %+v", last.answer, last.report)
	}
}

// A worker gives a turn back that ends because it was told to, and does not begin one that is to end already.
func TestWorkerEndsTurns(t *testing.T) {
	for _, told := range []bool{false, true} {
		home := NewHandle()
		flag := &interrupt{}
		flag.raised.Store(told)
		ran := 0
		w := Runs{Runner: runner(func(*drain.Turn) (drain.Outcome, error) { ran++; return drain.Outcome{}, drain.ErrInterrupted })}
		turn := &Turn{Turn: &drain.Turn{Interrupt: flag, Block: &drain.Block{}}, home: home}
		w.run(turn)
		if tally := home.inbox.Tally(); ran != map[bool]int{false: 1, true: 0}[told] || tally.Depth != 1 || (turn.work > 0) != told {
			t.Errorf("told %v: ran %d times, %+v", told, ran, tally)
		}
	}
}

type runner func(*drain.Turn) (drain.Outcome, error)

func (r runner) Run(t *drain.Turn) (drain.Outcome, error) { return r(t) }
