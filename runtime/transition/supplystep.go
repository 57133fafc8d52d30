package transition

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

var errNoDelta = errors.New("transition: the state carries no delta to check")

// CheckSupplyStep is the Step of a Tally that knows nothing yet.
//
// Spec: WP §8.
func CheckSupplyStep(before, after *state.Commit) error { return new(Tally).Step(before, after) }

// Tally holds block after block of a chain against the supply. It remembers what the newest state's records say.
type Tally struct {
	root  digest.Hash // of the state total is of
	total total
}

// Step is CheckSupply for the state a block made of one that passed it: it adds up what the block changed, not the whole state. after
// must still carry its delta. It errs as CheckSupply does; the numbers of its SupplyError are what the block should have left and what it left of
// the coins it touched.
//
// Spec: WP §8.
func (t *Tally) Step(before, after *state.Commit) (err error) {
	delta := after.Delta()
	if delta == nil {
		return errNoDelta
	}
	left := t.total
	if t.root != before.Root() {
		if left, err = tally(before); err != nil {
			return err
		}
	}
	found, err := tally(after)
	if err != nil {
		return err
	}
	t.root, t.total = after.Root(), found
	// recorded before + found after = recorded after + held before
	want, got := found.recorded, left.recorded
	for i := range delta.Len() {
		op, err := after.Config().DecodeOperation(delta.Operation(i))
		if err != nil {
			return err
		}
		if op.Kind == state.CommitFloor || !holdsCoin(op.Key) {
			continue
		}
		if at, _ := after.Index().Find(op.Key); op.Kind == state.Update && at != delta.Start+uint64(i) {
			continue // this block wrote the key once more
		}
		if op.Kind == state.Update {
			if got, err = addCoin(got, op.Key, op.Value); err != nil {
				return err
			}
		}
		value, ok, err := before.Lookup(op.Key)
		if err == nil && ok {
			want, err = addCoin(want, op.Key, value)
		}
		if err != nil {
			return err
		}
	}
	if got, err = got.Add(found.owed); err != nil {
		return err
	}
	if want, err = want.Add(left.owed); err != nil {
		return err
	}
	if want != got {
		return &SupplyError{Recorded: want, Found: got}
	}
	return nil
}

// total is what a state's records say of all coin.
type total struct{ recorded, owed unit.Amount }

func tally(r state.Reader) (t total, err error) {
	supply, err := fee.LoadSupply(r)
	if err != nil {
		return t, err
	}
	if t.recorded, err = supply.Total(); err != nil {
		return t, err
	}
	t.owed, err = system.Escrow(r)
	return t, err
}

// holdsCoin reports whether a key may be one of an account, a pool or a pending message.
func holdsCoin(key []byte) bool {
	return isOf(account.KindAccount, key) || isOf(account.KindDeferred, key) || isOf(account.KindMailbox, key)
}

func isOf(kind account.Kind, key []byte) bool {
	return len(key) > 1 && key[0] == kind.Namespace() && key[1] == byte(kind)
}

// addCoin adds what an entry holds.
func addCoin(sum unit.Amount, key, value []byte) (unit.Amount, error) {
	if isOf(account.KindAccount, key) {
		a, err := account.Decode(value)
		if err != nil {
			return 0, err
		}
		return sum.Add(a.Balance)
	}
	if isOf(account.KindMailbox, key) {
		amount, _, err := mailbox.ValueAt(key, value)
		if err != nil {
			return 0, err
		}
		return sum.Add(amount)
	}
	p, ok, err := mailbox.PoolAt(key, value)
	if err != nil || !ok {
		return sum, err
	}
	escrow, err := p.Escrow()
	if err != nil {
		return 0, err
	}
	return sum.Add(escrow)
}
