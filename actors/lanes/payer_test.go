package lanes

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Metadata of 37 bytes costs as many cells, and naming a payer 3,000 cycles: at the floor of 10,000 a transfer reserves 24,000 cycles and 37 cells.
const reserved = (24_000 + 37) * 10_000

// office is a pool whose newest state has a payer.
type office struct {
	*pool
	overlay *state.Overlay
}

func newOffice(t *testing.T) *office {
	return &office{newPool(t), state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()}
}

func (o *office) view() view {
	w := o.pool.view()
	w.state = o.overlay
	return w
}

// allow lets somebody use the payer's balance; the result takes that back.
func (o *office) allow(payer, to string, terms grant.Terms) (revoke func()) {
	o.t.Helper()
	g := &grant.Registry{State: o.overlay, Height: o.height, Governs: func(account.Address) bool { return false }}
	terms.Revocable = true
	id, err := g.Grant(person(payer), person(to), grant.ActorScope(person(payer)), tx.PayerAction(), terms)
	if err != nil {
		o.t.Fatal(err)
	}
	return func() {
		if err := g.Revoke(person(payer), id); err != nil {
			o.t.Fatal(err)
		}
	}
}

// transfer is a transfer at the floor whose fees the payer pays, the sender where there is none.
func (o *office) transfer(from string, nonce uint64, payer string) tx.Verified {
	o.t.Helper()
	x := &tx.Tx{
		ChainID: 1, Nonce: nonce, Instruction: &tx.Transfer{To: account.Address{9}}, From: person(from), CyclesLimit: 21_000, MaxFeePerCycle: 10_000,
		MaxFeePerCell: 10_000,
	}
	if payer != "" {
		x.Metadata, x.CyclesLimit, x.CellsLimit = tx.PayerMetadata(person(payer)), 24_000, 37
	}
	copy(x.Signature[:], x.From[:])
	v, err := tx.Verify(x, 1, named{})
	if err != nil {
		o.t.Fatal(err)
	}
	return v
}

func (o *office) submit(v tx.Verified) error {
	it, removed, err := o.book.admit(v, false, o.view())
	if err == nil {
		c := removal(removed)
		c.add[it.lane()] = []*item{it}
		o.tell(c)
	}
	return err
}

// What a payer has and grants, one below what a transaction reserves, at it and one above; two transactions that draw on one payer are taken each for itself.
//
// Spec: entitlement-extras §5 (UseOwnerBalance); WP §2.3.
func TestAdmissionOfPayers(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	for name, x := range map[string]struct {
		funds unit.Amount
		terms *grant.Terms
		want  error
	}{
		"no grant":          {unit.CBY, nil, tx.ErrPayer},
		"no coins":          {0, &grant.Terms{}, tx.ErrPayer},
		"one coin less":     {reserved - 1, &grant.Terms{}, tx.ErrPayer},
		"exactly":           {reserved, &grant.Terms{}, nil},
		"one more":          {reserved + 1, &grant.Terms{}, nil},
		"grant of one less": {unit.CBY, &grant.Terms{MaxTotalAmount: n(reserved - 1)}, tx.ErrPayer},
		"grant of it":       {unit.CBY, &grant.Terms{MaxTotalAmount: n(reserved)}, nil},
		"a use of one less": {unit.CBY, &grant.Terms{MaxAmountPerUse: n(reserved - 1)}, tx.ErrPayer},
		"grant that ended":  {unit.CBY, &grant.Terms{ValidUntil: n(0)}, tx.ErrPayer},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.funds["rich"], o.funds["ann"], o.funds["bob"] = x.funds, 0, 0
			for _, who := range []string{"ann", "bob"} {
				if x.terms != nil {
					o.allow("rich", who, *x.terms)
				}
				if err := o.submit(o.transfer(who, 0, "rich")); !errors.Is(err, x.want) || x.want == nil && err != nil {
					t.Errorf("%s: %v, want %v", who, err, x.want)
				}
			}
		})
	}
}

// What can be paid for no more leaves with its sender's later ones: by a payer who has run dry or has taken the grant back, by a sender whose coins are gone.
// What waits for a lower basefee stays, and so does what others pay.
//
// Spec: WP §2.3, §6.4; entitlement-extras §5.
func TestUnpaidLeaves(t *testing.T) {
	fill := func(t *testing.T) (*office, func()) {
		o := newOffice(t)
		o.funds["ann"], o.funds["bob"], o.funds["rich"], o.funds["kind"] = 0, 0, 2*reserved, reserved
		revoke := o.allow("rich", "ann", grant.Terms{})
		o.allow("kind", "bob", grant.Terms{})
		for _, v := range []tx.Verified{
			o.transfer("ann", 0, "rich"), o.transfer("ann", 1, "rich"), o.transfer("bob", 0, "kind"), o.transfer("cid", 0, ""), o.transfer("cid", 1, ""),
		} {
			if err := o.submit(v); err != nil {
				t.Fatal(err)
			}
		}
		return o, revoke
	}
	for name, x := range map[string]struct {
		change func(o *office, revoke func())
		want   []string
	}{
		"nothing":               {func(*office, func()) {}, nil},
		"the payer runs dry":    {func(o *office, _ func()) { o.funds["rich"] = reserved - 1 }, []string{"ann/0", "ann/1"}},
		"it has enough for one": {func(o *office, _ func()) { o.funds["rich"] = reserved }, nil},
		"it takes it back":      {func(_ *office, revoke func()) { revoke() }, []string{"ann/0", "ann/1"}},
		"the sender runs dry":   {func(o *office, _ func()) { o.funds["cid"] = 21_000*10_000 - 1 }, []string{"cid/0", "cid/1"}},
		"both payers run dry":   {func(o *office, _ func()) { o.funds["rich"], o.funds["kind"] = 0, 0 }, []string{"ann/0", "ann/1", "bob/0"}},
	} {
		t.Run(name, func(t *testing.T) {
			o, revoke := fill(t)
			x.change(o, revoke)
			removed, err := o.book.unpaid(o.view())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, it := range removed {
				got = append(got, label(it.tx))
			}
			if slices.Sort(got); !slices.Equal(got, x.want) || len(o.book.items) != 5-len(x.want) {
				t.Errorf("%v leave, want %v; %d stay", got, x.want, len(o.book.items))
			}
		})
	}
	o, _ := fill(t)
	w := o.view()
	w.fees.Cycle++ // above what all of them pay
	if removed, err := o.book.unpaid(w); err != nil || len(removed) != 0 {
		t.Errorf("%d leave for the basefee, %v", len(removed), err)
	}
}

// What is not wanted takes nothing of an offer's room: behind 2,000 that nobody pays for any more, at ten times the fee, the one that is paid for is offered.
//
// Spec: WP §6.4.
func TestDeadTakeNoRoom(t *testing.T) {
	p := newPool(t)
	for i := range uint64(2_000) {
		if got := p.submit(fmt.Sprint("dead", i), map[string]uint64{"fee": 100_000, "cycles": 1_000_000}); got[:5] != "taken" {
			t.Fatal(got)
		}
	}
	p.submit("live", map[string]uint64{})
	w := want{cycles: 22_222_222, txs: 1_000, bytes: 1 << 20, take: func(v tx.Verified) (bool, error) { return nameOf(v.Tx().From) == "live", nil }}
	out, err := p.lane("user").offer(w)
	if err != nil || len(out) != 1 || label(out[0]) != "live/0" {
		t.Errorf("%d offered, %v", len(out), err)
	}
	failing := errors.New("disk")
	w.take = func(tx.Verified) (bool, error) { return false, failing }
	if _, err := p.lane("user").offer(w); !errors.Is(err, failing) {
		t.Error(err)
	}
}
