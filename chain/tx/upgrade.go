package tx

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// DeployCode uploads a Python program that governance may give a system actor: Bytes code. Who sends it burns the rent of its bytes for a year.
// Spec: governance-staking B8, B10 (51).
type DeployCode struct{ Code []byte }

// Opcode implements Instruction.
func (*DeployCode) Opcode() Opcode { return OpDeployCode }

// Fields implements Instruction.
func (d *DeployCode) Fields(f *Form) { f.Bytes("code", &d.Code, params.MaxCodeBytes) }

// surcharge is the code. Spec: WP §17.2.
func (d *DeployCode) surcharge() Cost { return Cost{Cells: calldata(d.Code)} }

// UpgradeSystemActor gives a system actor other code, or takes that back, on a local network without a vote: UInt act, 0 an upgrade, 1 a rollback ‖
// actor(20) ‖ Bytes code, an encoded govern.Code ‖ UInt delay and UInt window in blocks ‖ Bytes handler and UInt cycles of a migration. A rollback has the
// actor alone. The number is this implementation's.
// Spec: governance-staking B8, B10 (103–107).
type UpgradeSystemActor struct {
	Act     uint64
	Actor   account.Address
	Code    []byte
	Delay   uint64 // blocks
	Window  uint64 // blocks
	Handler []byte
	Cycles  uint64
}

// The acts of an UpgradeSystemActor.
const (
	ActUpgrade uint64 = iota
	ActRollback
)

// maxCodeName bounds an encoded govern.Code: a tag and a hash.
const maxCodeName = 33

// Opcode implements Instruction.
func (*UpgradeSystemActor) Opcode() Opcode { return OpUpgradeSystemActor }

// Fields implements Instruction.
func (u *UpgradeSystemActor) Fields(f *Form) {
	f.Uint("act", &u.Act)
	f.Address("actor", &u.Actor)
	f.Bytes("code", &u.Code, maxCodeName)
	f.Uint("delay", &u.Delay)
	f.Uint("window", &u.Window)
	f.Text("migration", &u.Handler, params.MaxMigrationName)
	f.Uint("cycles", &u.Cycles)
}

func (u *UpgradeSystemActor) check() error {
	switch {
	case u.Act > ActRollback:
		return instructionErr(fmt.Errorf("act %d: 0 is an upgrade, 1 a rollback", u.Act))
	case u.Act == ActRollback && (len(u.Code)+len(u.Handler) > 0 || u.Delay > 0 || u.Window > 0 || u.Cycles > 0):
		return instructionErr(errors.New("a rollback names the system actor alone"))
	}
	return nil
}

// UpdateSettlementConfig replaces how the payments of a pool are shared, from the next block on: UInt pool, one of params.Pools ‖ the split.
// Spec: runner-marketplace §3 (40); governance-staking B10; WP §13.1.
type UpdateSettlementConfig struct {
	TargetPool uint64
	Split      params.Split
}

// Opcode implements Instruction.
func (*UpdateSettlementConfig) Opcode() Opcode { return OpUpdateSettlementConfig }

// Fields implements Instruction.
func (u *UpdateSettlementConfig) Fields(f *Form) {
	f.Uint("target_pool", &u.TargetPool)
	group(f, "split", &u.Split, params.ReadSplit)
}

func (u *UpdateSettlementConfig) check() error { return instructionErr(u.Split.Validate()) }
