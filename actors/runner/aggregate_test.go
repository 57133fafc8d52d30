package runner

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	registry "github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// stakeOf is what a seat has at stake.
func (h *hall) stakeOf(s *seat) unit.Amount {
	h.t.Helper()
	r, ok, err := registry.Load(h.overlay, s.state.key.Address())
	if err != nil || !ok {
		h.t.Fatalf("%v %v", ok, err)
	}
	return r.Stake
}

// Five runners agree on what costs 1 CBY, with a tip of 1. A tenth is burned and a hundredth is the treasury's; of the 890,000,000 base units that are left the
// aggregator, if it is among those who revealed, gets a bonus of 15,000,000 first. The rest and the tip are divided: 875,000,000 / 5 + 1,000,000,000 / 5, or,
// where the aggregator is gone, 890,000,000 / 4 + 1,000,000,000 / 4. Whoever does not reveal loses a quarter of its stake of 20,000 CBY.
//
// Spec: runner-marketplace §4.6, §5, §5.2, §8.1; CIP-2 §8.
func TestCommitteeWithAnAggregator(t *testing.T) {
	const all, bonus, four, lost = 375_000_000, 15_000_000, 472_500_000, 5_000 * unit.CBY
	type want struct {
		aggregator, member unit.Amount // what each gets
		slashed            unit.Amount // of the aggregator's stake
		others, own        int         // reveals that the aggregator posts of others, and that each of the others posts itself
		last               int         // the block of the last reveal, from the first in which they are taken
	}
	late := func(blocks unit.Height) func(h *hall, list []*seat) {
		return func(h *hall, list []*seat) { list[0].from = h.opened + blocks }
	}
	for name, c := range map[string]struct {
		meets func(h *hall, list []*seat) // before the first block in which reveals are taken
		job   func(s *job.Spec)
		want  want
	}{
		"posts them all":             {want: want{all + bonus, all, 0, 4, 0, 1}}, // who asks before it has looked asks once more
		"looks four blocks later":    {late(4), nil, want{all + bonus, all, 0, 4, 0, 5}},
		"is slower than it may be":   {late(24), nil, want{all + bonus, all, 0, 0, 1, 24}},
		"dies before it is asked":    {func(h *hall, list []*seat) { h.dies(list[0]) }, nil, want{0, four, lost, 0, 1, 0}},
		"promises and posts nothing": {func(_ *hall, list []*seat) { list[0].silent = true }, nil, want{all + bonus, all, 0, 0, 1, aggregatorBlocks}},
		"takes none":                 {func(_ *hall, list []*seat) { list[0].state.collects = nil }, nil, want{all + bonus, all, 0, 0, 1, 0}},
		"would lose by the third": { // whose bonus is 0.0225 CBY at most, and a reveal costs 0.01
			nil, func(s *job.Spec) { s.MaxPrice = unit.CBY + unit.CBY/2 }, want{all + bonus, all, 0, 2, -1, 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t, 7)
			var edit []func(*job.Spec)
			if c.job != nil {
				edit = append(edit, c.job)
			}
			id := h.ask(edit...)
			list := h.committee(id)
			for h.opened == 0 {
				h.ends()
			}
			if c.meets != nil {
				c.meets(h, list)
			}
			h.settled(id)
			for i, s := range list {
				got, own, others := h.paid(s), s.sent["reveal"], s.sent["other's"]
				wants, posts := c.want.member, c.want.own
				if i == 0 {
					wants, posts = c.want.aggregator, 1
					if wants == 0 {
						posts = 0
					}
				}
				if got != wants || posts >= 0 && own != posts || s.sent["commitment"] != 1 || i > 0 && others != 0 || i == 0 && others != c.want.others {
					t.Errorf("member %d gets %d, want %d; it sends %v, want %d reveals of its own; %v", i, got, wants, s.sent, posts, s.declined)
				}
				if len(s.refused) > 0 {
					t.Errorf("member %d: the chain refuses %q", i, s.refused)
				}
				if has := h.stakeOf(s); i > 0 && has != hallStake || i == 0 && has != hallStake-c.want.slashed {
					t.Errorf("member %d has %d at stake", i, has)
				}
			}
			if last := int(slices.Max(h.shown) - h.opened); last != c.want.last && (c.want.others == 0 || last != c.want.last-1) {
				t.Errorf("the last reveal is in block %d of those that take them, want %d", last, c.want.last)
			}
			if c.want.own < 0 && list[1].sent["reveal"]+list[2].sent["reveal"]+list[3].sent["reveal"]+list[4].sent["reveal"] != 4-c.want.others {
				t.Error("others do not post what the aggregator does not")
			}
		})
	}
}

// paid is what a seat's account has.
func (h *hall) paid(s *seat) unit.Amount {
	h.t.Helper()
	a, err := account.Load(h.overlay, s.state.key.Address())
	h.must(err)
	return a.Balance
}

// Whoever dies when it has handed its reveal over loses nothing: the aggregator posts it, and it is paid.
//
// Spec: CIP-2 §8 (reveal); runner-marketplace §8.1.
func TestDeadMemberIsRevealed(t *testing.T) {
	h := newHall(t, 7)
	id := h.ask()
	list := h.committee(id)
	for list[1].handed[Promised] == 0 {
		h.ends()
	}
	h.dies(list[1])
	h.settled(id)
	if got := h.paid(list[1]); got != 375_000_000 || h.stakeOf(list[1]) != hallStake || list[1].sent["reveal"] != 0 {
		t.Errorf("it gets %d, and sends %v", got, list[1].sent)
	}
}

// An aggregator that is killed, with the power cut, in the block in which it has promised all, and comes back two blocks later, posts what it promised, each
// reveal once, whether it had left or not, or is on its way still; all are paid.
//
// Spec: runner-marketplace §4.6, §5.
func TestKilledAggregator(t *testing.T) {
	for name, late := range map[string]int{"before what it sends leaves": -1, "after it has left": 0, "while it is on its way": 3} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t, 7)
			id := h.ask()
			list := h.committee(id)
			first, key := list[0], list[0].state.key
			var way []sending
			h.between = func() {
				n := 0
				for _, s := range list[1:] {
					n += s.handed[Promised]
				}
				if n < 4 {
					return
				}
				h.between = nil
				h.dies(first)
				if late != 0 {
					way = h.queue
					h.queue = slices.DeleteFunc(slices.Clone(way), func(p sending) bool { return p.by == first })
					way = slices.DeleteFunc(way, func(p sending) bool { return p.by != first })
				}
			}
			for h.between != nil {
				h.ends()
			}
			h.ends()
			h.wakes(first, key)
			if late > 0 {
				for range late {
					h.ends()
				}
				h.queue = append(h.queue, way...)
			}
			h.settled(id)
			for i, s := range list {
				own, want := 0, unit.Amount(375_000_000)
				if i == 0 {
					own, want = 1, want+15_000_000
				}
				if got := h.paid(s); got != want || s.sent["reveal"] != own || len(s.refused) > 0 {
					t.Errorf("member %d gets %d, sends %v; refused: %q", i, got, s.sent, s.refused)
				}
			}
			if got := first.sent["other's"]; got != 4 {
				t.Errorf("it posts %d of others", got)
			}
		})
	}
}

// postsAgain has an aggregator see, twice, that what another handed over is not there long after it was sent; the second time a third is the aggregator, as in
// another attempt. It is sent again the first time.
func (h *hall) postsAgain(by, of, third *seat) {
	h.t.Helper()
	v := h.view(by.state.key.Address(), nil)
	for _, other := range []bool{false, true} {
		for i := range v.Jobs {
			if other {
				v.Jobs[i].Aggregator = third.state.key.Address()
			}
		}
		v.Height += 2 * resendAfter
		by.state.acts = nil
		by.state.polled(v)
		n := 0
		for _, act := range by.state.acts {
			if x, ok := act.(revealing); ok && x.reveal.Runner == of.state.key.Address() {
				n++
			}
		}
		if by.state.acts = nil; (n == 1) == other {
			h.t.Errorf("another is the aggregator: %v; it posts %d", other, n)
		}
	}
}

// What is no reveal of the committee, of this job, or not what was committed to, is not taken; nor is it when reveals are not wanted.
//
// Spec: CIP-2 §8 (verify); runner-marketplace §5.
func TestOffers(t *testing.T) {
	h := newHall(t, 7)
	for _, s := range h.seats { // order-free: each by itself
		s.from = h.Height + 1_000
	}
	id := h.ask()
	list := h.committee(id)
	for i, s := range list {
		if i != 2 { // which does not commit itself yet
			s.from = 0
		}
	}
	ask := func(by *seat, change func(o *offer)) (Reply, string) {
		e := by.state.open[id]
		if e == nil || e.result == nil {
			t.Fatal("no result")
		}
		reveal := *e.result
		reveal.Runner = by.state.key.Address()
		o := &offer{id, &reveal, unit.CBY / 100}
		change(o)
		return list[0].state.offered(o)
	}
	nothing := func(*offer) {}
	for list[1].state.open[id] == nil || list[1].state.open[id].result == nil {
		h.ends()
	}
	if says, why := ask(list[1], nothing); says != Early || list[0].state.hurried {
		t.Errorf("before it has seen the commitment: %v, %q", says, why)
	}
	list[0].state.polled(h.view(list[0].state.key.Address(), list[0].state.known()))
	if says, why := ask(list[1], nothing); says != Early || !list[0].state.hurried {
		t.Errorf("before reveals are taken: %v, %q", says, why)
	}
	h.performs(list[0])
	list[2].from = 0
	for h.opened == 0 {
		h.ends()
	}
	list[0].state.polled(h.view(list[0].state.key.Address(), list[0].state.known()))
	h.performs(list[0])
	var outsider *seat
	for _, s := range h.seats { // order-free: there are two, and either will do
		if !slices.Contains(list, s) {
			outsider = s
		}
	}
	for _, c := range []struct {
		name   string
		change func(o *offer)
		want   string
	}{
		{"another job", func(o *offer) { o.id[0]++ }, "no such job"},
		{"nobody of the committee", func(o *offer) { o.reveal.Runner = outsider.state.key.Address() }, "not of the committee"},
		{"itself", func(o *offer) { o.reveal.Runner = list[0].state.key.Address() }, "not of the committee"},
		{"another's", func(o *offer) { o.reveal.Runner = list[2].state.key.Address() }, "commit"},
		{"another output", func(o *offer) { o.reveal.Output = append([]byte(nil), o.reveal.Output[1:]...) }, "commit"},
		{"another signature", func(o *offer) {
			made := verify.Sign(outsider.state.key, id, o.reveal.Output)
			o.reveal.Proof, o.reveal.Salt = made.Proof, made.Salt
		}, "commit"},
		{"dear", func(o *offer) { o.cost = unit.CBY/1_000*150 + 1 }, "bonus"},
		{"dearer than anything", func(o *offer) { o.cost = ^unit.Amount(0) }, "bonus"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if says, why := ask(list[1], c.change); says != Declined || !strings.Contains(why, c.want) {
				t.Errorf("%v, %q", says, why)
			}
		})
	}
	if n := len(list[0].state.open[id].others); n != 0 {
		t.Errorf("%d are kept", n)
	}
	for range 2 {
		if says, why := ask(list[1], nothing); says != Promised {
			t.Errorf("what is right: %v, %q", says, why)
		}
	}
	if n := len(list[0].state.acts); n != 1 {
		t.Errorf("it is sent %d times", n)
	}
	h.postsAgain(list[0], list[1], list[2])
	if says, why := list[2].state.offered(&offer{id, list[1].state.open[id].result, 0}); says != Declined || !strings.Contains(why, "another is") {
		t.Errorf("who is not the aggregator: %v, %q", says, why)
	}
}

// A runner whose journal is gone has said on the chain what it cannot reveal, once, in the second half of the time for it: it keeps its stake, is not paid, and
// the others are. One that has its journal says nothing of the kind.
//
// Spec: runner-marketplace §3 (97), §8.1.
func TestLostJournalIsExcused(t *testing.T) {
	for name, lost := range map[string]bool{"lost": true, "kept": false} {
		t.Run(name, func(t *testing.T) {
			h := newHall(t, 7)
			id := h.ask()
			list := h.committee(id)
			for h.opened == 0 {
				h.ends()
			}
			s, key := list[1], list[1].state.key
			h.dies(s)
			if lost {
				s.disk = disk.NewMemory()
				h.must(MakeJournal(s.disk, key.Address(), genesis))
			}
			h.wakes(s, key)
			for h.Height < h.opened+excuseBlocks {
				h.ends()
			}
			early := s.sent["Other"]
			h.settled(id)
			said, slashed, paid := 0, unit.Amount(0), unit.Amount(375_000_000)
			if lost {
				said, paid = 1, 0
			}
			if early != 0 || s.sent["Other"] != said || h.stakeOf(s) != hallStake-slashed || h.paid(s) != paid || len(s.refused) > 0 {
				t.Errorf("it sends %v, %d early, has %d at stake, gets %d; refused: %q", s.sent, early, h.stakeOf(s), h.paid(s), s.refused)
			}
			for _, other := range list[2:] {
				if got := h.paid(other); lost != (got == 472_500_000-15_000_000/4) || other.sent["Other"] != 0 {
					t.Errorf("another gets %d, and sends %v", got, other.sent)
				}
			}
		})
	}
}

// A reveal with evidence that the chain does not take, however often it is sent, is excused as evidence that was lost; one that was sent just now, and one that
// needs no evidence, is not.
//
// Spec: runner-marketplace §8.1 (TEEAttestationLost).
func TestLostEvidence(t *testing.T) {
	for _, c := range []struct {
		name     string
		required bool
		first    uint64 // the block, of the sixty, in which it is sent first
		want     string
	}{
		{"sent again and again", true, 0, "30 TEEAttestationLost"},
		{"sent late", true, 40, "50 TEEAttestationLost"},
		{"sent at the end", true, 55, ""},
		{"without evidence", false, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			key := newKey(t)
			spec := &job.Spec{
				ID: theSpec, Kind: job.HTTP, HTTP: &job.HTTPJob{URL: "http://example.org/", Method: "GET"}, Schema: job.ResultSchema{MaxReturnBytes: 9},
				Bounds:        job.ResourceBounds{MaxInputTokens: 1, MaxOutputTokens: 1, MaxWallTimeSeconds: 60, MaxMemoryMB: 64},
				TimeoutBlocks: 100, Verification: job.Verification{TEERequired: c.required},
			}
			d := &state{book: newBook(), key: key, fleet: []string{"http"}, maxOpen: 2}
			d.polled(View{Height: 100, Jobs: []Assignment{{ID: spec.ID, Spec: spec.Append(nil), Stage: Working, Deadline: 150}}})
			d.finished(&done{id: spec.ID, body: (&verify.Output{Timestamp: 1}).Append(nil)}, 1)
			made := d.open[spec.ID].result
			a := Assignment{
				ID: spec.ID, Spec: spec.Append(nil), Stage: Revealing, Deadline: 260, Committed: true, Commitment: verify.Commitment(made.Output, made.Salt),
			}
			got := ""
			for height := 200 + c.first; height <= 260; height++ {
				d.acts = nil
				d.polled(View{Height: height, Jobs: []Assignment{a}})
				for _, act := range d.acts {
					if x, ok := act.(crashing); ok {
						got += fmt.Sprint(" ", height-200, " ", x.signal)
						a.Crashed = true
					}
				}
			}
			if strings.TrimSpace(got) != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// theSpec is the identity of a job of the tests.
var theSpec = digest.SHA256([]byte("a job"))

// Whatever dies, comes back, is slow, promises and does nothing, or loses what it sends, until fifteen blocks before the end of the time for reveals: what was
// committed to is revealed, nobody loses stake, nobody says it has crashed, and what the chain refuses is what it has already.
//
// Spec: runner-marketplace §2.7, §4.6, §5, §8.1.
func TestAnyWeather(t *testing.T) {
	deaths, handed, posted := 0, 0, 0
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			draw := rand.New(rand.NewPCG(seed, 17))
			h := newHall(t, 7)
			id := h.ask()
			list := h.committee(id)
			keys := make([]*sig.PrivateKey, len(list))
			for i, s := range list {
				keys[i] = s.state.key
			}
			calm := false
			h.between = func() {
				h.queue = slices.DeleteFunc(h.queue, func(p sending) bool { return !calm && draw.IntN(6) == 0 })
			}
			for blocks := 0; ; blocks++ {
				j, err := market.Load(h.overlay, id)
				h.must(err)
				if j.Status > market.Revealing || blocks > 400 {
					break
				}
				calm = j.Status == market.Revealing && h.Height+15 > j.Deadline
				for i, s := range list {
					switch {
					case s.dead && (calm || draw.IntN(4) == 0):
						h.wakes(s, keys[i])
					case calm:
						s.from, s.silent = 0, false
					case s.dead:
					case draw.IntN(20) == 0:
						h.dies(s)
						deaths++
					case draw.IntN(12) == 0:
						s.from = h.Height + unit.Height(draw.IntN(12))
					case draw.IntN(12) == 0:
						s.silent = !s.silent
					}
				}
				h.ends()
			}
			j, err := market.Load(h.overlay, id)
			h.must(err)
			if j.Status != market.Challengeable && j.Status != market.Failed || j.Revealed != j.Committed {
				t.Errorf("%v, %q: %d committed, %d revealed", j.Status, j.Reason, j.Committed, j.Revealed)
			}
			for i, s := range list {
				handed, posted = handed+s.handed[Promised], posted+s.sent["other's"]
				if h.stakeOf(s) != hallStake || s.sent["Other"] > 0 {
					t.Errorf("member %d has %d at stake, and sends %v", i, h.stakeOf(s), s.sent)
				}
				for _, why := range s.refused {
					if !strings.Contains(why, "already") && !strings.Contains(why, "over") && !strings.Contains(why, "status") {
						t.Errorf("member %d: the chain refuses %q", i, why)
					}
				}
			}
		})
	}
	t.Logf("%d deaths, %d reveals handed over and %d posted by aggregators", deaths, handed, posted)
	if deaths < 40 || handed < 40 || posted < 40 {
		t.Errorf("%d deaths, %d reveals handed over and %d posted by aggregators", deaths, handed, posted)
	}
}
