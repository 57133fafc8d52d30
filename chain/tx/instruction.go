package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Cost is an amount of each meter.
type Cost struct {
	Cycles unit.Cycles
	Cells  unit.Cells
}

// Instruction is the body of a transaction's operation, one Go type per opcode. It is immutable once it is in a Tx. What all instructions of an opcode
// have in common is in its Row.
type Instruction interface {
	// Opcode is the category and sub-type written before the body.
	Opcode() Opcode
	// Fields shows every field of the body to the form, in the order of the encoding.
	Fields(f *Form)
}

// A body has these methods where they apply.
type (
	// valued hands over coins besides fees.
	valued interface{ Value() unit.Amount }
	// targeted names the account it concerns.
	targeted interface{ Target() account.Address }
	// calling has a handler run in its transaction.
	calling interface{ Calls() []byte }
	// priced costs more than its row says.
	priced interface{ surcharge() Cost }
	// routed may travel in another lane than its row says.
	routed interface{ lane() params.Lane }
	// checked may be well-formed but never valid, in which case check gives an error of a Reject's class.
	checked interface{ check() error }
)

// ValueOf is what the sender hands over besides fees, in base units.
func ValueOf(in Instruction) unit.Amount {
	if v, ok := in.(valued); ok {
		return v.Value()
	}
	return 0
}

// HandlerOf is the handler that runs in the instruction's own transaction, empty where none does.
func HandlerOf(in Instruction) string {
	if c, ok := in.(calling); ok {
		return string(c.Calls())
	}
	return ""
}

// LaneOf is the block lane an instruction travels in. Spec: WP §6.3, §17.9.
func LaneOf(in Instruction) params.Lane {
	if r, ok := in.(routed); ok {
		return r.lane()
	}
	return table.of(in).Lane
}

// CostOf is what an instruction pays before its execution begins. Spec: WP §17.2.
func CostOf(in Instruction) Cost { return costOf(table, in) }

func costOf(t *Table, in Instruction) Cost {
	row := t.of(in)
	cost, more := row.Intrinsic, Cost{}
	if row.Surcharge != nil {
		more = row.Surcharge(in)
	} else if p, ok := in.(priced); ok {
		more = p.surcharge()
	}
	cost.Cycles += more.Cycles
	cost.Cells += more.Cells
	return cost
}

// TargetOf is whom an instruction of sender concerns: the system actor that executes it, the account it names, or the sender alone.
//
// Spec: WP §9.
func TargetOf(in Instruction, sender account.Address) account.Address {
	if home, ok := table.of(in).HomeAddress(); ok {
		return home
	}
	if t, ok := in.(targeted); ok {
		return t.Target()
	}
	return sender
}

// checkInstruction gives an error of a Reject's class for a body that is well-formed but never valid.
func checkInstruction(in Instruction) error {
	if c, ok := in.(checked); ok {
		return c.check()
	}
	return nil
}

// calldata is one cell for each byte of the parts. Spec: WP §17.4.
func calldata(parts ...[]byte) unit.Cells {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	return unit.Cells(n) * params.CellsPerByteCalldata
}

// readInstruction reads category, sub-type and body. An opcode of a chapter this
// build does not have gives *Unsupported, an unallocated one ErrUnknownInstruction.
// Spec: WP §2.5.
func readInstruction(r *codec.Reader) (Instruction, error) {
	op := Op(Category(r.Tag(uint8(categoryCount))), r.U8())
	if r.Err() != nil {
		return nil, r.Err()
	}
	row := table.find(op)
	if row == nil || row.body == nil {
		return nil, unsupported(op)
	}
	in := readBody(row, r)
	return in, r.Err()
}

// appendInstruction appends category, sub-type and body.
func appendInstruction(dst []byte, in Instruction) []byte {
	op := in.Opcode()
	return appendBody(append(dst, byte(op.Category()), op.SubType()), in)
}

// EncodeInstruction is the canonical encoding of an instruction on its own:
// [category, sub_type, body]. Spec: WP §2.5.
func EncodeInstruction(in Instruction) []byte { return appendInstruction(nil, in) }

// DecodeInstruction reads what EncodeInstruction wrote and nothing else.
func DecodeInstruction(data []byte) (Instruction, error) {
	r := codec.NewReader(data)
	in, err := readInstruction(r)
	if err == nil {
		err = r.Finish()
	}
	if err != nil {
		return nil, malformed(err)
	}
	return in, nil
}
