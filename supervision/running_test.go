package supervision

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

var roomy = Limit{Restarts: 100, Within: time.Minute}

func TestStartInOrderStopInReverse(t *testing.T) {
	for seed := range uint64(20) {
		b := newBench(t, seed)
		b.spawn(Spec{Name: "node", Children: []Spec{
			{Name: "core", Children: b.leaves("a", "b", "c")},
			{Name: "intake", Children: b.leaves("d", "e")},
			b.leaf("f"),
		}})
		b.expect("+a +b +c +d +e +f")
		select {
		case <-b.tree.Started():
		default:
			t.Fatal("not started")
		}
		b.tree.Halt()
		b.settle()
		b.expect("-f -e -d -c -b -a")
		select {
		case <-b.tree.Stopped():
		default:
			t.Fatal("not stopped")
		}
		if d := b.leafs["a"].Send("late"); d != Closed {
			t.Errorf("after the stop: %v", d)
		}
	}
}

func TestOneForOneRestartsTheLeafAlone(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Limit: roomy, Children: b.leaves("a", "b", "c")})
	b.expect("+a +b +c")
	b.leafs["b"].Send("1")
	b.leafs["b"].Send("panic")
	b.leafs["b"].Send("2")
	b.settle()
	b.expect("b:1 ~b +b b:2")
	s := b.tree.Status().Children[1]
	if s.State != "running" || s.Restarts != 1 || s.Last == nil || s.Last.Reason != "panic" {
		t.Errorf("status %+v", s)
	}
}

func TestRestForOneRestartsInOrder(t *testing.T) {
	for seed := range uint64(20) {
		b := newBench(t, seed)
		b.spawn(Spec{Name: "node", Strategy: RestForOne, Limit: roomy, Children: []Spec{
			b.leaf("a"), b.leaf("b"), {Name: "g", Limit: roomy, Children: b.leaves("c", "d")}, b.leaf("e"),
		}})
		b.log = nil
		b.leafs["d"].Send("kept")
		b.leafs["b"].Send("panic")
		b.settle()
		got := slices.DeleteFunc(slices.Clone(b.log), func(s string) bool { return s == "d:kept" })
		if want := "-e -d -c -b +b +c +d +e"; strings.Join(got, " ") != want {
			t.Errorf("seed %d: %v, want %s", seed, got, want)
		}
		if len(got)+1 != len(b.log) {
			t.Errorf("seed %d: the command was handled %d times", seed, len(b.log)-len(got))
		}
	}
}

func TestAllForOneRestartsEverything(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Strategy: AllForOne, Limit: roomy, Children: b.leaves("a", "b", "c")})
	b.log = nil
	b.send("b", "panic")
	b.expect("-c -b -a +a +b +c")
}

func TestBackoffIsWaitedOut(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Limit: roomy, Backoff: Backoff{time.Second, 4 * time.Second}, Children: b.leaves("a", "b")})
	b.log = nil
	b.send("a", "panic")
	b.expect("~a +a")
	b.send("a", "panic")
	b.expect("")
	b.send("b", "meanwhile")
	b.send("a", "queued")
	b.expect("b:meanwhile")
	if s := b.tree.Status().Children[0]; s.State != "failed" || s.Inbox.Depth != 1 {
		t.Errorf("status %+v", s)
	}
	b.clock.Advance(time.Second)
	b.settle()
	b.expect("~a +a a:queued")
}

func TestEscalationHaltsInOrder(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Children: []Spec{
		{Name: "core", Limit: Limit{1, time.Minute}, Children: b.leaves("a", "b")},
		{Name: "intake", Children: b.leaves("c")},
	}})
	b.log = nil
	b.send("a", "panic once")
	b.expect("~a +a")
	b.send("a", "panic twice")
	b.expect("-c -b -a")
	h := b.halted()
	if h == nil {
		t.Fatal("no halt")
	}
	if h.Subsystem != "node/core/a" || !strings.Contains(h.Reason, "more than 1 restarts") || h.Report == nil ||
		h.Report.Reason != "panic twice" {
		t.Errorf("halt %+v", h)
	}
	select {
	case <-b.tree.Stopped():
	default:
		t.Error("the tree did not stop itself")
	}
}

func TestEscalationRestartsTheGroup(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Limit: roomy, Children: []Spec{
		{Name: "core", Limit: Limit{1, time.Minute}, Children: b.leaves("a", "b")},
		{Name: "intake", Children: b.leaves("c")},
	}})
	b.log = nil
	for range 3 {
		b.send("a", "panic")
		b.expect("~a +a")
		b.leafs["b"].Send("kept")
		b.send("a", "panic")
		got := slices.DeleteFunc(slices.Clone(b.log), func(s string) bool { return s == "b:kept" })
		if want := "-b -a +a +b"; strings.Join(got, " ") != want || len(b.log) != 5 {
			t.Errorf("log %v", b.log)
		}
		b.log = nil
	}
	if h := b.halted(); h != nil {
		t.Errorf("halted: %v", h)
	}
	b.tree.Halt()
	b.settle()
	b.expect("-c -b -a")
}

func TestFatalIsNeverRestartedOver(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{Name: "node", Limit: roomy, Children: []Spec{
		{Name: "core", Limit: roomy, Children: b.leaves("a", "b")},
	}})
	b.log = nil
	b.send("b", fmt.Errorf("commit: %w", &Fatal{errors.New("fsync failed")}))
	b.expect("-b -a")
	h := b.halted()
	if h == nil || h.Subsystem != "node/core/b" || h.Reason != "commit: fsync failed" || h.Report.Cause != Broken {
		t.Errorf("halt %+v", h)
	}
}

// TestRenewalsAreNoFailures renews a member more often than its group may restart: what follows the member is made again each time, at once, and nothing
// is charged, neither to the group nor to the next failure's delay.
func TestRenewalsAreNoFailures(t *testing.T) {
	b := newBench(t, 1)
	b.spawn(Spec{
		Name: "root", Strategy: RestForOne, Limit: Limit{2, time.Hour}, Backoff: Backoff{time.Second, time.Minute}, Children: b.leaves("a", "b", "c"),
	})
	b.expect("+a +b +c")
	for range 10 {
		b.send("b", fmt.Errorf("a snapshot: %w", &Renewal{errors.New("taken over")}))
		b.expect("-c -b +b +c")
	}
	b.send("c", &Renewal{errors.New("taken over")}) // the last of the row: a single leaf
	b.expect("~c +c")
	if s := b.tree.Status().Text(); strings.Contains(s, "last failure") {
		t.Errorf("a renewal is told as a failure:\n%s", s)
	}
	for range 2 {
		b.send("b", "panic")
		b.clock.Advance(time.Second)
		b.settle()
		b.log = nil
	}
	if h := b.halted(); h != nil {
		t.Fatalf("renewals were charged: %v", h)
	}
	b.send("b", "panic")
	if b.halted() == nil {
		t.Error("the third failure in an hour did not halt the tree")
	}
}

func TestLifetimes(t *testing.T) {
	b := newBench(t, 1)
	p, tr, te := b.leaf("p"), b.leaf("tr"), b.leaf("te")
	tr.Lifetime, te.Lifetime = Transient, Temporary
	b.spawn(Spec{Name: "node", Limit: roomy, Children: []Spec{p, tr, te}})
	b.log = nil
	b.send("p", "exit")
	b.expect("-p +p")
	b.send("tr", "panic")
	b.expect("~tr +tr")
	b.send("tr", "exit")
	b.expect("-tr")
	b.send("te", "panic")
	b.expect("-te")
	states := []string{}
	for _, c := range b.tree.Status().Children {
		states = append(states, c.State)
	}
	if got := fmt.Sprint(states); got != "[running removed removed]" {
		t.Errorf("states %s", got)
	}
	if d := b.leafs["te"].Send("x"); d != Closed {
		t.Errorf("a removed member's inbox: %v", d)
	}
}

func TestPanickingConstructorIsTheLeafsFailure(t *testing.T) {
	b := newBench(t, 1)
	left := 2
	b.onNew = func(name string) {
		if name == "b" && left > 0 {
			left--
			panic("cannot start")
		}
	}
	b.spawn(Spec{Name: "node", Limit: roomy, Children: b.leaves("a", "b", "c")})
	b.expect("+a +b +c")
	if s := b.tree.Status().Children[1]; s.Failures != 2 || s.Instance != 3 {
		t.Errorf("status %+v", s)
	}
}

func TestStartThatCannotSucceedReportsWhy(t *testing.T) {
	b := newBench(t, 1)
	b.onNew = func(name string) {
		if name == "b" {
			panic(&Fatal{errors.New("the store is corrupt")})
		}
	}
	tree, err := New(Spec{Name: "node", Limit: roomy, Children: b.leaves("a", "b", "c")}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	err = tree.Start(t.Context())
	if !errors.Is(err, ErrHalted) || !strings.Contains(err.Error(), "the store is corrupt") {
		t.Errorf("start: %v", err)
	}
	b.expect("+a -a")
}

func TestDrainHandlesWhatWasAccepted(t *testing.T) {
	b := newBench(t, 1)
	a := b.leaf("a")
	a.Drain = true
	b.spawn(Spec{Name: "node", Children: append([]Spec{a}, b.leaf("b"))})
	b.log = nil
	for i := range 3 {
		b.leafs["a"].Send(fmt.Sprint(i))
		b.leafs["b"].Send(fmt.Sprint(i))
	}
	b.tree.Halt()
	b.settle()
	text := strings.Join(b.log, " ")
	if !strings.Contains(text, "a:0") || !strings.Contains(text, "a:2") || !strings.HasSuffix(text, "-a") {
		t.Errorf("log %s", text)
	}
	if tally := b.leafs["a"].Tally(); tally.Dead != 0 {
		t.Errorf("tally %+v", tally)
	}
}

func TestDrainOfAFailingLeafStillStops(t *testing.T) {
	b := newBench(t, 1)
	a := b.leaf("a")
	a.Drain = true
	b.spawn(Spec{Name: "node", Limit: roomy, Children: []Spec{a}})
	question := &asked{}
	b.leafs["a"].Send("panic")
	b.leafs["a"].Send(question)
	b.tree.Halt()
	b.settle()
	select {
	case <-b.tree.Stopped():
	default:
		t.Fatal("the tree did not stop")
	}
	if question.cause == nil {
		t.Log("the question was handled before the stop")
	}
}

func TestStopBeforeStart(t *testing.T) {
	b := newBench(t, 1)
	tree, err := New(Spec{Name: "node", Children: b.leaves("a")}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if err := tree.Start(context.Background()); !errors.Is(err, ErrHalted) {
		t.Errorf("start after stop: %v", err)
	}
}

func TestCheck(t *testing.T) {
	in := NewInbox("x", 1)
	newLeaf := func() actor.Actor { return nil }
	bad := map[string]Spec{
		"no name":      {Name: "n", Children: []Spec{{Inbox: in, New: newLeaf}}},
		"slash":        {Name: "n", Children: []Spec{{Name: "a/b", Inbox: in, New: newLeaf}}},
		"twice":        {Name: "n", Children: []Spec{{Name: "a"}, {Name: "a"}}},
		"no inbox":     {Name: "n", Children: []Spec{{Name: "a", New: newLeaf}}},
		"shared inbox": {Name: "n", Children: []Spec{{Name: "a", Inbox: in, New: newLeaf}, {Name: "b", Inbox: in, New: newLeaf}}},
		"leaf root":    {Name: "n", Inbox: in, New: newLeaf},
		"window":       {Name: "n", Limit: Limit{Restarts: 1}},
		"backoff":      {Name: "n", Backoff: Backoff{2, 1}},
		"both":         {Name: "n", Children: []Spec{{Name: "a", Inbox: in, New: newLeaf, Children: []Spec{{Name: "b"}}}}},
		"group inbox":  {Name: "n", Inbox: in},
		"strategy":     {Name: "n", Strategy: 9},
		"lifetime":     {Name: "n", Children: []Spec{{Name: "a", Inbox: in, New: newLeaf, Lifetime: 9}}},
	}
	for name, spec := range bad {
		t.Run(name, func(t *testing.T) {
			if _, err := New(spec, Config{}); !errors.Is(err, ErrSpec) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// storm drives a tree with random commands, panics and clock steps and returns
// the digest of its schedule and its log.
func storm(t *testing.T, seed uint64) (uint64, string) {
	b := newBench(t, seed)
	b.bound = 24 * time.Hour // the clock below jumps without letting anybody run
	b.spawn(Spec{Name: "node", Limit: Limit{1000, time.Hour}, Children: []Spec{
		{Name: "core", Strategy: RestForOne, Limit: Limit{3, time.Minute}, Backoff: Backoff{time.Second, 8 * time.Second},
			Children: []Spec{b.leaf("a"), {Name: "g", Limit: Limit{2, time.Minute}, Children: b.leaves("b", "c")}, b.leaf("d")}},
		{Name: "net", Strategy: AllForOne, Limit: Limit{3, time.Minute}, Children: b.leaves("e", "f")},
	}})
	names := []string{"a", "b", "c", "d", "e", "f"}
	draw := seed
	next := func(n uint64) uint64 { draw = mix(draw); return draw % n }
	for range 400 {
		in := b.leafs[names[next(6)]]
		switch next(6) {
		case 0:
			in.Send("panic")
		case 1:
			in.Send("exit")
		case 2:
			b.clock.Advance(time.Duration(next(5_000)) * time.Millisecond)
		default:
			in.Send("work")
		}
		b.seq.Run(int(next(12)))
	}
	b.settle()
	for b.clock.Next() {
		b.settle()
	}
	if h := b.halted(); h != nil {
		t.Errorf("seed %d: %v", seed, h)
	}
	if s := b.tree.Status(); strings.Count(s.Text(), "running") != 10 {
		t.Errorf("seed %d: not everything came back\n%s", seed, s.Text())
	}
	return b.seq.Trace(), strings.Join(b.log, " ")
}

// Whatever fails when, the tree comes back whole, and one seed is one history.
func TestStormsEndWithEverythingRunning(t *testing.T) {
	traces := map[uint64]bool{}
	for seed := range uint64(60) {
		trace, log := storm(t, seed)
		again, same := storm(t, seed)
		if trace != again || log != same {
			t.Fatalf("seed %d does not replay", seed)
		}
		traces[trace] = true
	}
	if len(traces) != 60 {
		t.Errorf("60 seeds gave %d schedules", len(traces))
	}
}

// Trees on one actor system do not get in each other's way.
func TestTreesShareASystem(t *testing.T) {
	system := NewSystem()
	first, second := newBench(t, 1), newBench(t, 2)
	for _, b := range []*bench{first, second} {
		tree, err := New(Spec{Name: "node", Limit: roomy, Children: b.leaves("a", "b")}, Config{Clock: b.clock, Scheduler: b.seq, System: system})
		if err != nil {
			t.Fatal(err)
		}
		b.tree = tree
		tree.Spawn()
		b.settle()
	}
	first.send("a", "panic")
	first.expect("+a +b ~a +a")
	first.tree.Halt()
	first.settle()
	second.send("b", "still here")
	second.expect("+a +b b:still here")
}

// What a start took is reported, and its deadline ends with it.
func TestLoadingIsReported(t *testing.T) {
	b := newBench(t, 1)
	b.onNew = func(name string) {
		if name == "b" {
			b.clock.Advance(3 * time.Second)
		}
	}
	b.spawn(Spec{Name: "node", Limit: roomy, Children: b.leaves("a", "b")})
	s := b.tree.Status()
	if s.Children[0].Loading != 0 || s.Children[1].Loading != 3*time.Second || s.Loading != 3*time.Second {
		t.Errorf("loading %v, %v, in all %v", s.Children[0].Loading, s.Children[1].Loading, s.Loading)
	}
	if n := b.clock.Pending(); n != 0 {
		t.Errorf("%d deadlines are left", n)
	}
	b.send("b", "panic")
	if n := b.clock.Pending(); n != 0 {
		t.Errorf("%d deadlines are left after a restart", n)
	}
}

// A stop says how long it waited for the command its leaf was in.
func TestWaitingIsReported(t *testing.T) {
	clock := NewVirtualClock(time.Unix(1_000_000, 0))
	busy, release, stopped := make(chan struct{}), make(chan struct{}), make(chan Event, 8)
	elder, younger := NewInbox("elder", 4), NewInbox("younger", 4)
	tree, err := New(Spec{Name: "node", Strategy: RestForOne, Limit: roomy, Children: []Spec{
		{Name: "elder", Inbox: elder, New: func() actor.Actor { return &benchActor{func(any) { panic("once") }} }},
		{Name: "younger", Inbox: younger, New: func() actor.Actor {
			return &benchActor{func(any) {
				close(busy)
				<-release
			}}
		}},
	}}, Config{Clock: clock, Observe: func(e Event) {
		if e.Kind == EventStopped {
			stopped <- e
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	younger.Send("work")
	<-busy
	elder.Send("panic")
	for !tree.root.children[1].is(Stopping) {
		runtime.Gosched()
	}
	clock.Advance(3 * time.Second)
	close(release)
	for _, want := range []Event{{Subsystem: "node/younger", Waited: 3 * time.Second}, {Subsystem: "node/elder"}} {
		if e := <-stopped; e.Subsystem != want.Subsystem || e.Waited != want.Waited {
			t.Errorf("%s waited %v, want %s, %v", e.Subsystem, e.Waited, want.Subsystem, want.Waited)
		}
	}
	if err := tree.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}
