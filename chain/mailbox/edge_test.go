package mailbox

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// written counts the writes to a store.
type written struct {
	*state.Overlay
	n int
}

func (w *written) Set(key, value []byte) { w.n++; w.Overlay.Set(key, value) }
func (w *written) Delete(key []byte)     { w.n++; w.Overlay.Delete(key) }

// A block that has nothing to forget writes nothing, however old the chain is.
//
// Spec: WP §3.3 (dedup window).
func TestPruneNothing(t *testing.T) {
	s := &written{Overlay: newStore(t)}
	if n, err := Prune(s, limits, 1_000_000, 100); n != 0 || err != nil || s.n != 0 {
		t.Errorf("%d forgotten with %d writes, %v", n, s.n, err)
	}
}

// A deferred call that was taken off the list is nowhere any more: neither its record nor its place is left.
//
// Spec: scheduler-timers §10.
func TestRemoveDeferredLeavesNothing(t *testing.T) {
	s := newStore(t)
	d, err := Defer(s, limits, 7, Deferred{Actor: at(1), Handler: "h", Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := LoadDeferred(s, Entry{Target: at(1), Seq: d.Seq}); !ok || err != nil {
		t.Fatalf("deferred: %v %v", ok, err)
	}
	if err := RemoveDeferred(s, &d); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := LoadDeferred(s, Entry{Target: at(1), Seq: d.Seq}); ok || err != nil {
		t.Errorf("removed: %v %v", ok, err)
	}
	left := 0
	if err := s.Scan(account.KindPrefix(account.KindDeferred), nil, 0, func(_, _ []byte) bool { left++; return true }); err != nil || left != 0 {
		t.Errorf("%d entries are left, %v", left, err)
	}
}

// Each call that is taken off the list is one less of its actor's and of all.
//
// Spec: scheduler-timers §10.
func TestDeferredAreCounted(t *testing.T) {
	s := newStore(t)
	var calls []Deferred
	for range 4 {
		d, err := Defer(s, limits, 7, Deferred{Actor: at(1), Handler: "h", Depth: 1})
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, d)
	}
	for left := 3; left >= 0; left-- {
		if err := RemoveDeferred(s, &calls[left]); err != nil {
			t.Fatal(err)
		}
		a, err := account.Load(s, at(1))
		if err != nil || int(a.Deferred) != left {
			t.Errorf("the actor has %d, want %d (%v)", a.Deferred, left, err)
		}
		if all, err := LoadCounters(s); err != nil || int(all.DeferredLeft) != left {
			t.Errorf("all have %d, want %d (%v)", all.DeferredLeft, left, err)
		}
	}
}
