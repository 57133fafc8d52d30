package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// An actor has 100 requests a second and 1,000 at a time; another actor has its own.
//
// Spec: gateway-payments-streams §B (per actor per gateway).
func TestLimitsOfActors(t *testing.T) {
	m, now := newMemory(), time.Unix(1_000, 0)
	count := func(a account.Address, at time.Time, n int, keep bool) (taken int) {
		for range n {
			if leave, ok := m.enter(a, at); ok {
				taken++
				if !keep {
					leave()
				}
			}
		}
		return taken
	}
	if got := count(page, now, 150, false); got != 100 {
		t.Errorf("%d in a moment", got)
	}
	if got := count(page, now.Add(100*time.Millisecond), 150, false); got != 10 {
		t.Errorf("%d a tenth of a second later", got)
	}
	if got := count(other, now, 100, false); got != 100 {
		t.Errorf("%d of another actor", got)
	}
	third, taken := account.Address{10}, 0
	for second := range 20 {
		taken += count(third, now.Add(time.Duration(second)*time.Second), 100, true)
	}
	if taken != 1_000 {
		t.Errorf("%d at a time", taken)
	}
}

// Strangers who ask for hosts that nobody has cost the node a bounded number of questions, and do not keep a known host from being served.
//
// Spec: gateway-payments-streams §B (404 for unknown names).
func TestLookupsAreBounded(t *testing.T) {
	w := newWorld()
	d := NewDoor(Door{Node: w, Handle: NewHandle(), Address: self, Clock: supervision.NewVirtualClock(time.Unix(1_000, 0))})
	if n, err := d.name(context.Background(), host); err != nil || n.FQDN != host {
		t.Fatal(n, err)
	}
	looked, busy := 1, 0
	for i := range 150 {
		switch _, err := d.name(context.Background(), fmt.Sprintf("nobody-%d.cow", i)); {
		case err == nil:
			looked++
		case errors.Is(err, ErrBusy):
			busy++
		default:
			t.Fatal(err)
		}
	}
	if looked != lookupsAtOnce || looked+busy != 151 {
		t.Errorf("%d lookups, %d refused", looked, busy)
	}
	d.memory.hosts.Purge() // as after a second
	if n, err := d.name(context.Background(), host); err != nil || n.FQDN != host {
		t.Errorf("a known host: %v %v", n, err)
	}
	if n, err := d.name(context.Background(), "10.0.0.1"); err != nil || n.FQDN != "" {
		t.Errorf("a host that can have no name is asked for: %v %v", n, err)
	}
}

// Clients that wait for answers have a budget of memory, 5,120 of 10 KiB each, and ask the node no more than 256 times a second together.
//
// Spec: gateway-payments-streams §B.
func TestClientsThatWaitAreBounded(t *testing.T) {
	m := newMemory()
	var leaves []func()
	for {
		leave, ok := m.waiting.enter()
		if !ok {
			break
		}
		leaves = append(leaves, leave)
		if n := len(leaves); n == 128 && m.waiting.pace() != 500*time.Millisecond || n == 256 && m.waiting.pace() != time.Second {
			t.Errorf("%d pause for %v", n, m.waiting.pace())
		}
	}
	if len(leaves) != 5_120 || m.waiting.pace() != 20*time.Second {
		t.Errorf("%d wait, and pause for %v", len(leaves), m.waiting.pace())
	}
	leaves[0]()
	if _, ok := m.waiting.enter(); !ok {
		t.Error("who left makes no room")
	}
}

// silent is a node on which no request is ever answered.
type silent struct {
	*world
	asked atomic.Int64
}

func (s *silent) Request(context.Context, receipt.ID) (wire.Request, error) {
	s.asked.Add(1)
	return wire.Request{Status: receipt.Pending.String()}, nil
}

// 5,000 requests that wait for their answers take less than 50 MiB, their goroutines and what they came with included.
//
// Spec: gateway-payments-streams §B.
func TestFiveThousandWait(t *testing.T) {
	const many = 5_000
	node := &silent{world: newWorld()}
	d := NewDoor(Door{Node: node, Handle: NewHandle(), Address: self, Clock: supervision.NewVirtualClock(time.Unix(1_000, 0))})
	used := func() int64 {
		runtime.GC()
		runtime.GC() // what finalizers and pools of tests before held until the first
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc + m.StackInuse)
	}
	ctx, leave := context.WithCancel(context.Background())
	before := used()
	var over sync.WaitGroup
	for range many {
		over.Go(func() {
			r := httptest.NewRequest(http.MethodPost, "https://"+host+"/", strings.NewReader("{}")).WithContext(ctx)
			if c, gone := d.outcome(r.Context(), newID(), maxWait); c != nil || !gone {
				t.Error(c, gone)
			}
			runtime.KeepAlive(r)
		})
	}
	for node.asked.Load() < many {
		runtime.Gosched()
	}
	if grown := used() - before; grown >= 50<<20 {
		t.Errorf("%d bytes", grown)
	} else {
		t.Logf("%d bytes, %d each", grown, grown/many)
	}
	leave()
	over.Wait()
}

// crowded is a node at which queries of an actor stay until they are let go.
type crowded struct {
	*world
	mu     sync.Mutex
	inside map[account.Address]int
	most   map[account.Address]int
	all    int
	full   int
	came   chan account.Address
	leave  chan struct{}
}

func (c *crowded) Query(_ context.Context, actor account.Address, _ *Question) (*Answer, error) {
	c.mu.Lock()
	c.inside[actor]++
	c.all++
	c.most[actor], c.full = max(c.most[actor], c.inside[actor]), max(c.full, c.all)
	c.mu.Unlock()
	c.came <- actor
	<-c.leave
	c.mu.Lock()
	c.inside[actor]--
	c.all--
	c.mu.Unlock()
	return &Answer{}, nil
}

// Queries go to the node four of an actor and twelve of all at a time; the others wait for their turn, none is refused, and an actor with many does not keep
// others' from theirs. One whose time is over before its turn is told that the gateway is busy.
//
// Spec: gateway-payments-streams §B (queries).
func TestQueriesWaitForTheirTurn(t *testing.T) {
	const each = 20
	node := &crowded{
		world: newWorld(), inside: map[account.Address]int{}, most: map[account.Address]int{}, came: make(chan account.Address, 5*each),
		leave: make(chan struct{}),
	}
	d := NewDoor(Door{Node: node, Handle: NewHandle(), Address: self, Clock: supervision.RealClock{}})
	var all sync.WaitGroup
	query := func(ctx context.Context, actor account.Address) error {
		return d.inTurn(ctx, actor, func(ctx context.Context) error {
			_, err := d.execute(ctx, actor, &Question{})
			return err
		})
	}
	ask := func(actor account.Address) {
		all.Go(func() {
			if err := query(context.Background(), actor); err != nil {
				t.Error(err)
			}
		})
	}
	for range each {
		ask(page)
	}
	for range actorQueries {
		if got := <-node.came; got != page {
			t.Fatal(got)
		}
	}
	ask(other) // though sixteen of the first one wait
	if got := <-node.came; got != other {
		t.Fatalf("next is %v", got)
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	if err := query(over, page); !errors.Is(err, ErrBusy) {
		t.Errorf("a query without time: %v", err)
	}
	for n := range byte(4) {
		for range each {
			ask(account.Address{0x90, n})
		}
	}
	for range queriesAtOnce - actorQueries - 1 {
		<-node.came
	}
	close(node.leave)
	all.Wait()
	if node.full != queriesAtOnce {
		t.Errorf("%d were at the node at a time", node.full)
	}
	for actor, n := range node.most {
		if n > actorQueries {
			t.Errorf("%d of %v", n, actor)
		}
	}
}
