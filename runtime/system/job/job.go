package job

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/model"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verifier"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/system/container"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
	systemtee "github.com/cowboyinc/cowboy-go/runtime/system/tee"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// Topics of the events of 0x09 that announce a change of parameters. Spec: governance-staking B9.
const (
	TopicReputation        = "reputation_config.updated"
	TopicSlashDistribution = "slash_distribution.updated"
	TopicCommittee         = "committee_config.updated"
	TopicPinned            = "executor_registry.pinned"   // the executor
	TopicUnpinned          = "executor_registry.unpinned" // nothing
)

// The codes of faults about runners; 1604 and 1610 are those of public clients.
//
// Spec: sdk §18; runner-marketplace §12.
const (
	FaultUnknown     uint16 = 1601
	FaultKey         uint16 = 1602
	FaultDeclaration uint16 = 1603
	FaultStake       uint16 = 1605
	FaultCooldown    uint16 = 1606
	FaultLeaving     uint16 = 1607
	FaultSuspended   uint16 = 1608
	FaultDelegation  uint16 = 1611 // governance has not switched it on, or the runner does not take it
	FaultAmount      uint16 = 1612
	FaultFull        uint16 = 1613
	FaultSelfBond    uint16 = 1614
	FaultTranche     uint16 = 1615
	FaultModel       uint16 = 1616
)

// The codes of faults about jobs.
//
// Spec: sdk §18; runner-marketplace §12.
const (
	FaultSpec        uint16 = 1620
	FaultNoRunners   uint16 = 1621
	FaultPool        uint16 = 1622
	FaultNoJob       uint16 = 1623
	FaultStatus      uint16 = 1624
	FaultSubmitter   uint16 = 1625
	FaultSelected    uint16 = 1626
	FaultCommitted   uint16 = 1627
	FaultUncommitted uint16 = 1628
	FaultRevealed    uint16 = 1629
	FaultLate        uint16 = 1630
	FaultMismatch    uint16 = 1631
	FaultCandidates  uint16 = 1632
	FaultMarket      uint16 = 1633
)

// New gives the chapter: the scripted runners of developers' networks, and the registry of real ones.
//
// Spec: WP §9; runner-marketplace §3.
func New() *chapter.Chapter {
	c := dispatcher.New(offer)
	scripts := c.End
	c.End = func(b *chapter.Boundary) error {
		for _, part := range [...]func(*chapter.Boundary) error{scripts, due, release} {
			if err := part(b); err != nil {
				return err
			}
		}
		return nil
	}
	c.Escrow = market.Escrow
	c.Instructions = append(c.Instructions, registrations()...)
	c.Instructions = append(c.Instructions, jobs()...)
	c.Instructions = append(c.Instructions, settings()...)
	c.Instructions = append(c.Instructions, results()...)
	c.Instructions = append(c.Instructions, delegations()...)
	c.Instructions = append(c.Instructions, models()...)
	c.Handlers = append(c.Handlers, challenges(), rulings(), attestations())
	c.Faults = append(append(append(c.Faults, faults()...), verdicts()...), slices.Concat(container.Faults(), systemtee.Faults(), systemvolume.Faults())...)
	for _, claims := range [...]func(string) []account.Claim{runner.Claims, market.Claims, verifier.Claims, model.Claims} {
		c.Claims = append(c.Claims, claims(string(tx.ChapterJob))...)
	}
	c.Params = append(c.Params, delegation, affinity, marks, bands())
	return c
}

// faults are the rejects of packages runner, job, market and model.
func faults() []chapter.Fault {
	return []chapter.Fault{
		{Err: runner.ErrUnknown, Code: FaultUnknown},
		{Err: runner.ErrKey, Code: FaultKey},
		{Err: runner.ErrDeclaration, Code: FaultDeclaration},
		{Err: entitle.ErrAttestation, Code: FaultDeclaration},
		{Err: runner.ErrSignature, Code: FaultSignature},
		{Err: runner.ErrStake, Code: FaultStake},
		{Err: runner.ErrCooldown, Code: FaultCooldown},
		{Err: runner.ErrLeaving, Code: FaultLeaving},
		{Err: runner.ErrSuspended, Code: FaultSuspended},
		{Err: job.ErrSpec, Code: FaultSpec},
		{Err: market.ErrNoRunners, Code: FaultNoRunners},
		{Err: market.ErrPool, Code: FaultPool},
		{Err: market.ErrUnknown, Code: FaultNoJob},
		{Err: market.ErrStatus, Code: FaultStatus},
		{Err: market.ErrSubmitter, Code: FaultSubmitter},
		{Err: market.ErrSelected, Code: FaultSelected},
		{Err: market.ErrCommitted, Code: FaultCommitted},
		{Err: market.ErrUncommitted, Code: FaultUncommitted},
		{Err: market.ErrRevealed, Code: FaultRevealed},
		{Err: market.ErrLate, Code: FaultLate},
		{Err: market.ErrMismatch, Code: FaultMismatch},
		{Err: market.ErrCandidates, Code: FaultCandidates},
		{Err: market.ErrMarket, Code: FaultMarket},
		{Err: runner.ErrDormant, Code: FaultDelegation},
		{Err: runner.ErrNotAccepted, Code: FaultDelegation},
		{Err: runner.ErrTerms, Code: FaultDeclaration},
		{Err: runner.ErrTermsCooldown, Code: FaultCooldown},
		{Err: runner.ErrAmount, Code: FaultAmount},
		{Err: runner.ErrDelegationFull, Code: FaultFull},
		{Err: runner.ErrSelfBond, Code: FaultSelfBond},
		{Err: runner.ErrTranche, Code: FaultTranche},
		{Err: model.ErrPublished, Code: FaultModel},
		{Err: model.ErrUnknown, Code: FaultModel},
		{Err: model.ErrPublisher, Code: FaultModel},
		{Err: model.ErrMarks, Code: FaultModel},
		{Err: model.ErrBanned, Code: FaultModel},
	}
}

// registry is the registry as a turn sees it. Its events are in the price of what causes them; a slash pays for each tranche it looks at.
func registry(e *chapter.Env) *runner.Registry {
	return &runner.Registry{
		State: e.State, Params: e.Block.Params, Height: e.Block.Height,
		Emit: func(topic string, data []byte) { e.Effects.Events = append(e.Effects.Events, event(topic, data)) },
		Index: func(entries int) error {
			return e.Charge(unit.Cycles(entries)*params.CostAbility, unit.Cells(entries)*params.AbilityCells)
		},
		Look: func(tranches int) error { return e.Charge(unit.Cycles(tranches)*params.CostSlashTranche, 0) },
	}
}

// registrations are the instructions of 0x01.
//
// Spec: runner-marketplace §3 (2 to 5).
func registrations() []chapter.Instruction {
	return []chapter.Instruction{
		on(func(e *chapter.Env, in *tx.RunnerRegister) error {
			return registry(e).Register(e.Sender, runner.Terms{
				Key: in.PublicKey, Stake: in.Stake, Card: in.RateCard, Capabilities: in.Capabilities, Endpoint: string(in.Endpoint),
				Measurement: in.MeasurementBinding,
			})
		}),
		on(func(e *chapter.Env, in *tx.UpdateRateCard) error {
			written, err := declared(e)
			if err != nil {
				return err
			}
			if err := e.Charge(0, written); err != nil {
				return err
			}
			return registry(e).UpdateCard(e.Sender, in.RateCard)
		}),
		on(func(e *chapter.Env, in *tx.Heartbeat) error { return registry(e).Heartbeat(e.Sender, in.Accepting) }),
		on(func(e *chapter.Env, _ *tx.Deregister) error {
			t, err := runner.LoadTotals(e.State, e.Sender)
			if err != nil {
				return err
			}
			if err := unbonds(e, int(t.Tranches)); err != nil {
				return err
			}
			return registry(e).Deregister(e.Sender)
		}),
	}
}

// settings are the instructions that replace parameters of the chapter.
//
// Spec: runner-marketplace §2.2, §3 (87, 88, 94, 96, 99); WP §13.1.
func settings() []chapter.Instruction {
	return []chapter.Instruction{
		on(func(e *chapter.Env, in *tx.UpdateReputationConfig) error {
			return e.Configure(params.KeyReputation, in.Config.Append(nil), TopicReputation)
		}),
		on(func(e *chapter.Env, in *tx.UpdateSlashDistribution) error {
			return e.Configure(params.KeySlashDistribution, in.Config.Append(nil), TopicSlashDistribution)
		}),
		on(func(e *chapter.Env, in *tx.UpdateCommitteeConfig) error {
			return e.Configure(params.KeyCommittee, in.Config.Append(nil), TopicCommittee)
		}),
		on(func(e *chapter.Env, in *tx.ExecutorRegistryPin) error {
			return e.Configure(params.KeyExecutorPrefix+string(in.Name), in.Executor[:], TopicPinned)
		}),
		on(func(e *chapter.Env, in *tx.ExecutorRegistryUnpin) error {
			key := params.KeyExecutorPrefix + string(in.Name)
			if err := e.Configure(key, nil, TopicUnpinned); err != nil {
				return err
			}
			e.State.Delete(params.StateKey(key))
			return nil
		}),
	}
}

// bands are the prices that governance takes for ordinary ones.
//
// Spec: WP-January "Anti-Gaming Measures"; governance-staking B3.
func bands() chapter.Param {
	all := runner.AllPrices()
	return chapter.Param{Key: runner.KeyBands, Default: all.Encode(), Tier: 1, Check: runner.CheckBands}
}

// on makes an instruction that returns nothing.
func on[T tx.Instruction](run func(e *chapter.Env, in T) error) chapter.Instruction {
	return chapter.On(func(e *chapter.Env, in T) ([]byte, error) { return nil, run(e, in) })
}

// release pays out the stakes that are due.
//
// Spec: runner-marketplace §7.
func release(b *chapter.Boundary) error {
	g := &runner.Registry{State: b.State, Params: b.Block.Params, Height: b.Block.Height, Emit: func(topic string, data []byte) {
		b.Events = append(b.Events, event(topic, data))
	}}
	return g.Release()
}

// event is one of 0x01.
func event(topic string, data []byte) block.Event {
	return block.Event{Actor: runner.Home(), Topic: []byte(topic), Data: data}
}

// declared is what writing the sender's declaration costs, a cell for each byte; nothing where there is none.
//
// Spec: WP §17.4.
func declared(e *chapter.Env) (unit.Cells, error) {
	size, err := runner.DeclarationSize(e.State, e.Sender)
	return unit.Cells(size), err
}
