package supervision

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// hang blocks until released.
type hang struct{ begun, release chan struct{} }

func newHang() *hang { return &hang{make(chan struct{}), make(chan struct{})} }

func (h *hang) Receive(ctx actor.Context) {
	if ctx.Message() == "hang" {
		close(h.begun)
		<-h.release
	}
}

func TestHungMemberIsGivenUp(t *testing.T) {
	h := newHang()
	defer close(h.release)
	in := NewInbox("a", 4)
	b := newBench(t, 1)
	tree, err := New(Spec{Name: "node", Children: []Spec{
		b.leaf("first"),
		{Name: "a", Inbox: in, New: func() actor.Actor { return h }, StopWithin: 5 * time.Millisecond},
	}}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	in.Send("hang")
	<-h.begun
	err = tree.Stop(t.Context())
	if !errors.Is(err, ErrHung) || !strings.Contains(err.Error(), "node/a") {
		t.Errorf("stop: %v", err)
	}
	b.expect("+first -first")
}

// A member that hangs while its group restarts must not be started a second time.
func TestHungMemberIsNeverDoubled(t *testing.T) {
	h := newHang()
	defer close(h.release)
	made := 0
	in := NewInbox("a", 4)
	b := newBench(t, 1)
	tree, err := New(Spec{Name: "node", Strategy: AllForOne, Limit: roomy, Children: []Spec{
		b.leaf("first"),
		{Name: "a", Inbox: in, New: func() actor.Actor { made++; return h }, StopWithin: 5 * time.Millisecond},
	}}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	in.Send("hang")
	<-h.begun
	b.leafs["first"].Send("panic")
	halt := <-tree.Halted()
	<-tree.Stopped()
	if made != 1 || halt.Subsystem != "node/a" {
		t.Errorf("made %d, halt %+v", made, halt)
	}
}

// A leaf that never comes up is given up after its deadline, at the start of the tree and at a restart; it is not started a second time.
func TestStartThatHangsIsGivenUp(t *testing.T) {
	for name, restart := range map[string]bool{"start": false, "restart": true} {
		t.Run(name, func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			made := 0
			in := NewInbox("a", 4)
			clock := NewVirtualClock(time.Unix(1_000_000, 0))
			waiting := make(chan struct{})
			tree, err := New(Spec{Name: "node", Limit: roomy, Children: []Spec{
				{Name: "a", Inbox: in, StartWithin: time.Second, New: func() actor.Actor {
					if made++; restart && made == 1 {
						return &benchActor{func(any) { panic("once") }}
					}
					close(waiting)
					<-release
					return &benchActor{func(any) {}}
				}},
			}}, Config{Clock: clock})
			if err != nil {
				t.Fatal(err)
			}
			tree.Spawn()
			if restart {
				<-tree.Started()
				in.Send("work")
			}
			<-waiting
			clock.Advance(time.Second)
			halt := <-tree.Halted()
			<-tree.Stopped()
			want := 1
			if restart {
				want = 2
			}
			if made != want || halt.Subsystem != "node/a" || !strings.Contains(halt.Reason, "did not start within 1s") {
				t.Errorf("made %d, halt %+v", made, halt)
			}
		})
	}
}
