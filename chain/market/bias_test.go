package market

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// choice is what the proposer of the block of a submission is free to choose.
type choice struct {
	time   uint64 // of the block
	before int    // jobs of others that it takes before the job
	after  int    // and behind it
	beacon byte   // of the block: no choice, but what it knows
}

// chosen are the committee and the aggregator of a job that is submitted in a block of a proposer's choice, when the seed of the awaited round is another.
func chosen(t *testing.T, c choice, skipped uint64, seed byte) []account.Address {
	w := newWorld(t, 12)
	w.fund(submitter, 1_000_000_000_000)
	w.Time = c.time
	w.Beacon.Signature = sig.BLSSignature{c.beacon}
	submit := func(name string) digest.Hash {
		task, err := w.Submit(digest.SHA256([]byte(name)), ask(voted), submitter, nil, 0)
		w.must(err)
		return task.ID
	}
	for n := range c.before {
		submit(fmt.Sprint("before ", n))
	}
	id := submit("the job")
	for n := range c.after {
		submit(fmt.Sprint("after ", n))
	}
	w.end()
	for w.job(id).Status == AwaitingSeed {
		if w.Beacon.Round.View >= w.job(id).Round.View {
			w.Round.View += skipped
			w.Beacon.Round.View += skipped
			w.Beacon.Signature = sig.BLSSignature{seed, 0xff, byte(skipped)}
		}
		w.must(w.End())
		w.at(w.Height + 1)
	}
	s := w.selection(id)
	return append(slices.Clone(s.Selected), s.Aggregator)
}

// The argument that a proposer cannot choose a committee, as a test. Whoever proposes the block of a submission knows its beacon and chooses its time, its
// other jobs and their order; under each seed of the round to come, which nobody knows then, all that gives one committee. The seed, one for its round,
// decides alone: over 40 of them each of twelve runners is chosen. Whoever proposes behind the awaited round can give the block up, for one other draw; there
// is no other choice, whatever it puts into its block. (A job for one runner is drawn at once, by WP: whoever proposes can only leave it to the next.)
//
// Spec: WP §5.3 (commit first, reveal later), "Randomness"; runner-marketplace §4.4, §4.5.
func TestAProposerCannotChooseACommittee(t *testing.T) {
	times := map[account.Address]int{}
	alike := 0
	for seed := range byte(40) {
		want := chosen(t, choice{time: 1_000, beacon: 1}, 0, seed)
		for _, c := range []choice{{5_000, 0, 0, 1}, {1_000, 3, 0, 1}, {1_000, 0, 3, 1}, {1_000, 2, 2, 1}, {1_000, 0, 0, 2}} {
			if got := chosen(t, c, 0, seed); !slices.Equal(got, want) {
				t.Fatalf("seed %d: %+v gives %v, want %v", seed, c, got, want)
			}
		}
		other := chosen(t, choice{time: 1_000, beacon: 1}, 1, seed)
		if again := chosen(t, choice{5_000, 1, 1, 2}, 1, seed); !slices.Equal(again, other) {
			t.Fatalf("seed %d: another draw is chosen: %v, %v", seed, other, again)
		}
		if slices.Equal(other, want) {
			alike++
		}
		for _, a := range want[:len(want)-1] {
			times[a]++
		}
	}
	if len(times) != 12 || alike > 1 {
		t.Errorf("of 12 runners %d were chosen; %d other draws were alike", len(times), alike)
	}
	// What the seed is made of, and nothing else: the beacon's round and signature, the job and the height of its submission.
	beacon := sig.Seed{Round: sig.Round{Epoch: 1, View: 2}, Signature: sig.BLSSignature{3}}
	one := job.Seed(&beacon, digest.Hash{4}, 5)
	for name, other := range map[string]digest.Hash{
		"epoch":     job.Seed(&sig.Seed{Round: sig.Round{Epoch: 2, View: 2}, Signature: beacon.Signature}, digest.Hash{4}, 5),
		"view":      job.Seed(&sig.Seed{Round: sig.Round{Epoch: 1, View: 3}, Signature: beacon.Signature}, digest.Hash{4}, 5),
		"signature": job.Seed(&sig.Seed{Round: beacon.Round, Signature: sig.BLSSignature{4}}, digest.Hash{4}, 5),
		"job":       job.Seed(&beacon, digest.Hash{5}, 5),
		"height":    job.Seed(&beacon, digest.Hash{4}, 6),
	} {
		t.Run(name, func(t *testing.T) {
			if other == one {
				t.Error("it does not count")
			}
		})
	}
}
