package bank

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Tokens moves and mints tokens, with whatever the token registry does beside that.
type Tokens interface {
	Transfer(by account.Address, id token.ID, to account.Address, amount unit.Uint128) error
	Mint(by account.Address, id token.ID, to account.Address, amount unit.Uint128) error
}

// Registry changes banks and cards in a state.
type Registry struct {
	State   state.Store
	ChainID uint64
	Height  unit.Height
	// Governs reports whether an address is governance's.
	Governs func(account.Address) bool
	// Receives gives an error for an address that may not keep coins.
	Receives  func(account.Address) error
	Tokens    Tokens
	Recoverer sig.Recoverer
	// Emit takes the events, in the order they happen.
	Emit func(topic string, data []byte)
}

// operated reads a bank that by operates. Governance operates what its own address does.
func (g *Registry) operated(by account.Address, id uint32) (Entry, error) {
	b, err := Load(g.State, id)
	if err != nil {
		return b, err
	}
	if by != b.Operator && !(b.Operator == account.System(account.Governance) && g.Governs(by)) {
		return b, ErrOperator
	}
	return b, nil
}

// directed is operated, for governance too.
func (g *Registry) directed(by account.Address, id uint32) (Entry, error) {
	if g.Governs(by) {
		return Load(g.State, id)
	}
	return g.operated(by, id)
}

func nobody(a account.Address) bool { return a.IsReserved() }

// Register makes a bank and gives its number. That the sender is governance's is its row's to say.
//
// Spec: gateway-payments-streams §G.2 (216).
func (g *Registry) Register(name []byte, operator account.Address, signer *account.Address) (uint32, error) {
	if err := CheckName(name); err != nil {
		return 0, err
	}
	if operator.IsZero() || signer != nil && nobody(*signer) {
		return 0, ErrTerms
	}
	id, err := Next(g.State)
	if err != nil {
		return 0, err
	}
	if id == ^uint32(0) {
		return 0, ErrTerms
	}
	state.SetNumber(g.State, at(bankSequence), uint64(id)+1)
	save(g.State, &Entry{ID: id, Name: string(name), Operator: operator, Signer: signer, Registered: g.Height})
	g.Emit(TopicRegistered, append(codec.AppendBytes(codec.AppendUint(nil, uint64(id)), name), operator[:]...))
	return id, nil
}

// Pause stops what a bank does for its cards: charges, deposits, vouchers, new cards. Withdrawals go on.
//
// Spec: gateway-payments-streams §G.2 (208).
func (g *Registry) Pause(by account.Address, id uint32) error {
	b, err := g.operated(by, id)
	if err == nil && b.Status == Paused {
		err = ErrPaused
	}
	if err != nil {
		return err
	}
	return g.setStatus(b, Paused, TopicPaused)
}

// Unpause undoes Pause.
//
// Spec: gateway-payments-streams §G.2 (209).
func (g *Registry) Unpause(by account.Address, id uint32) error {
	b, err := g.operated(by, id)
	if err == nil && b.Status == Active {
		err = ErrNotPaused
	}
	if err != nil {
		return err
	}
	return g.setStatus(b, Active, TopicUnpaused)
}

func (g *Registry) setStatus(b Entry, status Status, topic string) error {
	b.Status = status
	save(g.State, &b)
	g.Emit(topic, codec.AppendUint(nil, uint64(b.ID)))
	return nil
}

// SetOperator hands a bank to another operator, by its operator or by governance.
//
// Spec: gateway-payments-streams §G.2 (SetBankOperator).
func (g *Registry) SetOperator(by account.Address, id uint32, operator account.Address) error {
	b, err := g.directed(by, id)
	if err != nil {
		return err
	}
	if operator.IsZero() {
		return ErrTerms
	}
	b.Operator = operator
	save(g.State, &b)
	g.Emit(TopicOperator, append(codec.AppendUint(nil, uint64(id)), operator[:]...))
	return nil
}

// SetSigner replaces a bank's signer of fiat vouchers, by its operator or by governance; nil: it takes no vouchers.
//
// Spec: gateway-payments-streams §G.2 (SetBankFiatMintSigner; governance must be able to replace a signer).
func (g *Registry) SetSigner(by account.Address, id uint32, signer *account.Address) error {
	b, err := g.directed(by, id)
	if err != nil {
		return err
	}
	if signer != nil && nobody(*signer) {
		return ErrTerms
	}
	b.Signer = signer
	save(g.State, &b)
	g.Emit(TopicSigner, appendOption(codec.AppendUint(nil, uint64(id)), signer))
	return nil
}

// SettleProvider pays somebody who provides a bank with what it sells, out of what the bank owns.
//
// Spec: gateway-payments-streams §G.2 (211).
func (g *Registry) SettleProvider(by account.Address, id uint32, provider account.Address, what *token.ID, amount unit.Uint128) error {
	b, err := g.operated(by, id)
	if err != nil {
		return err
	}
	if amount.IsZero() {
		return ErrAmount
	}
	if err := g.pay(ReserveOf(b.ID), provider, what, amount); err != nil {
		return err
	}
	g.Emit(TopicProviderPaid, amount.AppendBig(appendToken(append(codec.AppendUint(nil, uint64(id)), provider[:]...), what)))
	return nil
}

// pay moves money to somebody who is to have it.
func (g *Registry) pay(from, to account.Address, what *token.ID, amount unit.Uint128) error {
	if nobody(to) {
		return ErrTerms
	}
	if what == nil {
		if err := g.Receives(to); err != nil {
			return err
		}
	}
	return g.move(from, to, what, amount)
}

// move moves coins, or units of a token.
func (g *Registry) move(from, to account.Address, what *token.ID, amount unit.Uint128) error {
	if what != nil {
		return g.Tokens.Transfer(from, *what, to, amount)
	}
	if amount.Hi != 0 {
		return ErrAmount
	}
	err := account.Move(g.State, from, to, unit.Amount(amount.Lo))
	var short *account.ShortfallError
	if errors.As(err, &short) {
		return ErrFunds
	}
	return err
}

// Redeem credits a card with what a voucher says that somebody paid the bank's signer. Units of a token are minted, by the authority of the bank's address;
// coins come out of what the bank owns.
//
// Spec: gateway-payments-streams §G.2 (210).
func (g *Registry) Redeem(v Voucher, signature sig.Signature) error {
	b, err := Load(g.State, v.Bank)
	if err != nil {
		return err
	}
	if b.Status != Active {
		return ErrPaused
	}
	c, err := LoadCard(g.State, v.Card)
	if err != nil {
		return err
	}
	if c.Status == CardClosed {
		return ErrClosed
	}
	if v.Amount.IsZero() {
		return ErrAmount
	}
	if c.Bank != v.Bank || b.Signer == nil || g.Height > v.Expires || len(v.Reference) > MaxReferenceBytes {
		return ErrVoucher
	}
	signer, err := g.Recoverer.Recover(v.Digest(g.ChainID), signature)
	if err != nil || signer != *b.Signer {
		return ErrVoucher
	}
	used := at(underVoucher, bankKey(v.Bank)[account.KeyHeader+len(underBank):], v.ID[:])
	if _, found, err := g.State.Lookup(used); err != nil {
		return err
	} else if found {
		return ErrUsed
	}
	state.SetNumber(g.State, used, uint64(g.Height))
	if v.Token == nil {
		err = g.move(ReserveOf(v.Bank), v.Card, nil, v.Amount)
	} else {
		err = g.Tokens.Mint(ReserveOf(v.Bank), *v.Token, v.Card, v.Amount)
	}
	if err != nil {
		return err
	}
	data := v.Amount.AppendBig(appendToken(append(v.Card[:len(v.Card):len(v.Card)], v.ID[:]...), v.Token))
	g.Emit(TopicMinted, codec.AppendBytes(data, v.Reference))
	return nil
}
