package govern_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// change is a group of the registry with the tier of the document, and a value that is not the genesis's.
type change struct {
	tier  uint64
	key   string
	value []byte
}

// registryChanges are all groups of the table of WP §13.1, in its order, and the keys that B9 leaves to "any other".
func registryChanges() []change {
	g := params.Genesis()
	g.Basefee.CycleTarget--
	g.Lanes.User = 2_000_000
	g.Timer.MaxTimersPerActor++
	g.Rent.CatchupBPS = 900
	g.Limits.MaxMessageDepth = 31
	g.Hybrid.MaxCyclesPerFire--
	g.Stake.MinimumValidatorStake++
	g.Governance.RetryHours = 25
	g.Entitlements.WindowBlocks++
	return []change{
		{3, "system:settlement_config", params.Split{RunnerBPS: 8_800, BurnBPS: 1_000, TreasuryBPS: 200}.Append(nil)},
		{0, "system:basefee_config", g.Basefee.Append(nil)},
		{0, "system:lane_fee_multipliers", g.Lanes.Append(nil)},
		{0, "system:timer_config", g.Timer.Append(nil)},
		{0, "system:cip4:rent_config", g.Rent.Append(nil)},
		{0, "system:cip2:reputation_config", params.ReputationConfig{HalfLifeBlocks: 1_209_601, AggregatorPercentile: 51}.Append(nil)},
		{0, "system:cip2:aggregator_config", params.AggregatorConfig{BonusBPS: 151}.Append(nil)},
		{3, "system:cip2:slash_distribution", params.SlashSplit{BurnBPS: 9_000, SubmitterBPS: 500, TreasuryBPS: 500}.Append(nil)},
		{0, "system:cip2:non_reveal_config", params.NonRevealConfig{SlashBPS: 2_501}.Append(nil)},
		{0, "system:cip2:committee_config", params.CommitteeConfig{Members: 7, Threshold: 4}.Append(nil)},
		{0, "system:cip2:semantic_similarity_embedding_model", codec.AppendBytes(nil, []byte("another"))},
		{0, "system:gov:param:stake", g.Stake.Append(nil)},
		{1, "system:gov:param:limits", g.Limits.Append(nil)},
		{1, "system:gov:param:entitlements", g.Entitlements.Append(nil)},
		{3, "system:gov:param:timer_hybrid", g.Hybrid.Append(nil)},
		{4, "system:gov:param:governance", g.Governance.Append(nil)},
	}
}

// Everything of the registry is changed by proposals on a developers' network, tier by tier: what is of a higher tier is refused below it, bytes that are no
// value are refused, each change is read from the block after it, has its history and raises config_version by one, and each deposit comes back whole.
//
// Spec: WP §13.1; governance-staking B3, B4 (deposit), B9, part E.
func TestEveryParameterByProposal(t *testing.T) {
	c := newChain(t)
	all := registryChanges()
	for _, x := range all {
		if x.tier > 0 {
			c.refused(c.rich, c.motion(x.tier-1, &govern.ParamUpdate{Key: x.key, Value: x.value}), 1205)
		}
		c.refused(c.rich, c.motion(x.tier, &govern.ParamUpdate{Key: x.key, Value: append(x.value, 0)}), 1202)
	}
	deposits := []unit.Amount{1_000 * unit.CBY, 5_000 * unit.CBY, 5_000 * unit.CBY, 25_000 * unit.CBY, 100_000 * unit.CBY}
	executed := uint64(0)
	for tier := range uint64(len(deposits)) {
		var opened []change
		first := executed + 1
		for _, x := range all {
			if x.tier != tier {
				continue
			}
			r := c.must(c.rich, c.motion(tier, &govern.ParamUpdate{Key: x.key, Value: x.value}))
			if r.Value != deposits[tier] {
				t.Errorf("tier %d: %s takes %d, want %d", tier, x.key, r.Value, deposits[tier])
			}
			opened = append(opened, x)
		}
		for range 2 { // the check and the vote
			for i := range opened {
				c.must(c.validator, &tx.CastVote{Proposal: first + uint64(i)})
			}
			if n := uint64(len(opened)); n > 0 {
				c.AdvanceTo(c.proposal(first + n - 1).Deadline)
			}
		}
		for i, x := range opened {
			id := first + uint64(i)
			c.AdvanceTo(max(c.Height(), c.proposal(id).ExecutableAt-1))
			held, err := govern.Escrow(c.State())
			if err != nil {
				t.Fatal(err)
			}
			c.must(c.validator, &tx.ExecuteProposal{Proposal: id})
			executed++
			left, err := govern.Escrow(c.State())
			if err != nil || held-left != deposits[tier] || c.proposal(id).Status != govern.Executed {
				t.Errorf("%s: %v, %d came back: %v", x.key, c.proposal(id).Status, held-left, err)
			}
			if value, ok, err := c.State().Lookup(params.StateKey(x.key)); !ok || err != nil || string(value) != string(x.value) {
				t.Errorf("%s is %x, want %x: %v", x.key, value, x.value, err)
			}
			if n, err := params.Version(c.State()); err != nil || n != executed {
				t.Errorf("config_version %d, want %d: %v", n, executed, err)
			}
			entries := 0
			err = params.History(c.State(), x.key, 0, 9, func(h params.Change) bool {
				entries++
				return h.By == nine && h.Height == c.Height()
			})
			if err != nil || entries != 1 {
				t.Errorf("%s: %d entries of history, %v", x.key, entries, err)
			}
		}
	}
	if executed != uint64(len(all)) {
		t.Errorf("%d of %d were executed", executed, len(all))
	}
	p, err := params.Load(c.State())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, x := range all {
		want[x.key] = string(x.value)
	}
	for _, g := range p.Groups() {
		if g.Key == params.KeyAdministrators {
			continue // a local network's; the other groups of tier 4 stand for it
		}
		if want[g.Key] != string(g.Value) {
			t.Errorf("%s was not changed", g.Key)
		}
		delete(want, g.Key)
	}
	if len(want) != 0 {
		t.Errorf("no block reads %v", want)
	}
}

// Each exit of a proposal moves its deposit as the document says: back where it reached the vote, whatever became of it; burned where the check fails and
// where it is withdrawn.
//
// Spec: governance-staking B4 (deposit), part E (deposit accounting in each exit).
func TestDepositInEachExit(t *testing.T) {
	const deposit = 1_000 * unit.CBY
	value := params.Genesis().Lanes.Append(nil)
	vote := func(c *chain, choice uint64) {
		c.must(c.validator, &tx.CastVote{Proposal: 1, Choice: choice})
		c.AdvanceTo(c.proposal(1).Deadline)
	}
	queued := func(c *chain) { vote(c, 0); vote(c, 0) }
	for name, x := range map[string]struct {
		exit func(c *chain)
		want govern.Status
		back bool
	}{
		"the check fails":            {func(c *chain) { vote(c, 1) }, govern.Rejected, false},
		"nobody takes part":          {func(c *chain) { c.AdvanceTo(c.proposal(1).Deadline) }, govern.Rejected, false},
		"the vote fails":             {func(c *chain) { vote(c, 0); vote(c, 1) }, govern.Rejected, true},
		"withdrawn during the check": {func(c *chain) { c.must(c.rich, &tx.WithdrawProposal{Proposal: 1}) }, govern.Withdrawn, false},
		"withdrawn during the vote":  {func(c *chain) { vote(c, 0); c.must(c.rich, &tx.WithdrawProposal{Proposal: 1}) }, govern.Withdrawn, false},
		"withdrawn from the queue":   {func(c *chain) { queued(c); c.must(c.rich, &tx.WithdrawProposal{Proposal: 1}) }, govern.Withdrawn, false},
		"executed": {func(c *chain) {
			queued(c)
			c.AdvanceTo(c.proposal(1).ExecutableAt - 1)
			c.must(c.validator, &tx.ExecuteProposal{Proposal: 1})
		}, govern.Executed, true},
		"nobody executes it": {func(c *chain) { queued(c); c.AdvanceTo(c.proposal(1).RetryUntil) }, govern.ExecutionFailed, true},
		"cancelled": {func(c *chain) {
			queued(c)
			nonce, joined := c.signed(govern.CancelAct(1))
			c.must(c.validator, &tx.CouncilAct{Proposal: 1, Nonce: nonce, Signatures: joined})
		}, govern.Cancelled, true},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChain(t)
			poor := c.Account("proposer")
			c.rich.Transfer(poor.Address(), 3_000*unit.CBY)
			c.must(poor, c.motion(0, &govern.ParamUpdate{Key: params.KeyLanes, Value: value}))
			if held, err := govern.Escrow(c.State()); err != nil || held != deposit {
				t.Fatalf("%d is held, %v", held, err)
			}
			c.rich = poor
			before, paid := c.Balance(poor.Address()), unit.Amount(0)
			seen := len(c.Blocks())
			x.exit(c)
			burned := unit.Amount(0)
			for _, b := range c.Blocks()[seen:] {
				burned += b.Flows.Of(flow.Burned, "deposits")
				for _, r := range b.Receipts {
					if r.Kind == block.Transaction && r.Sender == poor.Address() {
						paid += r.FeeBurned + r.FeeTipped
					}
				}
			}
			got := c.Balance(poor.Address()) + paid - before
			held, err := govern.Escrow(c.State())
			if err != nil || held != 0 || c.proposal(1).Status != x.want {
				t.Errorf("%v, %d is held, %v", c.proposal(1).Status, held, err)
			}
			if x.back && (got != deposit || burned != 0) || !x.back && (got != 0 || burned != deposit) {
				t.Errorf("%d came back and %d was burned", got, burned)
			}
		})
	}
}
