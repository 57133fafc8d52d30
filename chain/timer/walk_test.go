package timer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// walked drives a walk to its end; dead says which timers are.
func walked(t *testing.T, w *Walk, dead func(Entry) bool) (list []Entry) {
	t.Helper()
	for {
		e, ok, err := w.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return list
		}
		list = append(list, e)
		if dead != nil && dead(e) {
			w.Skip()
		}
	}
}

// Whatever was scheduled, cancelled, extended and fired: a walk over live timers is the index in order, and every timer stands in its
// owner's queue.
//
// Spec: WP §5.1a; scheduler-timers §6 (FIFO by height, then insertion).
func TestWalkIsTheIndexInOrder(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := newStore(t)
		var ids []ID
		for now := unit.Height(1); now < 60; now++ {
			for range r.IntN(6) {
				q := Request{Owner: at(byte(1 + r.IntN(5))), Target: at(1), Now: now, Height: now + 1 + unit.Height(r.IntN(20)), Nonce: uint64(len(ids))}
				if r.IntN(5) == 0 {
					q.Every = 1 + r.Uint64N(9)
				}
				id, err := Schedule(s, config, q)
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, id)
			}
			for range r.IntN(3) {
				if len(ids) == 0 {
					break
				}
				if _, err := Cancel(s, nil, ids[r.IntN(len(ids))]); err != nil {
					t.Fatal(err)
				}
			}
			due, err := Due(s, now, nil, 1_000)
			if err != nil {
				t.Fatal(err)
			}
			if got := walked(t, NewWalk(s, now, false), nil); !slices.Equal(got, due) {
				t.Fatalf("seed %d at %d: %v, want %v", seed, now, got, due)
			}
			fired := NewRemovingWalk(s, now, false) // fires some while it goes on
			for range r.IntN(4) {
				e, ok, err := fired.Next()
				if err != nil {
					t.Fatal(err)
				}
				if timer, held, _ := Load(s, e.ID); ok && held {
					if err := Take(s, now, &timer); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		for n := byte(1); n < 6; n++ {
			held, err := Held(s, at(n))
			if err != nil {
				t.Fatal(err)
			}
			count := 0
			if err := Owned(s, at(n), 0, func(ID) bool { count++; return true }); err != nil || count != int(held) {
				t.Fatalf("seed %d: owner %d has %d in the queue, %d counted, %v", seed, n, count, held, err)
			}
		}
		for n := byte(1); n < 6; n++ {
			if _, err := PruneOwner(s, at(n), 10_000); err != nil {
				t.Fatal(err)
			}
		}
		if left, err := heads(s, ^unit.Height(0), nil, 10); err != nil || len(left) != 0 {
			t.Fatalf("seed %d: queues %v without timers, %v", seed, left, err)
		}
	}
}

// An owner with a dead timer lets the others pass before its next one; in the fee-market phase it does so after every timer.
//
// Spec: WP §5.1a (lane separation), §5.1b; scheduler-timers §6.
func TestWalkStepsOverOwners(t *testing.T) {
	s := newStore(t)
	for i, owner := range []byte{1, 1, 2, 1, 2, 3, 1, 3} {
		if _, err := Schedule(s, config, Request{Owner: at(owner), Target: at(1), Now: 1, Height: 5, Nonce: uint64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct {
		even bool
		dead []uint64
		want []uint64
	}{
		{false, nil, []uint64{0, 1, 2, 3, 4, 5, 6, 7}},
		{false, []uint64{0}, []uint64{0, 2, 4, 5, 7, 1, 3, 6}},
		{false, []uint64{0, 1, 3, 6}, []uint64{0, 2, 4, 5, 7, 1, 3, 6}},
		{false, []uint64{0, 2, 4}, []uint64{0, 2, 5, 7, 1, 3, 4, 6}},
		{true, nil, []uint64{0, 2, 5, 1, 4, 7, 3, 6}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var got []uint64
			for _, e := range walked(t, NewRemovingWalk(s, 5, c.even), func(e Entry) bool { return slices.Contains(c.dead, e.Seq) }) {
				got = append(got, e.Seq)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("even %v, dead %v: %v, want %v", c.even, c.dead, got, c.want)
			}
		})
	}
}

// A walk ends after so many visits, the one inside and not the one outside.
func TestWalkIsBounded(t *testing.T) {
	s := newStore(t)
	generous := config
	generous.MaxTimersPerActor = VisitedPerBlock + 1
	for i := range VisitedPerBlock + 1 {
		if _, err := Schedule(s, generous, Request{Owner: at(1), Target: at(1), Now: 1, Height: 5, Nonce: uint64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	list := walked(t, NewRemovingWalk(s, 5, false), nil)
	if len(list) != VisitedPerBlock || list[len(list)-1].Seq != VisitedPerBlock-1 {
		t.Errorf("%d visits", len(list))
	}
	if VisitedPerBlock < int(params.Genesis().Timer.GCCyclesPerBlock/params.TimerGCCyclesPerRemoval) {
		t.Error("less than the budget for cleaning up can remove")
	}
	if VisitedPerBlock*params.IntrinsicTimerScheduleCycles <= params.BlockCycles {
		t.Error("one block pays for as many owners as a walk visits")
	}
}
