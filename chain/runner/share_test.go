package runner

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Who has what of an income, by hand.
//
// Spec: governance-staking C4.
func TestSplit(t *testing.T) {
	for name, c := range map[string]struct {
		income, own unit.Amount
		bps         uint32
		active      []unit.Amount // numbered from 9 down
		leaving     int           // the place of one that unbonds; -1 for none
		runner      unit.Amount
		shares      []unit.Amount
	}{
		"nobody":             {1_000, 50, 1_000, nil, -1, 1_000, nil},
		"all unbond":         {1_000, 50, 1_000, []unit.Amount{7}, 0, 1_000, []unit.Amount{0}},
		"even":               {1_000, 500, 1_000, []unit.Amount{300, 200}, -1, 550, []unit.Amount{270, 180}}, // pool 500, commission 50
		"whole commission":   {1_000, 500, 10_000, []unit.Amount{300, 200}, -1, 1_000, []unit.Amount{0, 0}},  // pool 500, commission 500
		"dust of the pool":   {100, 1, 500, []unit.Amount{1, 1}, -1, 38, []unit.Amount{31, 31}},              // pool 66, commission 3.3 is 4
		"dust to the lowest": {100, 0, 500, []unit.Amount{1, 1, 1}, -1, 5, []unit.Amount{31, 31, 33}},        // 95 in three
		"one unit":           {1, 0, 500, []unit.Amount{5}, -1, 1, []unit.Amount{0}},                         // pool 1, commission 0.05 is 1
		"one of two unbonds": {1_000, 500, 1_000, []unit.Amount{300, 500}, 0, 550, []unit.Amount{0, 450}},    // pool 500, commission 50
		"nothing":            {0, 500, 1_000, []unit.Amount{500}, -1, 0, []unit.Amount{0}},                   //
		"all there are": { // the pool is 10¹⁸ − 2
			1_000_000_000 * cby, 1, 500, []unit.Amount{999_999_999 * cby}, -1, 50_000_000_000_000_002, []unit.Amount{949_999_999_999_999_998},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var list []Delegation
			for i, amount := range c.active {
				d := Delegation{Number: uint64(9 - i), Tranche: &Tranche{Amount: amount}}
				if i == c.leaving {
					d.Claimable = 1
				}
				list = append(list, d)
			}
			runner, shares, err := Split(c.income, c.own, c.bps, list)
			if err != nil || runner != c.runner || !slices.Equal(shares, c.shares) {
				t.Errorf("runner %d, shares %d, %v", runner, shares, err)
			}
		})
	}
	huge := []Delegation{{Number: 1, Tranche: &Tranche{Amount: 1<<64 - 1}}, {Number: 2, Tranche: &Tranche{Amount: 1}}}
	if _, _, err := Split(1, 0, 500, huge); err != unit.ErrOverflow {
		t.Errorf("%v", err)
	}
	if _, _, err := Split(1, 1, 500, huge[:1]); err != unit.ErrOverflow {
		t.Errorf("%v", err)
	}
}

// pay pays an income out of an account, and gives the runner's part.
func (w *world) pay(from, to account.Address, income unit.Amount) (own unit.Amount, err error) {
	err = w.Pay(digest.Hash{7}, to, income, func(who account.Address, amount unit.Amount) error {
		if who == to {
			own += amount
		}
		return account.Move(w.overlay, from, who, amount)
	})
	return own, err
}

// A settlement pays a runner and its delegators, each delegator once, twenty in an event.
//
// Spec: governance-staking C4, C5 (DelegatorPayout, JobSettled; event batch).
func TestPay(t *testing.T) {
	for _, c := range []struct {
		delegators uint16
		events     []int // delegators in each event
	}{{0, nil}, {1, []int{1}}, {20, []int{20}}, {21, []int{20, 1}}, {41, []int{20, 20, 1}}} {
		t.Run(fmt.Sprint(c.delegators), func(t *testing.T) {
			w, addr := town(t)
			for n := range c.delegators {
				for range 2 {
					_, err := w.delegate(n, addr, 2_500*cby)
					w.must(err)
				}
			}
			payer := account.Address{0xaa}
			w.must(account.Credit(w.overlay, payer, 1_000_000))
			var events []int
			settled := 0
			w.Emit = func(topic string, data []byte) {
				if topic == TopicSettled {
					settled++
					return
				}
				if topic != TopicPayout {
					t.Errorf("event %s", topic)
				}
				events = append(events, (len(data)-account.AddressSize)/(account.AddressSize+3)) // amounts of three bytes
			}
			own, err := w.pay(payer, addr, 1_000_000)
			w.must(err)
			// each delegator has a tenth of the runner's own: the pool is n/(10+n), and a tenth of it is commission
			pool := 1_000_000 * uint64(c.delegators) / (10 + uint64(c.delegators))
			theirs := pool * 9_000 / 10_000
			if own != unit.Amount(1_000_000-theirs) || w.balance(addr) != own || w.balance(payer) != 0 {
				t.Errorf("the runner has %d of %d", w.balance(addr), own)
			}
			sum := unit.Amount(0)
			for n := range c.delegators {
				got := w.balance(holder(n))
				if least := unit.Amount(theirs / uint64(2*c.delegators) * 2); got < least || n > 0 && got != least {
					t.Errorf("delegator %d has %d, want %d", n, got, least)
				}
				sum += got
			}
			if sum != unit.Amount(theirs) || !slices.Equal(events, c.events) {
				t.Errorf("delegators have %d of %d, in events %v", sum, theirs, events)
			}
			if want := min(int(c.delegators), 1); settled != want || w.Looked != 2*int(c.delegators) {
				t.Errorf("%d settlements were told, and %d tranches looked at", settled, w.Looked)
			}
		})
	}
	w, _ := town(t)
	payer, gone := account.Address{0xaa}, account.Address{0xbb}
	w.must(account.Credit(w.overlay, payer, 7))
	if own, err := w.pay(payer, gone, 7); own != 7 || err != nil || w.balance(gone) != 7 {
		t.Errorf("%d %v", own, err)
	}
}

// What a slash takes of a runner with 50,000 CBY, of a delegator's 30,000 CBY and of another's 20,000 CBY which unbond, by hand. A slash of 25 % takes 25,000
// of the 100,000; the delegators' part would be 12,500 and is 5 % of 50,000, which is 2,500.
//
// Spec: governance-staking C5; WP §8.4 (burned).
func TestSlashOfDelegated(t *testing.T) {
	type slash struct {
		bps    uint32
		limit  unit.Amount
		blocks unit.Height // before it
	}
	for name, c := range map[string]struct {
		slashes        []slash
		own, one, two  unit.Amount // what is left
		spared         int         // events that say a bound held
		lostBy, burned unit.Amount // by the last
	}{
		"below the bound": {[]slash{{499, 100_000 * cby, 0}}, 47_505 * cby, 28_503 * cby, 19_002 * cby, 0, 4_990 * cby, 4_990 * cby},
		"at the bound":    {[]slash{{500, 100_000 * cby, 0}}, 47_500 * cby, 28_500 * cby, 19_000 * cby, 0, 5_000 * cby, 5_000 * cby},
		"above the bound": {[]slash{{501, 100_000 * cby, 0}}, 47_495 * cby, 28_500 * cby, 19_000 * cby, 1, 5_005 * cby, 5_005 * cby},
		"a quarter":       {[]slash{{2_500, 100_000 * cby, 0}}, 37_500 * cby, 28_500 * cby, 19_000 * cby, 1, 15_000 * cby, 15_000 * cby},
		"at most":         {[]slash{{2_500, 1_000 * cby, 0}}, 49_500 * cby, 29_700 * cby, 19_800 * cby, 0, 1_000 * cby, 1_000 * cby},
		// 3 %, then 2 % is left of the epoch: of 29,100 and 19,400 they lose 582 and 388; of all 97,000 the second slash would take 2,910
		"twice in an epoch": {[]slash{{300, 100_000 * cby, 0}, {300, 100_000 * cby, 1}}, 47_045 * cby, 28_518 * cby, 19_012 * cby, 1,
			2_425 * cby, 2_425 * cby},
		"three times": {[]slash{{500, 100_000 * cby, 0}, {500, 100_000 * cby, 1}, {0, 100_000 * cby, 1}}, 45_125 * cby, 28_500 * cby, 19_000 * cby, 1, 0, 0},
		"in two epochs": {[]slash{{500, 100_000 * cby, 0}, {500, 100_000 * cby, 3_600}}, 45_125 * cby, 27_075 * cby, 18_050 * cby, 0,
			4_750 * cby, 4_750 * cby},
		"one unbonded before": {[]slash{{500, 100_000 * cby, 604_800}}, 47_500 * cby, 28_500 * cby, 20_000 * cby, 0, 4_000 * cby, 4_000 * cby},
		"one block earlier":   {[]slash{{500, 100_000 * cby, 604_799}}, 47_500 * cby, 28_500 * cby, 19_000 * cby, 0, 5_000 * cby, 5_000 * cby},
	} {
		t.Run(name, func(t *testing.T) {
			w, addr := town(t)
			_, err := w.delegate(1, addr, 30_000*cby)
			w.must(err)
			_, err = w.delegate(2, addr, 20_000*cby)
			w.must(err)
			_, err = w.undelegate(2, addr, 20_000*cby)
			w.must(err)
			w.events = nil
			var lost, burned unit.Amount
			for _, s := range c.slashes {
				w.Height += s.blocks
				lost, burned, err = w.Slash(addr, s.bps, s.limit, holder(9))
				w.must(err)
			}
			r := w.runner(1)
			d1, err := DelegationOf(w.overlay, holder(1), 1)
			w.must(err)
			d2, err := DelegationOf(w.overlay, holder(2), 2)
			w.must(err)
			if r.Stake != c.own || d1.Amount != c.one || d2.Amount != c.two || r.Delegated != d1.Amount || lost != c.lostBy || burned != c.burned {
				t.Errorf("own %d, one %d, two %d, delegated %d, lost %d, burned %d", r.Stake, d1.Amount, d2.Amount, r.Delegated, lost, burned)
			}
			if s, err := LoadSummary(w.overlay, addr, holder(1)); err != nil || s.Amount != d1.Amount {
				t.Errorf("%+v %v", s, err)
			}
			if got := w.balance(Home()); got != c.own+c.one+c.two {
				t.Errorf("the registry holds %d", got)
			}
			spared := 0
			for _, e := range w.events {
				if strings.HasPrefix(e, TopicDelegationSpare) {
					spared++
				}
			}
			if spared != c.spared {
				t.Errorf("%d bounds are told in %q", spared, w.events)
			}
		})
	}
}

// Who leaves takes nobody's delegated stake out of a slash: it is of all that can be slashed.
//
// Spec: governance-staking C1 (slashable), C5.
func TestSlashOfWhoLeaves(t *testing.T) {
	w, addr := town(t)
	_, err := w.delegate(1, addr, 50_000*cby)
	w.must(err)
	w.must(w.Deregister(addr))
	lost, _, err := w.Slash(addr, 500, 100_000*cby, holder(9))
	if w.must(err); lost != 5_000*cby || w.runner(1).Stake != 47_500*cby || w.runner(1).Status != Leaving {
		t.Errorf("lost %d, %+v", lost, w.runner(1))
	}
	w.Height += params.DelegationUnbondingBlocks
	w.must(w.claim(1, 1))
	if w.balance(holder(1)) != 47_500*cby {
		t.Errorf("the delegator has %d", w.balance(holder(1)))
	}
}
