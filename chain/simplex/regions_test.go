package simplex_test

import (
	"flag"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

var (
	regional = flag.Int("regional", 16, "validators of the network of ten regions that signs with BLS12-381")
	growth   = flag.Int("growth", 64, "largest network whose messages are counted")
)

// roundTrips are milliseconds between ten regions of public clouds, rounded from what their operators publish: Virginia, Oregon, Ireland, Frankfurt,
// Tokyo, Singapore, Sydney, Mumbai, São Paulo, Cape Town. A message takes half of one.
var roundTrips = [10][10]simplex.Millis{
	{2, 62, 67, 90, 145, 215, 197, 190, 113, 225},
	{62, 2, 127, 150, 100, 165, 140, 217, 174, 285},
	{67, 127, 2, 25, 200, 175, 255, 122, 178, 160},
	{90, 150, 25, 2, 225, 158, 290, 110, 203, 155},
	{145, 100, 200, 225, 2, 69, 104, 130, 257, 350},
	{215, 165, 175, 158, 69, 2, 92, 57, 325, 220},
	{197, 140, 255, 290, 104, 92, 2, 148, 310, 400},
	{190, 217, 122, 110, 130, 57, 148, 2, 300, 270},
	{113, 174, 178, 203, 257, 325, 310, 300, 2, 340},
	{225, 285, 160, 155, 350, 220, 400, 270, 340, 2},
}

// regionDelay is the way from one node to another; nodes are spread over the regions in turn.
func regionDelay(from, to int) simplex.Millis { return roundTrips[from%10][to%10] / 2 }

// finality runs a network of ten regions for some blocks and gives the longest time from the leader's block to its being final on every node, in
// virtual milliseconds.
func finality(t testing.TB, w *world, blocks int) (longest simplex.Millis) {
	t.Helper()
	for w.lowest() < uint64(blocks) {
		if !w.step() || len(w.wrong) > 0 {
			t.Fatalf("no progress at t=%d: %v", w.now, w.wrong)
		}
	}
	for height := uint64(1); height <= uint64(blocks); height++ {
		longest = max(longest, w.finalAt[height]-w.builtAt[w.final[height]])
	}
	return longest
}

// A hundred validators in ten regions finalize every block everywhere within a second of its being built; so do fewer with real signatures, which
// take no virtual time.
// Spec: WP §6.1; commonware §3.2.
func TestRegions(t *testing.T) {
	slow := finality(t, newWorld(plan{seed: 1, n: 100, pace: 1, trusting: true, latency: regionDelay, tell: 250}), 6)
	t.Logf("100 validators: %d ms", slow)
	if slow >= 1_000 {
		t.Errorf("100 validators: final after %d ms", slow)
	}
	w := newWorld(plan{seed: 2, n: *regional, pace: 1, trusting: true, latency: regionDelay, tell: 250, keys: newReal(t, *regional)})
	slow = finality(t, w, 4)
	t.Logf("%d validators with real signatures: %d ms", *regional, slow)
	if slow >= 1_000 {
		t.Errorf("%d validators with real signatures: final after %d ms", *regional, slow)
	}
}

// Messages and bytes of a block grow with the square of the validators in all, and with their number for each: every vote goes to everybody.
// Spec: commonware §3.7.
func TestGrowth(t *testing.T) {
	for _, n := range []int{4, 7, 16, 31, 64, 100, 200} {
		if n > *growth {
			break
		}
		w := newWorld(plan{seed: 1, n: n, pace: 1, trusting: true, latency: regionDelay, tell: 250})
		slow := finality(t, w, 2)
		from, messages, bytes := w.lowest(), w.messages, w.bytes
		slow = max(slow, finality(t, w, int(from)+6))
		blocks := float64(w.lowest() - from)
		each := float64(w.messages-messages) / blocks / float64(n)
		t.Logf("%3d validators: %6.0f messages and %7.1f KiB a block, %4.0f and %6.1f KiB for each; final within %d ms",
			n, each*float64(n), float64(w.bytes-bytes)/blocks/1024, each, float64(w.bytes-bytes)/blocks/float64(n)/1024, slow)
		// Proposal or vote, and commit, to everybody else; of certificates one notarization and a few finalizations come to each, not one from each.
		if most := 3 * float64(n-1); each > most {
			t.Errorf("%d validators send %.0f messages each", n, each)
		}
	}
}
