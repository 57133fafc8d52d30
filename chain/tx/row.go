package tx

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Payment says whether an instruction only moves its value to its target, without a turn, and who has to be there.
type Payment uint8

// The payments.
const (
	NoPayment     Payment = iota
	PayAnybody            // whoever is there, or nobody yet
	PayActor              // an actor
	PayNewAccount         // nobody yet: the payment opens the account
)

// Row is what all instructions of one opcode have in common. The rows are the only list of instructions: decoding, fees, routing, JSON, the command
// line and the documents read them.
type Row struct {
	Opcode  Opcode
	Name    string
	Chapter Chapter
	// Home is the last byte of the address of the system actor that executes the instruction. It is zero where none does: the instruction is then the
	// affair of its sender and of the account it names.
	Home byte
	// Lane is the block lane the instruction travels in; LaneOf knows the exception. Spec: WP §6.3, §17.9.
	Lane params.Lane
	// Privileged says that only governance (an executed proposal or, on a local network, an administrator) may send it.
	// Spec: governance-staking B10; scheduler-timers §8.
	Privileged bool
	Payment    Payment
	// Intrinsic is what every such instruction pays before execution begins; CostOf adds the surcharge. Spec: WP §17.2.
	Intrinsic Cost
	// Surcharge is what one pays beside it. Nil stands for that of the body, which is its bytes of calldata and the checks it causes: the least of all
	// versions. Spec: WP §17.2, §17.4.
	Surcharge func(in Instruction) Cost

	body func() Instruction // an empty body; nil where the chapter is not built
}

// Built reports whether this build can read the instruction. A transaction with one that is not built is refused with Unsupported.
func (r *Row) Built() bool { return r.body != nil }

// New is an empty body, nil where the row is not built.
func (r *Row) New() Instruction {
	if r.body == nil {
		return nil
	}
	return r.body()
}

// Fields describes the body, nothing where the row is not built. The fields are those of an empty body of their own.
func (r *Row) Fields() []Field {
	if r.body == nil {
		return nil
	}
	return FieldsOf(r.body())
}

// HomeAddress is the address of the system actor that executes the instruction, and false where none does.
func (r *Row) HomeAddress() (account.Address, bool) { return account.System(r.Home), r.Home != 0 }

// Rows lists every opcode the specification allocates, in ascending order. The caller owns the slice.
//
// Spec: runner-marketplace §3 (full allocation).
func Rows() []Row { return table.Rows() }

// RowOf finds the row of an opcode, in constant time.
func RowOf(op Opcode) (Row, bool) { return table.Of(op) }

// RowNamed finds the row with a name.
func RowNamed(name string) (Row, bool) {
	for i := range table.rows {
		if table.rows[i].Name == name {
			return table.rows[i], true
		}
	}
	return Row{}, false
}

// All is the table of every instruction this build can read. For each it has the least that any version of the protocol asks, so that what Verify refuses
// is refused by all of them; the tables of versions are made of it by With and Without.
func All() *Table { return table }

// Table is the instructions of one version of the protocol, with an index by opcode. It never changes.
type Table struct {
	rows  []Row
	index [int(categoryCount) << 8]uint8 // place in rows plus one, zero for an opcode nobody allocated
}

var table = newTable(
	accountRows, transferRows, actorRows, timerRows, governRows, stakeRows, jobRows, tokenRows, entitleRows, secretRows, teeRows, sessionRows,
	gatewayRows, routeRows, relayRows, containerRows, bankRows, rentRows,
	extraRows,
)

// newTable joins the rows of the chapters. That two have one opcode is a mistake in the source.
func newTable(chapters ...[]Row) *Table {
	t := &Table{rows: slices.Concat(chapters...)}
	slices.SortFunc(t.rows, func(a, b Row) int { return cmp.Compare(a.Opcode, b.Opcode) })
	for i := range t.rows {
		place := &t.index[t.rows[i].Opcode]
		if *place != 0 {
			panic(fmt.Sprintf("tx: %s and %s have one opcode", t.rows[*place-1].Name, t.rows[i].Name))
		}
		*place = uint8(i + 1)
	}
	return t
}

// Rows lists the instructions, in ascending order of their opcodes. The caller owns the slice.
func (t *Table) Rows() []Row { return slices.Clone(t.rows) }

// Of finds the row of an opcode, in constant time.
func (t *Table) Of(op Opcode) (Row, bool) {
	if r := t.find(op); r != nil {
		return *r, true
	}
	return Row{}, false
}

// With is the table with other rows in the place of those with the same opcodes, or added.
func (t *Table) With(list ...Row) *Table {
	ops := make([]Opcode, len(list))
	for i, r := range list {
		ops[i] = r.Opcode
	}
	return newTable(t.Without(ops...).rows, list)
}

// Without is the table without some instructions: a transaction with one of them is refused with Unsupported.
func (t *Table) Without(ops ...Opcode) *Table {
	return newTable(slices.DeleteFunc(slices.Clone(t.rows), func(r Row) bool { return slices.Contains(ops, r.Opcode) }))
}

// Intrinsic is what a transaction of the table's version pays before its execution begins; see Tx.Intrinsic. The instruction is in the table.
func (t *Table) Intrinsic(x *Tx) Cost { return x.intrinsic(t) }

func (t *Table) find(op Opcode) *Row {
	if int(op) >= len(t.index) || t.index[op] == 0 {
		return nil
	}
	return &t.rows[t.index[op]-1]
}

// of is the row of an instruction, which has one by construction.
func (t *Table) of(in Instruction) *Row { return t.find(in.Opcode()) }

// chapter gives rows their chapter.
func chapter(name Chapter, list ...Row) []Row {
	for i := range list {
		list[i].Chapter = name
	}
	return list
}
