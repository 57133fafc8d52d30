package market

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// stands sets what a runner has of its own and of others.
func (w *world) stands(addr account.Address, own, delegated unit.Amount) {
	w.t.Helper()
	r, ok, err := runner.Load(w.overlay, addr)
	if err != nil || !ok {
		w.t.Fatalf("%v %v", ok, err)
	}
	r.Stake, r.Delegated = own, delegated
	w.overlay.Set(append(account.KeyString(account.KindRecord, runner.Home(), "runner:state/"), addr[:]...), r.Encode())
}

// A runner is drawn with its effective stake, of which its own is a tenth at least, and the concentration is that of effective stakes. One has 10,000 CBY and
// 20,000 of others, one 10,000 and nothing, one 10,000 and nine times that of others or more: 30, 10 and 100 parts of 140, whose squares are 11,000 of 19,600.
//
// Spec: governance-staking C2; runner-marketplace §4.2, §4.3.
func TestEffectiveStakeIsWeighed(t *testing.T) {
	w := newWorld(t, 3)
	effective := map[account.Address]unit.Amount{person(0): 30_000 * unit.CBY, person(1): 10_000 * unit.CBY, person(2): 100_000 * unit.CBY}
	w.stands(person(0), 10_000*unit.CBY, 20_000*unit.CBY)
	w.stands(person(1), 10_000*unit.CBY, 0)
	w.stands(person(2), 10_000*unit.CBY, 200_000*unit.CBY)
	list, _, err := w.candidates(&Task{Spec: ask(), Job: &Job{}}, nil)
	if err != nil || len(list) != 3 {
		t.Fatalf("%v %v", list, err)
	}
	for _, c := range list {
		if want := job.Weight(effective[c.Address], uint64(runner.ReputationOf(50))); c.Weight != want {
			t.Errorf("%v is drawn with %v, want %v", c.Address, c.Weight, want)
		}
	}
	w.at(3 * params.CommitteeEpochBlocks)
	for n := range 3 {
		w.must(w.Registry.Heartbeat(person(n), true))
	}
	w.must(w.measure())
	if s, err := LoadSize(w.overlay); err != nil || s.Active != 3 || s.Concentration != 11_000<<32/19_600 {
		t.Errorf("%+v %v", s, err)
	}
}

// A block judges jobs until their work is half of that of the largest job, 36 times 65,536 bytes; the next job waits for the next block. Eight looks at 65,536
// bytes of one runner reach it with the fifth job, 40, and seven with the sixth, 42.
//
// Spec: runner-marketplace §5.
func TestJudgedPerBlock(t *testing.T) {
	for name, c := range map[string]struct{ checks, jobs, judged int }{
		"four": {6, 4, 4}, "five": {6, 5, 5}, "six": {6, 6, 5}, "six of less": {5, 6, 6}, "seven of less": {5, 7, 6},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, c.jobs)
			w.Verifier = new(bench)
			for range c.jobs {
				id := w.submitted(func(s *job.Spec) { s.Verification.Checks = make([]job.Check, c.checks) })
				who, output := w.selection(id).Selected[0], []byte("yes")
				_, err := w.Commit(id, who, CommitmentOf(output, digest.Hash{}))
				w.must(err)
				_, err = w.Reveal(id, &Reveal{Runner: who, Output: output})
				w.must(err)
			}
			w.end()
			judged := 0
			w.must(w.overlay.Scan(under(underJob), nil, 0, func(_, value []byte) bool {
				if j, err := DecodeJob(value); err == nil && j.Status == Challengeable {
					judged++
				}
				return true
			}))
			if judged != c.judged {
				t.Errorf("%d were judged, want %d", judged, c.judged)
			}
		})
	}
}
