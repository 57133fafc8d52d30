package sim

import (
	"flag"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/stake"
)

var epochSeeds = flag.Int("epochseeds", 4, "how many seeded networks with short epochs to run")

// TestMigrations runs seeded networks whose sets change every 20 blocks, under the faults of a plan: after they healed, whoever registered votes, whoever
// left does not, and the chain goes on.
//
// Spec: WP "Validator Set"; governance-staking A1; commonware §4.3, §7.
func TestMigrations(t *testing.T) {
	for seed := *first; seed < *first+uint64(*epochSeeds); seed++ {
		migrate(t, EpochPlanOf(seed))
	}
}

func migrate(t *testing.T, p Plan) {
	t.Helper()
	w, err := NewWorld(p)
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(p.Chaos, nil)
	w.heal()
	settled := func() bool {
		set := w.set(w.present())
		for _, m := range w.joiners {
			if _, ok := set.Find(m.key()); !ok {
				return false
			}
		}
		_, stays := set.Find(w.setup.keys[p.Validators-1].Vote.PublicKey().Bytes())
		return !stays
	}
	if !w.RunUntil(p.Chaos+2*bound, settled) {
		t.Errorf("%v: joiners are not in the set of epoch %d, or leavers are: %s", p, w.present(), w.standings())
	}
	target := w.chain.Height() + 45
	if !w.RunUntil(p.Chaos+4*bound, func() bool { return w.lowest() >= target }) {
		t.Errorf("%v: no progress to height %d: %s", p, target, w.standings())
	}
	for _, v := range w.chain.Wrong {
		t.Errorf("%v: %s", p, v)
	}
	for _, m := range w.machines {
		if m.keys == nil || !m.honest() {
			continue
		}
		if record, ok, err := stake.Load(w.chain.State(), m.keys.Account.Address()); err != nil || ok && record.Jailings > 0 {
			t.Errorf("%v: honest %s is punished: %+v, %v", p, m.name, record, err)
		}
	}
	for _, m := range w.joiners {
		record, ok, err := stake.Load(w.chain.State(), m.keys.Account.Address())
		if err != nil || !ok || record.Status != stake.Active || record.Stake != joinerStake {
			t.Errorf("%v: %s: %+v, %v", p, m.name, record, err)
		}
		if m.life == nil || m.life.node == nil || m.life.node.Replica.Status().Rank > 100 {
			t.Errorf("%v: %s does not vote", p, m.name)
		}
	}
	if testing.Verbose() {
		t.Logf("%v; epoch %d; %s", w.result(), w.present(), w.standings())
	}
}
