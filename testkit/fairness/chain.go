package fairness

import (
	_ "embed"
	"fmt"
	"math"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// turn is a kind of block: what accounts send for it, and the blocks to make before it is measured.
type turn struct {
	name   string
	before func(r *field) // deploys and prepares; may be nil
	send   func(r *field)
	cold   bool // the programs are new: each measurement compiles them
	idle   int  // blocks between sending and the block measured: 0 measures the block of the transactions
}

// field is a chain on which turns are measured.
type field struct {
	chain   *testkit.Chain
	senders []*testkit.Account
	actor   account.Address
	n       int
}

//go:embed actors.txt
var actorsText string

// sources are sources that are dear to compile, with their sizes.
func sources() []Program {
	const n = 40_000
	repeat := func(s string, bytes int) string { return strings.Repeat(s, bytes/len(s)) }
	lines := func(s string, bytes int) string {
		var b strings.Builder
		for i := 0; b.Len() < bytes; i++ {
			b.WriteString(strings.ReplaceAll(s, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	return []Program{
		{"empty", "x = 1\n"},
		{"assignments", lines("a# = #\n", n)},
		{"functions", lines("def f#(a, b=1, *c, **d): return a + b\n", n)},
		{"classes", lines("class C#:\n  def f(self): return #\n", n)},
		{"lambdas", lines("f# = lambda x: lambda y: x + y + #\n", n)},
		{"comprehensions", lines("l# = [[x for x in y] for y in z] if 0 else 0\n", n)},
		{"nested parentheses", "x = " + strings.Repeat("(", 90) + "1" + strings.Repeat(")", 90) + "\n" + lines("y# = ((((((((((1))))))))))\n", n)},
		{"nested lists", lines("y# = [[[[[[[[[[1]]]]]]]]]]\n", n)},
		{"long expression", "x = 0" + repeat("+1", n) + "\n"},
		{"long boolean", "x = 1" + repeat(" and 1 or 0", n) + "\n"},
		{"long comparison", "x = 1" + repeat(" < 2", n) + "\n"},
		{"strings", lines("s# = 'abc' \"def\" f'{#}'\n", n)},
		{"formatted strings", "x = 1\n" + lines("s# = f'{x!r:>{x}}{x}{x}{x}'\n", n)},
		{"long string", "s = '" + repeat("\\x41", n) + "'\n"},
		{"wide string", "s = '" + repeat("é", n) + "'\n"},
		{"long comment", "#" + repeat("x", n) + "\n"},
		{"numbers", "s = [" + repeat("1.5e10,", n) + "]\n"},
		{"big numbers", lines("s# = 0x"+strings.Repeat("f", 1000)+"\n", n)},
		{"decimal numbers", lines("s# = "+strings.Repeat("9", 1200)+"\n", n)},
		{"dictionary", "s = {" + repeat("1:2,", n) + "}\n"},
		{"matches", lines("match 1:\n  case [1, *x, {'a': 2, **z}] | (3 | 4): pass\n", n)},
		{"tries", lines("try: pass\nexcept (A, B) as e: pass\nfinally: pass\n", n)},
		{"withs", lines("def f#(a):\n with a as b, a as c: pass\n", n)},
		{"decorators", "def d(f): return f\n" + lines("@d\n@d\ndef f#(): pass\n", n)},
		{"globals", "def f():\n" + lines(" global g#\n g# = 1\n", n)},
		{"closures", lines("def f#():\n a = 1\n def g():\n  nonlocal a\n  a = 2\n  return lambda: a\n", n)},
		{"asyncs", lines("async def f#(a):\n async with a: await a\n async for b in a: yield b\n", n)},
		{"annotations", lines("a#: 'int' = 1\n", n)},
		{"calls", "def f(*a, **k): pass\n" + "f(" + repeat("1,", n) + ")\n"},
		{"keywords", "def f(**k): pass\n" + "f(" + lines("k#=1,", n) + ")\n"},
		{"chained attributes", "def f(a): a" + repeat(".b", n) + "\n"},
		{"subscripts", "def f(a): a" + repeat("[0]", n) + "\n"},
		{"long name", strings.Repeat("a", n) + " = 1\n"},
		{"unicode names", lines("é# = 1\n", n)},
		{"deep blocks", deepBlocks(90)},
		{"refused at the end", lines("a# = #\n", n) + "x = (\n"},
		{"refused in a list", "x = [" + repeat("a, ", n) + "b c]\n"},
		{"refused in brackets", "x = " + strings.Repeat("a[", 90) + repeat("b,", n) + "c d" + strings.Repeat("]", 90) + "\n"},
		{"refused import", lines("a# = #\n", n) + "import os\n"},
		{"refused name", lines("a# = #\n", n) + "x = ().__class__\n"},
		{"unpacking", "def f(x): (" + repeat("a,", n) + ") = x\n"},
		{"deletions", lines("def f#(a): del a.b, a[0]\n", n)},
		{"long f-string error", "x = f'" + repeat("{1}", n) + "{'\n"},
		{"tokens", repeat(";", 1) + "\n"},
		{"operators", "x = -" + repeat("-", 60) + "1\n" + lines("y# = not not not not - - - ~ ~ 1\n", n)},
	}
}

func deepBlocks(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "if 1:\n")
	}
	return b.String() + strings.Repeat(" ", depth) + "x = 1\n"
}

// turns are the blocks that are measured. Each is full of one kind of work, as far as a sender's limit goes.
func turns() []turn {
	const many = 200
	each := func(in func(r *field, i int) tx.Instruction, cycles unit.Cycles, cells unit.Cells) func(r *field) {
		return func(r *field) {
			for i := range min(many, int(20_000_000/cycles)) {
				r.senders[i%len(r.senders)].Send(in(r, i), cycles, cells)
			}
		}
	}
	list := []turn{
		{name: "transfers", send: each(func(r *field, i int) tx.Instruction {
			return &tx.Transfer{To: account.Address{1, byte(i), byte(i >> 8)}, Amount: 1}
		}, 21_000, 0)},
		{name: "transfers to each other", send: each(func(r *field, i int) tx.Instruction {
			return &tx.Transfer{To: r.senders[(i+1)%len(r.senders)].Address(), Amount: 1}
		}, 21_000, 0)},
		{name: "calls of no actor", send: each(func(r *field, i int) tx.Instruction {
			return &tx.Execute{To: account.Address{2, byte(i)}, Handler: []byte("f")}
		}, 50_000, 1_000)},
		{name: "calls with 64 KiB", send: func(r *field) {
			for i := range 40 {
				r.senders[i%len(r.senders)].Send(&tx.Execute{To: account.Address{2, byte(i)}, Handler: []byte("f"), Payload: make([]byte, 64<<10)}, 50_000,
					80_000)
			}
		}},
		{name: "funding", send: each(func(r *field, i int) tx.Instruction { return &tx.FundActor{Actor: account.Address{3}, Amount: 1} }, 50_000, 1_000)},
		{name: "validators that exit", send: each(func(r *field, i int) tx.Instruction { return &tx.ValidatorExit{} }, 200_000, 10_000)},
		{name: "validators that withdraw", send: each(func(r *field, i int) tx.Instruction { return &tx.ValidatorWithdraw{} }, 200_000, 10_000)},
		{name: "validators that leave jail", send: each(func(r *field, i int) tx.Instruction { return &tx.ValidatorUnjail{} }, 200_000, 10_000)},
		{name: "stake", send: each(func(r *field, i int) tx.Instruction { return &tx.ValidatorAddStake{Amount: 1} }, 200_000, 10_000)},
		{name: "registrations", send: each(func(r *field, i int) tx.Instruction { return &tx.ValidatorRegister{} }, 500_000, 10_000)},
		{name: "evidence", send: each(func(r *field, i int) tx.Instruction { return &tx.SubmitMisbehaviour{Evidence: make([]byte, 1_000)} }, 500_000, 20_000)},
		{name: "dealer logs", send: each(func(r *field, i int) tx.Instruction { return &tx.SystemDkg{Log: make([]byte, 1_000)} }, 500_000, 20_000)},
	}
	for _, p := range sources() {
		list = append(list, turn{name: "deploy: " + p.Name, cold: true, send: func(r *field) {
			for i := range 4 {
				r.n++
				r.senders[i].Send(&tx.Deploy{Code: []byte(p.Source + fmt.Sprintf("# %d\n", r.n)), Salt: []byte{byte(r.n), byte(r.n >> 8)}}, 15_000_000,
					1_000_000)
			}
		}})
	}
	for _, p := range Split(expand(actorsText)) {
		name, idle, _ := strings.Cut(p.Name, ":")
		blocks := strings.Count(idle, "+")
		list = append(list, turn{name: "actor: " + name, idle: blocks, before: func(r *field) {
			r.actor = r.senders[0].Deploy(p.Source, nil)
			r.senders[0].Fund(r.actor, 1_000*unit.CBY)
		}, send: func(r *field) {
			for i := range 5 {
				r.senders[i].Send(&tx.Execute{To: r.actor, Handler: []byte("attack"), Payload: []byte("x")}, 3_900_000, 2_000_000)
			}
		}})
	}
	return list
}

// newRange makes a chain with funded senders.
func newRange() *field {
	r := &field{chain: testkit.NewChainOn(testkit.Outside{}, host.NewPrograms())}
	for i := range 20 {
		r.senders = append(r.senders, r.chain.Account(fmt.Sprint("sender ", i)))
	}
	return r
}

// Turns measures a block of each kind of work, through transition.Apply and with the signatures verified before, as a validator does.
func (h *Hunt) Turns() error {
	for _, t := range turns() {
		if h.Only != nil && !h.Only.MatchString(t.name) {
			continue
		}
		h.count("turns")
		if err := h.turn(t); err != nil {
			return fmt.Errorf("fairness: %s: %w", t.name, err)
		}
	}
	return nil
}

func (h *Hunt) turn(t turn) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case testkit.Refusal:
			fmt.Fprintf(h.Log, "%s: left out: %s\n", t.name, p.Text)
		default:
			panic(p)
		}
	}()
	r := newRange()
	if t.before != nil {
		t.before(r)
	}
	t.send(r)
	for range t.idle {
		r.chain.Mine()
	}
	fork := r.chain.Fork(testkit.Outside{})
	parent, _ := fork.Tip()
	mined := r.chain.Mine()
	runner := host.New(host.NewPrograms()) // as a validator has it: nobody watches
	best, _, _ := h.Reference.quarter(suspicious, func() (Sample, string, bool) {
		if t.cold {
			runner = host.New(host.NewPrograms()) // nothing is compiled yet
		}
		var s Sample
		s, err = measureBlock(parent, mined, runner)
		return s, "", err == nil
	})
	if err != nil {
		return err
	}
	ending := "no receipt"
	if len(mined.Receipts) > 0 {
		ending = fmt.Sprintf("%d receipts, %.70s", len(mined.Receipts), strings.ReplaceAll(testkit.Describe(mined.Receipts[0]), "\n", " "))
	}
	if best.Cycles > 0 {
		f := Found{Family: "turn", Name: t.name, PerCycle: best.PerCycle(), Sample: best, Ending: ending}
		h.note("turn "+t.name, f)
	}
	child, _ := r.chain.Tip()
	times, err := fits(parent, child, mined.Txs, mined.Receipts, best)
	if err != nil {
		return err
	}
	fmt.Fprintf(h.Log, "%8.2f ns/cycle %10d cycles %8.1f ms, %.2f s a full block  %s -> %s\n", best.PerCycle(), best.Cycles,
		best.Time.Seconds()*1e3, best.Time.Seconds()*times, t.name, ending)
	return nil
}

// fits is how often a measured block goes into a full one: by the cycles, transactions, bytes and messages a block may hold and by the cycles of the
// phases that deliver, whichever ends first.
func fits(parent, child transition.Parent, txs []tx.Verified, receipts []*block.Receipt, s Sample) (float64, error) {
	bytes := 0
	for _, v := range txs {
		bytes += len(v.Tx().Encode())
	}
	before, err := mailbox.LoadCounters(parent.State)
	if err != nil {
		return 0, err
	}
	after, err := mailbox.LoadCounters(child.State)
	if err != nil {
		return 0, err
	}
	timersBefore, err := timer.Inserted(parent.State)
	if err != nil {
		return 0, err
	}
	timersAfter, err := timer.Inserted(child.State)
	if err != nil {
		return 0, err
	}
	phases := map[block.Kind]float64{}
	for _, r := range receipts {
		phases[r.Kind] += float64(r.CyclesUsed)
	}
	times := math.Inf(1)
	for _, x := range [...]struct{ most, used float64 }{
		{float64(params.BlockCycles), float64(s.Cycles)},
		{params.MaxBlockTxs, float64(len(txs))},
		{params.MaxBlockBytes, float64(bytes)},
		{params.SendsPerBlock, float64(after.Sent + after.Created - before.Sent - before.Created + timersAfter - timersBefore)},
		{float64(drain.MessageCycles), phases[block.Message]},
		{float64(drain.DeferredCycles), phases[block.Deferred]},
		{float64(params.LaneTimerCycles), phases[block.Timer]},
	} {
		if x.used > 0 {
			times = min(times, x.most/x.used)
		}
	}
	return times, nil
}

// measureBlock executes a block as a validator does, its signatures verified before.
func measureBlock(parent transition.Parent, mined *transition.Result, runner drain.Runner) (Sample, error) {
	pause()
	start := spent()
	for _, v := range mined.Txs {
		if _, err := tx.Verify(v.Tx(), testkit.ChainID, sig.Default()); err != nil {
			return Sample{}, err
		}
	}
	result, err := transition.Apply(parent, transition.Job{Mode: transition.Verify, Header: mined.Header, Txs: mined.Txs}, runner)
	if err != nil {
		return Sample{}, err
	}
	return Sample{uint64(result.Used.Cycles), spent() - start, max(len(result.Receipts), 1)}, nil
}
