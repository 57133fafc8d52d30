package govern

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// relays is the Relay Registry as governance sees it.
type relays struct {
	state state.Store
	block *drain.Block
	emit  func(block.Event)
}

// CanDrain implements govern.Relays.
func (r *relays) CanDrain(node digest.Hash) error {
	owner, err := relay.OwnerOf(r.state, node)
	if err != nil {
		return err
	}
	one, err := relay.Load(r.state, owner)
	if err == nil && one.Status >= relay.Unstaking {
		err = relay.ErrStatus
	}
	return err
}

// Drain implements govern.Relays.
func (r *relays) Drain(node digest.Hash) error {
	terms, err := relay.LoadTerms(r.state)
	if err != nil {
		return err
	}
	g := &relay.Registry{State: r.state, Terms: terms, Height: r.block.Height, TimeMs: r.block.TimestampMs, Emit: func(topic string, data []byte) {
		r.emit(block.Event{Actor: relay.Home(), Topic: []byte(topic), Data: data})
	}}
	return g.DrainNode(node)
}

// drainRelay proposes that a relay drains, and returns the proposal's number, eight bytes big-endian.
//
// Spec: storage-cbfs §3.2 (85).
func (g *groups) drainRelay(e *chapter.Env, in *tx.SubmitDrainRelayProposal) ([]byte, error) {
	return g.propose(e, 1, in.Description, in.VotingBlocks, &govern.DrainRelay{Node: in.Node})
}

// drainPolicy proposes when relays drain by themselves.
//
// Spec: storage-cbfs §3.2 (86).
func (g *groups) drainPolicy(e *chapter.Env, in *tx.SubmitAutoDrainPolicyProposal) ([]byte, error) {
	terms := relay.Terms{Policy: relay.Policy{
		Enabled: in.Enabled, HighWaterBPS: in.HighWaterBPS, OverEpochs: in.OverEpochs, StaleEpochs: in.StaleEpochs, StaleMs: in.StaleMs,
		MinStake: in.MinStake, BondBase: in.BondBase, BondPerGiB: in.BondPerGiB, WindowMs: in.WindowMs,
	}}
	update := &govern.ParamUpdate{Key: relay.KeyPolicy, Value: terms.Encode(relay.KeyPolicy)}
	return g.propose(e, g.chapters[relay.KeyPolicy].Tier, in.Description, in.VotingBlocks, update)
}

// propose takes the tier's deposit from the sender and opens the proposal.
//
// Spec: governance-staking B4; storage-cbfs §3.2 (per governance rules).
func (g *groups) propose(e *chapter.Env, tier uint8, description digest.Hash, blocks uint64, p govern.Payload) ([]byte, error) {
	deposit := e.Block.Params.Governance.Tiers[tier].Deposit
	if err := e.Bill(e.Sender); err != nil {
		return nil, err
	}
	a, err := account.Load(e.State, e.Sender)
	if err != nil {
		return nil, err
	}
	if free := e.Block.Rent.Spendable(e.Sender, &a); free < deposit {
		return nil, chapter.Refuse(drain.FaultValue, "a proposal of tier %d takes a deposit of %d, and %d can be spent", tier, deposit, free)
	}
	if err := account.Move(e.State, e.Sender, account.System(account.Governance), deposit); err != nil {
		var short *account.ShortfallError
		if errors.As(err, &short) {
			err = chapter.Refuse(drain.FaultValue, "a proposal of tier %d takes a deposit of %d", tier, deposit)
		}
		return nil, err
	}
	var id uint64
	err = g.run(e, func(h *govern.Registry) (err error) {
		id, err = h.Submit(e.Sender, govern.Submission{
			Tier: tier, Title: description, Payload: govern.EncodePayload(p), Deposit: unit.Amount(deposit), Blocks: blocks,
		})
		return err
	})
	return codec.AppendU64(nil, id), err
}
