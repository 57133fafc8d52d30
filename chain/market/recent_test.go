package market

import (
	"encoding/hex"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// did has the one runner of a new job do it.
func (w *world) did(edit ...func(*job.Spec)) *Recent {
	w.t.Helper()
	id := w.submitted(edit...)
	who := w.selection(id).Selected[0]
	_, err := w.Commit(id, who, CommitmentOf([]byte("blue"), [32]byte{1}))
	w.must(err)
	_, err = w.Reveal(id, &Reveal{Runner: who, Output: []byte("blue"), Salt: [32]byte{1}})
	w.must(err)
	w.end()
	w.is(id, Challengeable)
	r, err := w.recent(submitter, w.spec(id).Kind)
	w.must(err)
	if r != nil && r.Runner != who {
		w.t.Errorf("%v did it, and %v is noted", who, r.Runner)
	}
	return r
}

func (w *world) spec(id [32]byte) *job.Spec {
	w.t.Helper()
	t, err := w.Open(id)
	w.must(err)
	return t.Spec
}

// firsts counts, over jobs that are drawn and undone, how often a runner is drawn first of five equal ones.
func (w *world) firsts(r *Recent, jobs int) (n int) {
	w.t.Helper()
	for i := range jobs {
		mark, held := w.overlay.Mark(), w.Held
		w.Beacon.Signature[2], w.Beacon.Signature[3] = byte(i), byte(i>>8)
		if id := w.submitted(); w.selection(id).Selected[0] == r.Runner {
			n++
		}
		w.overlay.Revert(mark)
		w.Held = held
	}
	return n
}

// Nobody is noted or preferred until governance says so. Then whoever did a submitter's last job of a kind is drawn with four times its weight: of five equal
// runners in 4 of 8 cases instead of 1 of 5, until the blocks that governance named are over, and for jobs of this submitter and kind alone.
//
// Spec: runner-marketplace §4.5, §11 (MRU TTL / multiplier), §14 (8).
func TestWhoDidTheLastJobIsPreferred(t *testing.T) {
	const ttl = 50
	w := newWorld(t, 5)
	w.fund(submitter, 10_000*unit.CBY)
	for n := range 5 {
		w.trust(person(n), 100)
	}
	w.Verifier = new(bench)
	if r := w.did(); r != nil {
		t.Fatalf("%+v is noted before governance says so", r)
	}
	w.overlay.Set(params.StateKey(KeyAffinity), AffinityFor(ttl))
	r := w.did()
	if r == nil || r.Set != w.Height-1 {
		t.Fatalf("%+v at %d", r, w.Height)
	}
	const jobs = 800
	near := func(what string, got, want int) {
		t.Helper()
		if got < want-80 || got > want+80 { // more than five standard deviations of 800 draws
			t.Errorf("%s: it is first in %d of %d cases, want about %d", what, got, jobs, want)
		}
	}
	near("preferred", w.firsts(r, jobs), jobs/2)
	w.at(r.Set + ttl)
	near("in the last block", w.firsts(r, jobs), jobs/2)
	w.at(r.Set + ttl + 1)
	near("behind it", w.firsts(r, jobs), jobs/5)
	for _, c := range []struct {
		value []byte
		good  bool
	}{{AffinityFor(0), true}, {AffinityFor(RecordBlocks), true}, {AffinityFor(RecordBlocks + 1), false}, {nil, false}, {[]byte{1, 1}, false}} {
		t.Run(hex.EncodeToString(c.value), func(t *testing.T) {
			if err := CheckAffinity(c.value); (err == nil) != c.good {
				t.Error(err)
			}
		})
	}
}

// What is noted goes with the records of the submitter's jobs, and no sooner than it is too old.
//
// Spec: runner-marketplace §4.5.
func TestWhatIsNotedOfASubmitterGoes(t *testing.T) {
	w := newWorld(t, 3)
	w.fund(submitter, 10_000*unit.CBY)
	w.Verifier = new(bench)
	w.overlay.Set(params.StateKey(KeyAffinity), AffinityFor(10))
	r := w.did()
	w.until(r.Set + 80)
	ids, err := BySubmitter(w.overlay, submitter, [32]byte{}, 10)
	w.must(err)
	if len(ids) != 1 || w.is(ids[0], Completed).Ended == 0 {
		t.Fatalf("%v", ids)
	}
	w.until(w.job(ids[0]).Ended + 901)
	if r, err := w.recent(submitter, job.LLM); err != nil || r == nil {
		t.Errorf("%v %v", r, err)
	}
	w.at(w.job(ids[0]).Ended + 900 + RecordBlocks)
	w.end()
	if r, err := w.recent(submitter, job.LLM); err != nil || r != nil || w.keys() != 0 {
		t.Errorf("%v %v, and %d keys are left", r, err, w.keys())
	}
	if list := []job.Candidate{}; len(job.Favour(slices.Clone(list), [32]byte{}, 3, submitter, 4)) != 0 {
		t.Error("somebody is drawn of nobody")
	}
}
