package lanes

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Transactions on their way are bounded by bytes: those of peers to half of the share, so that clients find room; what was answered or shed is given back.
//
// Spec: node-rpc-cli §3 (admission order).
func TestTransactionsUnderwayAreBounded(t *testing.T) {
	h := NewHandle()
	const each = 100
	account := budget.NewAccount(10 * each * budget.Decoded)
	h.Share(account)
	admit := func(from *link.Peer) supervision.Delivery {
		s := Submit{Raw: [][]byte{make([]byte, each/4), make([]byte, 3*each/4)}, Reply: func([]Result) {}, from: from}
		return h.Admit(s)
	}
	for i, want := range []supervision.Delivery{0, 0, 0, 0, 0, supervision.Shed} {
		if got := admit(&link.Peer{1}); got != want {
			t.Errorf("submission %d of a peer: %v", i, got)
		}
	}
	for i, want := range []supervision.Delivery{0, 0, 0, 0, 0, supervision.Shed} {
		if got := admit(nil); got != want {
			t.Errorf("submission %d of a client: %v", i, got)
		}
	}
	if got := account.Used(); got != account.Limit() {
		t.Errorf("%d bytes are taken, want %d", got, account.Limit())
	}
}

// A submission gives back what it took when it is answered, by whomever, and nothing when it was not taken.
func TestAnsweredSubmissionsGiveBack(t *testing.T) {
	h := NewHandle()
	account := budget.NewAccount(1 << 20)
	h.Share(account)
	answered := 0
	submit := Submit{Raw: [][]byte{make([]byte, 50)}, Reply: func([]Result) { answered++ }}
	for range routerCapacity {
		if d := h.Admit(submit); d != supervision.Accepted {
			t.Fatal(d)
		}
	}
	full := account.Used()
	if d := h.Admit(submit); d != supervision.Shed || account.Used() != full || full != routerCapacity*50*budget.Decoded {
		t.Errorf("a full router: %v, %d bytes are taken, then %d", d, full, account.Used())
	}
	counted, ok := h.hold(submit)
	if counted.Abandoned(ErrBusy); !ok || answered != 1 || account.Used() != full {
		t.Errorf("a submission that was answered %d times left %d bytes", answered, account.Used()-full)
	}
}

// The limits of the pool fit a share: what a full pool takes is within it, and a large share changes nothing.
func TestLimitsWithin(t *testing.T) {
	if got := DefaultLimits().Within(192 << 20); got != DefaultLimits() {
		t.Errorf("%+v", got)
	}
	for memory := int64(96 << 20); memory > 1<<20; memory /= 2 {
		l := DefaultLimits().Within(memory)
		if l.memory() > memory || l.memory() < memory/2 || l.Account != DefaultLimits().Account {
			t.Errorf("%d bytes: %+v take %d", memory, l, l.memory())
		}
	}
}
