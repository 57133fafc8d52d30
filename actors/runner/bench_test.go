package runner

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/runner/queue"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// busy is a chain that always has jobs for a runner, and takes everything at once. Its jobs are over when they are revealed.
type busy struct {
	mu     sync.Mutex
	height uint64
	left   int // to be given out
	open   map[digest.Hash]*Assignment
	done   int
	wanted int
	all    chan struct{} // closed when as many as are wanted are revealed
}

// openAtOnce is how many jobs the chain has for the runner at a time.
const openAtOnce = 500

func newBusy(jobs int) *busy {
	return &busy{height: 1, left: jobs, wanted: jobs, open: map[digest.Hash]*Assignment{}, all: make(chan struct{})}
}

// Poll implements Chain.
func (c *busy) Poll(_ context.Context, known []digest.Hash) (View, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.height++
	for ; c.left > 0 && len(c.open) < openAtOnce; c.left-- {
		id := digest.SHA256(fmt.Appendf(nil, "job %d", c.left))
		spec := &job.Spec{ID: id, Kind: job.HTTP, HTTP: &job.HTTPJob{URL: "http://example.org/", Method: "GET"},
			Schema: job.ResultSchema{MaxReturnBytes: 100}, TimeoutBlocks: 100,
			Bounds: job.ResourceBounds{MaxInputTokens: 1, MaxOutputTokens: 1, MaxWallTimeSeconds: 60, MaxMemoryMB: 64}}
		c.open[id] = &Assignment{ID: id, Spec: spec.Append(nil), Stage: Working, Deadline: 1 << 60}
	}
	v := View{Height: c.height}
	for _, a := range c.open {
		v.Jobs = append(v.Jobs, *a)
	}
	for _, id := range known {
		if c.open[id] == nil {
			v.Jobs = append(v.Jobs, Assignment{ID: id})
		}
	}
	return v, nil
}

// Commit implements Chain.
func (c *busy) Commit(_ context.Context, id, commitment digest.Hash) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.open[id]; a != nil {
		a.Committed, a.Commitment, a.Stage = true, commitment, Revealing
	}
	return nil
}

// Reveal implements Chain.
func (c *busy) Reveal(_ context.Context, id digest.Hash, _ *verify.Reveal) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[id] != nil {
		delete(c.open, id)
		if c.done++; c.done == c.wanted {
			close(c.all)
		}
	}
	return nil
}

// Crash implements Chain.
func (*busy) Crash(context.Context, digest.Hash, verify.Crash) error { return nil }

// Heartbeat implements Chain.
func (c *busy) Heartbeat(context.Context, bool) error { return nil }

// works does jobs with so many workers, and gives how long all of them took.
func works(b *testing.B, jobs, workers int, do func(context.Context)) time.Duration {
	b.Helper()
	set := &work.Set{Executors: map[job.Kind]work.Executor{job.HTTP: &counted{do: do}}}
	sets := make([]*work.Set, workers)
	for i := range sets {
		sets[i] = set
	}
	c := newBusy(jobs)
	begun := time.Now()
	dispatcher, _ := seed(b)
	worker, public := seed(b)
	runOn(b, c, sets, nil, worker, queue.Config{
		Capabilities: []string{"http"}, Seed: dispatcher, Dir: b.TempDir(), Workers: []queue.Credential{{Key: public, Capabilities: []string{"http"}}},
	})
	<-c.all
	return time.Since(begun)
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// BenchmarkSeconds has jobs of one second done by workers: three for each.
func BenchmarkSeconds(b *testing.B) {
	for _, workers := range []int{1, 4, 16} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for range b.N {
				took := works(b, 3*workers, workers, func(ctx context.Context) { wait(ctx, time.Second) })
				b.ReportMetric(float64(3*workers)/took.Seconds(), "jobs/s")
			}
		})
	}
}

// BenchmarkTrivial has jobs of nothing go through one dispatcher, from the poll to the reveal: journal, queue and workers each sync what they keep.
func BenchmarkTrivial(b *testing.B) {
	const jobs = 2_000
	for range b.N {
		b.ReportMetric(jobs/works(b, jobs, 8, nil).Minutes(), "jobs/min")
	}
}

// BenchmarkJetStream is the same queue without a dispatcher: what is put, done and acknowledged.
func BenchmarkJetStream(b *testing.B) {
	const jobs = 2_000
	for range b.N {
		dispatcher, _ := seed(b)
		worker, public := seed(b)
		q, err := queue.Open(b.Context(), queue.Config{
			Capabilities: []string{"http"}, Seed: dispatcher, Dir: b.TempDir(), Workers: []queue.Credential{{Key: public, Capabilities: []string{"http"}}},
		})
		if err != nil {
			b.Fatal(err)
		}
		var done atomic.Int64
		all := make(chan struct{})
		if err := q.Results(func(string, []byte) bool {
			if done.Add(1) == jobs {
				close(all)
			}
			return true
		}); err != nil {
			b.Fatal(err)
		}
		ctx, cancel := context.WithCancel(b.Context())
		var group sync.WaitGroup
		begun := time.Now()
		for range 8 {
			w, err := queue.Join(queue.Joining{Inside: q.InProcess(), Seed: worker})
			if err != nil {
				b.Fatal(err)
			}
			group.Go(func() {
				defer w.Close()
				_ = w.Work(ctx, "http", func(_ context.Context, data []byte) []byte { return data })
			})
		}
		for i := range jobs {
			if err := q.Put(b.Context(), "http", fmt.Sprint(i), []byte("x")); err != nil {
				b.Fatal(err)
			}
		}
		<-all
		b.ReportMetric(jobs/time.Since(begun).Minutes(), "jobs/min")
		cancel()
		group.Wait()
		q.Close()
	}
}

// BenchmarkKilled has a worker killed in the middle of a job of one second, with another idle: from the kill to the result, less the job's own second.
func BenchmarkKilled(b *testing.B) {
	for range b.N {
		dispatcher, _ := seed(b)
		worker, public := seed(b)
		q, err := queue.Open(b.Context(), queue.Config{
			Capabilities: []string{"http"}, Seed: dispatcher, Dir: b.TempDir(), Workers: []queue.Credential{{Key: public, Capabilities: []string{"http"}}},
		})
		if err != nil {
			b.Fatal(err)
		}
		all, begun := make(chan struct{}), make(chan int, queue.MaxDeliver)
		var once sync.Once // on a busy machine the job may be given away when nobody is dead
		if err := q.Results(func(string, []byte) bool { once.Do(func() { close(all) }); return true }); err != nil {
			b.Fatal(err)
		}
		var workers [2]*queue.Worker
		var group sync.WaitGroup
		ctx, cancel := context.WithCancel(b.Context())
		for i := range workers {
			w, err := queue.Join(queue.Joining{Inside: q.InProcess(), Seed: worker})
			if err != nil {
				b.Fatal(err)
			}
			workers[i] = w
			group.Go(func() {
				_ = w.Work(ctx, "http", func(ctx context.Context, data []byte) []byte {
					begun <- i
					wait(ctx, time.Second)
					return data
				})
			})
		}
		if err := q.Put(b.Context(), "http", "job", []byte("x")); err != nil {
			b.Fatal(err)
		}
		struck := <-begun
		wait(b.Context(), 500*time.Millisecond)
		killed := time.Now()
		workers[struck].Close() // as the end of its process does
		<-all
		b.ReportMetric(float64((time.Since(killed)-time.Second)/time.Millisecond), "lost-ms")
		cancel()
		group.Wait()
		workers[1-struck].Close()
		q.Close()
	}
}
