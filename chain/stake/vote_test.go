package stake

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// header is that of the block at the present height, with the votes for its parent and late ones.
func (w *world) header(votes sig.Signers, late ...sig.LateVotes) *block.Header {
	h := &block.Header{Height: w.Height, Epoch: w.epoch(), View: uint64(w.Height) + 1, ParentView: uint64(w.Height), LateVotes: late}
	h.ParentHash[0] = byte(w.Height)
	if votes.Len() > 0 {
		h.ParentVotes = &sig.Votes{Signers: votes}
	}
	return h
}

// told counts the votes for the parent of the block at the present height, and goes on to the next.
func (w *world) told(votes sig.Signers, late ...sig.LateVotes) {
	w.t.Helper()
	h := w.header(votes, late...)
	w.must(w.CheckVotes(h))
	w.must(w.CountVotes(h))
	w.Height++
}

// silence ends as many blocks that tell of nobody, as it takes for the ballots of those before to close.
func (w *world) silence() {
	for range params.AttendanceBlocks - 1 {
		w.told(sig.Signers{})
	}
}

func ranks(n int, in ...int) sig.Signers {
	s := sig.NewSigners(n)
	for _, i := range in {
		s.Add(i)
	}
	return s
}

func lateVotes(height unit.Height, kind sig.CertificateKind, n int, in ...int) sig.LateVotes {
	return sig.LateVotes{Height: uint64(height), Kind: kind, Votes: sig.Votes{Signers: ranks(n, in...)}}
}

// TestDowntime: 500 votes missed of the last 1,000 are not more than half, 501 are; stake is not touched. The counts of a set do not reach into the next.
// Spec: WP "Slashing" (> 50 % of votes over 1,000 blocks, jail, no slash); governance-staking A3.
func TestDowntime(t *testing.T) {
	w := newWorld(t, minimum, minimum, minimum, minimum)
	w.Height = 2
	away := int(w.rank(w.epoch(), addr(2)))
	all := ranks(4, 0, 1, 2, 3)
	others := sig.NewSigners(4)
	for i := range 4 {
		if i != away {
			others.Add(i)
		}
	}
	for i := range 2_400 { // every second vote: always exactly half of the window
		w.told([]sig.Signers{all, others}[i%2])
	}
	for range 31 { // the ballots of the last blocks close
		w.told(all)
	}
	if w.of(addr(2)).Status != Active {
		t.Fatal("jailed at half")
	}
	w = newWorld(t, minimum, minimum, minimum, minimum)
	w.Height = 2
	for i := range 1_002 { // of the thousand from the second on 499 are missed
		w.told([]sig.Signers{all, others}[i%2])
	}
	for range 500 { // each takes the place of one as it is
		w.told(all)
	}
	if w.of(addr(2)).Status != Active {
		t.Fatal("jailed below half")
	}
	w = newWorld(t, minimum, minimum, minimum, minimum)
	w.Height = 2
	for range 501 {
		w.told(others)
	}
	for range 30 {
		w.told(all)
	}
	if w.of(addr(2)).Status != Active {
		t.Fatal("jailed before its vote was too late")
	}
	w.told(all)
	if v := w.of(addr(2)); v.Status != Jailed || v.JailedUntil != w.Height-1+86_400 || v.Stake != minimum || len(v.Penalties) != 0 {
		t.Errorf("%+v at %d", v, w.Height)
	}
	for range 100 {
		w.told(others) // is jailed once
	}
	if w.of(addr(2)).Jailings != 1 {
		t.Errorf("jailed %d times", w.of(addr(2)).Jailings)
	}
	w.carry()
	w.Height = 90_000 // an epoch's first block, after the jail's end
	w.overlay.Set(epochKey(w.epoch()), (&EpochRecord{}).encode())
	w.must(w.Unjail(addr(2)))
	v := w.of(addr(2))
	v.cross(true, w.Height)
	_ = w.save(addr(2), v)
	w.Height++
	for range 500 {
		w.told(others)
	}
	w.silence()
	if w.of(addr(2)).Status != Active {
		t.Fatal("jailed for 500")
	}
	w.told(sig.Signers{})
	w.told(others)
	w.silence()
	if w.of(addr(2)).Status != Jailed {
		t.Error("501 of 501 missed and not jailed")
	}
}

// TestOpenBallots: a vote is missed if none of the 32 headers after the block tells of it. The next may not.
// Spec: WP "Slashing"; governance-staking A3.
func TestOpenBallots(t *testing.T) {
	for last, want := range map[int]uint16{2: 0, 32: 0, 33: 1} {
		t.Run(fmt.Sprint(last), func(t *testing.T) {
			w := newWorld(t, minimum, minimum, minimum, minimum)
			w.Height = 2
			for i := 1; i <= 40; i++ { // the headers after block 1
				switch {
				case i == 1:
					w.told(ranks(4, 0, 1, 2))
				case i == last:
					h := w.header(ranks(4, 0, 1, 2, 3), lateVotes(1, sig.Notarization, 4, 3))
					if err := block.CheckHeader(h, &block.Header{}, digest.Hash{}, 1, params.Calendar{}, params.Basefees{}); i > 32 {
						if err == nil {
							t.Error("the thirty-third may tell")
						}
						h.LateVotes = nil
					}
					w.told(ranks(4, 0, 1, 2, 3), h.LateVotes...)
				default:
					w.told(ranks(4, 0, 1, 2, 3))
				}
			}
			a, err := loadAttendance(w.overlay, 4)
			w.must(err)
			if a.missed[3] != want || a.missed[0] != 0 {
				t.Errorf("told by header %d: missed %v", last, a.missed)
			}
		})
	}
}

// TestLateVotesOnce: whoever was reported is not reported again; late votes are of this set, and any of the kinds shows that a validator was there.
// Spec: WP "Slashing"; governance-staking A3.
func TestLateVotesOnce(t *testing.T) {
	w := newWorld(t, minimum, minimum, minimum, minimum)
	w.Height = 2
	w.told(ranks(4, 0, 1, 2)) // block 1
	w.told(sig.Signers{})     // block 2: nobody told
	w.told(ranks(4, 0, 1, 2)) // block 3
	const n, g, c = sig.Notarization, sig.Nullification, sig.Finalization
	for name, x := range map[string]struct {
		votes []sig.LateVotes
		want  error
	}{
		"of one who was not":       {[]sig.LateVotes{lateVotes(1, n, 4, 3)}, nil},
		"of one who was":           {[]sig.LateVotes{lateVotes(1, c, 4, 2)}, ErrVotes},
		"of both":                  {[]sig.LateVotes{lateVotes(1, c, 4, 2, 3)}, ErrVotes},
		"of all, untold":           {[]sig.LateVotes{lateVotes(2, c, 4, 0, 1, 2, 3)}, nil},
		"of each by its own kind":  {[]sig.LateVotes{lateVotes(2, n, 4, 0), lateVotes(2, g, 4, 1), lateVotes(2, c, 4, 2, 3)}, nil},
		"of one by two kinds":      {[]sig.LateVotes{lateVotes(2, n, 4, 0), lateVotes(2, c, 4, 0)}, ErrVotes},
		"of one in several blocks": {[]sig.LateVotes{lateVotes(1, n, 4, 3), lateVotes(2, g, 4, 3), lateVotes(3, c, 4, 3)}, nil},
		"of another set":           {[]sig.LateVotes{lateVotes(1, n, 5, 3)}, ErrVotes},
		"of a block untold of":     {[]sig.LateVotes{lateVotes(9, n, 4, 3)}, ErrVotes},
	} {
		t.Run(name, func(t *testing.T) {
			if err := w.CheckVotes(w.header(sig.Signers{}, x.votes...)); !errors.Is(err, x.want) {
				t.Errorf("late votes %s: %v, want %v", name, err, x.want)
			}
		})
	}
	if err := w.CheckVotes(w.header(ranks(5, 0, 1, 2, 3))); !errors.Is(err, ErrVotes) {
		t.Errorf("votes of five: %v", err)
	}
	w.told(ranks(4, 0, 1, 2, 3), lateVotes(1, n, 4, 3), lateVotes(2, n, 4, 0), lateVotes(2, g, 4, 1))
	w.silence()
	w.silence()
	a, err := loadAttendance(w.overlay, 4)
	w.must(err)
	for i, want := range []uint16{0, 0, 0, 1} { // the last took no part in block 3; in block 2 too few were told of to say anything
		if a.missed[i] != want {
			t.Errorf("rank %d missed %d, want %d", i, a.missed[i], want)
		}
	}
}

// TestDowntimeOracle counts the window a second way, by keeping every vote and when it was told: at every block whoever missed more than half of it is jailed,
// from that block on and not before, and nobody else. Spec: WP "Slashing".
func TestDowntimeOracle(t *testing.T) {
	jailed := 0
	for seed, often := range []int{60, 40, 25} { // the last one comes, in a hundred; the second and third nearly always
		w := newWorld(t, minimum, minimum, minimum, minimum)
		w.Height = 2
		byRank := map[uint32]account.Address{}
		for n := byte(1); n <= 4; n++ {
			byRank[w.rank(w.epoch(), addr(n))] = addr(n)
		}
		random := rand.New(rand.NewPCG(uint64(seed), 2))
		history := map[unit.Height]sig.Signers{}
		gone := [4]bool{}
		for range 2_500 {
			votes := ranks(4, 0)
			for i := 1; i < 4; i++ {
				if random.IntN(100) < []int{0, 97, 93, often}[i] {
					votes.Add(i)
				}
			}
			history[w.Height-1] = votes
			var late []sig.LateVotes
			for back := unit.Height(32); back >= 2; back-- {
				at := w.Height - back
				if at >= w.Height || at < 1 || random.IntN(30) > 0 {
					continue
				}
				who := random.IntN(4)
				if told := history[at]; !told.Has(who) {
					late = append(late, lateVotes(at, sig.Finalization, 4, who))
					told.Add(who)
					history[at] = told
				}
			}
			w.told(votes.With(votes), late...)
			if w.Height < 34 {
				continue
			}
			last := w.Height - 1 - 32 // whose ballot the newest block closed
			a, err := loadAttendance(w.overlay, 4)
			w.must(err)
			for i, got := range a.missed {
				want := 0
				for at := last - min(last, 999); at <= last; at++ {
					if told := history[at]; told.Size() >= 3 && !told.Has(i) {
						want++
					}
				}
				gone[i] = gone[i] || want > 500
				if is := w.of(byRank[uint32(i)]).Status == Jailed; int(got) != want || is != gone[i] {
					t.Fatalf("%d of 100, block %d, rank %d: missed %d, jailed %v, want %d and %v", often, w.Height-1, i, got, is, want, gone[i])
				}
			}
		}
		for _, is := range gone {
			if is {
				jailed++
			}
		}
	}
	if jailed != 1 { // about a quarter of what is missed is told late: 0.3, 0.45 and 0.56 of the blocks are missed for good
		t.Errorf("%d jailed", jailed)
	}
}

// TestLeftOut: a proposer with a share of the draws leaves a voter out of its blocks wherever it can, and honest ones report what they have once it
// matters, over an epoch of 3,600 blocks. The voter then misses a block where one proposer made the 32 after it: with a probability of x^32, which is 0.1
// %, 3.4 % and 72 % for the shares here. Below the whole it is not jailed where 250 and that share of 750 are less than 500.
// Spec: WP "Slashing"; governance-staking A3.
func TestLeftOut(t *testing.T) {
	for _, x := range []struct {
		share int // per mille
		jails bool
	}{{800, false}, {900, false}, {990, true}} {
		t.Run(fmt.Sprint(x.share), func(t *testing.T) {
			w := newWorld(t, minimum, minimum, minimum, minimum)
			w.Height = 2
			random := rand.New(rand.NewPCG(uint64(x.share), 3))
			left := int(w.rank(w.epoch(), addr(4)))
			others := sig.NewSigners(4)
			for i := range 4 {
				if i != left {
					others.Add(i)
				}
			}
			open := map[unit.Height]bool{} // where the voter was left out
			for w.Height < 3_599 {
				votes, late := others, []sig.LateVotes(nil)
				if honest := random.IntN(1_000) >= x.share; honest {
					votes = ranks(4, 0, 1, 2, 3)
					if fine, err := BelowReportThreshold(w.overlay, 4); err != nil || fine.Has(left) {
						w.told(votes)
						continue
					}
					for back := unit.Height(32); back >= 2; back-- {
						if at := w.Height - back; back < w.Height && open[at] {
							late = append(late, lateVotes(at, sig.Notarization, 4, left))
							delete(open, at)
						}
					}
				} else {
					open[w.Height-1] = true
				}
				w.told(votes, late...)
			}
			if jailed := w.of(addr(4)).Status == Jailed; jailed != x.jails {
				t.Errorf("with %d ‰ of the draws: jailed %v", x.share, jailed)
			}
		})
	}
}
