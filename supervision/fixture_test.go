package supervision

import (
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// bench is a tree under test on one goroutine: a seeded schedule, a clock that
// stands still, and a log of what the leaves saw.
type bench struct {
	t     *testing.T
	clock *VirtualClock
	seq   *Sequence
	tree  *Tree
	log   []string
	leafs map[string]*Inbox
	onNew func(name string)
	bound time.Duration
}

type probe struct {
	b    *bench
	name string
}

func (p *probe) Receive(ctx actor.Context) {
	switch c := ctx.Message().(type) {
	case *actor.Started:
		p.b.log = append(p.b.log, "+"+p.name)
	case *actor.Restarting:
		p.b.log = append(p.b.log, "~"+p.name)
	case *actor.Stopping:
		p.b.log = append(p.b.log, "-"+p.name)
	case *actor.Stopped:
	case error:
		panic(c)
	case string:
		if c == "exit" {
			ctx.Stop(ctx.Self())
			return
		}
		if strings.HasPrefix(c, "panic") {
			explode(c)
		}
		p.b.log = append(p.b.log, p.name+":"+c)
	}
}

// explode has a name that must appear in the recorded stack.
func explode(text string) { panic(text) }

func newBench(t *testing.T, seed uint64) *bench {
	return &bench{
		t:     t,
		clock: NewVirtualClock(time.Unix(1_000_000, 0)),
		seq:   NewSequence(seed),
		leafs: map[string]*Inbox{},
	}
}

func (b *bench) leaf(name string) Spec {
	in := NewInbox(name, 16)
	b.leafs[name] = in
	return Spec{Name: name, Inbox: in, StopWithin: b.bound, New: func() actor.Actor {
		if b.onNew != nil {
			b.onNew(name)
		}
		return &probe{b, name}
	}}
}

func (b *bench) leaves(names ...string) (specs []Spec) {
	for _, n := range names {
		specs = append(specs, b.leaf(n))
	}
	return specs
}

func (b *bench) spawn(root Spec) {
	b.t.Helper()
	tree, err := New(root, Config{Clock: b.clock, Scheduler: b.seq, Seed: 3})
	if err != nil {
		b.t.Fatal(err)
	}
	b.tree = tree
	tree.Spawn()
	b.settle()
}

func (b *bench) settle() {
	if b.seq.Run(100_000) == 100_000 {
		b.t.Fatal("the tree never comes to rest")
	}
}

func (b *bench) send(name string, command any) {
	b.leafs[name].Send(command)
	b.settle()
}

func (b *bench) expect(want string) {
	b.t.Helper()
	if got := strings.Join(b.log, " "); got != want {
		b.t.Errorf("log\n  got %s\n want %s", got, want)
	}
	b.log = nil
}

func (b *bench) halted() *Halt {
	select {
	case h := <-b.tree.Halted():
		return &h
	default:
		return nil
	}
}
