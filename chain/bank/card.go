package bank

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Terms are what a card is issued with.
type Terms struct {
	Bank    uint32
	Agent   account.Address
	Expires *unit.Height
	Token   *token.ID // what it pays in; nil: coins
	Policy  Policy
}

// Issue makes a card of owner's and gives its address.
//
// Rejects: ErrBank, ErrPaused, ErrTerms, ErrExpired, ErrPolicy, ErrToken.
//
// Spec: gateway-payments-streams §G.2 (200, 212).
func (g *Registry) Issue(owner account.Address, t Terms) (account.Address, error) {
	b, err := Load(g.State, t.Bank)
	if err != nil {
		return account.Address{}, err
	}
	switch {
	case b.Status != Active:
		return account.Address{}, ErrPaused
	case nobody(t.Agent):
		return account.Address{}, ErrTerms
	case t.Expires != nil && *t.Expires <= g.Height:
		return account.Address{}, ErrExpired
	}
	if err := t.Policy.Check(); err != nil {
		return account.Address{}, err
	}
	if err := g.payable(t.Token); err != nil {
		return account.Address{}, err
	}
	nonce, err := IssueNonce(g.State, owner)
	if err != nil {
		return account.Address{}, err
	}
	state.SetNumber(g.State, at(underNonce, owner[:]), nonce+1)
	c := Card{
		Address: AddressOf(t.Bank, owner, t.Agent, nonce), Bank: t.Bank, Owner: owner, Agent: t.Agent, Nonce: nonce,
		Created: g.Height, Renewed: g.Height, Expires: t.Expires, Token: t.Token, Policy: t.Policy,
	}
	c.save(g.State)
	g.State.Set(at(underOwner, owner[:], c.Address[:]), []byte{})
	g.State.Set(at(underAgent, t.Agent[:], c.Address[:]), []byte{})
	data := codec.AppendUint(append([]byte(nil), c.Address[:]...), uint64(t.Bank))
	g.Emit(TopicIssued, append(append(data, owner[:]...), t.Agent[:]...))
	return c.Address, nil
}

// payable refuses a token that no card may pay in.
//
// Spec: gateway-payments-streams §G.2 (200: token Native or whitelisted).
func (g *Registry) payable(id *token.ID) error {
	if id == nil {
		return nil
	}
	if _, err := LoadPeg(g.State, *id); err != nil {
		return err
	}
	t, err := token.Load(g.State, *id)
	if err == nil && (t == nil || t.Hook != nil) {
		err = ErrToken
	}
	return err
}

// owned reads a card of by's.
func (g *Registry) owned(by, addr account.Address) (Card, error) {
	c, err := LoadCard(g.State, addr)
	if err == nil && c.Owner != by {
		err = ErrOwner
	}
	return c, err
}

// Deposit puts money of by's on a card, in what it pays in.
//
// Spec: gateway-payments-streams §G.2 (201), §G.4.
func (g *Registry) Deposit(by, addr account.Address, amount unit.Uint128) error {
	c, err := LoadCard(g.State, addr)
	if err != nil {
		return err
	}
	b, err := Load(g.State, c.Bank)
	if err != nil {
		return err
	}
	switch {
	case b.Status != Active:
		return ErrPaused
	case c.Status == CardClosed:
		return ErrClosed
	case amount.IsZero():
		return ErrAmount
	}
	if err := g.move(by, addr, c.Token, amount); err != nil {
		return err
	}
	g.Emit(TopicDeposited, moved(addr, by, c.Token, amount))
	return nil
}

// Withdraw takes money off a card: what it pays in, or anything else that lies there.
//
// Spec: gateway-payments-streams §G.2 (202), §G.4.
func (g *Registry) Withdraw(by, addr, to account.Address, what *token.ID, amount unit.Uint128) error {
	c, err := g.owned(by, addr)
	if err != nil {
		return err
	}
	switch {
	case c.Status == CardFrozen:
		return ErrFrozen
	case amount.IsZero():
		return ErrAmount
	case to == addr:
		return ErrTerms
	}
	if err := g.pay(addr, to, what, amount); err != nil {
		return err
	}
	g.Emit(TopicWithdrawn, moved(addr, to, what, amount))
	return nil
}

// Close ends a card for good and hands over what it holds of coins and of what it pays in.
//
// Spec: gateway-payments-streams §G.2 (203), §G.4.
func (g *Registry) Close(by, addr, refundTo account.Address) error {
	c, err := g.owned(by, addr)
	if err != nil {
		return err
	}
	if err := c.mustBe(g.Height, CardActive, CardExpired); err != nil {
		return err
	}
	if is, err := g.isDefault(&c); err != nil {
		return err
	} else if is {
		return ErrDefault
	}
	if nobody(refundTo) || refundTo == addr {
		return ErrTerms
	}
	c.Status = CardClosed
	c.save(g.State)
	a, err := account.Load(g.State, addr)
	if err != nil {
		return err
	}
	if a.Balance > 0 {
		if err := g.pay(addr, refundTo, nil, unit.Wide(uint64(a.Balance))); err != nil {
			return err
		}
	}
	if c.Token != nil {
		held, err := token.Balance(g.State, *c.Token, addr)
		if err != nil {
			return err
		}
		if !held.IsZero() {
			if err := g.pay(addr, refundTo, c.Token, held); err != nil {
				return err
			}
		}
	}
	g.Emit(TopicClosed, append(addr[:len(addr):len(addr)], refundTo[:]...))
	return nil
}

func (g *Registry) isDefault(c *Card) (bool, error) {
	now, ok, err := Default(g.State, c.Agent)
	return ok && now == c.Address, err
}

// SetDefault makes a card the one that pays for its agent where nothing else is said, by the agent or the card's owner; nil: none does.
//
// Spec: gateway-payments-streams §G.2 (204), §G.4.
func (g *Registry) SetDefault(by, agent account.Address, card *account.Address) error {
	if card == nil {
		return g.unsetDefault(by, agent)
	}
	c, err := LoadCard(g.State, *card)
	if err != nil {
		return err
	}
	if by != agent && by != c.Owner || c.Agent != agent {
		return ErrAgent
	}
	if err := c.mustBe(g.Height, CardActive); err != nil {
		return err
	}
	g.State.Set(at(underDefault, agent[:]), append([]byte(nil), card[:]...))
	g.Emit(TopicDefault, appendOption(agent[:len(agent):len(agent)], card))
	return nil
}

func (g *Registry) unsetDefault(by, agent account.Address) error {
	now, ok, err := Default(g.State, agent)
	if err != nil {
		return err
	}
	if !ok {
		return ErrCard
	}
	c, err := LoadCard(g.State, now)
	if err != nil {
		return err
	}
	if by != agent && by != c.Owner {
		return ErrAgent
	}
	g.State.Delete(at(underDefault, agent[:]))
	g.Emit(TopicDefault, appendOption(agent[:len(agent):len(agent)], nil))
	return nil
}

// changeable reads a card of by's that is not closed.
func (g *Registry) changeable(by, addr account.Address) (Card, error) {
	c, err := g.owned(by, addr)
	if err == nil && c.Status == CardClosed {
		err = ErrClosed
	}
	return c, err
}

// SetPolicy says anew what a card may be used for.
//
// Spec: gateway-payments-streams §G.2 (205), §G.4.
func (g *Registry) SetPolicy(by, addr account.Address, p Policy) error {
	c, err := g.changeable(by, addr)
	if err != nil {
		return err
	}
	if c.Policy.LockedAfterTransfer && c.Owner == c.Agent {
		return ErrLocked
	}
	if err := p.Check(); err != nil {
		return err
	}
	c.Policy = p
	c.save(g.State)
	g.Emit(TopicPolicy, p.Append(append([]byte(nil), addr[:]...)))
	return nil
}

// TransferOwnership hands a card to another owner; locked has an agent that comes to own it leave its policy alone. Whoever may not change the policy may
// not hand the card to somebody who may.
//
// Spec: gateway-payments-streams §G.2 (TransferOwnership), §G.4.
func (g *Registry) TransferOwnership(by, addr, owner account.Address, locked bool) error {
	c, err := g.changeable(by, addr)
	if err != nil {
		return err
	}
	if c.Policy.LockedAfterTransfer && c.Owner == c.Agent {
		return ErrLocked
	}
	if nobody(owner) || owner == addr {
		return ErrTerms
	}
	g.State.Delete(at(underOwner, by[:], addr[:]))
	g.State.Set(at(underOwner, owner[:], addr[:]), []byte{})
	c.Owner, c.Policy.LockedAfterTransfer = owner, c.Policy.LockedAfterTransfer || locked
	c.save(g.State)
	g.Emit(TopicTransferred, codec.AppendBool(append(addr[:len(addr):len(addr)], owner[:]...), c.Policy.LockedAfterTransfer))
	return nil
}

// Renew gives a card another expiry, nil for none.
//
// Spec: gateway-payments-streams §G.2 (RenewCard), §G.4.
func (g *Registry) Renew(by, addr account.Address, expires *unit.Height) error {
	c, err := g.changeable(by, addr)
	if err != nil {
		return err
	}
	if expires != nil && *expires <= g.Height {
		return ErrExpired
	}
	c.Expires, c.Renewed = expires, g.Height
	c.save(g.State)
	g.Emit(TopicRenewed, codec.AppendOptionUint(append([]byte(nil), addr[:]...), (*uint64)(expires)))
	return nil
}

// operatedCard reads a card of a bank that by operates.
func (g *Registry) operatedCard(by, addr account.Address) (Card, error) {
	c, err := LoadCard(g.State, addr)
	if err == nil {
		_, err = g.operated(by, c.Bank)
	}
	return c, err
}

// Freeze stops a card until Unfreeze.
//
// Spec: gateway-payments-streams §G.2 (206), §G.4.
func (g *Registry) Freeze(by, addr account.Address, reason []byte) error {
	c, err := g.operatedCard(by, addr)
	if err != nil {
		return err
	}
	if len(reason) > MaxReasonBytes {
		return ErrTerms
	}
	if err := c.mustBe(g.Height, CardActive, CardExpired); err != nil {
		return err
	}
	c.Status = CardFrozen
	c.save(g.State)
	g.Emit(TopicFrozen, codec.AppendBytes(append([]byte(nil), addr[:]...), reason))
	return nil
}

// Unfreeze undoes Freeze. A card past its expiry is expired then.
//
// Spec: gateway-payments-streams §G.2 (207), §G.4.
func (g *Registry) Unfreeze(by, addr account.Address) error {
	c, err := g.operatedCard(by, addr)
	if err != nil {
		return err
	}
	if c.Status == CardClosed {
		return ErrClosed
	}
	if c.Status != CardFrozen {
		return ErrNotFrozen
	}
	c.Status = CardActive
	c.save(g.State)
	g.Emit(TopicUnfrozen, append([]byte(nil), addr[:]...))
	return nil
}
