package supervision

import (
	"fmt"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

type benchActor struct{ f func(any) }

func (a *benchActor) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started, *actor.Stopping, *actor.Stopped, *actor.Restarting:
	default:
		a.f(m)
	}
}

func startBench(b *testing.B, limit Limit, leaves map[string]func(any)) (map[string]*Inbox, *Tree) {
	b.Helper()
	spec, inboxes := Spec{Name: "node", Limit: limit}, map[string]*Inbox{}
	for name, f := range leaves {
		in := NewInbox(name, 0)
		inboxes[name] = in
		spec.Children = append(spec.Children, Spec{Name: name, Inbox: in, New: func() actor.Actor { return &benchActor{f} }})
	}
	tree, err := New(spec, Config{})
	if err != nil {
		b.Fatal(err)
	}
	if err := tree.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = tree.Stop(b.Context()) })
	return inboxes, tree
}

func BenchmarkSend(b *testing.B) {
	left, done := b.N, make(chan struct{})
	inboxes, _ := startBench(b, Limit{}, map[string]func(any){"a": func(any) {
		if left--; left == 0 {
			close(done)
		}
	}})
	command := &struct{}{}
	b.ResetTimer()
	for range b.N {
		inboxes["a"].Send(command)
	}
	<-done
}

// A round trip between two supervised actors: command out, answer back.
func BenchmarkRoundTrip(b *testing.B) {
	var asks, answers *Inbox
	left, done, command := b.N, make(chan struct{}), &struct{}{}
	inboxes, _ := startBench(b, Limit{}, map[string]func(any){
		"asks": func(any) {
			if left--; left < 0 {
				close(done)
				return
			}
			answers.Send(command)
		},
		"answers": func(any) { asks.Reply(command) },
	})
	asks, answers = inboxes["asks"], inboxes["answers"]
	b.ResetTimer()
	asks.Send(command)
	<-done
}

// From the panic to the first command the new instance handles.
func BenchmarkRestart(b *testing.B) {
	handled := make(chan struct{})
	inboxes, _ := startBench(b, Limit{1 << 20, 1}, map[string]func(any){"a": func(m any) {
		if m == "panic" {
			panic("benchmark")
		}
		handled <- struct{}{}
	}})
	b.ResetTimer()
	for range b.N {
		inboxes["a"].Send("panic")
		inboxes["a"].Send("work")
		<-handled
	}
}

func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{4, 64} {
		b.Run(fmt.Sprintf("members=%d", n), func(b *testing.B) {
			policy := Policy{Strategy: RestForOne, Limit: Limit{100, time.Minute}, Members: make([]Lifetime, n)}
			var h History
			at := time.Unix(0, 0)
			for i := range b.N {
				h = Decide(policy, h, Failure{Member: i % n}, at.Add(time.Duration(i)*time.Second)).History
			}
		})
	}
}
