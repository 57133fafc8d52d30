package rent_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
)

// Two people bring the same actor's first piece in one block: one of them pays and is taken, the other is refused and pays no more than the fee. The actor
// comes back as it was, from what either brings next.
//
// Spec: rent §9.
func TestTwoRestoreAtOnce(t *testing.T) {
	w := newTown(t)
	addr := w.deploy()
	w.alice.Call(addr, "fill", "n30")
	list := w.stored(addr)
	total := w.alice.Call(addr, "total", "n30")
	w.epochs(11)
	w.Mine()
	bob, carol := w.Account("bob"), w.Account("carol")
	had := w.Balance(bob.Address()) + w.Balance(carol.Address())
	first, second := bob.Send(w.piece(addr, list, 0, 10), 300_000, 300_000), carol.Send(w.piece(addr, list, 0, 10), 300_000, 300_000)
	w.Mine()
	taken, refused := w.Receipt(first), w.Receipt(second)
	if taken.Status != block.Success {
		taken, refused = refused, taken
	}
	w.must(taken)
	if refused.Status != block.Faulted {
		t.Fatalf("both were taken: %+v", refused)
	}
	paid := had - w.Balance(bob.Address()) - w.Balance(carol.Address()) - taken.FeeBurned - taken.FeeTipped - refused.FeeBurned - refused.FeeTipped
	if want := w.rent(addr).Paid; paid != want || want == 0 {
		t.Errorf("together they paid %d, the record says %d", paid, want)
	}
	w.must(carol.Do(w.piece(addr, list, 10, 20), 300_000, 300_000))
	w.must(bob.Do(w.piece(addr, list, 20, len(list)), 300_000, 300_000))
	if got := w.alice.Call(addr, "total", "n30"); got != total {
		t.Errorf("total %s, was %s", got, total)
	}
	w.supply()
}
