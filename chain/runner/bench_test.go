package runner

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// crowd has as many delegators as may stand behind a runner, each with as many tranches.
func (w *world) crowd(n byte) account.Address {
	w.t.Helper()
	w.overlay.Set(params.StateKey(KeyDelegation), DelegationFrom(1))
	w.must(w.register(n, plain(n, 2_000_000*unit.CBY, 0)))
	to := keyOf(n).Address()
	w.must(w.SetDelegation(to, DelegationTerms{Accept: true, CommissionBPS: 500, MinDelegation: params.DelegationMinimum}))
	for d := range params.DelegatorsPerRunner {
		from := account.Address{0xdd, byte(d >> 8), byte(d)}
		for range 3 {
			for range params.DelegationActiveTranches {
				w.must(account.Credit(w.overlay, Home(), params.DelegationMinimum))
				_, err := w.Delegate(from, to, params.DelegationMinimum)
				w.must(err)
			}
			s, err := LoadSummary(w.overlay, to, from)
			w.must(err)
			if s.Leaving < params.DelegationLeavingTranches {
				_, err = w.Undelegate(from, to, params.DelegationActiveTranches*params.DelegationMinimum)
				w.must(err)
			}
		}
	}
	return to
}

// BenchmarkSlash is a slash of a runner with 200 delegators of 24 tranches each, in nanoseconds for one of the 4,800.
func BenchmarkSlash(b *testing.B) {
	w := newWorld(b)
	to := w.crowd(1)
	tranches := 0
	w.Look = func(n int) error { tranches += n; return nil }
	for b.Loop() {
		mark := w.overlay.Mark()
		_, _, err := w.Slash(to, params.MisconductSlashBPS, ^unit.Amount(0), account.Address{1})
		w.must(err)
		w.overlay.Revert(mark)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(tranches), "ns/tranche")
	b.ReportMetric(float64(params.CostSlashTranche), "cycles/tranche")
}

// A slash in a turn pays for every tranche it looks at, page by page, before it writes one.
//
// Spec: governance-staking C5; WP §17.1 (work is paid for).
func TestASlashIsPaidFor(t *testing.T) {
	for _, most := range []int{0, 63, 64, 4_799, 4_800} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			w := newWorld(t)
			to := w.crowd(1)
			paid, poor := 0, fmt.Errorf("poor")
			w.Look = func(n int) error {
				if paid += n; paid > most {
					return poor
				}
				return nil
			}
			_, _, err := w.Slash(to, params.MisconductSlashBPS, ^unit.Amount(0), account.Address{1})
			switch {
			case most < 4_800 && (err != poor || paid > most+page || w.runner(1).Stake != 2_000_000*unit.CBY):
				t.Errorf("%v, %d looked at", err, paid)
			case most == 4_800 && (err != nil || paid != 4_800 || w.Looked != 4_800 || w.runner(1).Stake == 2_000_000*unit.CBY):
				t.Errorf("%v, %d looked at", err, paid)
			}
		})
	}
}
