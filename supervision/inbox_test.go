package supervision

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
)

// invoker records what an inbox delivers.
type invoker struct {
	user, system []any
	failed       []any
	onUser       func(any)
}

func (v *invoker) InvokeUserMessage(m any) {
	v.user = append(v.user, m)
	if v.onUser != nil {
		v.onUser(m)
	}
}
func (v *invoker) InvokeSystemMessage(m any) { v.system = append(v.system, m) }
func (v *invoker) EscalateFailure(r, m any)  { v.failed = append(v.failed, m) }

// stepped returns an inbox whose steps the test makes itself.
func stepped(capacity int) (*Inbox, *invoker, *Sequence) {
	v, s := &invoker{}, NewSequence(1)
	in := NewInbox("test", capacity)
	in.attach(s)
	in.RegisterHandlers(v, nil)
	return in, v, s
}

func TestInboxTellsTheSender(t *testing.T) {
	in, v, s := stepped(2)
	for i, want := range []Delivery{Accepted, Accepted, Shed} {
		if got := in.Send(i); got != want {
			t.Errorf("command %d: %v, want %v", i, got, want)
		}
	}
	if got := in.Reply("answer"); got != Accepted {
		t.Errorf("an answer was %v", got)
	}
	s.Run(10)
	if len(v.user) != 3 || v.user[0] != 0 || v.user[1] != 1 || v.user[2] != "answer" {
		t.Errorf("delivered %v", v.user)
	}
	in.close()
	if got := in.Send("late"); got != Closed {
		t.Errorf("after close: %v", got)
	}
	want := Tally{Peak: 3, Capacity: 2, Handled: 3, Shed: 1, Dead: 1, LastDead: "string", Closed: true}
	if got := in.Tally(); got != want {
		t.Errorf("tally %+v, want %+v", got, want)
	}
}

type asked struct{ cause error }

func (a *asked) Abandoned(cause error) { a.cause = cause }

func TestInboxDiscardTellsSenders(t *testing.T) {
	in, _, _ := stepped(8)
	question := &asked{}
	in.Send("first")
	in.Send(question)
	in.close()
	in.discard(ErrStopped)
	if !errors.Is(question.cause, ErrStopped) {
		t.Errorf("cause %v", question.cause)
	}
	if got := in.Tally(); got.Dead != 2 || got.Depth != 0 || got.LastDead != "*supervision.asked" {
		t.Errorf("tally %+v", got)
	}
}

func TestInboxAcceptsBeforeItsActorStarts(t *testing.T) {
	in := NewInbox("test", 4)
	in.Send("early")
	v, s := &invoker{}, NewSequence(1)
	in.attach(s)
	in.RegisterHandlers(v, nil)
	in.Start()
	s.Run(10)
	if len(v.user) != 1 || v.user[0] != "early" {
		t.Errorf("delivered %v", v.user)
	}
}

func TestInboxHoldsCommandsWhileSuspended(t *testing.T) {
	in, v, s := stepped(4)
	in.PostSystemMessage(&actor.SuspendMailbox{})
	in.Send("held")
	in.PostSystemMessage(&actor.Watch{})
	s.Run(10)
	if len(v.user) != 0 || len(v.system) != 1 {
		t.Fatalf("suspended, yet user %v system %v", v.user, v.system)
	}
	in.PostSystemMessage(&actor.ResumeMailbox{})
	s.Run(10)
	if len(v.user) != 1 {
		t.Errorf("resumed, yet delivered %v", v.user)
	}
}

// A stopped context swallows commands. They must be kept for the next instance.
func TestInboxKeepsCommandsForTheNextInstance(t *testing.T) {
	in, first, s := stepped(4)
	in.PostSystemMessage(&actor.Stop{})
	in.Send("kept")
	s.Run(10)
	if len(first.user) != 0 {
		t.Fatalf("the stopping instance got %v", first.user)
	}
	second := &invoker{}
	in.RegisterHandlers(second, nil)
	in.Start()
	s.Run(10)
	if len(second.user) != 1 || second.user[0] != "kept" {
		t.Errorf("the next instance got %v", second.user)
	}
}

func TestInboxReportsPanics(t *testing.T) {
	in, v, s := stepped(4)
	v.onUser = func(m any) {
		if m == "bad" {
			panic("boom")
		}
	}
	in.Send("bad")
	in.Send("good")
	s.Run(10)
	if len(v.failed) != 1 || v.failed[0] != "bad" || len(v.user) != 2 {
		t.Errorf("failed %v user %v", v.failed, v.user)
	}
}

func TestInboxConcurrentSendersLoseNothing(t *testing.T) {
	const senders, each = 8, 2000
	in := NewInbox("test", 0)
	var handled, inside atomic.Int64
	done := make(chan struct{})
	v := &countingInvoker{f: func() {
		if inside.Add(1) != 1 {
			t.Error("two goroutines in one actor")
		}
		inside.Add(-1)
		if handled.Add(1) == senders*each {
			close(done)
		}
	}}
	in.RegisterHandlers(v, nil)
	var wg sync.WaitGroup
	for range senders {
		wg.Go(func() {
			for i := range each {
				in.Send(i)
			}
		})
	}
	wg.Wait()
	<-done
}

type countingInvoker struct{ f func() }

func (v *countingInvoker) InvokeUserMessage(any)    { v.f() }
func (v *countingInvoker) InvokeSystemMessage(any)  {}
func (v *countingInvoker) EscalateFailure(_, _ any) {}

func TestRingIsAQueueAndShrinks(t *testing.T) {
	var r ring
	next, want := 0, 0
	push := func(n int) {
		for range n {
			r.push(next)
			next++
		}
	}
	pop := func(n int) {
		for range n {
			v, ok := r.pop()
			if !ok || v != want {
				t.Fatalf("popped %v %v, want %d", v, ok, want)
			}
			want++
		}
	}
	push(5)
	pop(3)
	push(20_000)
	pop(20_002)
	if _, ok := r.pop(); ok {
		t.Error("popped from an empty queue")
	}
	if len(r.buf) > ringKeep {
		t.Errorf("an empty queue holds %d slots after a burst", len(r.buf))
	}
}
