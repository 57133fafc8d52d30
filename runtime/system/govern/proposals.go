package govern

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// registry is governance as a block sees it.
func (g *groups) registry(b *drain.Block, s state.Store, bill func(account.Address) error) *govern.Registry {
	h := &govern.Registry{
		State: s, ChainID: b.ChainID, Config: &b.Params.Governance, Height: b.Height, Recoverer: sig.Default(), Group: g.of(b), Bill: bill,
	}
	h.Relays = &relays{s, b, func(one block.Event) { h.Events = append(h.Events, one) }}
	return h
}

// run lets a rule of governance run for a turn; what it announces and burns goes into the outcome.
func (g *groups) run(e *chapter.Env, rule func(h *govern.Registry) error) error {
	h := g.registry(e.Block, e.State, e.Bill)
	h.Tx = e.Turn.TxHash
	err := rule(h)
	e.Effects.Events = append(e.Effects.Events, h.Events...)
	e.Effects.Burn(flow.Deposits, h.Burned)
	return err
}

// checks counts signatures against what a block may check. Their price is paid before the turn.
//
// Spec: WP §3.5, §17.3.
func checks(e *chapter.Env, signatures []sig.Signature) error {
	weight := uint32(len(signatures)) * params.VerifyWeightSecp256k1
	if e.Turn.Checked+e.Effects.Checked+weight > params.VerifyWeightPerBlock {
		return chapter.Refuse(drain.FaultLimit, "this block has checked as many signatures as one may")
	}
	e.Effects.Checked += weight
	return nil
}

// submit opens a proposal and returns its number, eight bytes big-endian.
//
// Spec: governance-staking B4, B6, B10 (45).
func (g *groups) submit(e *chapter.Env, in *tx.SubmitProposal) ([]byte, error) {
	signatures := tx.Signatures(in.Signatures)
	if err := checks(e, signatures); err != nil {
		return nil, err
	}
	var id uint64
	err := g.run(e, func(h *govern.Registry) (err error) {
		tier := uint8(min(in.Tier, params.GovernanceTiers))
		id, err = h.Submit(e.Sender, govern.Submission{Tier: tier, Title: in.Title, Payload: in.Payload, Deposit: in.Deposit, Signatures: signatures})
		return err
	})
	return codec.AppendU64(nil, id), err
}

// Spec: governance-staking B5, B10 (46).
func (g *groups) vote(e *chapter.Env, in *tx.CastVote) ([]byte, error) {
	return nil, g.run(e, func(h *govern.Registry) error { return h.CastVote(e.Sender, in.Proposal, govern.Choice(in.Choice)) })
}

// Spec: governance-staking B5, B10 (47).
func (g *groups) execute(e *chapter.Env, in *tx.ExecuteProposal) ([]byte, error) {
	return nil, g.run(e, func(h *govern.Registry) error { return h.Execute(in.Proposal) })
}

// Spec: governance-staking B4 (deposit).
func (g *groups) withdraw(e *chapter.Env, in *tx.WithdrawProposal) ([]byte, error) {
	return nil, g.run(e, func(h *govern.Registry) error { return h.Withdraw(e.Sender, in.Proposal) })
}

// council lets the Security Council act.
//
// Spec: governance-staking B2, B7.
func (g *groups) council(e *chapter.Env, in *tx.CouncilAct) ([]byte, error) {
	signatures := tx.Signatures(in.Signatures)
	if err := checks(e, signatures); err != nil {
		return nil, err
	}
	return nil, g.run(e, func(h *govern.Registry) error {
		if in.Act == tx.ActPause {
			return h.Pause(in.Actor, in.Nonce, signatures)
		}
		return h.Cancel(in.Proposal, in.Nonce, signatures)
	})
}

// end decides what fell due.
//
// Spec: governance-staking B5, B7.
func (g *groups) end(b *chapter.Boundary) error {
	h := g.registry(b.Block, b.State, b.Bill)
	err := h.Close()
	b.Burn(flow.Deposits, h.Burned)
	b.Events = h.Events
	return err
}

// faults are the rejects of package chain/govern. A deposit that its payer lacks is refused before the turn.
func faults() []chapter.Fault {
	var list []chapter.Fault
	for _, f := range [...]struct {
		class error
		code  uint16
	}{
		{govern.ErrPayload, drain.FaultInput},
		{govern.ErrTier, drain.FaultForbidden},
		{govern.ErrFast, drain.FaultForbidden},
		{govern.ErrDeposit, drain.FaultValue},
		{govern.ErrOpen, drain.FaultLimit},
		{govern.ErrNoProposal, drain.FaultMissing},
		{govern.ErrStatus, drain.FaultForbidden},
		{govern.ErrClosed, drain.FaultForbidden},
		{govern.ErrLate, drain.FaultForbidden},
		{govern.ErrSame, drain.FaultExists},
		{govern.ErrWeight, drain.FaultPermission},
		{govern.ErrChoice, drain.FaultInput},
		{govern.ErrTimelock, drain.FaultForbidden},
		{govern.ErrProposer, drain.FaultPermission},
		{govern.ErrNoCouncil, drain.FaultMissing},
		{govern.ErrNonce, drain.FaultInput},
		{govern.ErrSignatures, drain.FaultPermission},
		{govern.ErrTarget, drain.FaultForbidden},
		{govern.ErrCode, drain.FaultLimit},
		{govern.ErrFull, drain.FaultLimit},
	} {
		list = append(list, chapter.Fault{Err: f.class, Code: f.code})
	}
	return list
}
