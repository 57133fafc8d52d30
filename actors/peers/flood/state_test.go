package flood

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/gossip"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// site is a node whose pool takes what does not begin with "bad" and is busy the first time it hears "busy".
type site struct {
	*Handle
	link.Link
	mu       sync.Mutex
	taken    map[string]int
	reported int
}

// Report implements link.Link.
func (s *site) Report(link.Peer, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reported++
}

// Frame implements link.Receiver.
func (s *site) Frame(from link.Peer, _ link.Channel, frame []byte) { s.Hear(from, frame) }

func (s *site) admit(_ link.Peer, items [][]byte, reply func([]gossip.Verdict)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []gossip.Verdict
	for _, item := range items {
		s.taken[string(item)]++
		switch {
		case strings.HasPrefix(string(item), "bad"):
			out = append(out, gossip.Bad)
		case string(item) == "panic" && s.taken["panic"] == 1:
			panic("the pool broke")
		default:
			out = append(out, gossip.Good)
		}
	}
	reply(out)
}

func (s *site) count(item string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken[item]
}

// sites makes n nodes, all connected.
func sites(t *testing.T, n int) (list []*site) {
	t.Helper()
	hub := link.NewHub(n)
	for i := range n {
		s := &site{Handle: NewHandle(), Link: hub.Port(i), taken: map[string]int{}}
		hub.Port(i).Attach(s)
		tree, err := supervision.New(supervision.Spec{
			Name: "network", Limit: supervision.Limit{Restarts: 3, Within: time.Minute},
			Children: []supervision.Spec{{Name: "flood", Inbox: s.Inbox(), New: func() actor.Actor {
				return &Subsystem{Handle: s.Handle, Link: s, Admit: s.admit}
			}}},
		}, supervision.Config{Clock: supervision.RealClock{}})
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := tree.Stop(context.Background()); err != nil {
				t.Error(err)
			}
		})
		hub.Port(i).Connect()
		list = append(list, s)
	}
	return list
}

// waitFor looks again and again until something is so.
func waitFor(t *testing.T, so func() bool) {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	end := time.NewTimer(20 * time.Second)
	defer end.Stop()
	for !so() {
		select {
		case <-look.C:
		case <-end.C:
			t.Fatal("it never came to be")
		}
	}
}

// What one node takes, all are offered, once. Spec: WP "Network Layer".
func TestFloodOverLinks(t *testing.T) {
	list := sites(t, 5)
	for i := range 1000 {
		list[i%5].Local([][]byte{fmt.Appendf(nil, "item %d", i)})
	}
	for at, s := range list {
		waitFor(t, func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			return len(s.taken) == 800
		})
		for i := range 1000 {
			want := 1
			if i%5 == at {
				want = 0 // its own
			}
			if n := s.count(fmt.Sprintf("item %d", i)); n != want {
				t.Fatalf("node %d was offered item %d %d times", at, i, n)
			}
		}
	}
}

// A bad item is reported by whoever hears it and goes no further; garbage is reported.
func TestReports(t *testing.T) {
	list := sites(t, 3)
	reported := func(s *site) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.reported == 1
	}
	list[0].Link.Send(list[1].Self(), link.Transactions, []byte{2, 1})
	waitFor(t, func() bool { return reported(list[1]) })
	list[2].Local([][]byte{[]byte("bad")})
	waitFor(t, func() bool { return reported(list[0]) })
	list[2].Local([][]byte{[]byte("good")})
	waitFor(t, func() bool { return list[0].count("good") == 1 })
	if n := list[0].count("bad"); n != 1 {
		t.Errorf("offered %d times", n)
	}
}

// A restarted flood knows its peers.
func TestRestart(t *testing.T) {
	list := sites(t, 3)
	list[0].Local([][]byte{[]byte("panic")})
	waitFor(t, func() bool { return list[1].count("panic") > 0 && list[2].count("panic") > 0 })
	list[1].Local([][]byte{[]byte("after")})
	waitFor(t, func() bool { return list[0].count("after") == 1 && list[2].count("after") == 1 })
}

// A pool that answers for less than it was asked is busy with the rest, which may come again.
func TestShortVerdict(t *testing.T) {
	var offered [][]byte
	s := state{
		flood: gossip.NewFlood(gossip.FloodConfig{}), link: link.Alone{}, now: time.Now,
		arm:   func() supervision.Deadline { return supervision.NewVirtualClock(time.Time{}).AfterFunc(1, func() {}) },
		admit: func(_ link.Peer, _ []gossip.Name, items [][]byte) { offered = append(offered, items...) },
	}
	s.up(link.Peer{1})
	frame := []byte{2, 1, 'a', 1, 'b'}
	s.hear(link.Peer{1}, frame)
	if len(offered) != 2 {
		t.Fatal(offered)
	}
	names := []gossip.Name{}
	for _, item := range offered {
		names = append(names, gossip.NameOf(item))
	}
	s.judged(names, []gossip.Verdict{gossip.Good})
	if s.deadline == nil {
		t.Error("nothing will be flushed")
	}
	s.hear(link.Peer{1}, frame)
	if len(offered) != 3 || string(offered[2]) != "b" {
		t.Error(offered)
	}
	s.down(link.Peer{1})
	s.flush()
	if s.deadline != nil {
		t.Error("a flush is due with nothing to send")
	}
}
