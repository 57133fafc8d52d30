package relay

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Of many challenges the oldest 256 are drawn a block. One that is not drawn before its deadline is no miss: bond and fee go back, and the stake stays.
//
// Spec: storage-cbfs §4 (challenge), §6.
func TestDraws(t *testing.T) {
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	g := &Registry{State: o, Terms: Genesis(), Height: 10, TimeMs: 10_000, Beacon: []byte{1}, Emit: func(string, []byte) {}}
	keeper, ann := account.Address{1}, account.Address{2}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(account.Credit(o, Home(), 10_000*unit.CBY))
	must(g.Register(keeper, Profile{Node: digest.Hash{1}, Key: digest.Hash{1}, Endpoint: "a", Capacity: 1 << 30}, 5_000*unit.CBY))
	must(g.Heartbeat(keeper))
	var ids []digest.Hash
	for n := range 2 * DrawsPerBlock {
		g.Height = 10 + unit.Height(n/DrawsPerBlock)
		id, err := g.ask(digest.Hash{byte(n), byte(n >> 8)}, 0, &Slot{Relay: keeper, Root: digest.Hash{3}, Chunks: 9}, Challenge{
			Challenger: ann, Bond: g.Terms.Proof.Bond, Fee: g.Terms.Proof.Fee,
		})
		must(err)
		ids = append(ids, id)
	}
	drawn := func() (count int) {
		for n, id := range ids {
			c, err := LoadChallenge(o, id)
			must(err)
			if c.Drawn {
				count++
			}
			if c.Drawn != (n < count) || c.Drawn && c.Ordinal >= 9 {
				t.Errorf("%d: %+v", n, c)
			}
		}
		return count
	}
	g.Height = 10
	must(g.draws())
	if got := drawn(); got != 0 {
		t.Errorf("%d are drawn in their own block", got)
	}
	g.Height = 12
	must(g.draws())
	last := ids[len(ids)-1]
	if got := drawn(); got != DrawsPerBlock {
		t.Errorf("%d are drawn", got)
	}
	must(g.miss(last))
	a, err := account.Load(o, ann)
	must(err)
	r, err := Load(o, keeper)
	must(err)
	if a.Balance != g.Terms.Proof.Bond+g.Terms.Proof.Fee || r.Stake != 5_000*unit.CBY || r.Misses != 0 {
		t.Errorf("%d go back, stake %d, %d misses", a.Balance, r.Stake, r.Misses)
	}
	ids = ids[:len(ids)-1]
	must(g.draws())
	if got := drawn(); got != len(ids) {
		t.Errorf("%d are drawn", got)
	}
}
