package job_test

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// waiting is an actor that asks runners and notes that they answered: %s is how they are trusted.
const waiting = `
from cowboy_sdk import Storage, Verify, actor, public, runner

@actor
class Waiting:
    storage: Storage

    @public
    def init(self, payload):
        return b"ok"

    @public
    @runner.continuation(timeout_blocks=900)
    async def ask(self, payload):
        trust = Verify.builder()%s.build()
        answer = await runner.llm("Which color?", max_tokens=100, verification=trust)
        self.storage["answer"] = answer
`

// crew are the runners of one job. Each of them commits itself in the first block in which it may and reveals in the first in which it may, but for those
// who do not.
type crew struct {
	*town
	people                map[account.Address]*testkit.Account
	names                 map[account.Address]string
	id                    digest.Hash
	selected              []account.Address
	committed, revealed   map[account.Address]bool
	uncommitted, withheld int // how many of those drawn do not, from the first one on
}

// act sends what the state allows now.
func (c *crew) act() {
	c.t.Helper()
	j := c.find(c.id)
	if j.Status == market.AwaitingSeed {
		return
	}
	s, err := market.LoadSelection(c.State(), c.id)
	if err != nil {
		c.t.Fatal(err)
	}
	c.selected = s.Selected
	for i, who := range s.Selected {
		commit, reveal := work(c.t, c.names[who], c.id, "blue", 100)
		one := len(s.Selected) == 1
		if !c.committed[who] && i >= c.uncommitted && (j.Status == market.Assigned || j.Status == market.Executing) {
			c.people[who].Send(commit, 100_000, 5_000)
			c.committed[who] = true
			if !one {
				continue
			}
		}
		if c.committed[who] && !c.revealed[who] && i >= c.uncommitted+c.withheld && (one || j.Status == market.Revealing) {
			c.people[who].Send(reveal, 100_000, 5_000)
			c.revealed[who] = true
		}
	}
}

// How many blocks it takes from that with the submission to that in which the actor goes on with the answer. One runner: 2, since it sends its commitment and
// what it is to together. Committees: the seed of the round two behind that of the submission is known three blocks behind it, in which the committee is drawn;
// then come the block of the commitments, that of the reveals, and that of the answer, whatever the size. Members who do not commit themselves cost the whole
// time of commitments behind the draw, those who withhold a reveal the window of reveals behind the last commitment; and not a block more.
//
// Spec: WP §5.3; runner-marketplace §4.4, §5 (windows), §11 (reveal window).
func TestLatency(t *testing.T) {
	const drawn, timeout = params.SeedAdvanceRounds + 1, params.JobTimeoutBlocks
	for _, c := range []struct {
		name                  string
		size                  int
		uncommitted, withheld int
		want                  unit.Height
	}{
		{"one runner", 1, 0, 0, 2},
		{"a committee of 3", 3, 0, 0, drawn + 3},
		{"a committee of 5", 5, 0, 0, drawn + 3},
		{"a committee of 9", 9, 0, 0, drawn + 3},
		{"of 3 one commits itself to nothing", 3, 1, 0, drawn + timeout + 2},
		{"of 9 three commit themselves to nothing", 9, 3, 0, drawn + timeout + 2},
		{"of 3 one withholds", 3, 0, 1, drawn + 1 + params.RevealWindowBlocks + 1},
		{"of 9 three withhold", 9, 0, 3, drawn + 1 + params.RevealWindowBlocks + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &crew{town: newTown(t), people: map[account.Address]*testkit.Account{}, names: map[account.Address]string{},
				committed: map[account.Address]bool{},
				revealed:  map[account.Address]bool{}, uncommitted: c.uncommitted, withheld: c.withheld}
			for i := range c.size {
				name := fmt.Sprintf("r%d", i)
				one := w.enrol(name)[0]
				w.people[one.Address()], w.names[one.Address()] = one, name
			}
			trust := `.mode("none")`
			if c.size > 1 {
				trust = fmt.Sprintf(`.mode("majority_vote").runners(%d).threshold(%d)`, c.size, (2*c.size+2)/3)
			}
			alice := w.Account("alice")
			actor := alice.Deploy(fmt.Sprintf(waiting, trust), []byte("{}"))
			alice.Fund(actor, 20*unit.CBY)
			alice.Call(actor, "ask", "{}")
			w.Mine() // what actors send comes in the block after
			list, err := market.BySubmitter(w.State(), actor, digest.Hash{}, 0)
			if err != nil || len(list) != 1 {
				t.Fatalf("%v %v", list, err)
			}
			w.id = list[0]
			at := w.find(w.id).Submitted
			for len(w.Storage(actor, "answer")) == 0 && w.Height() < at+500 {
				w.act()
				w.Mine()
				if err := transition.CheckSupply(w.State()); err != nil {
					t.Fatal(err)
				}
			}
			if took := w.Height() - at; took != c.want || len(w.selected) != c.size {
				t.Errorf("%d runners took %d blocks, want %d; %+v", len(w.selected), took, c.want, w.find(w.id))
			}
		})
	}
}
