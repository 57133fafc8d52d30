package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// leaping is a clock that is at a deadline as soon as it is set.
type leaping struct{ *supervision.VirtualClock }

func (l leaping) AfterFunc(d time.Duration, f func()) supervision.Deadline {
	deadline := l.VirtualClock.AfterFunc(d, f)
	l.Next()
	return deadline
}

// A client waits for its answer as many seconds as it says, 30 at most, in which the node is asked twice a second.
//
// Spec: gateway-payments-streams §B (commands); RFC 7240 §4.3.
func TestTimeToWait(t *testing.T) {
	for prefer, want := range map[string]int{
		"respond-async": 0, "wait=0": 0, "wait=1": 1, "wait=29": 29, "wait=30": 30, "wait=31": 30, "wait=65536": 30, "wait=99999999999999999999": 30,
		"wait=soon": 0,
	} {
		t.Run(prefer, func(t *testing.T) {
			start := time.Unix(1_000, 0)
			node, clock := &silent{world: newWorld()}, leaping{supervision.NewVirtualClock(start)}
			s := open(t, node.world, func(d *Door) { d.Node, d.Clock = node, clock })
			x, _ := call(t, s, "POST", host, "/orders", "{}", "Prefer", prefer)
			applied := ""
			if want > 0 {
				applied = fmt.Sprint("wait=", want)
			}
			if x.StatusCode != 202 || x.Header.Get("Preference-Applied") != applied {
				t.Errorf("%d %v, want %q", x.StatusCode, x.Header, applied)
			}
			if long := clock.Now().Sub(start); long != time.Duration(want)*time.Second || node.asked.Load() != int64(2*want) {
				t.Errorf("asked %d times in %v", node.asked.Load(), long)
			}
		})
	}
}

// A stream of events says that it lives every 15 seconds in which nothing else comes, and ends after 600.
//
// Spec: gateway-payments-streams §B (idle 600 s).
func TestTimesOfAStream(t *testing.T) {
	start := time.Unix(1_000, 0)
	w, clock := newWorld(), supervision.NewVirtualClock(start)
	w.follow = func(ctx context.Context, _, _ string) (io.ReadCloser, error) { return feed(ctx, ""), nil }
	s := open(t, w, func(d *Door) { d.Clock = clock })
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+eventsPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	x, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Body.Close()
	in := bufio.NewScanner(x.Body)
	ended := make(chan struct{})
	said := make(chan string)
	go func() {
		defer close(ended)
		for in.Scan() {
			if in.Text() != "" {
				said <- in.Text()
			}
		}
	}()
	alive := func(when string) {
		t.Helper()
		select {
		case text := <-said:
			if text != ": alive" {
				t.Fatalf("%s it says %q", when, text)
			}
		case <-ended:
			t.Fatalf("%s it is over", when)
		}
		for clock.Pending() < 2 { // its end, and its next sign of life
			select {
			case <-ended:
				t.Fatalf("%s it is over", when)
			default:
				runtime.Gosched()
			}
		}
	}
	alive("at once")
	if clock.Next(); clock.Now() != start.Add(15*time.Second) {
		t.Fatalf("it says so again after %v", clock.Now().Sub(start))
	}
	alive("after 15 s")
	clock.Advance(585*time.Second - time.Nanosecond)
	alive("before 600 s")
	clock.Advance(time.Nanosecond)
	if clock.Pending() > 1 {
		t.Fatal("it is not over")
	}
	<-ended
}

// timed is a node that notes how long what it is asked may take: what is beyond, or below, the times that it is to be.
type timed struct {
	*world
	mu    sync.Mutex
	began time.Time // the test's request
	wants map[string]time.Duration
	asked map[string]bool
	wrong []string
}

func (n *timed) note(ctx context.Context, what string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked[what] = true
	until, ok := ctx.Deadline()
	if want := n.wants[what]; !ok || until.Before(n.began.Add(want)) || until.After(time.Now().Add(want)) {
		n.wrong = append(n.wrong, fmt.Sprint(what, " until ", until.Sub(n.began), ", want ", want))
	}
}

func (n *timed) Name(ctx context.Context, host string) (wire.Name, error) {
	n.note(ctx, "name")
	return n.world.Name(ctx, host)
}

func (n *timed) Routes(ctx context.Context, actor account.Address) (wire.Routes, error) {
	n.note(ctx, "routes")
	return n.world.Routes(ctx, actor)
}

func (n *timed) Query(ctx context.Context, actor account.Address, q *Question) (*Answer, error) {
	n.note(ctx, "query")
	return n.world.Query(ctx, actor, q)
}

func (n *timed) Request(ctx context.Context, id receipt.ID) (wire.Request, error) {
	n.note(ctx, "request")
	return n.world.Request(ctx, id)
}

func (n *timed) Stored(ctx context.Context, actor account.Address, key string) ([]byte, bool, error) {
	n.note(ctx, "stored")
	return n.world.Stored(ctx, actor, key)
}

func (n *timed) Interface(ctx context.Context, actor account.Address) (*outline.Document, error) {
	n.note(ctx, "interface")
	return n.world.Interface(ctx, actor)
}

func (n *timed) Dispatch(ctx context.Context, actor account.Address, envelope []byte, id receipt.ID) error {
	n.note(ctx, "dispatch")
	return n.world.Dispatch(ctx, actor, envelope, id)
}

func (n *timed) Heartbeat(ctx context.Context) error {
	n.note(ctx, "heartbeat")
	return n.world.Heartbeat(ctx)
}

func (n *timed) Proof(ctx context.Context, path string) ([]byte, error) {
	n.note(ctx, "proof")
	return n.world.Proof(ctx, path)
}

func (n *timed) Height(ctx context.Context) (uint64, error) {
	n.note(ctx, "height")
	return n.world.Height(ctx)
}

// timedGate is a PaymentGate that notes the same.
type timedGate struct {
	*gate
	node *timed
}

func (g timedGate) Terms(ctx context.Context, actor account.Address) (wire.PaymentPolicy, error) {
	g.node.note(ctx, "terms")
	return g.gate.Terms(ctx, actor)
}

func (g timedGate) Holder(ctx context.Context, actor, holder account.Address) (wire.PaymentHolder, error) {
	g.node.note(ctx, "holder")
	return g.gate.Holder(ctx, actor, holder)
}

func (g timedGate) Payment(ctx context.Context, k payment.Key) (wire.Payment, error) {
	g.node.note(ctx, "payment")
	return g.gate.Payment(ctx, k)
}

func (g timedGate) Pay(ctx context.Context, method string, args cbor.Map) (string, error) {
	g.node.note(ctx, "pay")
	return g.gate.Pay(ctx, method, args)
}

// Whatever a gateway asks of its node has 20 seconds, so that no client and no place of one waits for a node that hangs; a payment has 30.
//
// Spec: gateway-payments-streams §B, §F.
func TestTimesOfTheNode(t *testing.T) {
	const most = 20 * time.Second
	wants := map[string]time.Duration{"pay": 30 * time.Second}
	for _, what := range []string{
		"name", "routes", "query", "request", "stored", "interface", "dispatch", "heartbeat", "proof", "height", "terms", "holder", "payment",
	} {
		wants[what] = most
	}
	node := &timed{world: newShop(), wants: wants, asked: map[string]bool{}}
	node.world.query = hello
	node.world.names[host].HTTP.Volumes = []string{"site"}
	node.world.dispatch = func(id receipt.ID) error {
		node.world.requests[id] = wire.Request{ID: id.String(), Target: page.String(), Gateway: self.String(), Status: "COMPLETED"}
		return nil
	}
	node.world.requests[receipt.ID{6: 0x40, 8: 0x80}] = wire.Request{Target: page.String(), Status: "COMPLETED"}
	g := newGate(t, func(*payment.Policy) {})
	s := open(t, node.world, func(d *Door) {
		d.Node, d.Paywall = node, NewPaywall(timedGate{g, node}, self, []byte("secret"), func() time.Time { return noon })
	})
	sender := &Sender{Handle: NewHandle(), Node: node, Every: time.Minute, Clock: supervision.NewVirtualClock(noon)}
	ask := func(method, path string, status int, headers ...string) *http.Response {
		t.Helper()
		node.mu.Lock()
		node.began = time.Now()
		node.mu.Unlock()
		x, _ := call(t, s, method, host, path, "", headers...)
		if x.StatusCode != status {
			t.Errorf("%s %s: %d, want %d", method, path, x.StatusCode, status)
		}
		return x
	}
	ask("GET", "/_cowboy/health", 200)
	ask("GET", chainPath+"light/final", 200)
	ask("GET", "/_cowboy/openapi.json", 200)
	ask("GET", requestsPath+receipt.ID{6: 0x40, 8: 0x80}.String(), 502)
	ask("GET", "/", 200)
	ask("POST", "/", 502, "Prefer", "wait=1")
	header := x402(t, required(t, ask("GET", "/hay/1", 402)), 1)
	ask("GET", "/hay/1", 200, "PAYMENT-SIGNATURE", header)
	node.began = time.Now()
	sender.beat()
	if got, want := slices.Sorted(maps.Keys(node.asked)), slices.Sorted(maps.Keys(wants)); !slices.Equal(got, want) {
		t.Errorf("asked %v, want %v", got, want)
	}
	for _, text := range node.wrong {
		t.Error(text)
	}
}

// limited is a writer that notes the deadlines of its connection.
type limited struct {
	*httptest.ResponseRecorder
	reads, writes []time.Time
}

// SetReadDeadline is what http.ResponseController calls.
func (l *limited) SetReadDeadline(at time.Time) error {
	l.reads = append(l.reads, at)
	return nil
}

// SetWriteDeadline is what http.ResponseController calls.
func (l *limited) SetWriteDeadline(at time.Time) error {
	l.writes = append(l.writes, at)
	return nil
}

// A connection has ten seconds for a header and thirty for a request, an answer a minute, and 600 s of idleness; of a single request the body has thirty
// seconds, and so has a client for each message of a stream.
//
// Spec: gateway-payments-streams §B (idle 600 s).
func TestTimesOfConnections(t *testing.T) {
	s := NewServer(nil, nil, nil)
	got := [...]time.Duration{s.ReadHeaderTimeout, s.ReadTimeout, s.WriteTimeout, s.IdleTimeout}
	if want := [...]time.Duration{10 * time.Second, 30 * time.Second, 60 * time.Second, 600 * time.Second}; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	w := newWorld()
	w.query = hello
	w.follow = func(context.Context, string, string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(twoEvents)), nil
	}
	d := NewDoor(Door{Node: w, Handle: NewHandle(), Clock: supervision.RealClock{}})
	for path, limits := range map[string]struct{ reads, writes int }{"/": {1, 0}, eventsPath: {0, 3}} { // that are none of being taken away
		t.Run(path, func(t *testing.T) {
			began := time.Now()
			out := &limited{ResponseRecorder: httptest.NewRecorder()}
			d.ServeHTTP(out, httptest.NewRequest(http.MethodGet, "http://"+host+path, nil))
			if n := len(out.reads); n != limits.reads+1 || !out.reads[n-1].IsZero() || len(out.writes) != limits.writes {
				t.Fatalf("%d %d: %v", n, len(out.writes), out.reads)
			}
			for _, at := range slices.Concat(out.reads[:limits.reads], out.writes) {
				if at.Before(began.Add(30*time.Second)) || at.After(time.Now().Add(30*time.Second)) {
					t.Errorf("%v after it began", at.Sub(began))
				}
			}
		})
	}
}
