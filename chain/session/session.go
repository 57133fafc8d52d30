package session

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Topics of the events, all of 0x0C. The data of each begins with the session's identity; numbers are UInt.
const (
	TopicOpened    = "session.opened"    // payer(20) ‖ runner(20) ‖ deposit ‖ last block before it expires
	TopicDeposited = "session.deposited" // amount ‖ deposit after it
	TopicSettled   = "session.settled"   // spent after it ‖ to the runner ‖ burned ‖ to the treasury
	TopicClosing   = "session.closing"   // first block it can be finalized in
	TopicFinalized = "session.finalized" // status(1) ‖ spent ‖ back to the payer
)

// Book is the sessions during one block. Methods that return a reject may have written before they found it: the caller undoes the turn.
type Book struct {
	State   state.Store
	ChainID uint64
	Height  unit.Height // of the block
	Split   params.Split
	Emit    func(topic string, data []byte)
	Bill    func(addr account.Address) error // has an actor pay its rent before its balance grows
	Burn    func(amount unit.Amount)
}

// Terms are what a session is opened with.
type Terms struct {
	Runner      account.Address
	Asset       uint64
	MaxAmount   unit.Uint128
	Deposit     unit.Amount
	Expires     unit.Height
	PriceAdvert digest.Hash
}

func (b *Book) tell(topic string, id digest.Hash, middle []byte, numbers ...uint64) {
	data := append(append([]byte(nil), id[:]...), middle...)
	for _, n := range numbers {
		data = codec.AppendUint(data, n)
	}
	b.Emit(topic, data)
}

// Open opens a session and takes its deposit; nonce is that of the payer's transaction. Rejects: ErrAsset, ErrAmount, ErrExpiry, ErrRunner, ErrFunds.
//
// Spec: gateway-payments-streams §D (52).
func (b *Book) Open(payer account.Address, nonce uint64, t Terms) (digest.Hash, error) {
	id := ID(payer, t.Runner, nonce, b.Height)
	switch {
	case t.Asset != 0:
		return id, ErrAsset
	case t.Deposit == 0 || unit.Wide(uint64(t.Deposit)).Cmp(t.MaxAmount) > 0:
		return id, ErrAmount
	case t.Expires <= b.Height:
		return id, ErrExpiry
	}
	r, ok, err := runner.Load(b.State, t.Runner)
	if err != nil {
		return id, err
	}
	if !ok || r.Status == runner.Leaving {
		return id, ErrRunner
	}
	s := &Session{
		Payer: payer, Runner: t.Runner, MaxAmount: t.MaxAmount, PriceAdvert: t.PriceAdvert, Opened: b.Height, Expires: t.Expires,
	}
	if err := b.take(s, t.Deposit); err != nil {
		return id, err
	}
	s.save(b.State, id)
	b.tell(TopicOpened, id, append(payer[:], t.Runner[:]...), uint64(s.Deposit), uint64(s.Expires))
	return id, nil
}

// take moves coins of the payer into the escrow.
func (b *Book) take(s *Session, amount unit.Amount) error {
	sum, err := s.Deposit.Add(amount)
	if err != nil {
		return ErrAmount
	}
	s.Deposit = sum
	err = account.Move(b.State, s.Payer, Home(), amount)
	var short *account.ShortfallError
	if errors.As(err, &short) {
		return ErrFunds
	}
	return err
}

// Deposit adds to what the vouchers of an open session may come to. Rejects: ErrUnknown, ErrParty, ErrStatus, ErrExpiry, ErrAmount, ErrFunds.
//
// Spec: gateway-payments-streams §D (53).
func (b *Book) Deposit(from account.Address, id digest.Hash, amount unit.Amount) error {
	s, err := Load(b.State, id)
	switch {
	case err != nil:
		return err
	case from != s.Payer:
		return ErrParty
	case s.Status != Open:
		return ErrStatus
	case b.Height > s.Expires:
		return ErrExpiry
	case amount == 0:
		return ErrAmount
	}
	if err := b.take(s, amount); err != nil {
		return err
	}
	if unit.Wide(uint64(s.Deposit)).Cmp(s.MaxAmount) > 0 {
		return ErrAmount
	}
	s.save(b.State, id)
	b.tell(TopicDeposited, id, nil, uint64(amount), uint64(s.Deposit))
	return nil
}

// Settle pays the runner what a voucher is above the last one. Rejects: ErrUnknown, ErrParty, ErrStatus, and those of a voucher.
//
// Spec: gateway-payments-streams §D (54).
func (b *Book) Settle(from account.Address, v *voucher.Voucher, signature sig.Signature) error {
	s, err := Load(b.State, v.Session)
	switch {
	case err != nil:
		return err
	case from != s.Runner:
		return ErrParty
	case s.Status != Open && s.Status != Closing:
		return ErrStatus
	}
	if err := v.Check(voucher.Paid{Nonce: s.Nonce, Spent: s.Spent, Deposit: s.Deposit}, b.Height); err != nil {
		return err
	}
	if !v.SignedBy(s.Payer, b.ChainID, signature) {
		return voucher.ErrSignature
	}
	spent := unit.Amount(v.Cumulative.Lo) // at most the deposit
	delta := spent - s.Spent
	s.Spent, s.Nonce = spent, v.Nonce
	s.save(b.State, v.Session)
	return b.pay(s, v.Session, delta)
}

// pay divides what was settled: what is burned and what is the treasury's is rounded down, and the rest is the runner's.
//
// Spec: gateway-payments-streams §D (54); WP §8.4.
func (b *Book) pay(s *Session, id digest.Hash, delta unit.Amount) error {
	burned, err := delta.MulDiv(uint64(b.Split.BurnBPS), params.BasisPoints)
	if err != nil {
		return err
	}
	treasury, err := delta.MulDiv(uint64(b.Split.TreasuryBPS), params.BasisPoints)
	if err != nil {
		return err
	}
	share := delta - burned - treasury // the split's parts are the whole at most
	if err := account.Debit(b.State, Home(), delta); err != nil {
		return err
	}
	b.Burn(burned)
	if err := b.credit(account.System(account.Treasury), treasury); err != nil {
		return err
	}
	if err := b.credit(s.Runner, share); err != nil {
		return err
	}
	b.tell(TopicSettled, id, nil, uint64(s.Spent), uint64(share), uint64(burned), uint64(treasury))
	return nil
}

// credit gives coins to an address that may be an actor's.
func (b *Book) credit(to account.Address, amount unit.Amount) error {
	if amount == 0 {
		return nil
	}
	if err := b.Bill(to); err != nil {
		return err
	}
	return account.Credit(b.State, to, amount)
}

// Close begins to end a session. Rejects: ErrUnknown, ErrParty, ErrStatus.
//
// Spec: gateway-payments-streams §D (55).
func (b *Book) Close(from account.Address, id digest.Hash) error {
	s, err := Load(b.State, id)
	switch {
	case err != nil:
		return err
	case from != s.Payer:
		return ErrParty
	case s.Status != Open:
		return ErrStatus
	}
	s.Status, s.Closed = Closing, b.Height
	s.save(b.State, id)
	b.tell(TopicClosing, id, nil, uint64(s.Closed+ClosingBlocks))
	return nil
}

// Finalize ends a session that closed long enough ago, or is open past its expiry, and gives the payer what was not spent. Anybody may. Rejects: ErrUnknown,
// ErrStatus, ErrEarly.
//
// Spec: gateway-payments-streams §D (56), §J.
func (b *Book) Finalize(id digest.Hash) error {
	s, err := Load(b.State, id)
	switch {
	case err != nil:
		return err
	case s.Status != Open && s.Status != Closing:
		return ErrStatus
	case b.Height < s.FinalFrom():
		return ErrEarly
	}
	s.Status = Settled
	if s.Spent == 0 {
		s.Status = Refunded
	}
	back := s.Deposit - s.Spent
	s.save(b.State, id)
	if err := account.Debit(b.State, Home(), back); err != nil {
		return err
	}
	b.tell(TopicFinalized, id, []byte{byte(s.Status)}, uint64(s.Spent), uint64(back))
	return b.credit(s.Payer, back)
}
