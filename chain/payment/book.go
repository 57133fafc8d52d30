package payment

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Topics of the PaymentGate's events. Numbers are UInt.
const (
	TopicPolicy    = "payment.policy_set"       // actor(20)
	TopicDeposited = "payment.budget_deposited" // actor(20) ‖ amount
	TopicWithdrawn = "payment.budget_withdrawn" // actor(20) ‖ to(20) ‖ amount
	TopicDeducted  = "payment.budget_deducted"  // actor(20) ‖ gateway(20) ‖ amount ‖ fee
	TopicPass      = "payment.pass_purchased"   // actor(20) ‖ holder(20) ‖ credits ‖ amount ‖ fee ‖ expires
	TopicEpoch     = "payment.epoch_purchased"  // actor(20) ‖ holder(20) ‖ epochs ‖ amount ‖ fee ‖ last height
	TopicVerified  = "payment.verified"         // Key ‖ actor(20) ‖ gateway(20) ‖ amount ‖ expires
	TopicSettled   = "payment.settled"          // Key ‖ actor(20) ‖ gateway(20) ‖ amount ‖ fee
	TopicRefunded  = "payment.refunded"         // Key ‖ actor(20) ‖ amount
)

// BlocksPerDay is the day of a budget's daily cap.
const BlocksPerDay = 86_400

// Book is the PaymentGate during one turn, or at the end of a block. Methods that return a reject may have written before they found it: the caller undoes
// them.
type Book struct {
	State   state.Store
	ChainID uint64
	Height  unit.Height
	Seconds uint64 // Unix time of the block
	Recover sig.Recoverer
	Bill    func(addr account.Address) error                           // has an actor pay its rent before its balance changes
	Free    func(addr account.Address, a *account.Account) unit.Amount // what of a balance can be spent; nil: all of it
	MayHold func(addr account.Address) (bool, error)
	Emit    func(topic string, data []byte)
	Tokens  *token.Registry // over the same state
}

func event(addresses ...account.Address) []byte {
	var data []byte
	for _, a := range addresses {
		data = append(data, a[:]...)
	}
	return data
}

func numbers(data []byte, list ...uint64) []byte {
	for _, n := range list {
		data = codec.AppendUint(data, n)
	}
	return data
}

// SetPolicy replaces an actor's policy. Rejects: those of Policy.Check, ErrCoins, ErrToken, ErrTreasury.
//
// Spec: gateway-payments-streams §F (set_policy).
func (b *Book) SetPolicy(p *Policy) error {
	if err := p.Check(); err != nil {
		return err
	}
	if err := p.coins(); err != nil {
		return err
	}
	for _, a := range p.Assets {
		if err := b.accepts(a); err != nil {
			return err
		}
	}
	if ok, err := b.MayHold(p.Treasury); err != nil {
		return err
	} else if !ok {
		return ErrTreasury
	}
	b.State.Set(at(underPolicy, p.Actor[:]), p.Append(nil))
	b.Emit(TopicPolicy, event(p.Actor))
	return nil
}

// coins holds a policy to what is settled: coins in amounts of 64 bits, and tokens where the client pays for one request, since what an actor's budget, a pass
// and an epoch cost is in coins.
func (p *Policy) coins() error {
	wide := []unit.Uint128{}
	for i := range p.Prices {
		if x := &p.Prices[i]; x.Asset.IsZero() {
			wide = append(wide, x.Amount)
		} else if x.Mode == ActorFunded {
			return ErrCoins
		}
	}
	if p.Budget != nil {
		wide = append(wide, p.Budget.DailyCap, p.Budget.Refill)
	}
	if p.Epoch != nil {
		wide = append(wide, p.Epoch.Fee)
	}
	if p.Pass != nil {
		wide = append(wide, p.Pass.Credit)
	}
	for _, n := range wide {
		if n.Hi != 0 {
			return ErrCoins
		}
	}
	return nil
}

// held adds to what the book holds for others, or takes from it.
func (b *Book) held(change func(unit.Amount) (unit.Amount, error)) error {
	sum, err := Escrow(b.State)
	if err != nil {
		return err
	}
	if sum, err = change(sum); err != nil {
		return err
	}
	b.State.Set(at(nameHeld), numbers(nil, uint64(sum)))
	return nil
}

func (b *Book) hold(amount unit.Amount) error {
	return b.held(func(sum unit.Amount) (unit.Amount, error) { return sum.Add(amount) })
}

func (b *Book) release(amount unit.Amount) error {
	return b.held(func(sum unit.Amount) (unit.Amount, error) { return sum.Sub(amount) })
}

// credit gives an account coins.
func (b *Book) credit(to account.Address, amount unit.Amount) error {
	if amount == 0 {
		return nil
	}
	if err := b.Bill(to); err != nil {
		return err
	}
	return account.Credit(b.State, to, amount)
}

// pay gives coins that were taken from somebody to a policy's treasury, without the protocol's fee, and that to the Treasury.
//
// Spec: gateway-payments-streams §F (500 basis points of the base amount, rounded down).
func (b *Book) pay(p *Policy, amount unit.Amount) (fee unit.Amount, err error) {
	if ok, err := b.MayHold(p.Treasury); err != nil {
		return 0, err
	} else if !ok {
		return 0, ErrTreasury
	}
	fee = unit.Amount(Fee(unit.Wide(uint64(amount))).Lo)
	if err := b.credit(p.Treasury, amount-fee); err != nil {
		return 0, err
	}
	return fee, b.credit(account.System(account.Treasury), fee)
}

// policy is an actor's that is switched on. Reject: ErrPolicy.
func (b *Book) policy(actor account.Address) (*Policy, error) {
	p, err := LoadPolicy(b.State, actor)
	if err == nil && (p == nil || !p.Enabled) {
		err = ErrPolicy
	}
	return p, err
}

// Deposit adds coins to an actor's budget. The caller has taken them from whoever gives them. Rejects: ErrPolicy, ErrFunds.
//
// Spec: gateway-payments-streams §F (deposit_budget).
func (b *Book) Deposit(actor account.Address, amount unit.Amount) error {
	p, err := LoadPolicy(b.State, actor)
	if err != nil {
		return err
	}
	if p == nil {
		return ErrPolicy
	}
	if amount == 0 {
		return ErrFunds
	}
	f, err := b.funds(actor)
	if err != nil {
		return err
	}
	if f.Balance, err = f.Balance.Add(amount); err != nil {
		return err
	}
	b.State.Set(at(underBudget, actor[:]), f.Append(nil))
	b.Emit(TopicDeposited, numbers(event(actor), uint64(amount)))
	return b.hold(amount)
}

// funds is an actor's budget with what it has spent today and in this second.
func (b *Book) funds(actor account.Address) (*Funds, error) {
	f, err := LoadFunds(b.State, actor)
	if err != nil {
		return nil, err
	}
	if f == nil {
		f = new(Funds)
	}
	f.At(b.Height, b.Seconds)
	return f, nil
}

// At has the counts begin anew in a new day and a new second.
func (f *Funds) At(height unit.Height, seconds uint64) {
	if day := uint64(height) / BlocksPerDay; day != f.Day {
		f.Day, f.Today = day, 0
	}
	if seconds != f.Second {
		f.Second, f.Count = seconds, 0
	}
}

// Withdraw gives coins of an actor's budget to an account. Rejects: ErrFunds, ErrTreasury for one that may not hold them.
//
// Spec: gateway-payments-streams §F (withdraw_budget).
func (b *Book) Withdraw(actor, to account.Address, amount unit.Amount) error {
	f, err := b.funds(actor)
	if err != nil {
		return err
	}
	if amount == 0 || amount > f.Balance {
		return ErrFunds
	}
	if ok, err := b.MayHold(to); err != nil {
		return err
	} else if !ok {
		return ErrTreasury
	}
	f.Balance -= amount
	b.State.Set(at(underBudget, actor[:]), f.Append(nil))
	if err := b.release(amount); err != nil {
		return err
	}
	b.Emit(TopicWithdrawn, numbers(event(actor, to), uint64(amount)))
	return b.credit(to, amount)
}

// refill moves coins of an actor that can be spent into its budget, as its policy says, where a request finds too little there and these suffice.
//
// Spec: gateway-payments-streams §F (auto_refill).
func (b *Book) refill(p *Policy, f *Funds, price unit.Amount) error {
	amount := unit.Amount(p.Budget.Refill.Lo)
	sum, err := f.Balance.Add(amount)
	if amount == 0 || f.Balance >= price || err != nil || sum < price {
		return nil //nolint:nilerr // nobody has so many coins: the budget stays as it is
	}
	if err := b.Bill(p.Actor); err != nil {
		return err
	}
	a, err := account.Load(b.State, p.Actor)
	if err != nil || Refills(b.Free, p, &a) == 0 {
		return err
	}
	if err := account.Debit(b.State, p.Actor, amount); err != nil {
		return err
	}
	f.Balance = sum
	b.Emit(TopicDeposited, numbers(event(p.Actor), uint64(amount)))
	return b.hold(amount)
}

// Refills is how much an actor's budget would be refilled by, from its account: all that its policy says, or nothing.
//
// Spec: gateway-payments-streams §F (auto_refill).
func Refills(free func(account.Address, *account.Account) unit.Amount, p *Policy, a *account.Account) unit.Amount {
	if p.Budget == nil || p.Budget.Refill.Hi != 0 {
		return 0
	}
	amount, has := unit.Amount(p.Budget.Refill.Lo), a.Balance
	if free != nil {
		has = free(p.Actor, a)
	}
	if has < amount {
		return 0
	}
	return amount
}

// Deduct pays for a request out of an actor's budget, which is refilled first where its policy says so, as its client would. Rejects: ErrPolicy, ErrFree,
// ErrBudget, ErrTreasury.
//
// Spec: gateway-payments-streams §F (deduct_budget).
func (b *Book) Deduct(gateway, actor account.Address, method, path string) error {
	p, err := b.policy(actor)
	if err != nil {
		return err
	}
	x := p.PriceOf(method, path)
	if x == nil || x.Mode == Free || x.Amount.IsZero() {
		return ErrFree
	}
	f, err := b.funds(actor)
	if err != nil {
		return err
	}
	if x.Mode != ActorFunded || p.Budget == nil {
		return ErrBudget
	}
	amount := unit.Amount(x.Amount.Lo)
	if err := b.refill(p, f, amount); err != nil {
		return err
	}
	if !p.Budget.covers(x, f.request()) {
		return ErrBudget
	}
	f.Balance, f.Today, f.Count = f.Balance-amount, f.Today+amount, f.Count+1
	b.State.Set(at(underBudget, actor[:]), f.Append(nil))
	if err := b.release(amount); err != nil {
		return err
	}
	fee, err := b.pay(p, amount)
	if err != nil {
		return err
	}
	b.Emit(TopicDeducted, numbers(event(actor, gateway), uint64(amount), uint64(fee)))
	return nil
}

// request is the budget as Decide asks for it.
func (f *Funds) request() *Request {
	return &Request{Budget: unit.Wide(uint64(f.Balance)), Today: unit.Wide(uint64(f.Today)), Seconds: f.Count}
}

// times is a price for so many; ErrFunds beyond what there can be.
func times(price unit.Uint128, n uint64) (unit.Amount, error) {
	amount, err := unit.Amount(price.Lo).Mul(n)
	if err != nil || price.Hi != 0 {
		return 0, ErrFunds
	}
	return amount, nil
}

// BuyPass buys credits of an actor for a holder, which pay for one request each, with coins that the caller has taken; it gives what is left of them. All
// credits of the holder expire together, counted from now. Rejects: ErrPolicy, ErrCount, ErrFunds, ErrTreasury.
//
// Spec: gateway-payments-streams §F (purchase_pass).
func (b *Book) BuyPass(actor, holder account.Address, n uint64, coins unit.Amount) (left unit.Amount, err error) {
	p, err := b.policy(actor)
	if err != nil {
		return 0, err
	}
	c := p.Pass
	if c == nil {
		return 0, ErrPolicy
	}
	id := PassOf(actor, holder)
	has, err := LoadCredits(b.State, id)
	if err != nil {
		return 0, err
	}
	if has == nil {
		has = &Credits{Actor: actor, Holder: holder}
		b.State.Set(dueKey(b.Height+unit.Height(c.Expiry)+1, duePass, id[:]), nil)
	} else if has.Expires < b.Height {
		has.Left = 0
	}
	if n < c.Min || n > c.Max || has.Left > MaxCredits-n {
		return 0, ErrCount
	}
	amount, err := times(c.Credit, n)
	if err != nil {
		return 0, err
	}
	if left, err = coins.Sub(amount); err != nil {
		return 0, ErrFunds
	}
	fee, err := b.pay(p, amount)
	if err != nil {
		return 0, err
	}
	has.Left, has.Expires = has.Left+n, b.Height+unit.Height(c.Expiry)
	b.State.Set(at(underPass, id[:]), has.Append(nil))
	b.Emit(TopicPass, numbers(event(actor, holder), n, uint64(amount), uint64(fee), uint64(has.Expires)))
	return left, nil
}

// BuyEpochs subscribes a holder to an actor for so many epochs more, with coins that the caller has taken; it gives what is left of them. Rejects:
// ErrPolicy, ErrCount, ErrFunds, ErrTreasury.
//
// Spec: gateway-payments-streams §F (purchase_epoch).
func (b *Book) BuyEpochs(actor, holder account.Address, n uint64, coins unit.Amount) (left unit.Amount, err error) {
	p, err := b.policy(actor)
	if err != nil {
		return 0, err
	}
	e := p.Epoch
	if e == nil {
		return 0, ErrPolicy
	}
	if n < uint64(e.Min) || n > uint64(e.Max) {
		return 0, ErrCount
	}
	was, err := Subscribed(b.State, actor, holder)
	if err != nil {
		return 0, err
	}
	last := b.Height - min(1, b.Height)
	if was != nil {
		last = max(last, *was)
	}
	blocks, err := unit.Amount(n).Mul(e.Blocks)
	if err != nil {
		return 0, ErrCount
	}
	if last, err = last.Add(uint64(blocks)); err != nil {
		return 0, ErrCount
	}
	amount, err := times(e.Fee, n)
	if err != nil {
		return 0, err
	}
	if left, err = coins.Sub(amount); err != nil {
		return 0, ErrFunds
	}
	fee, err := b.pay(p, amount)
	if err != nil {
		return 0, err
	}
	rest := event(actor, holder)
	if was == nil {
		b.State.Set(dueKey(last+1, dueEpoch, rest), nil)
	}
	b.State.Set(at(underEpoch, rest), numbers(nil, uint64(last)))
	b.Emit(TopicEpoch, numbers(rest, n, uint64(amount), uint64(fee), uint64(last)))
	return left, nil
}

// debit takes coins from a payer. Reject: ErrFunds.
func (b *Book) debit(from account.Address, amount unit.Amount) error {
	if err := b.Bill(from); err != nil {
		return err
	}
	err := account.Debit(b.State, from, amount)
	var short *account.ShortfallError
	if errors.As(err, &short) {
		return ErrFunds
	}
	return err
}
