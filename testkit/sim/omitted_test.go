package sim

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

var (
	omitted      = flag.Uint64("omitted", 4, "seeds of TestLeftOut, each a network of 800 blocks")
	omittedFirst = flag.Uint64("omittedfirst", 0, "the first of them")
)

// TestLeftOut: a validator with four fifths of the stake leaves one honest validator's votes out of its blocks; or does not let it see them in time, so that
// there are none. The chain knows better: others report what it did, and it is not jailed. One that is away is.
//
// Spec: WP "Slashing" (> 50 % of votes over 1,000 blocks); governance-staking A3.
func TestLeftOut(t *testing.T) {
	for seed := *omittedFirst; seed < *omittedFirst+*omitted; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { leftOut(t, seed) })
	}
}

// leftOut plays one network in which a validator's votes are left out.
func leftOut(t *testing.T, seed uint64) {
	p := calm(4 + 3*int(seed/2%2))
	p.Seed, p.Chaos, p.Interval, p.Clients = seed, 0, 50*time.Millisecond, int(seed/4%2)
	p.Heavy = 4 * (p.Validators - 1) // four fifths
	p.Delay = [2]time.Duration{time.Millisecond, time.Duration(10+seed%40) * time.Millisecond}
	if seed%3 > 0 {
		p.Timeouts.Settle, p.Timeouts.Leave = 300, 25
	}
	if seed%5 == 4 {
		p.Chaos, p.Loss, p.Dup = time.Hour, 0.01, 0.01
	}
	p.Faulty[0] = []string{faulty.Omitter, faulty.Shunner}[seed%2]
	s := tell(t, p)
	away := s.machines[p.Validators-1]
	if p.Validators == 7 { // the others are a quorum without it and the one that is left out
		away.parked = true
		s.after(time.Second, func() {
			if away.life != nil {
				away.life.end(nil)
			}
		})
	}
	s.RunUntil(time.Hour, func() bool { return s.chain.Height() >= 800 })
	fine, err := stake.BelowReportThreshold(s.chain.State(), p.Validators)
	if err != nil || fine.Has(1) {
		t.Errorf("%v: nobody was left out as often as is reported, %v", p, err)
	}
	for rank, m := range s.machines {
		want := stake.Active
		if m == away && away.parked {
			want = stake.Jailed
		}
		if got := s.record(m).Status; got != want {
			t.Errorf("%v: validator %d is %v", p, rank, got)
		}
	}
	for _, v := range s.chain.Wrong {
		t.Errorf("%v: %v", p, v)
	}
}
