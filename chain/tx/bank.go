package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of the BankActor. The text gives RenewCard, TransferOwnership, SetBankOperator and SetBankFiatMintSigner no public number: this is the one
// place that fixes them.
//
// Spec: gateway-payments-streams §G.2; runner-marketplace §3.
const (
	OpIssueCard             = Opcode(System)<<8 | 200
	OpDeposit               = Opcode(System)<<8 | 201
	OpWithdraw              = Opcode(System)<<8 | 202
	OpCloseCard             = Opcode(System)<<8 | 203
	OpSetDefaultCard        = Opcode(System)<<8 | 204
	OpSetPolicy             = Opcode(System)<<8 | 205
	OpFreeze                = Opcode(System)<<8 | 206
	OpUnfreeze              = Opcode(System)<<8 | 207
	OpPauseBank             = Opcode(System)<<8 | 208
	OpUnpauseBank           = Opcode(System)<<8 | 209
	OpMintFromFiatVoucher   = Opcode(System)<<8 | 210
	OpSettleProvider        = Opcode(System)<<8 | 211
	OpIssueCardV2           = Opcode(System)<<8 | 212
	OpRenewCard             = Opcode(System)<<8 | 213
	OpTransferOwnership     = Opcode(System)<<8 | 214
	OpRegisterBank          = Opcode(System)<<8 | 216
	OpSetBankOperator       = Opcode(System)<<8 | 217
	OpSetBankFiatMintSigner = Opcode(System)<<8 | 218
)

// banked is the row of an instruction of the bank: the base of every instruction, and the cost of the call.
//
// Spec: gateway-payments-streams §G.4 (costs); WP §9, §17.2.
func banked(op Opcode, name string, cycles unit.Cycles, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.Bank, Lane: params.LaneUser,
		Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles + cycles}, body: body,
	}
}

// Spec: gateway-payments-streams §G.2, §G.4; runner-marketplace §3; WP §9.
var bankRows = chapter(ChapterBank,
	banked(OpIssueCard, "IssueCard", params.CostIssueCard, func() Instruction { return new(IssueCard) }),
	banked(OpDeposit, "Deposit", params.CostBankCall, func() Instruction { return new(Deposit) }),
	banked(OpWithdraw, "Withdraw", params.CostBankCall, func() Instruction { return new(Withdraw) }),
	banked(OpCloseCard, "CloseCard", params.CostBankCall, func() Instruction { return new(CloseCard) }),
	banked(OpSetDefaultCard, "SetDefaultCard", params.CostBankCall, func() Instruction { return new(SetDefaultCard) }),
	banked(OpSetPolicy, "SetPolicy", params.CostBankCall, func() Instruction { return new(SetPolicy) }),
	banked(OpFreeze, "Freeze", params.CostBankCall, func() Instruction { return new(Freeze) }),
	banked(OpUnfreeze, "Unfreeze", params.CostBankCall, func() Instruction { return new(Unfreeze) }),
	banked(OpPauseBank, "PauseBank", params.CostBankCall, func() Instruction { return new(PauseBank) }),
	banked(OpUnpauseBank, "UnpauseBank", params.CostBankCall, func() Instruction { return new(UnpauseBank) }),
	banked(OpMintFromFiatVoucher, "MintFromFiatVoucher", params.CostBankCall+params.CostVerifySecp256k1, func() Instruction {
		return new(MintFromFiatVoucher)
	}),
	banked(OpSettleProvider, "SettleProvider", params.CostBankCall, func() Instruction { return new(SettleProvider) }),
	banked(OpIssueCardV2, "IssueCardV2", params.CostIssueCard, func() Instruction { return new(IssueCardV2) }),
	banked(OpRenewCard, "RenewCard", params.CostBankCall, func() Instruction { return new(RenewCard) }),
	banked(OpTransferOwnership, "TransferOwnership", params.CostBankCall, func() Instruction { return new(TransferOwnership) }),
	governedBank(banked(OpRegisterBank, "RegisterBank", params.CostBankCall, func() Instruction { return new(RegisterBank) })),
	banked(OpSetBankOperator, "SetBankOperator", params.CostBankCall, func() Instruction { return new(SetBankOperator) }),
	banked(OpSetBankFiatMintSigner, "SetBankFiatMintSigner", params.CostBankCall, func() Instruction { return new(SetBankFiatMintSigner) }),
)

// governedBank gives a row to governance alone.
func governedBank(r Row) Row {
	r.Lane, r.Privileged = params.LaneSystem, true
	return r
}

// concerns are the cards and banks that an instruction of the bank is about: no card may pay for an operation on itself or on its bank.
//
// Spec: gateway-payments-streams §G.3 (recommended: no use of a card for operations of the bank on that card).
type concerns interface {
	concerns(u *bank.Use)
}

// policyField shows a policy to a form: three caps ‖ list of addresses (≤ 64) ‖ list of kinds (≤ 16) ‖ Bool.
func policyField(f *Form, p *bank.Policy) { group(f, "policy", p, bank.ReadPolicy) }

// policyCells are the calldata of a policy, and once more for what is written of it. Spec: WP §17.4.
func policyCells(p *bank.Policy) unit.Cells { return 2 * calldata(p.Append(nil)) }

// IssueCard makes a card that pays in coins: UInt bank_id ‖ agent(20) ‖ Option<UInt> expires_at ‖ the policy. The sender owns it; the receipt returns its
// address.
//
// Spec: gateway-payments-streams §G.2 (200).
type IssueCard struct {
	BankID    uint64
	Agent     account.Address
	ExpiresAt *uint64
	Policy    bank.Policy
}

// Opcode implements Instruction.
func (*IssueCard) Opcode() Opcode { return OpIssueCard }

// Fields implements Instruction.
func (i *IssueCard) Fields(f *Form) {
	f.Uint("bank_id", &i.BankID)
	f.Address("agent", &i.Agent)
	f.OptionUint("expires_at", &i.ExpiresAt)
	policyField(f, &i.Policy)
}

// Terms are what the card is issued with.
func (i *IssueCard) Terms() bank.Terms {
	return bank.Terms{Bank: uint32(i.BankID), Agent: i.Agent, Expires: (*unit.Height)(i.ExpiresAt), Policy: i.Policy}
}

func (i *IssueCard) check() error { return checkIssue(i.BankID, &i.Policy) }

func checkIssue(id uint64, p *bank.Policy) error {
	if err := checkBank(id); err != nil {
		return err
	}
	return instructionErr(p.Check())
}

// surcharge is the card's encoding and what the indices hold. Spec: gateway-payments-streams §G.4 (costs); WP §17.4.
func (i *IssueCard) surcharge() Cost { return Cost{Cells: params.CardCells + policyCells(&i.Policy)} }

// IssueCardV2 is IssueCard with what the card pays in: UInt bank_id ‖ agent(20) ‖ Option gas_payment_token(32) ‖ Option<UInt> expires_at ‖ the policy.
//
// Spec: gateway-payments-streams §G.2 (212).
type IssueCardV2 struct {
	BankID    uint64
	Agent     account.Address
	Token     *bank.TokenID
	ExpiresAt *uint64
	Policy    bank.Policy
}

// Opcode implements Instruction.
func (*IssueCardV2) Opcode() Opcode { return OpIssueCardV2 }

// Fields implements Instruction.
func (i *IssueCardV2) Fields(f *Form) {
	f.Uint("bank_id", &i.BankID)
	f.Address("agent", &i.Agent)
	f.OptionHash("gas_payment_token", &i.Token)
	f.OptionUint("expires_at", &i.ExpiresAt)
	policyField(f, &i.Policy)
}

// Terms are what the card is issued with.
func (i *IssueCardV2) Terms() bank.Terms {
	return bank.Terms{Bank: uint32(i.BankID), Agent: i.Agent, Token: i.Token, Expires: (*unit.Height)(i.ExpiresAt), Policy: i.Policy}
}

func (i *IssueCardV2) check() error { return checkIssue(i.BankID, &i.Policy) }

// surcharge is that of IssueCard.
func (i *IssueCardV2) surcharge() Cost { return Cost{Cells: params.CardCells + policyCells(&i.Policy)} }

// Deposit puts money of the sender's on a card, in what the card pays in: card(20) ‖ amount(16).
//
// Spec: gateway-payments-streams §G.2 (201).
type Deposit struct {
	Card   account.Address
	Amount unit.Uint128
}

// Opcode implements Instruction.
func (*Deposit) Opcode() Opcode { return OpDeposit }

// Fields implements Instruction.
func (d *Deposit) Fields(f *Form) {
	f.Address("card", &d.Card)
	f.Wide("amount", &d.Amount)
}

func (d *Deposit) concerns(u *bank.Use) { u.Cards = append(u.Cards, d.Card) }

// Withdraw takes money off a card of the sender's: card(20) ‖ to(20) ‖ Option token(32), none for coins ‖ amount(16).
//
// Spec: gateway-payments-streams §G.2 (202).
type Withdraw struct {
	Card   account.Address
	To     account.Address
	Token  *bank.TokenID
	Amount unit.Uint128
}

// Opcode implements Instruction.
func (*Withdraw) Opcode() Opcode { return OpWithdraw }

// Fields implements Instruction.
func (w *Withdraw) Fields(f *Form) {
	f.Address("card", &w.Card)
	f.Address("to", &w.To)
	f.OptionHash("token", &w.Token)
	f.Wide("amount", &w.Amount)
}

func (w *Withdraw) concerns(u *bank.Use) { u.Cards = append(u.Cards, w.Card) }

// CloseCard ends a card of the sender's for good: card(20) ‖ refund_to(20), who gets what is on it.
//
// Spec: gateway-payments-streams §G.2 (203).
type CloseCard struct {
	Card     account.Address
	RefundTo account.Address
}

// Opcode implements Instruction.
func (*CloseCard) Opcode() Opcode { return OpCloseCard }

// Fields implements Instruction.
func (c *CloseCard) Fields(f *Form) {
	f.Address("card", &c.Card)
	f.Address("refund_to", &c.RefundTo)
}

func (c *CloseCard) concerns(u *bank.Use) { u.Cards = append(u.Cards, c.Card) }

// SetDefaultCard says which card pays for an agent where nothing else is said: agent(20) ‖ Option card(20), none for no card.
//
// Spec: gateway-payments-streams §G.2 (204).
type SetDefaultCard struct {
	Agent account.Address
	Card  *account.Address
}

// Opcode implements Instruction.
func (*SetDefaultCard) Opcode() Opcode { return OpSetDefaultCard }

// Fields implements Instruction.
func (s *SetDefaultCard) Fields(f *Form) {
	f.Address("agent", &s.Agent)
	f.OptionAddress("card", &s.Card)
}

func (s *SetDefaultCard) concerns(u *bank.Use) {
	if s.Card != nil {
		u.Cards = append(u.Cards, *s.Card)
	}
}

// SetPolicy says anew what a card of the sender's may be used for: card(20) ‖ the policy.
//
// Spec: gateway-payments-streams §G.2 (205).
type SetPolicy struct {
	Card   account.Address
	Policy bank.Policy
}

// Opcode implements Instruction.
func (*SetPolicy) Opcode() Opcode { return OpSetPolicy }

// Fields implements Instruction.
func (s *SetPolicy) Fields(f *Form) {
	f.Address("card", &s.Card)
	policyField(f, &s.Policy)
}

func (s *SetPolicy) check() error { return instructionErr(s.Policy.Check()) }

func (s *SetPolicy) surcharge() Cost { return Cost{Cells: policyCells(&s.Policy)} }

func (s *SetPolicy) concerns(u *bank.Use) { u.Cards = append(u.Cards, s.Card) }

// Freeze stops a card of a bank that the sender operates: card(20) ‖ Bytes reason (≤ 256).
//
// Spec: gateway-payments-streams §G.2 (206).
type Freeze struct {
	Card   account.Address
	Reason []byte
}

// Opcode implements Instruction.
func (*Freeze) Opcode() Opcode { return OpFreeze }

// Fields implements Instruction.
func (x *Freeze) Fields(f *Form) {
	f.Address("card", &x.Card)
	f.Text("reason", &x.Reason, bank.MaxReasonBytes)
}

func (x *Freeze) surcharge() Cost { return Cost{Cells: calldata(x.Reason)} }

func (x *Freeze) concerns(u *bank.Use) { u.Cards = append(u.Cards, x.Card) }

// Unfreeze undoes Freeze: card(20).
//
// Spec: gateway-payments-streams §G.2 (207).
type Unfreeze struct{ Card account.Address }

// Opcode implements Instruction.
func (*Unfreeze) Opcode() Opcode { return OpUnfreeze }

// Fields implements Instruction.
func (x *Unfreeze) Fields(f *Form) { f.Address("card", &x.Card) }

func (x *Unfreeze) concerns(u *bank.Use) { u.Cards = append(u.Cards, x.Card) }

// RenewCard gives a card of the sender's another expiry: card(20) ‖ Option<UInt> expires_at.
//
// Spec: gateway-payments-streams §G.2 (RenewCard).
type RenewCard struct {
	Card      account.Address
	ExpiresAt *uint64
}

// Opcode implements Instruction.
func (*RenewCard) Opcode() Opcode { return OpRenewCard }

// Fields implements Instruction.
func (x *RenewCard) Fields(f *Form) {
	f.Address("card", &x.Card)
	f.OptionUint("expires_at", &x.ExpiresAt)
}

func (x *RenewCard) concerns(u *bank.Use) { u.Cards = append(u.Cards, x.Card) }

// TransferOwnership hands a card of the sender's to another owner: card(20) ‖ new_owner(20) ‖ Bool set_locked.
//
// Spec: gateway-payments-streams §G.2 (TransferOwnership).
type TransferOwnership struct {
	Card      account.Address
	NewOwner  account.Address
	SetLocked bool
}

// Opcode implements Instruction.
func (*TransferOwnership) Opcode() Opcode { return OpTransferOwnership }

// Fields implements Instruction.
func (x *TransferOwnership) Fields(f *Form) {
	f.Address("card", &x.Card)
	f.Address("new_owner", &x.NewOwner)
	f.Bool("set_locked", &x.SetLocked)
}

func (x *TransferOwnership) concerns(u *bank.Use) { u.Cards = append(u.Cards, x.Card) }
