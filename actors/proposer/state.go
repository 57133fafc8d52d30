package proposer

import (
	"cmp"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// work is the proposal in progress.
type work struct {
	proposal replica.Proposal
	params   *params.Params
	fees     params.Basefees
	limits   block.Limits
	offers   []tx.Verified
	heard    [params.LaneCount]bool
	how      choice
	trial    *tx.Verified // the one transaction the block is made for; nil: it is made for all
	token    *executor.CancelToken
	building bool
	empty    bool // built without transactions, after a build that was refused
	broken   int  // builds in which a transaction broke the machine
}

// round names the work: a replica asks once per round.
func (w *work) round() sig.Round { return w.proposal.Header.Round() }

// begin reads what the parent state says about the block. stake.ErrProposerJailed: this validator is jailed and proposes nothing. Any other error is
// a failing state source.
//
// Spec: WP "Slashing"; governance-staking part E (a jailed validator does not propose).
func begin(p replica.Proposal) (*work, error) {
	reader := p.Parent.State.Overlay()
	governed, err := params.Load(reader)
	if err != nil {
		return nil, err
	}
	if err := bar(reader, governed, &p.Header); err != nil {
		return nil, err
	}
	fees, err := fee.LoadBasefees(reader)
	if err != nil {
		return nil, err
	}
	terms, err := timer.LoadTerms(reader, governed, fees, p.Header.Height)
	if err != nil {
		return nil, err
	}
	demand, _, err := terms.Demand(reader, params.LaneTimerCycles)
	if err != nil {
		return nil, err
	}
	limits, err := block.NewLimits(governed, fees, demand)
	if err != nil {
		return nil, err
	}
	return &work{proposal: p, params: governed, fees: fees, limits: limits}, nil
}

func bar(overlay *state.Overlay, governed *params.Params, h *block.Header) error {
	staked, err := stake.Exists(overlay)
	if err != nil || !staked {
		return err
	}
	g := &stake.Registry{State: overlay, Chain: sig.NewNamespace(h.ChainID), Params: governed, Height: h.Height}
	return g.CheckProposer(h.ProposerIndex)
}

// share is how much a lane is asked for: its own budget, and for User also all that the others may leave.
//
// Spec: WP §6.3, §17.9.
func (w *work) share(l params.Lane) unit.Cycles {
	if l != params.LaneUser {
		return w.limits.Budgets[l]
	}
	var all unit.Cycles
	for _, b := range w.limits.Budgets {
		all += b
	}
	return all
}

// answered takes a lane's answer and reports whether all have answered.
func (w *work) answered(l params.Lane, txs []tx.Verified) (complete bool) {
	if w.heard[l] || w.building {
		return false
	}
	w.heard[l] = true
	w.offers = append(w.offers, txs...)
	return !slices.Contains(w.heard[:], false)
}

// choose selects the transactions of the block. An error is a failing state source.
//
// Spec: WP §6.3, §6.4.
func (w *work) choose(c *experience) ([]tx.Verified, error) {
	candidates, err := executable(w.offers, w.proposal.Parent.State, w.params, w.fees, w.proposal.Header.Height)
	if err != nil {
		return nil, err
	}
	now := w.proposal.Header.Height
	if w.how == single {
		if one := block.Select(c.trial(candidates, now), w.limits); len(one) > 0 {
			w.trial = &one[0]
			return one, nil
		}
	}
	candidates = slices.DeleteFunc(candidates, func(v tx.Verified) bool { return c.suspect(v, now) })
	return block.Select(candidates, w.limits), nil
}

// blame gives the transaction of the block that broke the machine, and takes it out of what is offered; nil: none did.
func (w *work) blame(failed error) *tx.Verified {
	var e *executor.Evidence
	if !errors.As(failed, &e) || e.Turn == nil || e.Turn.Kind != block.Transaction {
		return nil
	}
	i := slices.IndexFunc(w.offers, func(v tx.Verified) bool { return v.Hash() == e.Turn.ID })
	if i < 0 {
		return nil
	}
	v := w.offers[i]
	w.offers = slices.Delete(w.offers, i, i+1)
	w.broken++
	return &v
}

// executable keeps of each sender the chain of nonces that begins with the account's next, as far as each transaction passes the
// checks against the parent state and the balance covers them all together. A payer that several name covers them all together too.
//
// Spec: WP §2.2, §2.3; entitlement-extras §5 (UseOwnerBalance).
func executable(offers []tx.Verified, parent state.Reader, p *params.Params, fees params.Basefees, at unit.Height) ([]tx.Verified, error) {
	sorted := slices.Clone(offers)
	slices.SortFunc(sorted, func(a, b tx.Verified) int {
		if c := a.Tx().From.Compare(b.Tx().From); c != 0 {
			return c
		}
		return cmp.Compare(a.Tx().Nonce, b.Tx().Nonce)
	})
	kept := make([]tx.Verified, 0, len(sorted))
	var from *account.Address
	var next uint64
	var blocked bool
	purses := newPurses(parent, p, fees, at)
	for _, v := range sorted {
		if from == nil || *from != v.Tx().From {
			sender, err := purses.of(v.Tx().From)
			if err != nil {
				return nil, err
			}
			from, next, blocked = &v.Tx().From, sender.Nonce, false
		}
		if blocked || v.Tx().Nonce < next {
			continue
		}
		paid, err := false, error(nil)
		if v.Tx().Nonce == next {
			paid, err = purses.pay(v)
		}
		if err != nil {
			return nil, err
		}
		if blocked = !paid; blocked {
			continue
		}
		next++
		kept = append(kept, v)
	}
	return kept, nil
}

// payable narrows what a lane is to offer to what can be paid for at the parent state, as executable does: what waits and cannot be paid would otherwise take
// the place of what can. Nonces are left to executable, since a sender's transactions may stand in several lanes. The result is for one lane.
//
// Spec: WP §2.3, §6.4.
func (w *work) payable(take func(tx.Verified) bool) func(tx.Verified) (bool, error) {
	purses := newPurses(w.proposal.Parent.State, w.params, w.fees, w.proposal.Header.Height)
	return func(v tx.Verified) (bool, error) {
		if take != nil && !take(v) {
			return false, nil
		}
		return purses.pay(v)
	}
}

// purses are accounts of the parent state with what is left of them: those of senders, and those whom transactions name to pay their fees.
type purses struct {
	parent  state.Reader
	params  *params.Params
	fees    params.Basefees
	at      unit.Height
	senders map[account.Address]account.Account
	payers  map[account.Address]account.Account
	cards   map[account.Address]*bank.Purse // nil for a payer that is no card
}

func newPurses(parent state.Reader, p *params.Params, fees params.Basefees, at unit.Height) *purses {
	return &purses{
		parent, p, fees, at, map[account.Address]account.Account{}, map[account.Address]account.Account{}, map[account.Address]*bank.Purse{},
	}
}

// of is a sender with what is left of its balance.
func (p *purses) of(who account.Address) (sender account.Account, err error) {
	sender, known := p.senders[who]
	if !known {
		if sender, err = account.Load(p.parent, who); err == nil {
			p.senders[who] = sender
		}
	}
	return sender, err
}

// pay takes what a transaction reserves from what its sender has left, its payer where it names one, or reports that it may not be in a block, whatever its
// nonce.
func (p *purses) pay(v tx.Verified) (paid bool, err error) {
	sender, err := p.of(v.Tx().From)
	if err != nil {
		return false, err
	}
	sender.Nonce = v.Tx().Nonce
	if v.Admit(&sender, p.params, p.fees) != nil {
		return false, nil
	}
	cost := v.MaxCost()
	if owner, named := v.Tx().Payer(); named {
		if covered, err := p.reserve(v, owner); err != nil || !covered {
			return false, err
		}
		cost = tx.ValueOf(v.Tx().Instruction)
	}
	if err := sender.Debit(cost); err != nil {
		return false, err // Admit has checked that it is covered
	}
	p.senders[v.Tx().From] = sender
	return true, nil
}

// reserve takes the fees of a transaction from what its payer has left, or reports that it may not.
func (p *purses) reserve(v tx.Verified, owner account.Address) (covered bool, err error) {
	card, known := p.cards[owner]
	if !known {
		card, err = v.Purse(p.parent, p.at)
		if _, refused := tx.ClassOf(err); refused {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		p.cards[owner] = card
	}
	if card != nil {
		lane, err := p.params.Lanes.Scale(p.fees, v.Lane())
		if err == nil {
			err = v.Reserve(card, p.at, lane)
		}
		if _, refused := tx.ClassOf(err); refused {
			return false, nil
		}
		return err == nil, err
	}
	return p.reserveBalance(v, owner)
}

// reserveBalance takes the fees of a transaction from what a payer has left that is no card.
func (p *purses) reserveBalance(v tx.Verified, owner account.Address) (covered bool, err error) {
	payer, known := p.payers[owner]
	if !known {
		if payer, err = account.Load(p.parent, owner); err != nil {
			return false, err
		}
	}
	err = v.Covered(p.parent, p.at, &payer)
	if _, refused := tx.ClassOf(err); refused {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	fee, err := v.Tx().MaxFee()
	if err != nil {
		return false, err
	}
	if err := payer.Debit(fee); err != nil {
		return false, err // Covered has checked that it is covered
	}
	p.payers[owner] = payer
	return true, nil
}

// permanent lists those of the refused transactions that no later state makes valid by itself.
func permanent(refused []transition.Refusal) []digest.Hash {
	var list []digest.Hash
	for _, r := range refused {
		if errors.Is(r.Reason, tx.ErrSender) || errors.Is(r.Reason, tx.ErrNotPrivileged) {
			list = append(list, r.Tx.Hash())
		}
	}
	return list
}
