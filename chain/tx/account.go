package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// OpCreateAccount opens an account. Spec: runner-marketplace §3.
const OpCreateAccount = Opcode(System) << 8

// accountRows prices the opening of an account at the base of an unlisted instruction, and the record it leaves even without coins.
//
// Spec: WP §17.2, §17.4 (state write).
var accountRows = chapter(ChapterAccount, Row{
	Opcode: OpCreateAccount, Name: "CreateAccount", Lane: params.LaneUser, Payment: PayNewAccount,
	Intrinsic: Cost{params.IntrinsicSystemCycles, params.IntrinsicCreateAccountCells}, body: func() Instruction { return new(CreateAccount) },
})

// CreateAccount opens an account that nobody has, with coins or without: address(20) ‖ amount(8, big-endian). Unlike a transfer it fails where there is
// an account already, so that the sender knows to be the first. The public sources give the name and the number alone; the fields are ours.
//
// Spec: runner-marketplace §3 (0); WP §2.1, §17.2.
type CreateAccount struct {
	Address account.Address
	Amount  unit.Amount // base units
}

// Opcode implements Instruction.
func (*CreateAccount) Opcode() Opcode { return OpCreateAccount }

// Fields implements Instruction.
func (c *CreateAccount) Fields(f *Form) {
	f.Address("address", &c.Address)
	f.Amount("amount", &c.Amount)
}

// Value is the amount.
func (c *CreateAccount) Value() unit.Amount { return c.Amount }

// Target is the new account's address.
func (c *CreateAccount) Target() account.Address { return c.Address }
