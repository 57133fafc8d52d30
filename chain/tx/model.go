package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/model"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of the model registry, which are this implementation's.
// Spec: WP §5.1.
const (
	OpModelPublish  = Opcode(System)<<8 | 176
	OpModelWithdraw = Opcode(System)<<8 | 177
	OpModelMark     = Opcode(System)<<8 | 178
)

// models is the row of an instruction of the model registry that everybody may send. It pays for the bytes it leaves beside the base of an unlisted
// instruction.
//
// Spec: WP §5.1, §17.2, §17.4.
func models(op Opcode, name string, cells unit.Cells, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.RunnerRegistry, Lane: params.LaneUser, Intrinsic: Cost{params.IntrinsicSystemCycles, cells}, body: body,
	}
}

// ModelPublish publishes a model: weights(32) ‖ arch(32) ‖ tokenizer(32) ‖ license(32). Its deposit goes to the registry. The return data is the model_id,
// 32 bytes.
// Spec: WP §5.1.
type ModelPublish struct{ Weights, Arch, Tokenizer, License digest.Hash }

// Opcode implements Instruction.
func (*ModelPublish) Opcode() Opcode { return OpModelPublish }

// Fields implements Instruction.
func (m *ModelPublish) Fields(f *Form) {
	f.Hash("weights", &m.Weights)
	f.Hash("arch", &m.Arch)
	f.Hash("tokenizer", &m.Tokenizer)
	f.Hash("license", &m.License)
}

// Value is the deposit, 1,000 CBY.
func (*ModelPublish) Value() unit.Amount { return params.ModelDeposit }

// Revision is what the four hashes name together.
func (m *ModelPublish) Revision() model.Revision {
	return model.Revision{Weights: m.Weights, Arch: m.Arch, Tokenizer: m.Tokenizer, License: m.License}
}

// ModelWithdraw takes a model of the sender out of the registry, and gives the deposit back: model_id(32).
// Spec: WP §5.1.
type ModelWithdraw struct{ Model digest.Hash }

// Opcode implements Instruction.
func (*ModelWithdraw) Opcode() Opcode { return OpModelWithdraw }

// Fields implements Instruction.
func (m *ModelWithdraw) Fields(f *Form) { f.Hash("model_id", &m.Model) }

// ModelMark says what governance holds of a model, whether published or not: model_id(32) ‖ UInt mark, 0 nothing, 1 flagged, 2 banned.
// Spec: WP §5.1.
type ModelMark struct {
	Model digest.Hash
	Mark  uint64
}

// Opcode implements Instruction.
func (*ModelMark) Opcode() Opcode { return OpModelMark }

// Fields implements Instruction.
func (m *ModelMark) Fields(f *Form) {
	f.Hash("model_id", &m.Model)
	f.Uint("mark", &m.Mark)
}

func (m *ModelMark) check() error { return instructionErr(model.CheckMark(m.Mark)) }
