package volume

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// counting is a state that counts what is read and written.
type counting struct {
	state.Store
	n int
}

func (c *counting) Lookup(key []byte) ([]byte, bool, error) {
	c.n++
	return c.Store.Lookup(key)
}

func (c *counting) Scan(prefix, after []byte, limit int, fn func(key, value []byte) bool) error {
	return c.Store.Scan(prefix, after, limit, func(key, value []byte) bool {
		c.n++
		return fn(key, value)
	})
}

func (c *counting) Set(key, value []byte) {
	c.n++
	c.Store.Set(key, value)
}

func (c *counting) Delete(key []byte) {
	c.n++
	c.Store.Delete(key)
}

// mostOps is what the end of one block may read and write here: 32 challenges, 32 relays and 16 volumes met, and 4 volumes of 6 slots collected. One look at
// each of 600 volumes and 200 relays, with what that changes, is more.
const mostOps = 1_200

// The end of a block does as much with 600 volumes and 200 relays, all of which are due at once, as with 60 and 20.
//
// Spec: storage-cbfs §4, §6; WP §7.3.
func TestEndOfABlockIsFlat(t *testing.T) {
	for _, size := range []int{1, 10} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			w := newWorld(t)
			w.g.Terms.Rent.Creation, w.g.Terms.Stake.Least, w.g.Terms.Policy.MinStake = 0, 0, 0
			w.g.Terms.Proof.Interval, w.g.Terms.Proof.Window, w.g.Terms.Rent.GraceBlocks = 50, 50, 100
			relays := 20 * size
			for n := range relays {
				w.must(w.g.Register(holder(n), profile(n), 0))
				w.must(w.g.Heartbeat(holder(n)))
			}
			w.must(account.Credit(w.s, Home(), unit.CBY))
			for n := range 60 * size {
				who := account.Address{0: 3, 18: byte(n >> 8), 19: byte(n)}
				w.must(account.Credit(w.s, Home(), 100*unit.CBY))
				id, err := w.m.Create(who, Request{Name: "a", K: 4, M: 2, Expires: 500}, 100*unit.CBY)
				w.must(err)
				w.must(w.m.Commit(who, id, nil, fill(w.volume(id), 100, uint64(n)).Commit))
				w.confirm(id)
				_, err = w.m.Grant(who, id, digest.Hash{1}, Permission{Grantee: who, Until: 900})
				w.must(err)
			}
			c := &counting{Store: w.s}
			w.m.State, w.g.State = c, c
			most := 0
			for h := unit.Height(10); h < 1_600; h++ {
				w.at(h)
				c.n = 0
				w.must(w.m.End())
				w.must(w.g.End())
				most = max(most, c.n)
			}
			if most > mostOps {
				t.Errorf("%d reads and writes in a block, at most %d are allowed", most, mostOps)
			}
			if w.count(relay.TopicMissed) == 0 || w.count(TopicStatus) < 60*size {
				t.Error("nothing was due")
			}
			t.Log(most, "of", mostOps)
		})
	}
}
