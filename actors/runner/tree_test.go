package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nkeys"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/runner/queue"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// fleet is a whole runner on a chain of the tests.
type fleet struct {
	world  *world
	handle *Handle
	tree   *supervision.Tree
}

// counted is an executor that counts, and gives another result each time.
type counted struct {
	done atomic.Int64
	do   func(ctx context.Context)
}

func (c *counted) Do(ctx context.Context, _ *job.Spec) (work.Output, error) {
	n := c.done.Add(1)
	if c.do != nil {
		c.do(ctx)
	}
	return work.Output{Data: fmt.Appendf(nil, "%d", n)}, nil
}

func seed(t testing.TB) (secret []byte, public string) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	secret, _ = pair.Seed()
	public, _ = pair.PublicKey()
	return secret, public
}

// run starts a runner with so many places for HTTP. sets has the executors of each place in turn.
func run(t testing.TB, w *world, sets []*work.Set, inject func(string, any), peers ...Peers) *fleet {
	t.Helper()
	dispatcher, _ := seed(t)
	worker, public := seed(t)
	f := runOn(t, w, sets, inject, worker, queue.Config{
		Capabilities: []string{"http"}, Seed: dispatcher, Dir: t.TempDir(), MaxBytes: 16 << 20, AckWait: 500 * time.Millisecond,
		Workers: []queue.Credential{{Key: public, Capabilities: []string{"http"}}},
	}, peers...)
	f.world = w
	return f
}

// runOn starts a runner whose jobs are kept as a configuration says; worker is the key of its workers. With peers it hands its reveals over.
func runOn(
	t testing.TB, chain Chain, sets []*work.Set, inject func(string, any), worker []byte, config queue.Config,
	peers ...Peers,
) *fleet {
	t.Helper()
	f := &fleet{handle: NewHandle()}
	q, err := queue.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Results(func(_ string, data []byte) bool { return f.handle.Result(data) }); err != nil {
		t.Fatal(err)
	}
	if err := q.Progress(f.handle.Progress); err != nil {
		t.Fatal(err)
	}
	d := disk.NewMemory()
	journalOf(t, d)
	key := newKey(t)
	var mu sync.Mutex
	given := map[string]*work.Set{}
	var beside []supervision.Spec
	for _, p := range peers {
		beside = Messengers(f.handle, p)
	}
	spec := Tree(func() *Dispatcher {
		return &Dispatcher{
			Handle: f.handle, Key: key, Genesis: genesis, Disk: d, Fleet: []string{"http"}, Every: 5 * time.Millisecond, Clock: supervision.RealClock{},
			HandOver: len(peers) > 0, Collects: &Collecting{},
		}
	}, func() *Courier { return &Courier{chain, q} }, []Places{{"http", len(sets)}}, func(capability string, in *supervision.Inbox) *Worker {
		mu.Lock()
		defer mu.Unlock()
		if given[in.Name()] == nil {
			given[in.Name()] = sets[len(given)]
		}
		return &Worker{Inbox: in, Capability: capability, Set: given[in.Name()], Join: func() (*queue.Worker, error) {
			return queue.Join(queue.Joining{Inside: q.InProcess(), URL: config.URL, TLS: config.TLS, Seed: worker})
		}}
	}, beside...)
	spec.Limit.Restarts, spec.Backoff = 10_000, supervision.Backoff{Initial: time.Millisecond, Max: 5 * time.Millisecond}
	for i := range spec.Children {
		if spec.Children[i].Group() {
			spec.Children[i].Limit, spec.Children[i].Backoff = spec.Limit, spec.Backoff
		}
	}
	f.tree, err = supervision.New(spec, supervision.Config{Inject: inject})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.tree.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		q.Close()
	})
	return f
}

// settled waits until the chain wants nothing more.
func (f *fleet) settled(t *testing.T) {
	t.Helper()
	deadline := time.After(60 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !f.world.over() {
		select {
		case <-tick.C:
		case <-deadline:
			s, _ := f.handle.Status()
			t.Fatalf("jobs do not end: %+v\n%+v", s, f.tree.Status())
		}
	}
}

// Dispatcher, courier and workers panic fifty times at any command, and workers in the middle of jobs: each job is committed to once and revealed.
// Spec: runner-marketplace §2.7, §5.
func TestFiftyPanics(t *testing.T) {
	var mu sync.Mutex
	draw, left, struck := rand.New(rand.NewPCG(3, 4)), 50, map[string]int{}
	strike := func(who string) bool {
		mu.Lock()
		defer mu.Unlock()
		if left == 0 || draw.IntN(3) != 0 {
			return false
		}
		left--
		struck[who]++
		return true
	}
	executor := &counted{do: func(context.Context) {
		if strike("job") {
			panic("in a job")
		}
	}}
	set := &work.Set{Executors: map[job.Kind]work.Executor{job.HTTP: executor}}
	w := newWorld()
	for range 30 {
		w.submit(t, job.HTTP, 1_000_000)
	}
	f := run(t, w, []*work.Set{set, set, set}, func(subsystem string, _ any) {
		if strike(subsystem[strings.LastIndexByte(subsystem, '/')+1:]) {
			panic("at a command")
		}
	})
	f.settled(t)
	w.check(t)
	if left != 0 || struck["dispatcher"] == 0 || struck["job"] == 0 {
		t.Errorf("%d panics left, %v", left, struck)
	}
	if s, ok := f.handle.Status(); !ok || s.Height == 0 {
		t.Errorf("%+v", s)
	}
}

// As many jobs are at work at a time as there are places, and no more: what is done in a round grows with the workers.
func TestThroughput(t *testing.T) {
	for _, places := range []int{1, 2, 4} {
		t.Run(fmt.Sprint(places), func(t *testing.T) {
			const rounds = 3
			var now, most atomic.Int64
			arrived := make(chan struct{}, 100)
			gate := make(chan struct{})
			executor := &counted{do: func(ctx context.Context) {
				if n := now.Add(1); n > most.Load() {
					most.Store(n)
				}
				arrived <- struct{}{}
				select {
				case <-gate:
				case <-ctx.Done():
				}
				now.Add(-1)
			}}
			set := &work.Set{Executors: map[job.Kind]work.Executor{job.HTTP: executor}}
			sets := make([]*work.Set, places)
			for i := range sets {
				sets[i] = set
			}
			w := newWorld()
			for range rounds * places {
				w.submit(t, job.HTTP, 1_000_000)
			}
			f := run(t, w, sets, nil)
			for round := range rounds { // each round, every place is at a job before one may go on
				for range places {
					select {
					case <-arrived:
					case <-time.After(30 * time.Second):
						t.Fatalf("round %d: not all places are at work", round)
					}
				}
				for range places {
					gate <- struct{}{}
				}
			}
			f.settled(t)
			w.check(t)
			if most.Load() != int64(places) || executor.done.Load() != int64(rounds*places) {
				t.Errorf("%d at a time, %d in all", most.Load(), executor.done.Load())
			}
		})
	}
}

// A runner that drains takes nothing more, ends what it has, and says so on the chain.
// Spec: runner-marketplace §9 (accepting_new).
func TestDrain(t *testing.T) {
	begun, gate := make(chan struct{}), make(chan struct{})
	var once sync.Once
	executor := &counted{do: func(context.Context) { once.Do(func() { close(begun) }); <-gate }}
	w := newWorld()
	w.submit(t, job.HTTP, 1_000_000)
	f := run(t, w, []*work.Set{{Executors: map[job.Kind]work.Executor{job.HTTP: executor}}}, nil)
	<-begun
	drained := f.handle.Drain()
	if s, ok := f.handle.Status(); !ok || !s.Draining || s.Open != 1 {
		t.Errorf("%+v", s)
	}
	late := w.submit(t, job.HTTP, 1_000_000)
	select {
	case <-drained:
		t.Error("it did not wait for its job")
	default:
	}
	close(gate)
	select {
	case <-drained:
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	w.check(t, late)
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.beats); n < 2 || !w.beats[0] || w.beats[n-1] {
		t.Errorf("%v", w.beats)
	}
}

// aggregator takes reveals of others, or does not, or panics.
type aggregator struct {
	mu   sync.Mutex
	does func(n int) (Reply, error)
	got  map[digest.Hash]int
}

func (a *aggregator) Hand(_ context.Context, to account.Address, id digest.Hash, r *verify.Reveal) (Reply, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.got[id]++; to != theAggregator || r == nil {
		return Declined, errDropped
	}
	return a.does(a.got[id])
}

// theAggregator is that of every committee of the tests.
var theAggregator = account.Address{3, 2, 1}

// A runner whose aggregator declines, does not answer, promises and does nothing, or has what speaks with it panic, reveals itself; it asks for a job once,
// and again where it is told to.
//
// Spec: runner-marketplace §4.6, §5; CIP-2 §8.
func TestHandsOver(t *testing.T) {
	for name, c := range map[string]struct {
		does  func(n int) (Reply, error)
		least int
		most  int
	}{
		"declines":                   {func(int) (Reply, error) { return Declined, nil }, 1, 1},
		"does not answer":            {func(int) (Reply, error) { return Promised, errDropped }, 1, 1},
		"promises and posts nothing": {func(int) (Reply, error) { return Promised, nil }, 1, 1},
		"asks for patience":          {func(int) (Reply, error) { return Early, nil }, 1, aggregatorBlocks},
		"panics":                     {func(int) (Reply, error) { panic("in a messenger") }, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			set := &work.Set{Executors: map[job.Kind]work.Executor{job.HTTP: &counted{}}}
			w, a := newWorld(), &aggregator{does: c.does, got: map[digest.Hash]int{}}
			w.aggregator = theAggregator
			for range 4 {
				w.submit(t, job.HTTP, 1_000_000)
			}
			f := run(t, w, []*work.Set{set, set}, nil, a)
			f.settled(t)
			w.check(t)
			a.mu.Lock()
			defer a.mu.Unlock()
			if len(a.got) != 2 { // two of the jobs have a committee
				t.Errorf("it hands over those of %d jobs", len(a.got))
			}
			for id, n := range a.got { // order-free: each by itself
				if n < c.least || n > c.most {
					t.Errorf("job %s: it asks %d times", hexOf(id), n)
				}
			}
			if says, why := f.handle.Offer(t.Context(), digest.Hash{1}, &verify.Reveal{}, 0); says != Declined || why == "" {
				t.Errorf("a reveal of no job: %v, %q", says, why)
			}
		})
	}
}
