package govern_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/testkit/touched"
)

// electorate is a world in which so many have a weight.
func electorate(t testing.TB, n int) (*world, []account.Address) {
	w := newWorld(t)
	founders := make([]stake.Founder, n)
	voters := make([]account.Address, n)
	for i := range founders {
		binary.BigEndian.PutUint32(voters[i][1:], uint32(i))
		voters[i][0] = 0xbb
		var key sig.BLSPublicKey
		binary.BigEndian.PutUint32(key[:], uint32(i))
		founders[i] = stake.Founder{Address: voters[i], Key: key, Stake: 10}
		w.give(nine, 10)
	}
	stake.Found(w.overlay, founders, nil)
	return w, voters
}

// What a vote and the end of a block read and write is the same among 10, 1,000 and 10,000 voters who have all voted: tallies are kept as votes come, and the
// block in which a phase of theirs ends counts nobody again.
//
// Spec: governance-staking B5; WP §13.1.
func TestWorkOfATally(t *testing.T) {
	var want string
	for _, n := range []int{10, 1_000, 10_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			w, voters := electorate(t, n)
			id := w.propose(addr(9), 0, zero(5))
			work := func(rule func(h *govern.Registry) error) string {
				t.Helper()
				h := w.registry()
				c := &touched.Store{Store: h.State}
				h.State = c
				w.must(rule(h))
				return fmt.Sprintf("%d read, %d written; ", c.Reads, c.Writes)
			}
			end := func() string {
				defer func() { w.height++ }()
				return work((*govern.Registry).Close)
			}
			text := ""
			for _, status := range []govern.Status{govern.TempCheck, govern.Voting} {
				w.is(id, status)
				for i, v := range voters {
					one := work(func(h *govern.Registry) error { return h.CastVote(v, id, govern.Yes) })
					if i == 0 || i == len(voters)-1 {
						text += "vote " + one
					}
				}
				p := w.load(id)
				if got := map[govern.Status]govern.Tally{govern.TempCheck: p.Check, govern.Voting: p.Vote}[status]; got.Validators[govern.Yes] != uint64(n) ||
					uint64(got.Stake[govern.Yes]) != 10*uint64(n) {
					t.Fatalf("tally %+v", got)
				}
				idle := ""
				for w.height < p.Deadline {
					idle = end()
				}
				text += "idle " + idle + "last " + end()
			}
			w.is(id, govern.Queued)
			if want == "" {
				want = text
			}
			if text != want {
				t.Errorf("%s among 10 it is %s", text, want)
			}
		})
	}
	t.Log(want)
}

// BenchmarkTally is a vote that changes and the end of its block, among so many who have all voted.
func BenchmarkTally(b *testing.B) {
	for _, n := range []int{10, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w, voters := electorate(b, n)
			id := w.propose(addr(9), 0, zero(5))
			for _, v := range voters {
				w.must(w.registry().CastVote(v, id, govern.Yes))
			}
			i := 0
			for b.Loop() {
				h := w.registry()
				w.must(h.CastVote(voters[i*7919%n], id, govern.Choice((1+i/n)%3))) // another one than the voter had
				w.must(h.Close())
				i++
			}
		})
	}
}
