package supervision

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"go.uber.org/goleak"
)

// The goroutines of a tree end with it.
func TestGoroutinesEnd(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	var spec Spec
	spec.Name = "node"
	var inboxes []*Inbox
	for _, name := range []string{"a", "b", "c"} {
		in := NewInbox(name, 100)
		inboxes = append(inboxes, in)
		spec.Children = append(spec.Children, Spec{Name: name, Inbox: in, New: func() actor.Actor { return &benchActor{func(any) {}} }})
	}
	tree, err := New(spec, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		inboxes[i%3].Send(i)
	}
	if err := tree.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	goleak.VerifyNone(t, ignore)
}

// A closed scheduler still runs what it is given.
func TestGoroutinesAfterClose(t *testing.T) {
	g := NewGoroutines()
	done := make(chan struct{})
	in := NewInbox("late", 4)
	in.attach(g)
	in.RegisterHandlers(&countingInvoker{f: func() { close(done) }}, nil)
	g.Close()
	in.Send("x")
	<-done
}

// Different seeds give different schedules, one seed one.
func TestSequenceIsAFunctionOfItsSeed(t *testing.T) {
	run := func(seed uint64) uint64 {
		s := NewSequence(seed)
		for _, name := range []string{"a", "b", "c"} {
			in := NewInbox(name, 0)
			in.attach(s)
			in.RegisterHandlers(&invoker{}, nil)
			for i := range 5 {
				in.Send(i)
			}
		}
		if n := s.Run(100); n != 15 {
			t.Errorf("%d steps", n)
		}
		return s.Trace()
	}
	traces := map[uint64]bool{}
	for seed := range uint64(20) {
		trace := run(seed)
		if again := run(seed); again != trace {
			t.Fatalf("seed %d does not replay", seed)
		}
		traces[trace] = true
	}
	if len(traces) < 18 {
		t.Errorf("20 seeds gave %d schedules", len(traces))
	}
}
