package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// The newest block is known for three seconds after a block of the stream, and five after the block's own time, and never behind what the node has answered
// from; what is behind that says nothing.
//
// Spec: gateway-payments-streams §B (queries).
func TestHead(t *testing.T) {
	const second = time.Second
	for name, c := range map[string]struct {
		does   func(h *Head, clock *supervision.VirtualClock)
		number uint64
		long   time.Duration // that it is known from then on
	}{
		"nothing":           {func(*Head, *supervision.VirtualClock) {}, 0, 0},
		"a block":           {func(h *Head, c *supervision.VirtualClock) { h.told(7, c.Now()) }, 7, 3 * second},
		"one of a second":   {func(h *Head, c *supervision.VirtualClock) { h.told(7, c.Now().Add(-second)) }, 7, 3 * second},
		"a late one":        {func(h *Head, c *supervision.VirtualClock) { h.told(7, c.Now().Add(-4*second)) }, 7, second},
		"one that is old":   {func(h *Head, c *supervision.VirtualClock) { h.told(7, c.Now().Add(-5*second)) }, 7, 0},
		"one ahead of time": {func(h *Head, c *supervision.VirtualClock) { h.told(7, c.Now().Add(time.Hour)) }, 7, 3 * second},
		"an answer":         {func(h *Head, _ *supervision.VirtualClock) { h.Saw(7) }, 7, 0},
		"an older answer":   {func(h *Head, c *supervision.VirtualClock) { h.told(7, c.Now()); h.Saw(5) }, 7, 3 * second},
		"a newer answer":    {func(h *Head, c *supervision.VirtualClock) { h.told(7, c.Now()); c.Advance(second); h.Saw(9) }, 9, 2 * second},
		"a stream behind it": {func(h *Head, c *supervision.VirtualClock) {
			h.told(7, c.Now())
			h.Saw(9)
			c.Advance(second)
			h.told(8, c.Now())
		}, 9, 2 * second},
		"one that caught up": {func(h *Head, c *supervision.VirtualClock) {
			h.told(7, c.Now())
			h.Saw(8)
			c.Advance(second)
			h.told(8, c.Now())
		}, 8, 3 * second},
		"the next block": {func(h *Head, c *supervision.VirtualClock) {
			h.told(7, c.Now())
			c.Advance(2 * second)
			h.told(8, c.Now())
		}, 8, 3 * second},
		"a lost stream":             {func(h *Head, c *supervision.VirtualClock) { h.told(7, c.Now()); h.lost() }, 7, 0},
		"one that came back":        {func(h *Head, c *supervision.VirtualClock) { h.told(7, c.Now()); h.lost(); h.told(8, c.Now()) }, 8, 3 * second},
		"one that came back behind": {func(h *Head, c *supervision.VirtualClock) { h.told(7, c.Now()); h.lost(); h.told(6, c.Now()) }, 7, 0},
	} {
		t.Run(name, func(t *testing.T) {
			clock := supervision.NewVirtualClock(time.Unix(1_000, 0))
			h := NewHead(clock)
			c.does(h, clock)
			if number, known := h.Newest(); number != c.number || known != (c.long > 0) {
				t.Errorf("%d %v, want %d", number, known, c.number)
			}
			if c.long == 0 {
				return
			}
			clock.Advance(c.long - 1)
			if _, known := h.Newest(); !known {
				t.Errorf("not known after %v", c.long-1)
			}
			clock.Advance(1)
			if _, known := h.Newest(); known {
				t.Errorf("known after %v", c.long)
			}
		})
	}
}

// later is a node that goes on to other blocks than a test's world. Its answers' roots are their blocks' numbers.
type later struct {
	*world
	block atomic.Uint64
	asked atomic.Int64 // for queries
}

func newLater() *later {
	l := &later{world: newWorld()}
	l.block.Store(41)
	return l
}

func (l *later) Query(context.Context, account.Address, *Question) (*Answer, error) {
	l.asked.Add(1)
	data, err := cbor.Append(nil, cbor.Map{{Key: "status", Value: 200}})
	return &Answer{Block: l.block.Load(), Root: fmt.Sprint("0x", l.block.Load()), Result: data}, err
}

func (l *later) Request(ctx context.Context, id receipt.ID) (wire.Request, error) {
	c, err := l.world.Request(ctx, id)
	c.BlockHeight = l.block.Load()
	return c, err
}

func (l *later) Height(context.Context) (uint64, error) { return l.block.Load(), nil }

// followed is a follower of streams that a test writes.
type followed struct {
	clock   *supervision.VirtualClock
	head    *Head
	opened  chan *io.PipeWriter  // each stream as it is opened
	streams chan context.Context // and its context
	refuse  chan error           // what the next ones are refused with
	ended   chan error
	tree    *supervision.Tree
}

func follow(t *testing.T) *followed {
	t.Helper()
	clock := supervision.NewVirtualClock(time.Unix(1_000, 0))
	f := &followed{
		clock: clock, head: NewHead(clock), opened: make(chan *io.PipeWriter, 1), refuse: make(chan error, 100), ended: make(chan error, 100),
		streams: make(chan context.Context, 1),
	}
	spec := Following(func() *Follower {
		return &Follower{Head: f.head, Open: func(ctx context.Context) (io.ReadCloser, error) {
			select {
			case err := <-f.refuse:
				return nil, err
			default:
			}
			in, out := io.Pipe()
			context.AfterFunc(ctx, func() { _ = out.CloseWithError(ctx.Err()) })
			f.opened <- out
			f.streams <- ctx
			return in, nil
		}, Observe: func(_ string, err error) { f.ended <- err }}
	})
	root := supervision.Spec{Name: "gateway", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 1, Within: time.Minute},
		Children: []supervision.Spec{spec}}
	tree, err := supervision.New(root, supervision.Config{})
	if err != nil {
		t.Fatal(err)
	}
	f.tree = tree
	tree.Spawn()
	return f
}

func (f *followed) stop(t *testing.T) {
	t.Helper()
	if err := f.tree.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// block has the stream tell of a block of now, and returns when the head has it: the follower reads on only after that.
func (f *followed) block(t *testing.T, out *io.PipeWriter, number uint64) {
	t.Helper()
	text := fmt.Sprintf("id: %d.0\nevent: block\ndata: {\"height\":%d,\"timestamp_ms\":%d}\n\n", number, number, f.clock.Now().UnixMilli())
	for _, one := range []string{text, ": alive\n\n"} {
		if _, err := io.WriteString(out, one); err != nil {
			t.Fatal(err)
		}
	}
}

// Kept answers are served while the node's stream of blocks says that they are the newest: never before its first block, while it is late or after it ended.
//
// Spec: gateway-payments-streams §B (queries).
func TestNothingIsServedFromBeforeWhileBlocksDoNotCome(t *testing.T) {
	f := follow(t)
	defer f.stop(t)
	node := newLater()
	s := open(t, node.world, func(d *Door) { d.Node, d.Newest, d.Saw = node, f.head.Newest, f.head.Saw })
	asks := func(what string, times int, block string) {
		t.Helper()
		node.asked.Store(0)
		for range 3 {
			x, _ := call(t, s, "GET", host, "/", "")
			if x.StatusCode != http.StatusOK || x.Header.Get(blockHeader) != block || x.Header.Get(rootHeader) != "0x"+block {
				t.Errorf("%s: %d %v", what, x.StatusCode, x.Header)
			}
		}
		if n := node.asked.Load(); n != int64(times) {
			t.Errorf("%s: the node was asked %d times, want %d", what, n, times)
		}
	}
	out, ctx := <-f.opened, <-f.streams
	asks("before the first block", 3, "41")
	f.block(t, out, 41)
	asks("after a block", 0, "41") // which the answers before are of
	node.block.Store(42)
	f.block(t, out, 42)
	asks("after the next", 1, "42")
	f.clock.Advance(silentFor)
	asks("when it is late", 3, "42")
	node.block.Store(43)
	f.block(t, out, 43)
	asks("when it has caught up", 1, "43")
	_ = out.Close()
	if err := <-f.ended; !errors.Is(err, errStreamEnded) || ctx.Err() == nil {
		t.Errorf("ended by %v, %v", err, ctx.Err())
	}
	asks("without a stream", 3, "43")
	f.clock.Advance(0) // a stream that had blocks is opened again at once
	out, ctx = <-f.opened, <-f.streams
	asks("on a stream that has told nothing", 3, "43")
	f.block(t, out, 43)
	asks("after its first block", 0, "43")
	f.clock.Advance(brokenAfter - 1)
	if ctx.Err() != nil {
		t.Error("given up too early")
	}
	f.clock.Advance(1)
	<-ctx.Done()
	<-f.ended
	asks("after silence", 3, "43")
}

// Whatever the gateway has shown a client or told it of, the client sees nothing older afterwards, though the stream of blocks is behind: the answer of another
// query, the receipt of a command by either way, an event, what the node's health is.
//
// Spec: gateway-payments-streams §B (queries), §C.
func TestClientsNeverGoBack(t *testing.T) {
	done := wire.Request{Status: receipt.Failed.String(), Target: page.String(), Gateway: self.String()}
	id := receipt.ID{1, 2, 3}
	for name, c := range map[string]struct {
		path, method string
		headers      []string
		status       int
		block        string // of the same query afterwards
	}{
		"nothing":             {"/_cowboy/info", "GET", nil, 200, "41"},
		"the same query":      {"/", "GET", nil, 200, "41"},
		"another query":       {"/other", "GET", nil, 200, "42"},
		"the same, of 42":     {"/", "GET", []string{minHeader, "42"}, 200, "42"},
		"the same, of 41":     {"/", "GET", []string{minHeader, "41"}, 200, "41"},
		"a command":           {"/", "POST", nil, 202, "41"},
		"one that waits":      {"/", "POST", []string{"Prefer", "wait=5"}, 500, "42"},
		"a receipt":           {requestsPath + id.String(), "GET", nil, 500, "42"},
		"a receipt of nobody": {requestsPath + receipt.ID{9}.String(), "GET", nil, 404, "41"},
		"the node's health":   {"/_cowboy/health", "GET", nil, 200, "42"},
		"an event":            {eventsPath, "GET", nil, 200, "42"},
	} {
		t.Run(name, func(t *testing.T) {
			head := NewHead(supervision.RealClock{})
			node := newLater()
			node.requests[id] = done
			node.dispatch = func(id receipt.ID) error { node.requests[id] = done; return nil }
			node.world.follow = func(ctx context.Context, _, _ string) (io.ReadCloser, error) {
				in, out := io.Pipe()
				go func() {
					_, _ = io.WriteString(out, "id: 42.0\nevent: event\ndata: {}\n\n")
					_ = out.Close()
				}()
				return in, ctx.Err()
			}
			s := open(t, node.world, func(d *Door) { d.Node, d.Newest, d.Saw = node, head.Newest, head.Saw })
			head.told(41, time.Now())
			if x, _ := call(t, s, "GET", host, "/", ""); x.Header.Get(blockHeader) != "41" {
				t.Fatal(x.Header)
			}
			node.block.Store(42)
			if x, _ := call(t, s, c.method, host, c.path, "", c.headers...); x.StatusCode != c.status {
				t.Fatal(x.StatusCode, x.Header)
			}
			if x, _ := call(t, s, "GET", host, "/", ""); x.Header.Get(blockHeader) != c.block || x.Header.Get(rootHeader) != "0x"+c.block {
				t.Errorf("block %s with root %s, want %s", x.Header.Get(blockHeader), x.Header.Get(rootHeader), c.block)
			}
		})
	}
}

// A node that refuses its stream is asked again, the more it refuses the later, in ten seconds at most; a follower that stops leaves nothing behind.
func TestFollowersBackOff(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	f := follow(t)
	out := <-f.opened
	<-f.streams
	down := errors.New("down")
	for range cap(f.refuse) {
		f.refuse <- down
	}
	_ = out.Close()
	if err := <-f.ended; !errors.Is(err, errStreamEnded) {
		t.Fatal(err)
	}
	// The waits are 0, then 100 ms doubled up to 10 s, each less up to half of it: after the n-th failure in a row min(10 s, 100 ms · 2ⁿ⁻²).
	want := []time.Duration{0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000}
	for n, most := range want {
		most *= time.Millisecond
		if most > 0 {
			f.clock.Advance(most/2 - 1)
			if tries := cap(f.refuse) - len(f.refuse); tries != n {
				t.Fatalf("%d tries before half of %v", tries, most)
			}
		}
		f.clock.Advance(most - max(most/2-1, 0))
		if err := <-f.ended; !errors.Is(err, down) {
			t.Fatal(err)
		}
	}
	for len(f.refuse) > 0 {
		<-f.refuse
	}
	f.clock.Advance(10 * time.Second)
	<-f.opened
	ctx := <-f.streams
	f.stop(t)
	if ctx.Err() == nil {
		t.Error("its stream goes on")
	}
	goleak.VerifyNone(t, ignore)
}

// A line of a block has 8 MiB, and a longer one ends the stream.
func TestLinesOfBlocks(t *testing.T) {
	for size, want := range map[int]int{8<<20 - 1: 2, 8 << 20: 2, 8<<20 + 1: 0} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			const line = `data: {"height":7,"timestamp_ms":1}`
			text := "event: block\n" + line + strings.Repeat(" ", size-len(line)) + "\n\nevent: block\n" + line + "\n\n"
			f := &Follower{Head: NewHead(supervision.NewVirtualClock(time.Unix(1_000, 0))), Open: func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(text)), nil
			}}
			if blocks, err := f.read(t.Context(), func() {}); blocks != want || !errors.Is(err, errStreamEnded) {
				t.Errorf("%d blocks, want %d; %v", blocks, want, err)
			}
		})
	}
}

// A stream is given up when it has had no block for 15 seconds.
func TestSilentStreams(t *testing.T) {
	start := time.Unix(1_000, 0)
	clock := supervision.NewVirtualClock(start)
	ctx, cancel := context.WithCancel(t.Context())
	f := &Follower{Head: NewHead(clock), Open: func(ctx context.Context) (io.ReadCloser, error) {
		if clock.Next(); clock.Now() != start.Add(15*time.Second) || ctx.Err() == nil {
			t.Errorf("after %v: %v", clock.Now().Sub(start), ctx.Err())
		}
		return nil, ctx.Err()
	}}
	if _, err := f.read(ctx, cancel); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
