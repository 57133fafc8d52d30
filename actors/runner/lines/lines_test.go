package lines_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/push"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/actors/runner/lines"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/supervision"
	"github.com/cowboyinc/cowboy-go/testkit/pushed"
)

const patience = 90 * time.Second

// taker is a dispatcher that takes each job once.
type taker struct {
	mu       sync.Mutex
	taken    map[digest.Hash]int // how often it came
	hurried  int
	pressure lines.Pressure
	news     chan struct{}
}

func newTaker() *taker {
	return &taker{taken: map[digest.Hash]int{}, pressure: lines.Pressure{Most: 100, Accepting: true}, news: make(chan struct{}, 1_000)}
}

func (d *taker) Pushed(_ context.Context, a *protocol.Assignment) (protocol.AckStatus, string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer func() { d.news <- struct{}{} }()
	d.taken[a.ID]++
	if d.taken[a.ID] > 1 {
		return protocol.Duplicate, ""
	}
	return protocol.Accepted, ""
}

func (d *taker) Hurry() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hurried++
	d.news <- struct{}{}
}

func (d *taker) Pressure() (lines.Pressure, uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pressure, 1
}

func (d *taker) count(id digest.Hash) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.taken[id]
}

// directory is what a node tells of the validators that are up.
type directory struct {
	chain *pushed.Chain
	mu    sync.Mutex
	all   []*pushed.Validator
}

func (d *directory) Validators(context.Context) (*lines.Sight, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	set, err := d.chain.Set()
	v := &lines.Sight{Height: d.chain.Height(), Set: set}
	for _, one := range d.all {
		for _, invitation := range one.Handle.Invitations() {
			if invitation.Validator == one.Key {
				v.Invitations = append(v.Invitations, invitation)
			}
		}
	}
	return v, err
}

func (d *directory) put(rank int, v *pushed.Validator) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all[rank] = v
}

// town is validators, and a runner that is connected to its subset of them.
type town struct {
	t         *testing.T
	chain     *pushed.Chain
	directory *directory
	taker     *taker
	handle    *lines.Handle
	key       *sig.PrivateKey
	subset    []int // ranks
}

func found(t *testing.T, n int) *town {
	t.Helper()
	raw := digest.SHA256([]byte("runner"))
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		t.Fatal(err)
	}
	keys := pushed.Keys(t, n)
	x := &town{t: t, chain: pushed.NewChain(100, keys...), taker: newTaker(), handle: lines.NewHandle(), key: key}
	x.chain.Register(key.Address())
	x.directory = &directory{chain: x.chain}
	for rank := range n {
		x.directory.all = append(x.directory.all, pushed.Start(t, x.chain, rank, n, push.Limits{}))
	}
	set, _ := x.chain.Set()
	for _, one := range protocol.Subset(protocol.RunnerParty(key.Compressed()), set) {
		for rank := range keys {
			if keys[rank] == one {
				x.subset = append(x.subset, rank)
			}
		}
	}
	spec := supervision.Spec{Name: "runner", Strategy: supervision.OneForOne, Children: []supervision.Spec{lines.Spec(x.handle, func() *lines.Lines {
		return &lines.Lines{
			Handle: x.handle, Key: key, ChainID: pushed.ID, Directory: x.directory, Dispatcher: x.taker, Capabilities: []string{"http"},
			Clock: supervision.RealClock{},
		}
	})}}
	tree, err := supervision.New(spec, supervision.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tree.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return x
}

// until waits for something, and tells the validators that the chain is there meanwhile.
func (x *town) until(what string, is func() bool) {
	x.t.Helper()
	end := time.After(patience)
	every := time.NewTicker(50 * time.Millisecond)
	defer every.Stop()
	for !is() {
		select {
		case <-x.taker.news:
		case <-every.C:
		case <-end:
			x.t.Fatalf("never: %s: %+v", what, x.handle.Status())
		}
	}
}

func (x *town) connected() int {
	s := x.handle.Status()
	return s.Connected()
}

func (x *town) block() { x.chain.Block(x.directory.all...) }

// A runner is connected to its subset, and to nobody else; a job comes from each of them at once and is taken once.
//
// Spec: runner-marketplace §9.1, §9.3.
func TestEachOfTheSubsetPushes(t *testing.T) {
	x := found(t, 6)
	if len(x.subset) != 4 {
		t.Fatalf("the subset is %v", x.subset)
	}
	x.until("it is connected to its subset", func() bool { return x.connected() == 4 })
	id := x.chain.Assign(x.key.Address(), 1)
	x.block()
	x.until("all have pushed the job", func() bool { return x.taker.count(id) == 4 })
	x.until("three know that it was there", func() bool {
		accepted, duplicate, runners := uint64(0), uint64(0), 0
		for rank, v := range x.directory.all {
			s := v.Handle.Status()
			accepted, duplicate, runners = accepted+s.Accepted, duplicate+s.Duplicate, runners+s.Runners
			if in := s.Runners == 1; in != contains(x.subset, rank) {
				t.Fatalf("validator %d has %d runners", rank, s.Runners)
			}
		}
		return accepted == 1 && duplicate == 3 && runners == 4
	})
	if s := x.handle.Status(); s.Subset != 4 || len(s.Lines) != 4 || s.Lines[0].Pushed+s.Lines[1].Pushed+s.Lines[2].Pushed+s.Lines[3].Pushed != 1 {
		t.Errorf("%+v", s)
	}
}

func contains(list []int, n int) bool {
	for _, one := range list {
		if one == n {
			return true
		}
	}
	return false
}

// A validator that dies takes no job with it: the others push. When it is back, at another address, the runner is connected to it again.
//
// Spec: runner-marketplace §9.4 (reconnecting).
func TestValidatorDies(t *testing.T) {
	x := found(t, 3)
	x.until("it is connected to all", func() bool { return x.connected() == 3 })
	x.directory.all[1].Stop(t)
	id := x.chain.Assign(x.key.Address(), 1)
	x.block()
	x.until("the job comes", func() bool { return x.taker.count(id) >= 1 })
	x.until("it has seen that one is gone", func() bool { return x.connected() == 2 })
	x.directory.put(1, pushed.Start(t, x.chain, 1, 3, push.Limits{}))
	x.until("it is connected to all again", func() bool { return x.connected() == 3 })
	x.until("who came back pushes what is open", func() bool { return x.directory.all[1].Handle.Status().Duplicate == 1 })
	if n := x.taker.count(id); n != 3 {
		t.Errorf("the job came %d times", n)
	}
}

// While all validators are away a job waits on the chain; it comes when one of them is back, and no earlier connection is needed for it.
func TestPartition(t *testing.T) {
	x := found(t, 1)
	x.until("it is connected", func() bool { return x.connected() == 1 })
	x.directory.all[0].Stop(t)
	id := x.chain.Assign(x.key.Address(), 1)
	x.until("it has seen that the validator is gone", func() bool { return x.connected() == 0 })
	if s := x.handle.Status(); x.taker.count(id) != 0 || s.Lines[0].Why == "" {
		t.Errorf("%+v", s)
	}
	x.directory.put(0, pushed.Start(t, x.chain, 0, 1, push.Limits{}))
	x.until("the job comes", func() bool { return x.taker.count(id) == 1 })
}

// A cancellation has the dispatcher look at the chain; a transaction about a job goes to every validator that is connected.
//
// Spec: runner-marketplace §9.3 (JobCancel, JobResult).
func TestCancelledAndBrought(t *testing.T) {
	x := found(t, 2)
	x.until("it is connected to both", func() bool { return x.connected() == 2 })
	id := x.chain.Assign(x.key.Address(), 1)
	x.block()
	x.until("both have an answer", func() bool {
		a, b := x.directory.all[0].Handle.Status(), x.directory.all[1].Handle.Status()
		return a.Accepted+b.Accepted == 1 && a.Duplicate+b.Duplicate == 1
	})
	x.chain.Release(x.key.Address(), id)
	x.block()
	x.until("it hurries", func() bool { x.taker.mu.Lock(); defer x.taker.mu.Unlock(); return x.taker.hurried == 2 })
	raw := pushed.Commitment(x.key, id)
	x.handle.Result(id, raw)
	for _, v := range x.directory.all {
		select {
		case got := <-v.Sent:
			if string(got) != string(raw) {
				t.Errorf("%x", got)
			}
		case <-time.After(patience):
			t.Fatal("a validator has no transaction")
		}
	}
}

// How far a job is reaches every validator that pushed it; of more than is due in a second the rest is dropped, and no line is closed over it.
//
// Spec: runner-marketplace §9.3 (JobProgress).
func TestProgressIsTold(t *testing.T) {
	x := found(t, 2)
	x.until("it is connected to both", func() bool { return x.connected() == 2 })
	id := x.chain.Assign(x.key.Address(), 1)
	x.block()
	x.until("both have an answer", func() bool {
		a, b := x.directory.all[0].Handle.Status(), x.directory.all[1].Handle.Status()
		return a.Accepted+b.Accepted == 1 && a.Duplicate+b.Duplicate == 1
	})
	told := func(fraction uint8) bool {
		for _, v := range x.directory.all {
			if p, ok := v.Handle.Progress(id, x.key.Address()); !ok || p.Fraction != fraction || p.Detail != "page 2 of 5" {
				return false
			}
		}
		return true
	}
	x.handle.Progress(id, 40, "page 2 of 5")
	x.until("both know how far it is", func() bool { return told(40) })
	for range 500 {
		x.handle.Progress(id, 60, "page 2 of 5")
	}
	x.until("they know more", func() bool { return told(60) })
	if n := x.connected(); n != 2 {
		t.Errorf("%d lines are open", n)
	}
}
