package executor

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	chainstate "github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// chain is a development chain at genesis.
func chain(t testing.TB) transition.Parent {
	t.Helper()
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	o := chainstate.New(chainstate.Config{}, chainstate.NewMemory(chainstate.Config{})).Overlay()
	if err := spec.Build(o); err != nil {
		t.Fatal(err)
	}
	c, err := o.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	return transition.Parent{Header: spec.Header(c.Root()), State: c}
}

// signed are the faucet's transactions in nonce order.
func signed(t testing.TB, instructions ...tx.Instruction) []tx.Verified {
	t.Helper()
	key := genesis.DevFaucet()
	list := make([]tx.Verified, len(instructions))
	for i, in := range instructions {
		x := &tx.Tx{
			ChainID: 1, Nonce: uint64(i), Instruction: in, CyclesLimit: 50_000, CellsLimit: 1_000, MaxFeePerCycle: 20_000,
			MaxFeePerCell: 20_000, From: key.Address(),
		}
		x.Signature = key.Sign(x.SigningHash())
		v, err := tx.Verify(x, 1, sig.Default())
		if err != nil {
			t.Fatal(err)
		}
		list[i] = v
	}
	return list
}

// building asks for block 1 with the given transactions; answers are collected.
func building(t testing.TB, answers *[]Executed, txs ...tx.Verified) Execute {
	p := chain(t)
	h := block.Header{
		Version: params.ProtocolVersion, ChainID: 1, Height: 1, View: 1, ParentHash: p.Header.Hash(), TimestampMs: p.Header.TimestampMs + 1_000,
	}
	h.VRFOutput = block.VRFOutput(h.VRFProof)
	return Execute{
		Parent: p, Job: transition.Job{Mode: transition.Build, Header: h, Txs: txs},
		Reply: func(e Executed) { *answers = append(*answers, e) },
	}
}

func transfers(n int) (list []tx.Instruction) {
	for i := range n {
		list = append(list, &tx.Transfer{To: account.Address{0xaa, byte(i)}, Amount: 7})
	}
	return list
}

// turns runs every turn a state hands out until it answers. lose names the turns (counted over all attempts) that are lost.
func (s *state) turns(next step, lose ...int) (handed int, last step) {
	for n := 0; next.turn != nil; n++ {
		handed++
		k := next.key
		if len(lose) > 0 && lose[0] == n {
			lose = lose[1:]
			next = s.lose(lost{k, errors.New("broken worker")})
			continue
		}
		o, _ := system.Run(next.turn, nil)
		next = s.take(outcome{key: k, outcome: o}, 0)
	}
	return handed, next
}

func governed() tx.Instruction { return &tx.UpdateTimerConfig{Config: params.Genesis().Timer} }

// A plain transfer pays no turn. Spec: WP §17.2 (Transfer); ARCHITECTURE "One block, from bytes to root".
func TestTransfersHandNothingOut(t *testing.T) {
	var s state
	next := s.submit(building(t, nil, signed(t, transfers(20)...)...))
	if next.turn != nil || next.answer == nil || len(next.answer.Result.Txs) != 20 || next.answer.Attempts != 1 {
		t.Errorf("step %+v", next)
	}
}

// A lost turn leaves nothing behind: the block is executed again from the parent state and its root is the same.
//
// Spec: ARCHITECTURE "One block, from bytes to root".
func TestLostTurnChangesNoRoot(t *testing.T) {
	txs := signed(t, governed(), transfers(1)[0], governed(), &tx.Execute{To: account.System(account.JobDispatcher), Handler: []byte("x")})
	var calm state
	want := func() digest.Hash {
		handed, last := calm.turns(calm.submit(building(t, nil, txs...)))
		if handed != 3 || last.answer == nil {
			t.Fatalf("handed %d, %+v", handed, last)
		}
		return last.answer.Result.Header.Hash()
	}()
	for at := range 3 {
		var s state
		handed, last := s.turns(s.submit(building(t, nil, txs...)), at)
		if last.answer == nil || last.answer.Attempts != 2 || handed != at+1+3 {
			t.Fatalf("lost turn %d: handed %d, %+v", at, handed, last)
		}
		if got := last.answer.Result.Header.Hash(); got != want {
			t.Errorf("lost turn %d: block %v, undisturbed %v", at, got, want)
		}
	}
}

// The same block failing twice is evidence, not a third try. Spec: ARCHITECTURE "One block, from bytes to root".
func TestTwoFailuresAreEvidence(t *testing.T) {
	txs := signed(t, governed(), governed())
	var s state
	_, last := s.turns(s.submit(building(t, nil, txs...)), 1, 2)
	e := last.evidence
	if e == nil || e.Height != 1 || len(e.Failures) != 2 || !strings.Contains(e.Error(), "broken worker") {
		t.Fatalf("step %+v", last)
	}
	b, err := block.Decode(e.Block)
	if err != nil || len(b.Txs) != 2 {
		t.Errorf("evidence block: %v, %v", b, err)
	}
}

// Outcomes and losses of an earlier attempt are ignored, in whatever order they arrive.
func TestStaleOutcomesAreIgnored(t *testing.T) {
	var s state
	first := s.submit(building(t, nil, signed(t, governed())...))
	again := s.lose(lost{first.key, errors.New("broken")})
	if again.turn == nil || again.key == first.key {
		t.Fatalf("step %+v", again)
	}
	if got := s.take(outcome{key: first.key}, 0); got != (step{}) {
		t.Errorf("a stale outcome led to %+v", got)
	}
	if got := s.lose(lost{first.key, errors.New("late")}); got != (step{}) {
		t.Errorf("a stale loss led to %+v", got)
	}
	if _, last := s.turns(again); last.answer == nil {
		t.Errorf("step %+v", last)
	}
}

// A block without a parent stands on the one that was executed just before, and leads to what it leads to on the parent's state; behind any other
// block, an invalid one, or none, it is answered with ErrParent and the next is not disturbed.
func TestBlocksFollowEachOther(t *testing.T) {
	var s state
	one := building(t, nil, signed(t, transfers(3)...)...)
	built := s.submit(one).answer.Result
	h := one.Job.Header
	h.Height, h.View, h.ParentView, h.ParentHash, h.TimestampMs = 2, 2, 1, built.Header.Hash(), h.TimestampMs+1_000
	h.ParentSeed = &sig.Seed{Round: built.Header.Round()}
	two := Execute{Parent: transition.Parent{Header: &built.Header, State: built.State}, Job: transition.Job{Mode: transition.Build, Header: h}}
	made := s.submit(two)
	if made.answer == nil || made.answer.Err != nil {
		t.Fatalf("block 2: %+v", made.answer)
	}
	want := made.answer.Result.Header.Hash()
	follow := Execute{Job: two.Job}
	refused := func(when string) {
		t.Helper()
		if got := s.submit(follow); got.answer == nil || !errors.Is(got.answer.Err, ErrParent) || got.answer.Result != nil {
			t.Fatalf("%s: %+v", when, got)
		}
	}
	refused("behind itself")
	refused("behind a refused one")
	s.submit(one)
	if got := s.submit(follow); got.answer.Err != nil || got.answer.Result.Header.Hash() != want {
		t.Errorf("behind its parent: %+v", got.answer)
	}
	s.submit(one)
	invalid := two
	invalid.Job.Header.TimestampMs = 0
	if got := s.submit(invalid); got.answer == nil || got.answer.Err == nil {
		t.Fatalf("a block older than its parent: %+v", got)
	}
	refused("behind an invalid one")
	s = state{}
	refused("behind none")
}

// Jobs run one after the other in their order.
func TestJobsQueue(t *testing.T) {
	var s state
	first := s.submit(building(t, nil, signed(t, governed())...))
	if got := s.submit(building(t, nil)); got != (step{}) {
		t.Fatalf("a second job began beside the first: %+v", got)
	}
	if _, last := s.turns(first); last.answer == nil {
		t.Fatal("no answer")
	}
	if next := s.next(); next.answer == nil || len(next.answer.Result.Txs) != 0 {
		t.Errorf("step %+v", next)
	}
}

// A verdict about the block is answered, not retried. Spec: ARCHITECTURE "Errors".
func TestVerdictIsAnswered(t *testing.T) {
	var s state
	e := building(t, nil)
	e.Job.Mode = transition.Verify
	e.Job.Header.ChainID = 9
	var invalid *transition.Invalid
	if next := s.submit(e); next.answer == nil || !errors.As(next.answer.Err, &invalid) || s.current != nil {
		t.Errorf("step %+v", next)
	}
}

func TestPerformersByTarget(t *testing.T) {
	named := func(n string) Performer { return &namedPerformer{n} }
	p := Performers{
		Workers: []Performer{named("w0"), named("w1")}, Reserved: named("reserved"),
		System: map[account.Address]Performer{account.System(9): named("0x09")},
	}
	for i, c := range []struct {
		turn drain.Turn
		lost uint64
		want string
	}{
		{drain.Turn{Target: account.System(9), Native: true}, 0, "0x09"},
		{drain.Turn{Target: account.System(0x77), Native: true}, 0, "reserved"},
		{drain.Turn{Target: account.Address{1}}, 0, "w0"},
		{drain.Turn{Target: account.Address{1}}, 1, "w1"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := p.pick(&c.turn, c.lost).(*namedPerformer).name; got != c.want {
				t.Errorf("%v after %d lost: %s, want %s", c.turn.Target, c.lost, got, c.want)
			}
		})
	}
}

type namedPerformer struct{ name string }

func (*namedPerformer) Perform(*Turn) supervision.Delivery { return supervision.Accepted }

// systemRunner runs native turns.
type systemRunner struct{}

func (systemRunner) Run(t *drain.Turn) (drain.Outcome, error) { return system.Run(t, nil) }

// asker stands for the executor: it hands a turn out and, with its outcome, the next.
type asker struct {
	worker *Worker
	home   *Handle
	turn   *drain.Turn
	left   int
	done   chan error
}

func (a *asker) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case lost:
		a.done <- m.cause
	case outcome, string:
		if a.left--; a.left < 0 {
			a.done <- nil
			return
		}
		a.worker.Perform(&Turn{Turn: a.turn, key: key{1, 1, 1}, home: a.home})
	}
}

// A system actor's turn through the supervised tree: command out, outcome back.
func BenchmarkTurn(b *testing.B) {
	for _, work := range []string{"none", "parameter"} {
		b.Run("work="+work, func(b *testing.B) {
			p := chain(b)
			turn := &drain.Turn{
				Number: 1, Target: account.System(account.Governance), Native: true, Overlay: p.State.Overlay(),
				Block: &drain.Block{Height: p.Header.Height + 1, Params: params.Genesis()},
			}
			if work == "parameter" {
				turn.Payload.Instruction = governed()
			} else {
				turn.Payload.Instruction = &tx.CancelTimer{}
			}
			home, worker := NewHandle(), NewWorker(0)
			a := &asker{worker: worker, home: home, turn: turn, left: b.N, done: make(chan error, 1)}
			tree, err := supervision.New(supervision.Spec{Name: "bench", Children: []supervision.Spec{
				{Name: "executor", Inbox: home.Inbox(), New: func() actor.Actor { return a }},
				{Name: "system", Inbox: worker.Inbox(), New: func() actor.Actor { return &Runs{Runner: systemRunner{}} }},
			}}, supervision.Config{})
			if err != nil {
				b.Fatal(err)
			}
			if err := tree.Start(b.Context()); err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			home.inbox.Send("go")
			err = <-a.done
			b.StopTimer()
			_ = tree.Stop(b.Context())
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}

// Blocks of plain transfers through the executor's own machine, signatures excluded.
func BenchmarkTransfers(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprintf("txs=%d", n), func(b *testing.B) {
			txs := signed(b, transfers(n)...)
			e := building(b, nil, txs...)
			b.ResetTimer()
			for range b.N {
				var s state
				if next := s.submit(e); next.answer == nil || len(next.answer.Result.Txs) != n {
					b.Fatal("not executed")
				}
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "tx/s")
		})
	}
}

// A block that needs native code this program is without is not tried twice and leaves no evidence: the node says what is lacking.
//
// Spec: governance-staking B8; ARCHITECTURE "Errors".
func TestLackingCodeStopsAtOnce(t *testing.T) {
	e := building(t, nil)
	o := e.Parent.State.Overlay()
	o.Set(account.KeyString(account.KindRecord, account.System(account.Governance), "gov:codes"),
		govern.Pointers{{Target: account.Treasury, Active: govern.Native(1), Next: &govern.Pending{Code: govern.Native(900), At: 1, Window: 9}}}.Encode())
	c, err := o.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	e.Parent.State = c
	var s state
	last := s.submit(e)
	var lacks *system.LackingError
	if !errors.As(last.lacks, &lacks) || last.evidence != nil || !strings.Contains(last.lacks.Error(), "start a newer one") {
		t.Errorf("%+v", last)
	}
}

// A build in which whoever runs a turn panics twice is answered with the evidence, which names the turn, and the next job goes on; a check of the same block
// stops the node, as does what is no panic.
//
// Spec: ARCHITECTURE "One block, from bytes to root".
func TestBrokenTurnOfABuildIsAnswered(t *testing.T) {
	txs := signed(t, governed())
	var calm state
	_, built := calm.turns(calm.submit(building(t, nil, txs...)))
	check := building(t, nil, txs...)
	check.Job.Mode, check.Job.Header, check.Job.Txs = transition.Verify, built.answer.Result.Header, built.answer.Result.Txs
	for name, c := range map[string]struct {
		order    Execute
		cause    error
		answered bool
	}{
		"a build that panics":       {building(t, nil, txs...), supervision.ErrAbandoned, true},
		"a build that cannot read":  {building(t, nil, txs...), errors.New("input/output error"), false},
		"a build as the node stops": {building(t, nil, txs...), supervision.ErrStopped, false},
		"a check of the block":      {check, supervision.ErrAbandoned, false},
		"a check that cannot read":  {check, errors.New("input/output error"), false},
	} {
		t.Run(name, func(t *testing.T) {
			var s state
			first := s.submit(c.order)
			s.submit(building(t, nil))
			again := s.lose(lost{first.key, c.cause})
			if again.turn == nil || again.evidence != nil || again.answer != nil {
				t.Fatalf("it failed once: %+v", again)
			}
			last := s.lose(lost{again.key, c.cause})
			e := last.evidence
			if e == nil || len(e.Failures) != 2 || (last.answer != nil) != c.answered || (e.Turn != nil) != c.answered {
				t.Fatalf("step %+v, evidence %+v", last, e)
			}
			if !c.answered {
				return
			}
			want := Broken{Kind: block.Transaction, ID: txs[0].Hash(), Actor: account.System(account.Governance)}
			if *e.Turn != want || last.answer.Err != e || last.answer.Attempts != 2 || !strings.Contains(e.Error(), txs[0].Hash().String()) {
				t.Errorf("%+v, evidence %v", last.answer, e)
			}
			if next := s.next(); next.answer == nil || next.answer.Err != nil {
				t.Errorf("the job behind it: %+v", next)
			}
		})
	}
}
