package rpc

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/attendant"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The registry as the interface shows it: an epoch of 20 blocks past its midpoint, with one leaving.
//
// Spec: WP "Validator Set"; governance-staking A1; commonware §4.3.
func TestRegistryIsShown(t *testing.T) {
	spec, err := genesis.Devnet(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	spec.EpochBlocks = 20
	first, err := ledger.Genesis(spec, state.Config{}, state.NewMemory(state.Config{}))
	if err != nil {
		t.Fatal(err)
	}
	o := first.State.Overlay()
	p, err := params.Load(o)
	if err != nil {
		t.Fatal(err)
	}
	g := &stake.Registry{State: o, Chain: sig.NewNamespace(1), Params: p, Height: 1}
	leaver := spec.Validators[2].Address
	if err := g.Exit(leaver, nil); err != nil {
		t.Fatal(err)
	}
	for ; g.Height <= 10; g.Height++ {
		if _, err := g.EndBlock(&block.Header{Height: g.Height}); err != nil {
			t.Fatal(err)
		}
	}
	view, err := o.Commit(10)
	if err != nil {
		t.Fatal(err)
	}
	n := &Node{ChainID: 1, Duties: func() attendant.Status { return attendant.Status{Epoch: 1, Dealer: true, Silent: 3} }}
	r := &registry{height: 10, view: view, calendar: p.Calendar}
	if r.set, err = stake.SetAt(view, 0); err != nil {
		t.Fatal(err)
	}
	if r.next, r.closed, err = stake.Next(view); err != nil || !r.closed || len(r.next) != 3 {
		t.Fatalf("a list of %d, %v", len(r.next), err)
	}
	e, err := n.epoch(r)
	if err != nil || e.Number != 0 || e.First != 0 || e.Midpoint != 10 || e.Last != 19 || e.Members != 4 || e.Quorum != 3 ||
		e.Weight != 4*uint64(genesis.DevnetStake) || e.KeySince != 0 || len(e.GroupKey) != 96 {
		t.Errorf("epoch %+v, %v", e, err)
	}
	if c := e.Ceremony; c == nil || c.Epoch != 1 || c.Dealers != 4 || c.Players != 3 || c.Required != 3 || c.Logs != 0 || c.Node == nil || !c.Node.Dealer ||
		c.Node.Silent != 3 {
		t.Errorf("ceremony %+v", c)
	}
	all, err := stake.All(view, account.Address{}, 3)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d records, %v", len(all), err)
	}
	rest, err := stake.All(view, all[2].Address, 3)
	if err != nil || len(rest) != 1 {
		t.Fatalf("%d records after the third, %v", len(rest), err)
	}
	shown := 0
	for _, x := range append(all, rest...) {
		v := r.validator(x)
		left := x.Address == leaver
		if v.Listed == left || (v.Status == "exiting") != left || v.Rank == nil || *v.Weight != uint64(100_000*unit.CBY) || v.Stake != *v.Weight {
			t.Errorf("%+v", v)
		}
		if owner, ok, err := stake.Owner(view, x.Key); err != nil || !ok || owner != x.Address {
			t.Errorf("the key of %v belongs to %v, %v", x.Address, owner, err)
		}
		shown++
	}
	if shown != 4 {
		t.Errorf("%d validators", shown)
	}
}

// Participation is the chain's count of votes beside whom the answering node is connected to; ranks of another epoch tell nothing.
//
// Spec: WP "Slashing" (> 50 % of votes over 1,000 blocks).
func TestParticipationIsShown(t *testing.T) {
	spec, err := genesis.Devnet(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	first, err := ledger.Genesis(spec, state.Config{}, state.NewMemory(state.Config{}))
	if err != nil {
		t.Fatal(err)
	}
	o := first.State.Overlay()
	p, err := params.Load(o)
	if err != nil {
		t.Fatal(err)
	}
	g := &stake.Registry{State: o, Chain: sig.NewNamespace(1), Params: p, Height: 2}
	votes := sig.NewSigners(4)
	for _, rank := range []int{0, 1, 3} {
		votes.Add(rank)
	}
	for ; g.Height <= 40; g.Height++ {
		h := &block.Header{Height: g.Height, ParentView: uint64(g.Height - 1), ParentVotes: &sig.Votes{Signers: votes}}
		if err := g.CountVotes(h); err != nil {
			t.Fatal(err)
		}
	}
	view, err := o.Commit(40)
	if err != nil {
		t.Fatal(err)
	}
	at := replica.Status{Validators: 4, Rank: 1, Leader: 3, Met: []replica.Met{{Rank: 0}, {Rank: 3}}}
	n := &Node{Agreement: func() replica.Status { return at }}
	r := &registry{height: 40, view: view, calendar: p.Calendar}
	if r.set, err = stake.SetAt(view, 0); err != nil {
		t.Fatal(err)
	}
	list, err := n.participation(r)
	if err != nil || len(list) != 4 {
		t.Fatal(list, err)
	}
	for rank, x := range list { // of the blocks 1 to 8 the ballots are closed
		missed, last := 0, uint64(39)
		if rank == 2 {
			missed, last = 8, 0
		}
		if x.Missed != missed || x.Counted != 8 || x.Lately != missed || x.Recent != 8 || x.Last != last || x.Most != 500 {
			t.Errorf("rank %d: %+v", rank, x)
		}
		if x.Self != (rank == 1) || x.Leads != (rank == 3) || (x.Connected == nil) != x.Self || !x.Self && *x.Connected == (rank == 2) {
			t.Errorf("rank %d: %+v", rank, x)
		}
	}
	past, err := turnoutIn(view, 0, 0, 40)
	if err != nil || len(past.Members) != 4 || past.Members[2].Missed != 8 || past.Members[2].Counted != 8 || past.Members[1].Missed != 0 ||
		past.Members[2].Address != r.set.Members[2].Address.String() {
		t.Errorf("the epoch as one that is over: %+v, %v", past, err)
	}
	if _, err := turnoutIn(view, 7, 0, 40); err != errNoRegistry {
		t.Errorf("an epoch that is not there: %v", err)
	}
	at.Round.Epoch = 1
	if list, err = n.participation(r); err != nil || list[0].Connected != nil || list[3].Leads || list[2].Missed != 8 {
		t.Errorf("of another epoch: %+v, %v", list, err)
	}
}
