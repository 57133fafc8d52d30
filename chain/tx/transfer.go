package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// OpTransfer moves coins. Spec: runner-marketplace §3.
const OpTransfer = Opcode(System)<<8 | 1

var transferRows = chapter(ChapterTransfer, Row{
	Opcode: OpTransfer, Name: "Transfer", Lane: params.LaneUser, Payment: PayAnybody,
	Intrinsic: Cost{Cycles: params.IntrinsicTransferCycles}, body: func() Instruction { return new(Transfer) },
})

// Transfer moves native coin to an account: to(20) ‖ amount(8, big-endian).
// Spec: WP §2.5, §17.2, Appendix A; tokens §1 (base units).
type Transfer struct {
	To     account.Address
	Amount unit.Amount // base units
}

// Opcode implements Instruction.
func (*Transfer) Opcode() Opcode { return OpTransfer }

// Fields implements Instruction.
func (t *Transfer) Fields(f *Form) {
	f.Address("to", &t.To)
	f.Amount("amount", &t.Amount)
}

// Value is the amount.
func (t *Transfer) Value() unit.Amount { return t.Amount }

// Target is the account that receives.
func (t *Transfer) Target() account.Address { return t.To }
