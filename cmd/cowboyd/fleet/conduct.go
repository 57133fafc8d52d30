package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// Conduct is what a runner does with its jobs.
type Conduct string

// The conducts.
const (
	Honest  Conduct = "honest"
	Diverge Conduct = "diverge" // its results differ from what its tools gave
	Fail    Conduct = "fail"    // it says that its jobs cannot be done
	Delay   Conduct = "delay"   // its results come later
	Lie     Conduct = "lie"     // it reveals another result than the one it committed itself to
	Away    Conduct = "away"    // it neither asks the chain nor sends anything
)

// MaxDelay bounds how late a result is.
const MaxDelay = time.Hour

var errTold = errors.New("this runner was told to")

// conduct is what one runner does, until it is told otherwise.
type conduct struct {
	number int

	mu      sync.Mutex
	now     Conduct
	delay   time.Duration
	changed chan struct{}
}

func newConduct(number int) *conduct {
	return &conduct{number: number, now: Honest, changed: make(chan struct{})}
}

func (c *conduct) set(now Conduct, delay time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.changed)
	c.now, c.delay, c.changed = now, delay, make(chan struct{})
}

func (c *conduct) get() (now Conduct, delay time.Duration, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now, c.delay, c.changed
}

// otherwise is another result than the one given, of the same form: the first text or number of JSON differs, or the text itself.
func (c *conduct) otherwise(data []byte) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	mark := fmt.Sprintf(" (runner %d)", c.number)
	if d.Decode(&v) == nil && !d.More() {
		if changed, ok := otherValue(v, mark); ok {
			if out, err := json.Marshal(changed); err == nil {
				return out
			}
		}
	}
	return append(bytes.Clone(data), mark...)
}

// otherValue changes all leaves of a value; false where it has none.
func otherValue(v any, mark string) (any, bool) {
	switch v := v.(type) {
	case string:
		return v + mark, true
	case json.Number:
		n, err := v.Int64()
		return n + 1, err == nil
	case bool:
		return !v, true
	case map[string]any:
		some := false
		for name, one := range v { // order-free: each is changed for itself
			if other, ok := otherValue(one, mark); ok {
				v[name], some = other, true
			}
		}
		return v, some
	case []any:
		some := false
		for i, one := range v {
			if other, ok := otherValue(one, mark); ok {
				v[i], some = other, true
			}
		}
		return v, some
	}
	return nil, false
}

// acting does jobs as the conduct says.
type acting struct {
	work.Executor
	conduct *conduct
}

// Fills implements work.Filler, as what it is around does.
func (a acting) Fills() bool {
	f, ok := a.Executor.(work.Filler)
	return ok && f.Fills()
}

// Do implements work.Executor.
func (a acting) Do(ctx context.Context, spec *job.Spec) (work.Output, error) {
	out, err := a.Executor.Do(ctx, spec)
	if now, delay, changed := a.conduct.get(); now == Delay {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-changed:
		case <-ctx.Done():
			return work.Output{}, ctx.Err()
		}
	}
	switch now, _, _ := a.conduct.get(); {
	case now == Fail:
		return work.Output{}, &work.Error{Kind: work.Permanent, Err: errTold}
	case now == Diverge && err == nil:
		out.Data = a.conduct.otherwise(out.Data)
	}
	return out, err
}

// facing is the chain as a runner meets it: it enrols first, and what it sends is as the conduct says.
type facing struct {
	runner.Chain
	conduct *conduct
	enrol   func(ctx context.Context) error
}

func (f *facing) away() error {
	if now, _, _ := f.conduct.get(); now == Away {
		return errTold
	}
	return nil
}

// Poll implements runner.Chain.
func (f *facing) Poll(ctx context.Context, known []digest.Hash) (runner.View, error) {
	if err := f.away(); err != nil {
		return runner.View{}, err
	}
	if err := f.enrol(ctx); err != nil {
		return runner.View{}, err
	}
	return f.Chain.Poll(ctx, known)
}

// Commit implements runner.Chain.
func (f *facing) Commit(ctx context.Context, id, commitment digest.Hash) error {
	if err := f.away(); err != nil {
		return err
	}
	return f.Chain.Commit(ctx, id, commitment)
}

// Reveal implements runner.Chain.
func (f *facing) Reveal(ctx context.Context, id digest.Hash, reveal *verify.Reveal) error {
	if err := f.away(); err != nil {
		return err
	}
	if now, _, _ := f.conduct.get(); now == Lie {
		other := *reveal
		o, err := verify.DecodeOutput(reveal.Output)
		if err != nil {
			return err
		}
		o.Data = f.conduct.otherwise(o.Data)
		other.Output = o.Append(nil)
		reveal = &other
	}
	return f.Chain.Reveal(ctx, id, reveal)
}

// Crash implements runner.Chain.
func (f *facing) Crash(ctx context.Context, id digest.Hash, signal verify.Crash) error {
	if err := f.away(); err != nil {
		return err
	}
	return f.Chain.Crash(ctx, id, signal)
}

// Heartbeat implements runner.Chain.
func (f *facing) Heartbeat(ctx context.Context, accepting bool) error {
	if err := f.away(); err != nil {
		return err
	}
	return f.Chain.Heartbeat(ctx, accepting)
}

// reached is the dispatcher of a runner as validators see it.
type reached struct {
	*runner.Handle
	conduct *conduct
}

// Pushed implements lines.Dispatcher.
func (r *reached) Pushed(ctx context.Context, a *protocol.Assignment) (protocol.AckStatus, string) {
	if now, _, _ := r.conduct.get(); now == Away {
		return protocol.Rejected, errTold.Error()
	}
	return r.Handle.Pushed(ctx, a)
}
