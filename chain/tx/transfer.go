package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Transfer moves native coin to an account: to(20) ‖ amount(8, big-endian).
// Spec: WP §2.5, §17.2, Appendix A.
type Transfer struct {
	To     account.Address
	Amount unit.Amount // base units
}

func readTransfer(r *codec.Reader) Instruction {
	var t Transfer
	r.Into(t.To[:])
	t.Amount = unit.Amount(r.U64())
	return &t
}

// Opcode implements Instruction.
func (*Transfer) Opcode() Opcode { return OpTransfer }

// Lane implements Instruction.
func (*Transfer) Lane() params.Lane { return params.LaneUser }

// Intrinsic implements Instruction. Spec: WP §17.2.
func (*Transfer) Intrinsic() Cost { return Cost{Cycles: params.IntrinsicTransferCycles} }

// Value implements Instruction.
func (t *Transfer) Value() unit.Amount { return t.Amount }

// Privileged implements Instruction.
func (*Transfer) Privileged() bool { return false }

func (t *Transfer) appendBody(dst []byte) []byte {
	dst = codec.AppendFixed(dst, t.To[:])
	return codec.AppendU64(dst, uint64(t.Amount))
}

func (*Transfer) check() error { return nil }
