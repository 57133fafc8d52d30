package tx

import (
	"math"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// checkBank refuses a number that no bank has.
func checkBank(id uint64) error {
	if id > math.MaxUint32 {
		return instructionErr(bank.ErrBank)
	}
	return nil
}

// PauseBank stops what a bank of the sender's does for its cards: UInt bank_id.
//
// Spec: gateway-payments-streams §G.2 (208).
type PauseBank struct{ BankID uint64 }

// Opcode implements Instruction.
func (*PauseBank) Opcode() Opcode { return OpPauseBank }

// Fields implements Instruction.
func (x *PauseBank) Fields(f *Form) { f.Uint("bank_id", &x.BankID) }

func (x *PauseBank) check() error { return checkBank(x.BankID) }

func (x *PauseBank) concerns(u *bank.Use) { u.Banks = append(u.Banks, uint32(x.BankID)) }

// UnpauseBank undoes PauseBank: UInt bank_id.
//
// Spec: gateway-payments-streams §G.2 (209).
type UnpauseBank struct{ BankID uint64 }

// Opcode implements Instruction.
func (*UnpauseBank) Opcode() Opcode { return OpUnpauseBank }

// Fields implements Instruction.
func (x *UnpauseBank) Fields(f *Form) { f.Uint("bank_id", &x.BankID) }

func (x *UnpauseBank) check() error { return checkBank(x.BankID) }

func (x *UnpauseBank) concerns(u *bank.Use) { u.Banks = append(u.Banks, uint32(x.BankID)) }

// MintFromFiatVoucher credits a card by the word of its bank's signer: UInt bank_id ‖ card_address(20) ‖ Option token(32) ‖ amount(16) ‖ voucher_id(32) ‖
// UInt expires_at_block ‖ Bytes fiat_reference (≤ 64) ‖ signature(65).
//
// Spec: gateway-payments-streams §G.1 (FiatMintVoucher), §G.2 (210).
type MintFromFiatVoucher struct {
	BankID         uint64
	CardAddress    account.Address
	Token          *bank.TokenID
	Amount         unit.Uint128
	VoucherID      [32]byte
	ExpiresAtBlock uint64
	FiatReference  []byte
	Signature      sig.Signature
}

// Opcode implements Instruction.
func (*MintFromFiatVoucher) Opcode() Opcode { return OpMintFromFiatVoucher }

// Fields implements Instruction.
func (m *MintFromFiatVoucher) Fields(f *Form) {
	f.Uint("bank_id", &m.BankID)
	f.Address("card_address", &m.CardAddress)
	f.OptionHash("token", &m.Token)
	f.Wide("amount", &m.Amount)
	f.Fixed("voucher_id", m.VoucherID[:])
	f.Uint("expires_at_block", &m.ExpiresAtBlock)
	f.Text("fiat_reference", &m.FiatReference, bank.MaxReferenceBytes)
	f.Fixed("signature", m.Signature[:])
}

// Voucher is what was signed.
func (m *MintFromFiatVoucher) Voucher() bank.Voucher {
	return bank.Voucher{
		Bank: uint32(m.BankID), Card: m.CardAddress, Token: m.Token, Amount: m.Amount, ID: m.VoucherID, Expires: unit.Height(m.ExpiresAtBlock),
		Reference: m.FiatReference,
	}
}

func (m *MintFromFiatVoucher) check() error { return checkBank(m.BankID) }

// surcharge is the calldata, and the identifier that is written. Spec: WP §17.4.
func (m *MintFromFiatVoucher) surcharge() Cost {
	return Cost{Cells: 2*calldata(m.VoucherID[:]) + calldata(m.FiatReference, m.Signature[:])}
}

func (m *MintFromFiatVoucher) concerns(u *bank.Use) { u.Cards = append(u.Cards, m.CardAddress) }

// SettleProvider pays somebody out of what a bank of the sender's owns: UInt bank_id ‖ provider(20) ‖ Option token(32), none for coins ‖ amount(16).
//
// Spec: gateway-payments-streams §G.2 (211).
type SettleProvider struct {
	BankID   uint64
	Provider account.Address
	Token    *bank.TokenID
	Amount   unit.Uint128
}

// Opcode implements Instruction.
func (*SettleProvider) Opcode() Opcode { return OpSettleProvider }

// Fields implements Instruction.
func (x *SettleProvider) Fields(f *Form) {
	f.Uint("bank_id", &x.BankID)
	f.Address("provider", &x.Provider)
	f.OptionHash("token", &x.Token)
	f.Wide("amount", &x.Amount)
}

func (x *SettleProvider) check() error { return checkBank(x.BankID) }

func (x *SettleProvider) concerns(u *bank.Use) { u.Banks = append(u.Banks, uint32(x.BankID)) }

// RegisterBank makes a bank: Bytes name (1 to 32 of ASCII) ‖ operator(20) ‖ Option fiat_mint_signer(20). The receipt returns its number, four bytes.
//
// Spec: gateway-payments-streams §G.2 (216).
type RegisterBank struct {
	Name           []byte
	Operator       account.Address
	FiatMintSigner *account.Address
}

// Opcode implements Instruction.
func (*RegisterBank) Opcode() Opcode { return OpRegisterBank }

// Fields implements Instruction.
func (x *RegisterBank) Fields(f *Form) {
	f.Text("name", &x.Name, bank.MaxNameBytes)
	f.Address("operator", &x.Operator)
	f.OptionAddress("fiat_mint_signer", &x.FiatMintSigner)
}

func (x *RegisterBank) check() error { return instructionErr(bank.CheckName(x.Name)) }

// surcharge is the name's calldata, and once more what is written of it. Spec: WP §17.4.
func (x *RegisterBank) surcharge() Cost { return Cost{Cells: 2 * calldata(x.Name)} }

// SetBankOperator hands a bank to another operator: UInt bank_id ‖ operator(20).
//
// Spec: gateway-payments-streams §G.2 (SetBankOperator).
type SetBankOperator struct {
	BankID   uint64
	Operator account.Address
}

// Opcode implements Instruction.
func (*SetBankOperator) Opcode() Opcode { return OpSetBankOperator }

// Fields implements Instruction.
func (x *SetBankOperator) Fields(f *Form) {
	f.Uint("bank_id", &x.BankID)
	f.Address("operator", &x.Operator)
}

func (x *SetBankOperator) check() error { return checkBank(x.BankID) }

func (x *SetBankOperator) concerns(u *bank.Use) { u.Banks = append(u.Banks, uint32(x.BankID)) }

// SetBankFiatMintSigner replaces the signer of a bank's vouchers: UInt bank_id ‖ Option signer(20).
//
// Spec: gateway-payments-streams §G.2 (SetBankFiatMintSigner).
type SetBankFiatMintSigner struct {
	BankID uint64
	Signer *account.Address
}

// Opcode implements Instruction.
func (*SetBankFiatMintSigner) Opcode() Opcode { return OpSetBankFiatMintSigner }

// Fields implements Instruction.
func (x *SetBankFiatMintSigner) Fields(f *Form) {
	f.Uint("bank_id", &x.BankID)
	f.OptionAddress("signer", &x.Signer)
}

func (x *SetBankFiatMintSigner) check() error { return checkBank(x.BankID) }

func (x *SetBankFiatMintSigner) concerns(u *bank.Use) { u.Banks = append(u.Banks, uint32(x.BankID)) }
