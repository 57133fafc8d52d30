package lines_test

import (
	"context"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/push"
	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/lines"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/supervision"
	"github.com/cowboyinc/cowboy-go/testkit/pushed"
)

// asked is a chain as a runner's courier has it, and the queue of its workers.
type asked struct {
	chain *pushed.Chain
	key   *sig.PrivateKey
	polls chan struct{} // one for each
	put   chan struct{}
}

func (c *asked) Poll(context.Context, []digest.Hash) (runner.View, error) {
	c.polls <- struct{}{}
	v := runner.View{Height: c.chain.Height()}
	open, _ := c.chain.Open(c.key.Address(), 100)
	for _, id := range open {
		at, _ := c.chain.Stand(id, c.key.Address())
		v.Jobs = append(v.Jobs, runner.Assignment{ID: id, Spec: pushed.Spec(id), Stage: runner.Working, Deadline: at.Deadline})
	}
	return v, nil
}

func (c *asked) Put(context.Context, string, string, []byte) error {
	c.put <- struct{}{}
	return nil
}

func (c *asked) Commit(context.Context, digest.Hash, digest.Hash) error    { return nil }
func (c *asked) Reveal(context.Context, digest.Hash, *verify.Reveal) error { return nil }
func (c *asked) Crash(context.Context, digest.Hash, verify.Crash) error    { return nil }
func (c *asked) Heartbeat(context.Context, bool) error                     { return nil }

// BenchmarkDelivery is the time from the block that assigns a job until the job is in the queue of the workers, in the journal before: pushed by a validator
// over QUIC on this machine, and polled for at two intervals.
func BenchmarkDelivery(b *testing.B) {
	for _, c := range []struct {
		name  string
		push  bool
		every time.Duration
	}{{"push", true, time.Hour}, {"poll=1s", false, time.Second}, {"poll=5s", false, 5 * time.Second}} {
		b.Run(c.name, func(b *testing.B) { deliver(b, c.push, c.every) })
	}
}

func deliver(b *testing.B, pushes bool, every time.Duration) {
	raw := digest.SHA256([]byte("runner"))
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		b.Fatal(err)
	}
	chain := pushed.NewChain(100, pushed.Keys(b, 1)...)
	chain.Register(key.Address())
	files, genesis := disk.NewMemory(), digest.Hash{1}
	if err := runner.MakeJournal(files, key.Address(), genesis); err != nil {
		b.Fatal(err)
	}
	h, connected, queue := runner.NewHandle(), lines.NewHandle(), &asked{chain: chain, key: key, polls: make(chan struct{}, 1<<20), put: make(chan struct{}, 1)}
	var validators []*pushed.Validator
	var beside []supervision.Spec
	if pushes {
		validators = append(validators, pushed.Start(b, chain, 0, 1, push.Limits{}))
		all := &directory{chain: chain, all: validators}
		beside = append(beside, lines.Spec(connected, func() *lines.Lines {
			return &lines.Lines{Handle: connected, Key: key, ChainID: pushed.ID, Directory: all, Dispatcher: h, Clock: supervision.RealClock{}}
		}))
	}
	tree, err := supervision.New(runner.Tree(func() *runner.Dispatcher {
		return &runner.Dispatcher{
			Handle: h, Key: key, Genesis: genesis, Disk: files, Fleet: []string{"http"}, Every: every, Clock: supervision.RealClock{}, MaxOpen: 1 << 20,
		}
	}, func() *runner.Courier { return &runner.Courier{Chain: queue, Queue: queue} }, nil, nil, beside...), supervision.Config{})
	if err != nil {
		b.Fatal(err)
	}
	if err := tree.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	defer func() { _ = tree.Stop(context.Background()) }()
	for s := connected.Status(); pushes && s.Connected() == 0; s = connected.Status() {
	}
	<-queue.polls
	waited := 0 // polls that deliveries waited for
	for i := 0; b.Loop(); i++ {
		id := chain.Assign(key.Address(), i)
		chain.Block(validators...)
		<-queue.put
		b.StopTimer()
		for waited += len(queue.polls); len(queue.polls) > 0; {
			<-queue.polls
		}
		if pushes { // a job that no poll shows keeps its place among few
			h.Hurry()
			<-queue.polls
		}
		chain.Release(key.Address(), id)
		chain.Block(validators...)
		b.StartTimer()
	}
	b.ReportMetric(float64(waited)/float64(b.N), "polls/op")
}
