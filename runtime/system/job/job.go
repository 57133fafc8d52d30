package job

import (
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// Topics of the events of 0x09 that announce a change of parameters. Spec: governance-staking B9.
const (
	TopicReputation        = "reputation_config.updated"
	TopicSlashDistribution = "slash_distribution.updated"
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
)

// New gives the chapter: the scripted runners of developers' networks, and the registry of real ones.
//
// Spec: WP §9; runner-marketplace §3.
func New() *chapter.Chapter {
	c := dispatcher.New()
	scripts := c.End
	c.End = func(b *chapter.Boundary) error {
		if err := scripts(b); err != nil {
			return err
		}
		return release(b)
	}
	c.Instructions = append(c.Instructions, registrations()...)
	c.Instructions = append(c.Instructions, settings()...)
	c.Faults = append(c.Faults, faults()...)
	c.Claims = append(c.Claims, runner.Claims(string(tx.ChapterJob))...)
	return c
}

// faults are the rejects of package runner.
func faults() []chapter.Fault {
	return []chapter.Fault{
		{Err: runner.ErrUnknown, Code: FaultUnknown},
		{Err: runner.ErrKey, Code: FaultKey},
		{Err: runner.ErrDeclaration, Code: FaultDeclaration},
		{Err: runner.ErrStake, Code: FaultStake},
		{Err: runner.ErrCooldown, Code: FaultCooldown},
		{Err: runner.ErrLeaving, Code: FaultLeaving},
		{Err: runner.ErrSuspended, Code: FaultSuspended},
	}
}

// registry is the registry as a turn sees it. Its events are in the price of what causes them.
func registry(e *chapter.Env) *runner.Registry {
	return &runner.Registry{State: e.State, Params: e.Block.Params, Height: e.Block.Height, Emit: func(topic string, data []byte) {
		e.Effects.Events = append(e.Effects.Events, event(topic, data))
	}}
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
		on(func(e *chapter.Env, _ *tx.Deregister) error { return registry(e).Deregister(e.Sender) }),
	}
}

// settings are the instructions that replace parameters of the chapter.
//
// Spec: runner-marketplace §3 (94, 96); WP §13.1.
func settings() []chapter.Instruction {
	return []chapter.Instruction{
		on(func(e *chapter.Env, in *tx.UpdateReputationConfig) error {
			return e.Configure(params.KeyReputation, in.Config.Append(nil), TopicReputation)
		}),
		on(func(e *chapter.Env, in *tx.UpdateSlashDistribution) error {
			return e.Configure(params.KeySlashDistribution, in.Config.Append(nil), TopicSlashDistribution)
		}),
	}
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
