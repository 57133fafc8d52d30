package bank

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/token"
)

// The codes of faults about banks and cards.
//
// Spec: gateway-payments-streams §G.4 (errors).
const (
	FaultCard     uint16 = 1751
	FaultPaused   uint16 = 1752
	FaultFrozen   uint16 = 1753
	FaultExpired  uint16 = 1754
	FaultClosed   uint16 = 1755
	FaultDenied   uint16 = 1756
	FaultCap      uint16 = 1757
	FaultFunds    uint16 = 1758
	FaultLocked   uint16 = 1759
	FaultBank     uint16 = 1760
	FaultInactive uint16 = 1761
	FaultState    uint16 = 1762
	FaultDefault  uint16 = 1763
	FaultPolicy   uint16 = 1764
	FaultToken    uint16 = 1765
	FaultVoucher  uint16 = 1766
	FaultUsed     uint16 = 1767
)

// activation is from which height on there are banks: from the first, until governance says otherwise.
//
// Spec: gateway-payments-streams §G.4 (bank_activation_height); governance-staking B3 (activation heights).
var activation = chapter.Param{Key: bank.KeyActivation, Default: bank.Activation(0), Tier: 3, Check: bank.CheckActivation}

// New gives the chapter.
//
// Spec: gateway-payments-streams §G.2; WP §9.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterBank, Homes: []byte{account.Bank},
		Instructions: slices.Concat(cards(), banks()), Handlers: handlers(),
		Faults: slices.Concat(Faults(), token.Faults()),
		Claims: bank.Claims(string(tx.ChapterBank)),
		Params: []chapter.Param{activation},
	}
}

// Faults are the rejects of package chain/bank.
//
// Spec: gateway-payments-streams §G.4 (errors).
func Faults() []chapter.Fault {
	return []chapter.Fault{
		{Err: bank.ErrCard, Code: FaultCard, Class: "BankCardNotFound", Host: 3},
		{Err: bank.ErrPaused, Code: FaultPaused, Class: "BankPaused", Host: 5},
		{Err: bank.ErrFrozen, Code: FaultFrozen, Class: "BankCardFrozen", Host: 5},
		{Err: bank.ErrExpired, Code: FaultExpired, Class: "BankCardExpired", Host: 5},
		{Err: bank.ErrClosed, Code: FaultClosed, Class: "BankCardClosed", Host: 5},
		{Err: bank.ErrDenied, Code: FaultDenied, Class: "BankPolicyDenied", Host: 5},
		{Err: bank.ErrCap, Code: FaultCap, Class: "BankCapExceeded", Host: 8},
		{Err: bank.ErrFunds, Code: FaultFunds, Class: "OutOfFunds", Host: 8},
		{Err: bank.ErrLocked, Code: FaultLocked, Class: "PolicyLocked", Host: 5},
		{Err: bank.ErrBank, Code: FaultBank, Class: "BankNotFound", Host: 3},
		{Err: bank.ErrInactive, Code: FaultInactive, Class: "BankInactive", Host: 5},
		{Err: bank.ErrNotPaused, Code: FaultState, Class: "BankStateError", Host: 2},
		{Err: bank.ErrNotFrozen, Code: FaultState, Class: "BankStateError", Host: 2},
		{Err: bank.ErrDefault, Code: FaultDefault, Class: "BankCardIsDefault", Host: 5},
		{Err: bank.ErrPolicy, Code: FaultPolicy, Class: "BankPolicyInvalid", Host: 2},
		{Err: bank.ErrToken, Code: FaultToken, Class: "BankTokenNotAllowed", Host: 2},
		{Err: bank.ErrVoucher, Code: FaultVoucher, Class: "FiatVoucherInvalid", Host: 2},
		{Err: bank.ErrUsed, Code: FaultUsed, Class: "FiatVoucherUsed", Host: 2},
		{Err: bank.ErrTerms, Code: drain.FaultInput, Class: "BankTermsInvalid", Host: 2},
		{Err: bank.ErrAmount, Code: drain.FaultInput, Class: "BankAmountInvalid", Host: 2},
		{Err: bank.ErrOwner, Code: drain.FaultPermission, Class: "NotCardOwner", Host: 5},
		{Err: bank.ErrOperator, Code: drain.FaultPermission, Class: "NotBankOperator", Host: 5},
		{Err: bank.ErrAgent, Code: drain.FaultPermission, Class: "NotCardAgent", Host: 5},
	}
}

// Told gives a reject of package chain/bank as actors and receipts are told of it; any other error stays as it is.
func Told(err error) error {
	for _, f := range Faults() {
		if errors.Is(err, f.Err) {
			return chapter.Reject(f.Code, f.Class, f.Host, "%v", err)
		}
	}
	return err
}

// registry is the bank as an execution sees it. Governance is its own address, by which it acts, and on a local network the administrators.
func registry(e *chapter.Env) *bank.Registry {
	return &bank.Registry{
		State: e.State, ChainID: e.Block.ChainID, Height: e.Block.Height, Tokens: token.Registry(e), Recoverer: sig.Default(),
		Governs: func(a account.Address) bool {
			return a == account.System(account.Governance) || slices.Contains(e.Block.Params.Administrators, a)
		},
		Receives: func(to account.Address) error { return receives(e, to) },
		Emit: func(topic string, data []byte) {
			// Events of a turn are in the price of what causes them.
			_ = e.Emit(topic, data)
		},
	}
}

// receives bills an actor that gets coins, and refuses one that may not keep them.
//
// Spec: ENT §9.7 (econ.hold_balance); rent §6.
func receives(e *chapter.Env, to account.Address) error {
	if err := e.Bill(to); err != nil {
		return err
	}
	a, err := account.Load(e.State, to)
	if err != nil {
		return err
	}
	holds, err := entitle.MayHold(e.State, to, a.Kind)
	if err == nil && !holds {
		err = chapter.Refuse(drain.FaultEntitlement, "%v may not keep coins: it has no entitlement %s", to, entitle.HoldBalance)
	}
	return err
}

// on makes an instruction of a rule. There is none before the bank is active.
//
// Spec: gateway-payments-streams §G.4 (bank_activation_height).
func on[T tx.Instruction](run func(g *bank.Registry, by account.Address, in T) ([]byte, error)) chapter.Instruction {
	return chapter.On(func(e *chapter.Env, in T) ([]byte, error) {
		active, err := bank.ActiveAt(e.State, e.Block.Height)
		if err == nil && !active {
			err = bank.ErrInactive
		}
		if err != nil {
			return nil, err
		}
		return run(registry(e), e.Sender, in)
	})
}

// cards are the instructions about cards.
//
// Spec: gateway-payments-streams §G.2 (200 to 207, 210, 212 to 214).
func cards() []chapter.Instruction {
	return []chapter.Instruction{
		on(func(g *bank.Registry, by account.Address, in *tx.IssueCard) ([]byte, error) {
			card, err := g.Issue(by, in.Terms())
			return card[:], err
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.IssueCardV2) ([]byte, error) {
			card, err := g.Issue(by, in.Terms())
			return card[:], err
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.Deposit) ([]byte, error) {
			return nil, g.Deposit(by, in.Card, in.Amount)
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.Withdraw) ([]byte, error) {
			return nil, g.Withdraw(by, in.Card, in.To, in.Token, in.Amount)
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.CloseCard) ([]byte, error) {
			return nil, g.Close(by, in.Card, in.RefundTo)
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.SetDefaultCard) ([]byte, error) {
			return nil, g.SetDefault(by, in.Agent, in.Card)
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.SetPolicy) ([]byte, error) {
			return nil, g.SetPolicy(by, in.Card, in.Policy)
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.Freeze) ([]byte, error) {
			return nil, g.Freeze(by, in.Card, in.Reason)
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.Unfreeze) ([]byte, error) {
			return nil, g.Unfreeze(by, in.Card)
		}),
		on(func(g *bank.Registry, _ account.Address, in *tx.MintFromFiatVoucher) ([]byte, error) {
			return nil, g.Redeem(in.Voucher(), in.Signature)
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.RenewCard) ([]byte, error) {
			return nil, g.Renew(by, in.Card, (*unit.Height)(in.ExpiresAt))
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.TransferOwnership) ([]byte, error) {
			return nil, g.TransferOwnership(by, in.Card, in.NewOwner, in.SetLocked)
		}),
	}
}

// banks are the instructions about banks.
//
// Spec: gateway-payments-streams §G.2 (208, 209, 211, 216 to 218).
func banks() []chapter.Instruction {
	return []chapter.Instruction{
		on(func(g *bank.Registry, by account.Address, in *tx.PauseBank) ([]byte, error) {
			return nil, g.Pause(by, uint32(in.BankID))
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.UnpauseBank) ([]byte, error) {
			return nil, g.Unpause(by, uint32(in.BankID))
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.SettleProvider) ([]byte, error) {
			return nil, g.SettleProvider(by, uint32(in.BankID), in.Provider, in.Token, in.Amount)
		}),
		on(func(g *bank.Registry, _ account.Address, in *tx.RegisterBank) ([]byte, error) {
			id, err := g.Register(in.Name, in.Operator, in.FiatMintSigner)
			return binary.BigEndian.AppendUint32(nil, id), err
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.SetBankOperator) ([]byte, error) {
			return nil, g.SetOperator(by, uint32(in.BankID), in.Operator)
		}),
		on(func(g *bank.Registry, by account.Address, in *tx.SetBankFiatMintSigner) ([]byte, error) {
			return nil, g.SetSigner(by, uint32(in.BankID), in.Signer)
		}),
	}
}
