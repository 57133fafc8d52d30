package volume

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay"
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// TestLateSlots: which slots are asked when, for chunks of a stripe of which two are needed.
//
// Spec: gateway-payments-streams §B ("hedge fetch 100 ms"); storage-cbfs §5 (any k).
func TestLateSlots(t *testing.T) {
	const never = time.Hour
	broken := errors.New("broken")
	type answer struct {
		after time.Duration
		err   error
	}
	quick := answer{after: 10 * time.Millisecond}
	for _, test := range []struct {
		name  string
		slots []answer // by slot
		asked []time.Duration
		took  []int // by slot, those whose answers are used
		until time.Duration
	}{
		{"all answer", []answer{quick, quick, quick, quick}, []time.Duration{0, 0}, []int{0, 1}, 10 * time.Millisecond},
		{"one is silent", []answer{{after: never}, quick, quick, quick}, []time.Duration{0, 0, 100 * time.Millisecond}, []int{1, 2}, 110 * time.Millisecond},
		{"one answers just in time", []answer{{after: 99 * time.Millisecond}, quick, quick, quick},
			[]time.Duration{0, 0}, []int{0, 1}, 99 * time.Millisecond},
		{"two are silent", []answer{{after: never}, {after: never}, quick, quick},
			[]time.Duration{0, 0, 100 * time.Millisecond, 200 * time.Millisecond}, []int{2, 3}, 210 * time.Millisecond},
		{"one fails", []answer{{5 * time.Millisecond, broken}, quick, quick, quick},
			[]time.Duration{0, 0, 5 * time.Millisecond}, []int{1, 2}, 15 * time.Millisecond},
		{"too many fail", []answer{{5 * time.Millisecond, broken}, quick, {5 * time.Millisecond, broken}, {5 * time.Millisecond, broken}},
			[]time.Duration{0, 0, 5 * time.Millisecond, 10 * time.Millisecond}, []int{1}, 15 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				asks := make(chan time.Duration, len(test.slots))
				list, failed, err := relay.Enough(t.Context(), []int{0, 1, 2, 3}, 2, 100*time.Millisecond, func(ctx context.Context, slot int) relay.Got {
					asks <- time.Since(began)
					select {
					case <-time.After(test.slots[slot].after):
						return relay.Got{Slot: slot, Err: test.slots[slot].err}
					case <-ctx.Done():
						return relay.Got{Slot: slot, Err: ctx.Err()}
					}
				})
				if took := time.Since(began); err != nil || took != test.until {
					t.Errorf("after %v: %v, want %v", took, err, test.until)
				}
				if short := len(list) < 2; errors.Is(failed, broken) != (short || test.name == "one fails") {
					t.Errorf("failed: %v", failed)
				}
				var slots []int
				for _, one := range list {
					slots = append(slots, one.Slot)
				}
				slices.Sort(slots)
				synctest.Wait()
				close(asks)
				var at []time.Duration
				for when := range asks {
					at = append(at, when)
				}
				slices.Sort(at)
				if !slices.Equal(slots, test.took) || !slices.Equal(at, test.asked) {
					t.Errorf("slots %v asked at %v, want %v at %v", slots, at, test.took, test.asked)
				}
			})
		})
	}
}

// TestStripesAhead: a client of so many chunks at a time fetches as many stripes as have no more, and one at least.
//
// Spec: gateway-payments-streams §B (8 concurrent shards).
func TestStripesAhead(t *testing.T) {
	for _, test := range []struct {
		chunks, k int
		want      uint64
	}{{0, 2, 4}, {0, 16, 4}, {8, 1, 8}, {8, 2, 4}, {8, 3, 2}, {8, 4, 2}, {8, 5, 1}, {8, 8, 1}, {8, 16, 1}} {
		t.Run(fmt.Sprintf("%d of %d", test.chunks, test.k), func(t *testing.T) {
			c := &Client{Chunks: test.chunks}
			if got := c.stripes(test.k); got != test.want {
				t.Errorf("%d stripes, want %d", got, test.want)
			}
		})
	}
}

// TestTooFewGive: a reader is told that he has no right where so many relays refuse that the others were too few, and else that too few relays give.
//
// Spec: storage-cbfs §3.5 (EACCES), §5 (any k).
func TestTooFewGive(t *testing.T) {
	w := newWorldOver(t, 6, &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}, nil)
	c, id := w.client(ann), w.create("docs", true, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 10_000))}))
	w.confirmed(id)
	s, err := c.Open(t.Context(), id)
	must(t, err)
	var refuse, fail atomic.Int32
	listen := &ear{answer: func(relay byte, q *protocol.Request) *protocol.Answer {
		switch {
		case q.Op != protocol.GetShard:
			return nil
		case int32(relay) <= refuse.Load():
			return &protocol.Answer{Status: protocol.ErrAuth}
		case int32(relay) > 6-fail.Load():
			return &protocol.Answer{Status: protocol.ErrNotFound}
		}
		return nil
	}}
	w.wire.listen(listen)
	for _, test := range []struct {
		refuse, fail int32
		want         error
		not          error
	}{
		{2, 0, nil, nil},
		{3, 0, protocol.ErrAuth, stripe.ErrFew},
		{3, 3, protocol.ErrAuth, stripe.ErrFew},
		{6, 0, protocol.ErrAuth, stripe.ErrFew},
		{2, 1, stripe.ErrFew, nil},
		{1, 5, stripe.ErrFew, nil},
		{0, 3, stripe.ErrFew, protocol.ErrAuth},
	} {
		t.Run(fmt.Sprintf("%d refuse, %d fail", test.refuse, test.fail), func(t *testing.T) {
			refuse.Store(test.refuse)
			fail.Store(test.fail)
			err := s.Read(t.Context(), "a", io.Discard)
			if !errors.Is(err, test.want) || test.not != nil && errors.Is(err, test.not) {
				t.Errorf("%v, want %v", err, test.want)
			}
		})
	}
}
