package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// CreateAccount opens an account that nobody has, with coins or without: address(20) ‖ amount(8, big-endian). Unlike a transfer it fails where there is
// an account already, so that the sender knows to be the first. The public sources give the name and the number alone; the fields are ours.
//
// Spec: runner-marketplace §3 (0); WP §2.1, §17.2.
type CreateAccount struct {
	Address account.Address
	Amount  unit.Amount // base units
}

func readCreateAccount(r *codec.Reader) Instruction {
	var c CreateAccount
	r.Into(c.Address[:])
	c.Amount = unit.Amount(r.U64())
	return &c
}

// Opcode implements Instruction.
func (*CreateAccount) Opcode() Opcode { return OpCreateAccount }

// Lane implements Instruction.
func (*CreateAccount) Lane() params.Lane { return params.LaneUser }

// Intrinsic implements Instruction: the base of an unlisted instruction, and the record it leaves even without coins.
//
// Spec: WP §17.2, §17.4 (state write).
func (*CreateAccount) Intrinsic() Cost {
	return Cost{params.IntrinsicSystemCycles, params.IntrinsicCreateAccountCells}
}

// Value implements Instruction.
func (c *CreateAccount) Value() unit.Amount { return c.Amount }

// Privileged implements Instruction.
func (*CreateAccount) Privileged() bool { return false }

func (c *CreateAccount) appendBody(dst []byte) []byte {
	return codec.AppendU64(codec.AppendFixed(dst, c.Address[:]), uint64(c.Amount))
}

func (*CreateAccount) check() error { return nil }
