package runner

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const cby = unit.CBY

// town is a world in which governance has switched delegation on, and runner 1 takes delegated stake with 50,000 CBY of its own.
func town(t testing.TB) (*world, account.Address) {
	w := newWorld(t)
	w.overlay.Set(params.StateKey(KeyDelegation), DelegationFrom(1_000))
	w.must(w.register(1, plain(1, 50_000*cby, 0)))
	w.must(w.SetDelegation(keyOf(1).Address(), open(1_000, 0)))
	w.events = nil
	return w, keyOf(1).Address()
}

// open are terms that take stake at a commission.
func open(bps uint32, most unit.Amount) DelegationTerms {
	return DelegationTerms{Accept: true, CommissionBPS: bps, MaxDelegated: most, MinDelegation: 1_000 * cby}
}

func holder(n uint16) account.Address { return account.Address{0xd0, byte(n >> 8), byte(n)} }

// paying has coins come to the registry with an act, and has them back where the act is refused.
func (w *world) paying(amount unit.Amount, act func() error) error {
	w.t.Helper()
	w.must(account.Credit(w.overlay, Home(), amount))
	mark := w.overlay.Mark()
	err := act()
	if err != nil {
		w.overlay.Revert(mark)
		w.must(account.Debit(w.overlay, Home(), amount))
	}
	return err
}

func (w *world) delegate(n uint16, to account.Address, amount unit.Amount) (number uint64, err error) {
	w.t.Helper()
	err = w.paying(amount, func() (err error) {
		number, err = w.Delegate(holder(n), to, amount)
		return err
	})
	return number, err
}

func (w *world) increase(n uint16, number uint64, amount unit.Amount) error {
	w.t.Helper()
	return w.paying(amount, func() error { return w.Increase(holder(n), number, amount) })
}

// attempt undoes what a refused act wrote, as the chain does.
func (w *world) attempt(act func() error) error {
	mark := w.overlay.Mark()
	err := act()
	if err != nil {
		w.overlay.Revert(mark)
	}
	return err
}

func (w *world) undelegate(n uint16, to account.Address, amount unit.Amount) (tranches int, err error) {
	err = w.attempt(func() (err error) {
		tranches, err = w.Undelegate(holder(n), to, amount)
		return err
	})
	return tranches, err
}

func (w *world) claim(n uint16, numbers ...uint64) error {
	return w.attempt(func() error { return w.Claim(holder(n), numbers) })
}

// Terms at their bounds, one below and one above.
//
// Spec: governance-staking C1, C3 (MIN_DELEGATION_AMOUNT).
func TestTermsOfDelegation(t *testing.T) {
	for name, c := range map[string]struct {
		terms DelegationTerms
		ok    bool
	}{
		"commission 499":            {open(499, 0), false},
		"commission 500":            {open(500, 0), true},
		"commission 501":            {open(501, 0), true},
		"commission 9,999":          {open(9_999, 0), true},
		"commission 10,000":         {open(10_000, 0), true},
		"commission 10,001":         {open(10_001, 0), false},
		"minimum below 1,000":       {DelegationTerms{CommissionBPS: 500, MinDelegation: 1_000*cby - 1}, false},
		"minimum of 1,000":          {DelegationTerms{CommissionBPS: 500, MinDelegation: 1_000 * cby}, true},
		"minimum above 1,000":       {DelegationTerms{CommissionBPS: 500, MinDelegation: 1_000*cby + 1}, true},
		"most below the minimum":    {open(500, 1_000*cby-1), false},
		"most as much as the least": {open(500, 1_000*cby), true},
	} {
		t.Run(name, func(t *testing.T) {
			w, addr := town(t)
			w.Height += params.DelegationCooldownBlocks
			err := w.SetDelegation(addr, c.terms)
			if c.ok {
				w.must(err)
			} else {
				w.refused(err, ErrTerms)
			}
		})
	}
}

// Nobody sets terms or delegates before the height that governance says; what is there can leave after governance has switched it off again.
//
// Spec: runner-marketplace §10 (off at launch); governance-staking part C.
func TestSwitch(t *testing.T) {
	w := newWorld(t)
	addr := keyOf(1).Address()
	w.must(w.register(1, plain(1, 50_000*cby, 0)))
	w.refused(w.SetDelegation(addr, open(500, 0)), ErrDormant)
	w.overlay.Set(params.StateKey(KeyDelegation), DelegationFrom(DelegationNever))
	w.Height = unit.Height(1<<64 - 1)
	w.refused(w.SetDelegation(addr, open(500, 0)), ErrDormant)
	w.overlay.Set(params.StateKey(KeyDelegation), DelegationFrom(2_000))
	for _, c := range []struct {
		height unit.Height
		want   error
	}{{1_999, ErrDormant}, {2_000, nil}} {
		w.Height = c.height
		w.refused(w.SetDelegation(addr, open(500, 0)), c.want)
	}
	one, err := w.delegate(1, addr, 1_000*cby)
	w.must(err)
	w.overlay.Set(params.StateKey(KeyDelegation), DelegationFrom(DelegationNever))
	_, err = w.delegate(1, addr, 1_000*cby)
	w.refused(err, ErrDormant)
	w.refused(w.increase(1, one, 1), ErrDormant)
	_, err = w.undelegate(1, addr, 1_000*cby)
	w.must(err)
	w.Height += params.DelegationUnbondingBlocks
	w.must(w.claim(1, one))
	if CheckDelegation(DelegationFrom(7)) != nil || CheckDelegation([]byte{7, 7}) == nil || CheckDelegation(nil) == nil {
		t.Error("values of the parameter")
	}
}

// A change of terms waits for its cooldown, and a commission for the next epoch; the first commission holds at once.
//
// Spec: governance-staking C1 (pending commission), C3 (COOLDOWN).
func TestCommission(t *testing.T) {
	w := newWorld(t)
	addr := keyOf(1).Address()
	w.overlay.Set(params.StateKey(KeyDelegation), DelegationFrom(0))
	w.Height = 3_000 // of epoch 0, which ends with block 3,599
	w.refused(w.SetDelegation(addr, open(500, 0)), ErrUnknown)
	w.must(w.register(1, plain(1, 50_000*cby, 0)))
	holds := func(epoch uint64, want uint32) {
		t.Helper()
		c, err := LoadDelegationConfig(w.overlay, addr)
		w.must(err)
		if got := c.Commission(epoch); got != want {
			t.Errorf("in epoch %d the commission is %d, want %d", epoch, got, want)
		}
	}
	w.must(w.SetDelegation(addr, open(500, 0)))
	holds(0, 500)
	w.Height = 3_599
	w.refused(w.SetDelegation(addr, open(700, 0)), ErrTermsCooldown)
	w.Height = 3_600
	w.must(w.SetDelegation(addr, open(700, 0)))
	holds(1, 500)
	holds(2, 700)
	w.Height = 4_200
	w.must(w.SetDelegation(addr, open(900, 0))) // in its place, before it holds
	holds(1, 500)
	holds(2, 900)
	w.Height = 4_800
	w.must(w.SetDelegation(addr, open(500, 0))) // taken back
	holds(1, 500)
	holds(2, 500)
	w.Height = 5_400
	w.must(w.SetDelegation(addr, open(10_000, 0)))
	w.Height = 7_200
	w.events = nil
	w.must(w.SetDelegation(addr, open(600, 0)))
	w.said(TopicTerms + " 01d8040080a094a58d1d")
	holds(2, 10_000)
	holds(3, 600)
	w.must(w.Deregister(addr))
	w.refused(w.SetDelegation(addr, open(600, 0)), ErrLeaving)
}

// Who may delegate how much, by hand: a bound, one below it and one above.
//
// Spec: governance-staking C1 (max_delegated_stake, min_delegation), C2 (own bond of a tenth), C3 (120).
func TestDelegate(t *testing.T) {
	for name, c := range map[string]struct {
		most, amount unit.Amount
		want         error
	}{
		"nothing":                   {0, 0, ErrAmount},
		"below the minimum":         {0, 1_000*cby - 1, ErrAmount},
		"the minimum":               {0, 1_000 * cby, nil},
		"above the minimum":         {0, 1_000*cby + 1, nil},
		"below the most":            {5_000 * cby, 5_000*cby - 1, nil},
		"the most":                  {5_000 * cby, 5_000 * cby, nil},
		"above the most":            {5_000 * cby, 5_000*cby + 1, ErrDelegationFull},
		"own bond above a tenth":    {0, 450_000*cby - 1, nil},
		"own bond of a tenth":       {0, 450_000 * cby, nil},
		"own bond below a tenth":    {0, 450_000*cby + 1, ErrSelfBond},
		"more than all there is":    {0, 1<<64 - 1, nil},
		"more than all, with terms": {1 << 63, 1<<63 + 1, ErrDelegationFull},
	} {
		t.Run(name, func(t *testing.T) {
			w, addr := town(t)
			w.Height += params.DelegationCooldownBlocks
			w.must(w.SetDelegation(addr, open(1_000, c.most)))
			w.events = nil
			number, err := w.attemptDelegate(addr, c.amount)
			if c.amount == 1<<64-1 {
				w.refused(err, unit.ErrOverflow) // which no block can meet: such coins are not there
				return
			}
			if w.refused(err, c.want); c.want != nil {
				return
			}
			if r := w.runner(1); number != 1 || r.Delegated != c.amount || r.Effective() != 50_000*cby+c.amount {
				t.Errorf("number %d, delegated %d, effective %d", number, r.Delegated, r.Effective())
			}
			from := holder(1)
			w.said(fmt.Sprintf("%s %x01%x", TopicDelegated, from[:], codec.AppendUint(nil, uint64(c.amount))))
		})
	}
}

// attemptDelegate is Delegate without coins, for amounts that are not there.
func (w *world) attemptDelegate(to account.Address, amount unit.Amount) (number uint64, err error) {
	err = w.attempt(func() (err error) {
		number, err = w.Delegate(holder(1), to, amount)
		return err
	})
	return number, err
}

// Runners who take no stake, and accounts they take none of.
//
// Spec: governance-staking C1 (accept_delegation), C3 (120).
func TestDelegateRefused(t *testing.T) {
	w, addr := town(t)
	_, err := w.delegate(1, holder(9), 1_000*cby)
	w.refused(err, ErrUnknown)
	w.must(w.register(2, plain(2, 50_000*cby, 0)))
	_, err = w.delegate(1, keyOf(2).Address(), 1_000*cby)
	w.refused(err, ErrNotAccepted)
	w.refused(w.paying(1_000*cby, func() error {
		_, err := w.Delegate(addr, addr, 1_000*cby)
		return err
	}), ErrNotAccepted)
	one, err := w.delegate(1, addr, 1_000*cby)
	w.must(err)
	w.refused(w.increase(1, one, 0), ErrAmount)
	w.refused(w.increase(2, one, 1), ErrTranche)
	w.refused(w.increase(1, one+1, 1), ErrTranche)
	w.must(w.increase(1, one, 1))
	w.Height += params.DelegationCooldownBlocks
	closed := open(1_000, 0)
	closed.Accept = false
	w.must(w.SetDelegation(addr, closed))
	w.refused(w.increase(1, one, 1), ErrNotAccepted)
	if s, err := LoadSummary(w.overlay, addr, holder(1)); err != nil || s != (Summary{Tranches: 1, Amount: 1_000*cby + 1}) {
		t.Errorf("%+v %v", s, err)
	}
	_, _, err = w.Slash(addr, 10_000, 45_000*cby, holder(7))
	w.must(err)
	_, err = w.delegate(1, addr, 1_000*cby)
	w.refused(err, ErrSuspended)
	w.must(w.Deregister(addr))
	_, err = w.delegate(1, addr, 1_000*cby)
	w.refused(err, ErrLeaving)
}

// Undelegation takes the oldest tranches first and splits the last; what is left of it is nothing or the minimum. By hand, over tranches of 3,000, 2,000 and
// 5,000 CBY numbered 1, 2 and 3.
//
// Spec: governance-staking C3 (122).
func TestUndelegate(t *testing.T) {
	for name, c := range map[string]struct {
		amount unit.Amount
		want   error
		unbond string // number:amount of what unbonds
		active string
	}{
		"nothing":                    {0, ErrAmount, "", ""},
		"one unit":                   {1, nil, "4:1", "1:2999999999999 2:2000000000000 3:5000000000000"},
		"all but the minimum":        {2_000 * cby, nil, "4:2000000000000", "1:1000000000000 2:2000000000000 3:5000000000000"},
		"less than the minimum left": {2_000*cby + 1, ErrAmount, "", ""},
		"one unit left":              {3_000*cby - 1, ErrAmount, "", ""},
		"the first":                  {3_000 * cby, nil, "1:3000000000000", "2:2000000000000 3:5000000000000"},
		"the first and one unit":     {3_000*cby + 1, nil, "1:3000000000000 4:1", "2:1999999999999 3:5000000000000"},
		"two and a part":             {6_000 * cby, nil, "1:3000000000000 2:2000000000000 4:1000000000000", "3:4000000000000"},
		"all":                        {10_000 * cby, nil, "1:3000000000000 2:2000000000000 3:5000000000000", ""},
		"more than all":              {10_000*cby + 1, ErrAmount, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w, addr := town(t)
			for _, amount := range []unit.Amount{3_000, 2_000, 5_000} {
				_, err := w.delegate(1, addr, amount*cby)
				w.must(err)
			}
			w.Height = 1_100
			n, err := w.undelegate(1, addr, c.amount)
			if w.refused(err, c.want); c.want != nil {
				return
			}
			unbond, active, left := "", "", 0
			list, err := Delegations(w.overlay, addr, nil, 0)
			w.must(err)
			for _, d := range list {
				switch text := fmt.Sprintf("%d:%d ", d.Number, d.Amount); {
				case d.Active():
					active += text
				case d.Claimable != 1_100+604_800:
					t.Errorf("claimable in block %d", d.Claimable)
				default:
					unbond, left = unbond+text, left+1
				}
			}
			if unbond != pad(c.unbond) || active != pad(c.active) || n != left {
				t.Errorf("%d unbond: %q, active: %q", n, unbond, active)
			}
			if r := w.runner(1); r.Delegated != 10_000*cby-c.amount {
				t.Errorf("delegated %d", r.Delegated)
			}
			s, err := LoadSummary(w.overlay, addr, holder(1))
			if w.must(err); s.Amount != 10_000*cby-c.amount || int(s.Leaving) != n {
				t.Errorf("%+v", s)
			}
		})
	}
}

func pad(text string) string {
	if text == "" {
		return ""
	}
	return text + " "
}

// What unbonds is paid after 604,800 blocks and not one earlier, once, and to its delegator alone.
//
// Spec: governance-staking C1 (claimable), C3 (123), part D (unbonding).
func TestClaim(t *testing.T) {
	w, addr := town(t)
	one, err := w.delegate(1, addr, 3_000*cby)
	w.must(err)
	two, err := w.delegate(1, addr, 2_000*cby)
	w.must(err)
	_, err = w.undelegate(1, addr, 3_000*cby)
	w.must(err)
	w.Height += 604_799
	w.refused(w.claim(1, one), ErrTranche)
	w.Height++
	for _, c := range []struct {
		who  uint16
		list []uint64
	}{{2, []uint64{one}}, {1, []uint64{two}}, {1, []uint64{one, two}}, {1, []uint64{one, one}}, {1, []uint64{99}}} {
		w.refused(w.claim(c.who, c.list...), ErrTranche)
	}
	w.events = nil
	w.must(w.claim(1, one))
	from := holder(1)
	w.said(fmt.Sprintf("%s %x01%x", TopicClaimed, from[:], codec.AppendUint(nil, uint64(3_000*cby))))
	if got := w.balance(holder(1)); got != 3_000*cby || w.balance(Home()) != 52_000*cby {
		t.Errorf("it has %d, the registry %d", got, w.balance(Home()))
	}
	w.refused(w.claim(1, one), ErrTranche)
	if list, err := Unbonding(w.overlay, nil, 10); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
	totals, err := LoadTotals(w.overlay, addr)
	if w.must(err); totals.Delegators != 1 || totals.Tranches != 1 {
		t.Errorf("%+v", totals)
	}
}

// Eight active tranches, sixteen that leave, and two hundred delegators are the most; a place is free again when what its delegator has could be claimed.
//
// Spec: governance-staking C3 (MAX_ACTIVE_TRANCHES_PER_DELEGATOR, MAX_DELEGATORS_PER_RUNNER).
func TestBoundsOfDelegation(t *testing.T) {
	w, addr := town(t)
	for n := range 8 {
		if _, err := w.delegate(1, addr, 1_001*cby); err != nil {
			t.Fatalf("tranche %d: %v", n, err)
		}
	}
	_, err := w.delegate(1, addr, 1_000*cby)
	w.refused(err, ErrDelegationFull)
	for range 16 {
		_, err := w.undelegate(1, addr, 1)
		w.must(err)
	}
	_, err = w.undelegate(1, addr, 1)
	w.refused(err, ErrDelegationFull)
	w.Height += params.DelegationUnbondingBlocks
	var ids []uint64
	for n := uint64(9); n < 25; n++ {
		ids = append(ids, n)
	}
	w.must(w.claim(1, ids...))

	for n := uint16(2); n <= 200; n++ {
		if _, err := w.delegate(n, addr, 1_000*cby); err != nil {
			t.Fatalf("delegator %d: %v", n, err)
		}
	}
	_, err = w.delegate(201, addr, 1_000*cby)
	w.refused(err, ErrDelegationFull)
	_, err = w.delegate(200, addr, 1_000*cby) // who is there may add
	w.must(err)
	_, err = w.undelegate(77, addr, 1_000*cby)
	w.must(err)
	w.Height += params.DelegationUnbondingBlocks - 1
	_, err = w.delegate(201, addr, 1_000*cby)
	w.refused(err, ErrDelegationFull)
	w.Height++
	_, err = w.delegate(201, addr, 1_000*cby)
	w.must(err)
	if w.balance(holder(77)) != 1_000*cby {
		t.Error("who made room was not paid out")
	}
	_, err = w.delegate(77, addr, 1_000*cby)
	w.refused(err, ErrDelegationFull)
	if totals, err := LoadTotals(w.overlay, addr); err != nil || totals.Delegators != 200 {
		t.Errorf("%+v %v", totals, err)
	}
}

// A runner that leaves has all that is delegated to it unbond; its delegators are paid after their own period, when it is long gone.
//
// Spec: governance-staking C5 (deregistration).
func TestDeregisterUnbonds(t *testing.T) {
	w, addr := town(t)
	for n := uint16(1); n <= 3; n++ {
		_, err := w.delegate(n, addr, 2_000*cby)
		w.must(err)
	}
	_, err := w.undelegate(2, addr, 500*cby)
	w.must(err)
	w.must(w.Deregister(addr))
	if r := w.runner(1); r.Delegated != 0 {
		t.Errorf("%d is still delegated", r.Delegated)
	}
	list, err := Unbonding(w.overlay, nil, 0)
	if w.must(err); len(list) != 4 {
		t.Errorf("%d tranches unbond", len(list))
	}
	if c, err := LoadDelegationConfig(w.overlay, addr); c != nil || err != nil {
		t.Errorf("its terms are there: %v %v", c, err)
	}
	w.Height += params.RunnerUnbondingBlocks
	w.must(w.Release())
	if w.balance(addr) != 50_000*cby || w.balance(Home()) != 6_000*cby {
		t.Errorf("it has %d, the registry %d", w.balance(addr), w.balance(Home()))
	}
	w.Height += params.DelegationUnbondingBlocks
	w.must(w.claim(1, 1))
	w.must(w.claim(2, 2, 4))
	w.must(w.claim(3, 3))
	if w.balance(Home()) != 0 || w.balance(holder(2)) != 2_000*cby {
		t.Errorf("the registry has %d left", w.balance(Home()))
	}
}

// A declaration is covered by the effective stake, of which ten times the runner's own counts at most.
//
// Spec: governance-staking C2; WP §5.2.
func TestEffectiveStake(t *testing.T) {
	for name, c := range map[string]struct {
		own, delegated, effective, value unit.Amount // value is the largest it covers
	}{
		"own alone":           {15_000 * cby, 0, 15_000 * cby, 10_000 * cby},
		"with delegated":      {15_000 * cby, 15_000 * cby, 30_000 * cby, 20_000 * cby},
		"nine times its own":  {15_000 * cby, 135_000 * cby, 150_000 * cby, 100_000 * cby},
		"more than nine":      {15_000 * cby, 135_000*cby + 1, 150_000 * cby, 100_000 * cby},
		"one less than nine":  {15_000 * cby, 135_000*cby - 1, 150_000*cby - 1, 100_000*cby - 1},
		"much more than nine": {15_000 * cby, 900_000 * cby, 150_000 * cby, 100_000 * cby},
	} {
		t.Run(name, func(t *testing.T) {
			r := Runner{Stake: c.own, Delegated: c.delegated}
			if r.Effective() != c.effective || !r.Covers(c.value) || r.Covers(c.value+1) {
				t.Errorf("effective %d, covers %v and %v", r.Effective(), r.Covers(c.value), r.Covers(c.value+1))
			}
		})
	}
	if r := (&Runner{Stake: 10_000*cby - 1, Delegated: 80_000 * cby}); r.Covers(0) {
		t.Error("less than the floor of its own covers a job")
	}
}
