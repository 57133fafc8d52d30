package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of tokens. The order of 11 to 19 is confirmed by no public text: this is the one place that fixes it.
//
// Spec: tokens §4.
const (
	OpTokenCreate            = Opcode(System)<<8 | 10
	OpTokenTransfer          = Opcode(System)<<8 | 11
	OpTokenTransferFrom      = Opcode(System)<<8 | 12
	OpTokenApprove           = Opcode(System)<<8 | 13
	OpTokenMint              = Opcode(System)<<8 | 14
	OpTokenBurn              = Opcode(System)<<8 | 15
	OpTokenFreeze            = Opcode(System)<<8 | 16
	OpTokenUnfreeze          = Opcode(System)<<8 | 17
	OpTokenSetHook           = Opcode(System)<<8 | 18
	OpTokenTransferOwnership = Opcode(System)<<8 | 19
	OpTokenTransferBatch     = Opcode(System)<<8 | 20
	OpTokenIncreaseAllowance = Opcode(System)<<8 | 21
	OpTokenDecreaseAllowance = Opcode(System)<<8 | 22
	OpTokenPermit            = Opcode(System)<<8 | 23
)

// token is the row of an instruction of tokens. What its call costs an actor it pays while it executes.
func token(op Opcode, name string, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.FeesAndTokens, Lane: params.LaneUser, Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles}, body: body,
	}
}

// Spec: tokens §4; WP §9, §17.2.
var tokenRows = chapter(ChapterToken,
	token(OpTokenCreate, "TokenCreate", func() Instruction { return new(TokenCreate) }),
	token(OpTokenTransfer, "TokenTransfer", func() Instruction { return new(TokenTransfer) }),
	token(OpTokenTransferFrom, "TokenTransferFrom", func() Instruction { return new(TokenTransferFrom) }),
	token(OpTokenApprove, "TokenApprove", func() Instruction { return new(TokenApprove) }),
	token(OpTokenMint, "TokenMint", func() Instruction { return new(TokenMint) }),
	token(OpTokenBurn, "TokenBurn", func() Instruction { return new(TokenBurn) }),
	token(OpTokenFreeze, "TokenFreeze", func() Instruction { return new(TokenFreeze) }),
	token(OpTokenUnfreeze, "TokenUnfreeze", func() Instruction { return new(TokenUnfreeze) }),
	token(OpTokenSetHook, "TokenSetHook", func() Instruction { return new(TokenSetHook) }),
	token(OpTokenTransferOwnership, "TokenTransferOwnership", func() Instruction { return new(TokenTransferOwnership) }),
	token(OpTokenTransferBatch, "TokenTransferBatch", func() Instruction { return new(TokenTransferBatch) }),
	token(OpTokenIncreaseAllowance, "TokenIncreaseAllowance", func() Instruction { return new(TokenIncreaseAllowance) }),
	token(OpTokenDecreaseAllowance, "TokenDecreaseAllowance", func() Instruction { return new(TokenDecreaseAllowance) }),
	token(OpTokenPermit, "TokenPermit", func() Instruction { return new(TokenPermit) }),
)

// TokenCreate makes a token whose owner and first holder is the sender:
//
//	Bytes name (≤ 64) ‖ Bytes symbol (≤ 16) ‖ UInt decimals ‖ initial_supply(16) ‖ Option max_supply(16) ‖ Option transfer_hook(20) ‖
//	Option<Bytes> metadata_uri (≤ 256)
//
// Quantities of tokens are big-endian in every instruction. The receipt returns the token's identifier.
// Spec: tokens §2, §3, §4 (10).
type TokenCreate struct {
	Name          []byte
	Symbol        []byte
	Decimals      uint64
	InitialSupply unit.Uint128
	MaxSupply     *unit.Uint128
	TransferHook  *account.Address
	MetadataURI   []byte // nil: none
}

// Opcode implements Instruction.
func (*TokenCreate) Opcode() Opcode { return OpTokenCreate }

// Fields implements Instruction.
func (c *TokenCreate) Fields(f *Form) {
	f.Text("name", &c.Name, params.TokenNameBytes)
	f.Text("symbol", &c.Symbol, params.TokenSymbolBytes)
	f.Uint("decimals", &c.Decimals)
	f.Wide("initial_supply", &c.InitialSupply)
	f.OptionWide("max_supply", &c.MaxSupply)
	f.OptionAddress("transfer_hook", &c.TransferHook)
	f.OptionText("metadata_uri", &c.MetadataURI, params.TokenURIBytes)
}

// surcharge is one cell per byte of calldata. Spec: WP §17.4.
func (c *TokenCreate) surcharge() Cost { return Cost{Cells: calldata(c.Name, c.Symbol, c.MetadataURI)} }

// TokenTransfer moves tokens of the sender: token_id(32) ‖ to(20) ‖ amount(16).
// Spec: tokens §4, §5.
type TokenTransfer struct {
	TokenID digest.Hash
	To      account.Address
	Amount  unit.Uint128
}

// Opcode implements Instruction.
func (*TokenTransfer) Opcode() Opcode { return OpTokenTransfer }

// Fields implements Instruction.
func (t *TokenTransfer) Fields(f *Form) {
	f.Hash("token_id", &t.TokenID)
	f.Address("to", &t.To)
	f.Wide("amount", &t.Amount)
}

// TokenTransferFrom moves tokens of another, who allowed it to the sender: token_id(32) ‖ owner(20) ‖ to(20) ‖ amount(16).
// Spec: tokens §4, §5.
type TokenTransferFrom struct {
	TokenID digest.Hash
	Owner   account.Address
	To      account.Address
	Amount  unit.Uint128
}

// Opcode implements Instruction.
func (*TokenTransferFrom) Opcode() Opcode { return OpTokenTransferFrom }

// Fields implements Instruction.
func (t *TokenTransferFrom) Fields(f *Form) {
	f.Hash("token_id", &t.TokenID)
	f.Address("owner", &t.Owner)
	f.Address("to", &t.To)
	f.Wide("amount", &t.Amount)
}

// allowance shows the fields of the three instructions about an allowance.
func allowance(f *Form, token *digest.Hash, spender *account.Address, amount *unit.Uint128) {
	f.Hash("token_id", token)
	f.Address("spender", spender)
	f.Wide("amount", amount)
}

// TokenApprove sets what another may transfer of the sender's tokens: token_id(32) ‖ spender(20) ‖ amount(16).
// Spec: tokens §4.
type TokenApprove struct {
	TokenID digest.Hash
	Spender account.Address
	Amount  unit.Uint128
}

// Opcode implements Instruction.
func (*TokenApprove) Opcode() Opcode { return OpTokenApprove }

// Fields implements Instruction.
func (a *TokenApprove) Fields(f *Form) { allowance(f, &a.TokenID, &a.Spender, &a.Amount) }

// TokenIncreaseAllowance is as TokenApprove, by how much more.
// Spec: tokens §4 (21).
type TokenIncreaseAllowance struct {
	TokenID digest.Hash
	Spender account.Address
	Amount  unit.Uint128
}

// Opcode implements Instruction.
func (*TokenIncreaseAllowance) Opcode() Opcode { return OpTokenIncreaseAllowance }

// Fields implements Instruction.
func (a *TokenIncreaseAllowance) Fields(f *Form) { allowance(f, &a.TokenID, &a.Spender, &a.Amount) }

// TokenDecreaseAllowance is as TokenApprove, by how much less.
// Spec: tokens §4 (22).
type TokenDecreaseAllowance struct {
	TokenID digest.Hash
	Spender account.Address
	Amount  unit.Uint128
}

// Opcode implements Instruction.
func (*TokenDecreaseAllowance) Opcode() Opcode { return OpTokenDecreaseAllowance }

// Fields implements Instruction.
func (a *TokenDecreaseAllowance) Fields(f *Form) { allowance(f, &a.TokenID, &a.Spender, &a.Amount) }

// TokenMint makes new tokens, by the mint authority: token_id(32) ‖ to(20) ‖ amount(16).
// Spec: tokens §4, §5.
type TokenMint struct {
	TokenID digest.Hash
	To      account.Address
	Amount  unit.Uint128
}

// Opcode implements Instruction.
func (*TokenMint) Opcode() Opcode { return OpTokenMint }

// Fields implements Instruction.
func (t *TokenMint) Fields(f *Form) {
	f.Hash("token_id", &t.TokenID)
	f.Address("to", &t.To)
	f.Wide("amount", &t.Amount)
}

// TokenBurn destroys tokens of the sender: token_id(32) ‖ amount(16).
// Spec: tokens §4, §5.
type TokenBurn struct {
	TokenID digest.Hash
	Amount  unit.Uint128
}

// Opcode implements Instruction.
func (*TokenBurn) Opcode() Opcode { return OpTokenBurn }

// Fields implements Instruction.
func (t *TokenBurn) Fields(f *Form) {
	f.Hash("token_id", &t.TokenID)
	f.Wide("amount", &t.Amount)
}

// TokenFreeze freezes an account for a token, by the freeze authority: token_id(32) ‖ account(20).
// Spec: tokens §4.
type TokenFreeze struct {
	TokenID digest.Hash
	Account account.Address
}

// Opcode implements Instruction.
func (*TokenFreeze) Opcode() Opcode { return OpTokenFreeze }

// Fields implements Instruction.
func (t *TokenFreeze) Fields(f *Form) {
	f.Hash("token_id", &t.TokenID)
	f.Address("account", &t.Account)
}

// TokenUnfreeze undoes TokenFreeze: token_id(32) ‖ account(20).
// Spec: tokens §4.
type TokenUnfreeze struct {
	TokenID digest.Hash
	Account account.Address
}

// Opcode implements Instruction.
func (*TokenUnfreeze) Opcode() Opcode { return OpTokenUnfreeze }

// Fields implements Instruction.
func (t *TokenUnfreeze) Fields(f *Form) {
	f.Hash("token_id", &t.TokenID)
	f.Address("account", &t.Account)
}

// TokenSetHook names the actor that is asked about transfers, or none, by the owner: token_id(32) ‖ Option transfer_hook(20).
// Spec: tokens §4, §6.
type TokenSetHook struct {
	TokenID      digest.Hash
	TransferHook *account.Address
}

// Opcode implements Instruction.
func (*TokenSetHook) Opcode() Opcode { return OpTokenSetHook }

// Fields implements Instruction.
func (t *TokenSetHook) Fields(f *Form) {
	f.Hash("token_id", &t.TokenID)
	f.OptionAddress("transfer_hook", &t.TransferHook)
}

// TokenTransferOwnership gives a token to another owner: token_id(32) ‖ new_owner(20).
// Spec: tokens §4.
type TokenTransferOwnership struct {
	TokenID  digest.Hash
	NewOwner account.Address
}

// Opcode implements Instruction.
func (*TokenTransferOwnership) Opcode() Opcode { return OpTokenTransferOwnership }

// Fields implements Instruction.
func (t *TokenTransferOwnership) Fields(f *Form) {
	f.Hash("token_id", &t.TokenID)
	f.Address("new_owner", &t.NewOwner)
}

// TokenLeg is one transfer of a batch: token_id(32) ‖ to(20) ‖ amount(16).
type TokenLeg struct {
	TokenID digest.Hash
	To      account.Address
	Amount  unit.Uint128
}

const legSize = digest.Size + account.AddressSize + unit.Uint128Size

// TokenTransferBatch makes several transfers of the sender, all or none: a length of at most 256 and that many legs.
// Spec: tokens §4 (20), §5.
type TokenTransferBatch struct{ Transfers []TokenLeg }

// Opcode implements Instruction.
func (*TokenTransferBatch) Opcode() Opcode { return OpTokenTransferBatch }

// Fields implements Instruction.
func (t *TokenTransferBatch) Fields(f *Form) { f.legs("transfers", &t.Transfers) }

// surcharge is one cell per byte of calldata. Spec: WP §17.4.
func (t *TokenTransferBatch) surcharge() Cost {
	return Cost{Cells: unit.Cells(len(t.Transfers)*legSize) * params.CellsPerByteCalldata}
}

// legs is a list of transfers.
func (f *Form) legs(name string, list *[]TokenLeg) {
	switch f.mode {
	case reading:
		*list = nil
		for n := f.reader.Len(0, params.TokenBatchLegs, legSize); n > 0; n-- {
			var l TokenLeg
			f.reader.Into(l.TokenID[:])
			f.reader.Into(l.To[:])
			l.Amount = readWide(&f.reader)
			*list = append(*list, l)
		}
	case writing:
		f.out = codec.AppendLen(f.out, len(*list))
		for _, l := range *list {
			f.out = l.Amount.AppendBig(codec.AppendFixed(codec.AppendFixed(f.out, l.TokenID[:]), l.To[:]))
		}
	case listing:
		f.list(Field{Name: name, Type: TypeList, Max: params.TokenBatchLegs}, list)
	}
}

// TokenPermit sets an allowance that its owner signed; anybody may send it:
//
//	token_id(32) ‖ owner(20) ‖ spender(20) ‖ value(16) ‖ UInt deadline ‖ UInt permit_nonce ‖ signature(65)
//
// The deadline is the height of the last block it is good in, the nonce of permits how many of the owner were used before it.
// Spec: tokens §4 (23).
type TokenPermit struct {
	TokenID   digest.Hash
	Owner     account.Address
	Spender   account.Address
	Value     unit.Uint128
	Deadline  unit.Height
	Nonce     uint64
	Signature sig.Signature
}

// Opcode implements Instruction.
func (*TokenPermit) Opcode() Opcode { return OpTokenPermit }

// Fields implements Instruction.
func (p *TokenPermit) Fields(f *Form) {
	f.Hash("token_id", &p.TokenID)
	f.Address("owner", &p.Owner)
	f.Address("spender", &p.Spender)
	f.Wide("value", &p.Value)
	f.Uint("deadline", (*uint64)(&p.Deadline))
	f.Uint("permit_nonce", &p.Nonce)
	f.Fixed("signature", p.Signature[:])
}

// surcharge is one cell per byte of the signature, as an additional signer's. Spec: WP §17.4.
func (p *TokenPermit) surcharge() Cost { return Cost{Cells: calldata(p.Signature[:])} }
