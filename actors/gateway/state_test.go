package gateway

import (
	"context"
	"encoding/binary"
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

	"golang.org/x/sync/semaphore"

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
	clock := supervision.NewVirtualClock(time.Unix(1_000, 0))
	d := NewDoor(Door{Node: w, Handle: NewHandle(), Address: self, Clock: clock})
	if n, err := d.name(context.Background(), host); err != nil || n.FQDN != host {
		t.Fatal(n, err)
	}
	lookUp := func(kind string) (looked int) {
		for i := range 150 {
			switch _, err := d.name(context.Background(), fmt.Sprintf("%s-%d.cow", kind, i)); {
			case err == nil:
				looked++
			case !errors.Is(err, ErrBusy):
				t.Fatal(err)
			}
		}
		return looked
	}
	if looked := lookUp("nobody"); looked != 99 { // and one before
		t.Errorf("%d lookups in a moment", looked)
	}
	d.memory.hosts.Purge() // as after a second
	if n, err := d.name(context.Background(), host); err != nil || n.FQDN != host {
		t.Errorf("a known host: %v %v", n, err)
	}
	if n, err := d.name(context.Background(), "10.0.0.1"); err != nil || n.FQDN != "" {
		t.Errorf("a host that can have no name is asked for: %v %v", n, err)
	}
	clock.Advance(time.Second)
	if looked := lookUp("none"); looked != 50 {
		t.Errorf("%d lookups a second later", looked)
	}
}

// What is remembered is the newest of so many: 4,096 hosts with a name, what 16,384 actors have left of their requests, and 65,536 requests that no block has.
// In each case the oldest is there at the bound, and beyond it the next oldest is not.
//
// Spec: gateway-payments-streams §B, §C (202).
func TestWhatIsRemembered(t *testing.T) {
	w, clock := newWorld(), supervision.NewVirtualClock(time.Unix(1_000, 0))
	d := NewDoor(Door{Node: w, Handle: NewHandle(), Address: self, Clock: clock})
	t.Run("hosts", func(t *testing.T) {
		remember := func(n int) {
			name := fmt.Sprintf("shop-%d.cow", n)
			w.names[name] = wire.Name{FQDN: name}
			if _, err := d.name(t.Context(), name); err != nil {
				t.Fatal(name, err)
			}
			clock.Advance(time.Second) // in which others may be looked up
		}
		remembered := func(n int) bool {
			d.memory.hosts.Purge() // as after a second
			for d.memory.lookups.AllowN(clock.Now(), 1) {
			}
			_, err := d.name(t.Context(), fmt.Sprintf("shop-%d.cow", n))
			return !errors.Is(err, ErrBusy)
		}
		for n := range 4_096 {
			remember(n)
		}
		first := remembered(0)
		clock.Advance(time.Second)
		remember(4_096)
		if !first || remembered(1) || !remembered(2) {
			t.Errorf("the first of 4,096 is remembered: %v; the second and the third of 4,097: %v %v", first, remembered(1), remembered(2))
		}
	})
	t.Run("actors", func(t *testing.T) {
		asks := func(n int) bool {
			leave, ok := d.memory.enter(account.Address(binary.BigEndian.AppendUint64(make([]byte, 12), uint64(n))), clock.Now())
			if ok {
				leave()
			}
			return ok
		}
		for n := range 3 {
			for asks(n) { // all that it has
			}
		}
		for n := range 16_384 - 3 {
			asks(3 + n)
		}
		first := asks(0)
		asks(16_384)
		if third, second := asks(2), asks(1); first || third || !second {
			t.Errorf("the first of 16,384 may ask again: %v; the third and the second once there are more: %v %v", first, third, second)
		}
	})
	t.Run("requests", func(t *testing.T) {
		clock.Advance(time.Second)
		id := func(n int) receipt.ID { return receipt.ID(binary.BigEndian.AppendUint64(make([]byte, 8), uint64(n))) }
		status := func(n int) int {
			out := httptest.NewRecorder()
			d.ServeHTTP(out, httptest.NewRequest(http.MethodGet, "http://"+host+requestsPath+id(n).String(), nil))
			return out.Code
		}
		for n := range 65_536 {
			d.memory.sent.Add(id(n), page)
		}
		first := status(0)
		d.memory.sent.Add(id(65_536), page)
		if second, third := status(1), status(2); first != 202 || second != 404 || third != 202 {
			t.Errorf("the first of 65,536: %d; the second and the third of 65,537: %d %d", first, second, third)
		}
	})
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
	if m.waiting.room.TryAcquire(1) {
		t.Error("memory is left beside them") // 5,120 × 10 KiB are all of the 50 MiB
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
			if c, gone := d.outcome(r.Context(), newID(), 30*time.Second); c != nil || !gone {
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
	places := func(of *semaphore.Weighted, n int64) {
		t.Helper()
		if !of.TryAcquire(n) || of.TryAcquire(1) {
			t.Fatalf("there are not just %d places", n)
		}
		of.Release(n)
	}
	places(d.memory.queries, 12)
	places(d.memory.bucket(page).ask, 4)
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
	for range 4 {
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
	for range 12 - 4 - 1 {
		<-node.came
	}
	close(node.leave)
	all.Wait()
	if node.full != 12 {
		t.Errorf("%d were at the node at a time", node.full)
	}
	for actor, n := range node.most {
		if n > 4 {
			t.Errorf("%d of %v", n, actor)
		}
	}
}
