package runner

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// assignmentOf is what a validator says of a job of the world.
func (w *world) assignmentOf(id digest.Hash) *protocol.Assignment {
	w.mu.Lock()
	defer w.mu.Unlock()
	j := w.jobs[id]
	return &protocol.Assignment{ID: id, Spec: j.spec, Height: w.height, Deadline: j.deadline}
}

func born(t *testing.T, w *world) (*life, disk.Disk) {
	t.Helper()
	d := disk.NewMemory()
	if err := MakeJournal(d, newKey(t).Address(), genesis); err != nil {
		t.Fatal(err)
	}
	return live(t, w, d), d
}

func (l *life) perform() {
	l.t.Helper()
	for forever := 1 << 30; ; {
		if l.act(&forever); len(l.state.acts) == 0 && len(l.state.records) == 0 {
			return
		}
	}
}

func outcome(id digest.Hash) *done {
	o := verify.Output{Data: []byte("42"), Timestamp: 1}
	return &done{id: id, body: o.Append(nil)}
}

// A job that is pushed is with the workers without a poll; its commitment waits for one that shows the same job, and is sent with it.
//
// Spec: runner-marketplace §9.3 (JobAssignment).
func TestPushedWithoutAPoll(t *testing.T) {
	w := newWorld()
	l, _ := born(t, w)
	id := w.submit(t, job.HTTP, 50)
	if v := l.state.pushed(w.assignmentOf(id)); v.status != protocol.Accepted {
		t.Fatalf("%+v", v)
	}
	l.perform()
	if len(l.jobs) != 1 || l.jobs[0].id != id {
		t.Fatalf("%d jobs are with the workers", len(l.jobs))
	}
	l.state.finished(outcome(id), 1)
	l.perform()
	if len(w.jobs[id].commits) != 0 {
		t.Error("it is committed to before a poll has shown it")
	}
	if !l.state.hurried {
		t.Error("no poll is asked for")
	}
	for range 3 {
		v, err := w.Poll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		l.state.polled(v)
		l.perform()
	}
	w.check(t)
	if l.state.taken != [2]uint64{0, 1} {
		t.Errorf("%v", l.state.taken)
	}
}

// The same job from several validators and from polls, in every order, and after it has ended, is taken once.
//
// Spec: runner-marketplace §9.3 (JobAck).
func TestPushedAndPolled(t *testing.T) {
	for name, order := range map[string]string{"pushed, polled": "ppop", "polled, pushed": "opppo", "pushed alone": "pppp", "polled alone": "oo"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			l, _ := born(t, w)
			id := w.submit(t, job.HTTP, 50)
			push := func(want protocol.AckStatus) {
				t.Helper()
				if v := l.state.pushed(w.assignmentOf(id)); v.status != want {
					t.Fatalf("%+v, want %v", v, want)
				}
				l.perform()
			}
			poll := func() {
				v, err := w.Poll(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				l.state.polled(v)
				l.perform()
			}
			known := protocol.Accepted
			for _, step := range order {
				if step == 'p' {
					push(known)
				} else {
					poll()
				}
				known = protocol.Duplicate
			}
			if len(l.jobs) != 1 || l.state.taken[0]+l.state.taken[1] != 1 {
				t.Fatalf("it is done %d times", len(l.jobs))
			}
			l.state.finished(outcome(id), 1)
			for range 4 {
				poll()
			}
			w.check(t)
			push(protocol.Duplicate)
		})
	}
}

// What is refused, and why: it leaves no record.
func TestPushesRefused(t *testing.T) {
	w := newWorld()
	id, other := w.submit(t, job.HTTP, 50), w.submit(t, job.Custom, 50)
	for name, c := range map[string]struct {
		change func(d *state, a *protocol.Assignment)
		why    string
	}{
		"no specification":     {func(_ *state, a *protocol.Assignment) { a.Spec = a.Spec[1:] }, ""},
		"of another job":       {func(_ *state, a *protocol.Assignment) { a.ID = other }, job.ErrSpec.Error()},
		"without a worker":     {func(d *state, _ *protocol.Assignment) { d.fleet = []string{"llm"} }, errCapability.Error() + ": kind 2"},
		"while it drains":      {func(d *state, _ *protocol.Assignment) { d.draining = true }, "draining"},
		"while it is full":     {func(d *state, _ *protocol.Assignment) { d.maxOpen = 0 }, "full"},
		"after its last block": {func(d *state, a *protocol.Assignment) { d.height = a.Deadline }, "too late"},
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := born(t, w)
			a := w.assignmentOf(id)
			c.change(l.state, a)
			if v := l.state.pushed(a); v.status != protocol.Rejected || c.why != "" && v.why != c.why {
				t.Errorf("%+v", v)
			}
			if len(l.state.records) != 0 || len(l.state.acts) != 0 {
				t.Errorf("%d records, %d acts", len(l.state.records), len(l.state.acts))
			}
		})
	}
}

// A validator that lies costs work and nothing else: of another specification nothing is committed to, the true one is done; a job that is no job is given up.
//
// Spec: runner-marketplace §9.
func TestLyingValidator(t *testing.T) {
	w := newWorld()
	l, d := born(t, w)
	id := w.submit(t, job.HTTP, 50)
	lie := w.assignmentOf(id)
	spec, err := job.Decode(lie.Spec)
	if err != nil {
		t.Fatal(err)
	}
	spec.HTTP.URL = "http://example.com/"
	lie.Spec = spec.Append(nil)
	invented := digest.SHA256([]byte("no job"))
	spec.ID = invented
	if a, b := l.state.pushed(lie), l.state.pushed(&protocol.Assignment{ID: invented, Spec: spec.Append(nil), Deadline: 500}); a.status+b.status != 0 {
		t.Fatalf("%+v %+v", a, b)
	}
	l.perform()
	l.state.finished(outcome(id), 1)
	l.state.finished(outcome(invented), 1)
	poll := func() {
		v, err := w.Poll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		l.state.polled(v)
		l.perform()
	}
	poll()
	if e := l.state.open[id]; e == nil || e.result != nil || string(e.spec) != string(w.jobs[id].spec) || len(w.jobs[id].commits) != 0 {
		t.Fatalf("%+v", e)
	}
	if n := len(l.jobs); n != 3 || string(l.jobs[n-1].spec) != string(w.jobs[id].spec) {
		t.Fatalf("%d jobs", n)
	}
	if err := l.j.file.Close(); err != nil {
		t.Fatal(err)
	}
	l = live(t, w, d) // the journal says the same
	poll()
	if l.state.open[invented] == nil {
		t.Error("it is given up early")
	}
	l.state.finished(outcome(id), 1)
	for range unseenMost + 2 {
		poll()
	}
	if l.state.open[invented] != nil {
		t.Error("a job that is none stays open")
	}
	delete(w.jobs, invented)
	w.check(t)
}

// Jobs that no poll has shown are bounded.
func TestUnshown(t *testing.T) {
	w := newWorld()
	l, _ := born(t, w)
	accepted := 0
	for n := range uint64(unshownMost + 10) {
		id := digest.SHA256(binary.BigEndian.AppendUint64(nil, n))
		spec, err := job.Decode(w.jobs[w.submit(t, job.HTTP, 50)].spec)
		if err != nil {
			t.Fatal(err)
		}
		spec.ID = id
		if l.state.pushed(&protocol.Assignment{ID: id, Spec: spec.Append(nil), Deadline: 50}).status == protocol.Accepted {
			accepted++
		}
	}
	if accepted != unshownMost {
		t.Errorf("%d are taken", accepted)
	}
	l.perform()
	if v := l.state.pushed(&protocol.Assignment{ID: digest.Hash{1}, Spec: []byte{1}}); v.status != protocol.Rejected {
		t.Errorf("%+v", v)
	}
}

// tally counts what the courier of a dispatcher is asked for.
type tally struct {
	*world
	polls chan struct{}
	puts  chan string
}

func (c *tally) Poll(ctx context.Context, known []digest.Hash) (View, error) {
	v, err := c.world.Poll(ctx, known)
	c.polls <- struct{}{}
	return v, err
}

func (c *tally) Put(_ context.Context, capability, _ string, _ []byte) error {
	c.puts <- capability
	return nil
}

// A push reaches the workers of a dispatcher whose clock stands still: no poll falls due. By polling alone the job comes with the next poll, and not before.
// With the result one poll is asked for, and the commitment follows.
//
// Spec: runner-marketplace §9.4 (polling is the floor).
func TestPushBeatsPoll(t *testing.T) {
	w := &tally{newWorld(), make(chan struct{}, 100), make(chan string, 100)}
	d := disk.NewMemory()
	if err := MakeJournal(d, newKey(t).Address(), genesis); err != nil {
		t.Fatal(err)
	}
	clock, h := supervision.NewVirtualClock(time.Unix(1_000, 0)), NewHandle()
	tree, err := supervision.New(Tree(func() *Dispatcher {
		return &Dispatcher{Handle: h, Key: newKey(t), Genesis: genesis, Disk: d, Fleet: []string{"http"}, Every: 5 * time.Second, Clock: clock}
	}, func() *Courier { return &Courier{Chain: w, Queue: w} }, nil, nil), supervision.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tree.Stop(context.Background()) }()
	<-w.polls
	status := func() Status {
		s, ok := h.Status()
		if !ok {
			t.Fatal("no status")
		}
		return s
	}
	for status().Height == 0 { // what the first poll gave is on its way
	}
	pushed, polled := w.submit(t, job.HTTP, 50), w.submit(t, job.HTTP, 50)
	if s, why := h.Pushed(t.Context(), w.assignmentOf(pushed)); s != protocol.Accepted {
		t.Fatal(s, why)
	}
	if got := <-w.puts; got != "http" || len(w.polls) != 0 {
		t.Fatalf("%s, %d polls", got, len(w.polls))
	}
	if s := status(); s.Open != 1 || s.Pushed != 1 || s.Polled != 0 {
		t.Errorf("%+v", s)
	}
	clock.Advance(5*time.Second - 1)
	if s := status(); len(w.polls) != 0 || s.Open != 1 {
		t.Errorf("before the poll is due: %+v, %d polls", s, len(w.polls))
	}
	clock.Advance(1)
	<-w.polls
	if got := <-w.puts; got != "http" {
		t.Fatal(got)
	}
	if s := status(); s.Open != 2 || s.Polled != 1 {
		t.Errorf("%+v", s)
	}
	clock.Advance(time.Second)
	r := outcome(polled)
	if !h.Result(r.append(nil)) {
		t.Error("the result is not in the journal")
	}
	third := w.submit(t, job.HTTP, 50)
	if s, why := h.Pushed(t.Context(), w.assignmentOf(third)); s != protocol.Accepted {
		t.Fatal(s, why)
	}
	<-w.puts
	r = outcome(third)
	if !h.Result(r.append(nil)) {
		t.Error("the result is not in the journal")
	}
	<-w.polls // asked for by the result
	for status().Height < 4 {
	}
	if len(w.polls) != 0 {
		t.Errorf("%d polls more", len(w.polls))
	}
	if _, height := h.Pressure(); height == 0 {
		t.Error("no height is published")
	}
}
