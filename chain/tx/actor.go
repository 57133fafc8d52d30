package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Deploy creates an actor and, if InitHandler is given, calls that handler in the
// same transaction:
//
//	Bytes code ‖ Bytes salt (≤ 32) ‖ Option<Bytes> init_handler ‖ Option<Bytes> init_payload ‖ Option<Bytes> manifest
//
// A nil slice is an absent option; an empty one is present. InitPayload without
// InitHandler is refused: nothing would receive it.
// Spec: sdk §3.8; WP §1.2, §17.2.
type Deploy struct {
	Code        []byte
	Salt        []byte
	InitHandler []byte
	InitPayload []byte
	Manifest    []byte
}

func readDeploy(r *codec.Reader) Instruction {
	return &Deploy{
		Code:        r.Bytes(params.MaxCodeBytes),
		Salt:        r.Bytes(params.MaxSaltBytes),
		InitHandler: readOptionBytes(r, params.MaxHandlerBytes),
		InitPayload: readOptionBytes(r, params.MaxTxBytes),
		Manifest:    readOptionBytes(r, params.MaxManifestBytes),
	}
}

func readOptionBytes(r *codec.Reader, max int) []byte {
	if !r.Option() {
		return nil
	}
	return r.Bytes(max)
}

func appendOptionBytes(dst, b []byte) []byte {
	if b == nil {
		return codec.AppendBool(dst, false)
	}
	return codec.AppendBytes(codec.AppendBool(dst, true), b)
}

// Opcode implements Instruction.
func (*Deploy) Opcode() Opcode { return OpDeploy }

// Lane implements Instruction.
func (*Deploy) Lane() params.Lane { return params.LaneUser }

// Intrinsic implements Instruction: the code and the calldata of the init call,
// one cell per byte. Spec: WP §17.2, §17.4.
func (d *Deploy) Intrinsic() Cost {
	bytes := len(d.Code) + len(d.InitHandler) + len(d.InitPayload) + len(d.Manifest)
	return Cost{params.IntrinsicDeployCycles, unit.Cells(bytes) * params.CellsPerByteCalldata}
}

// Value implements Instruction.
func (*Deploy) Value() unit.Amount { return 0 }

// Privileged implements Instruction.
func (*Deploy) Privileged() bool { return false }

func (d *Deploy) appendBody(dst []byte) []byte {
	dst = codec.AppendBytes(dst, d.Code)
	dst = codec.AppendBytes(dst, d.Salt)
	dst = appendOptionBytes(dst, d.InitHandler)
	dst = appendOptionBytes(dst, d.InitPayload)
	return appendOptionBytes(dst, d.Manifest)
}

func (d *Deploy) check() error {
	if d.InitHandler == nil && d.InitPayload != nil {
		return ErrInstruction
	}
	return nil
}

// Execute sends a message to an actor and runs it in this transaction:
//
//	to(20) ‖ value(8, big-endian) ‖ Bytes handler (≤ 256) ‖ Bytes payload
//
// The handler receives the exact payload bytes.
// Spec: WP "Transactions and Message Passing", §17.2 (ActorMessage); sdk §3.3.
type Execute struct {
	To      account.Address
	Amount  unit.Amount // base units handed to the actor
	Handler []byte
	Payload []byte
}

// anchorHandler is the Storage Manager's handler whose calls travel in the Runner
// lane. Spec: WP §6.3, §17.9 (storage manifest anchors); storage-cbfs (lane by
// recipient and method).
const anchorHandler = "commit_manifest"

func readExecute(r *codec.Reader) Instruction {
	var e Execute
	r.Into(e.To[:])
	e.Amount = unit.Amount(r.U64())
	e.Handler = r.Bytes(params.MaxHandlerBytes)
	e.Payload = r.Bytes(params.MaxTxBytes)
	return &e
}

// Opcode implements Instruction.
func (*Execute) Opcode() Opcode { return OpExecute }

// Lane implements Instruction: a storage manifest anchor travels in the Runner
// lane, everything else in the User lane. Spec: WP §6.3, §17.9.
func (e *Execute) Lane() params.Lane {
	if e.To == account.System(account.StorageManager) && string(e.Handler) == anchorHandler {
		return params.LaneRunner
	}
	return params.LaneUser
}

// Intrinsic implements Instruction. Spec: WP §17.2.
func (e *Execute) Intrinsic() Cost {
	calldata := unit.Cells(len(e.Handler) + len(e.Payload))
	return Cost{params.IntrinsicActorMessageCycles, calldata * params.CellsPerByteCalldata}
}

// Value implements Instruction.
func (e *Execute) Value() unit.Amount { return e.Amount }

// Privileged implements Instruction.
func (*Execute) Privileged() bool { return false }

func (e *Execute) appendBody(dst []byte) []byte {
	dst = codec.AppendFixed(dst, e.To[:])
	dst = codec.AppendU64(dst, uint64(e.Amount))
	dst = codec.AppendBytes(dst, e.Handler)
	return codec.AppendBytes(dst, e.Payload)
}

func (*Execute) check() error { return nil }

// FundActor adds native coin to an actor's balance: actor(20) ‖ amount(8,
// big-endian). Unlike Transfer it faults if no actor lives there.
// Spec: runner-marketplace §3 (41); rent §11.
type FundActor struct {
	Actor  account.Address
	Amount unit.Amount // base units
}

func readFundActor(r *codec.Reader) Instruction {
	var f FundActor
	r.Into(f.Actor[:])
	f.Amount = unit.Amount(r.U64())
	return &f
}

// Opcode implements Instruction.
func (*FundActor) Opcode() Opcode { return OpFundActor }

// Lane implements Instruction.
func (*FundActor) Lane() params.Lane { return params.LaneUser }

// Intrinsic implements Instruction: it moves value as a Transfer does.
// Spec: WP §17.2.
func (*FundActor) Intrinsic() Cost { return Cost{Cycles: params.IntrinsicTransferCycles} }

// Value implements Instruction.
func (f *FundActor) Value() unit.Amount { return f.Amount }

// Privileged implements Instruction.
func (*FundActor) Privileged() bool { return false }

func (f *FundActor) appendBody(dst []byte) []byte {
	dst = codec.AppendFixed(dst, f.Actor[:])
	return codec.AppendU64(dst, uint64(f.Amount))
}

func (*FundActor) check() error { return nil }

// UpgradeActor replaces an actor's code: actor(20) ‖ Bytes code ‖ Option<Bytes>
// manifest. Whether the sender may is the entitlement sys.upgrade.
// Spec: runner-marketplace §3 (43); sdk §3.8; entitlement-extras §4.
type UpgradeActor struct {
	Actor    account.Address
	Code     []byte
	Manifest []byte // nil: unchanged
}

func readUpgradeActor(r *codec.Reader) Instruction {
	var u UpgradeActor
	r.Into(u.Actor[:])
	u.Code = r.Bytes(params.MaxCodeBytes)
	u.Manifest = readOptionBytes(r, params.MaxManifestBytes)
	return &u
}

// Opcode implements Instruction.
func (*UpgradeActor) Opcode() Opcode { return OpUpgradeActor }

// Lane implements Instruction.
func (*UpgradeActor) Lane() params.Lane { return params.LaneUser }

// Intrinsic implements Instruction: priced as the deployment of the new code.
// Spec: WP §17.2.
func (u *UpgradeActor) Intrinsic() Cost {
	bytes := unit.Cells(len(u.Code) + len(u.Manifest))
	return Cost{params.IntrinsicDeployCycles, bytes * params.CellsPerByteCalldata}
}

// Value implements Instruction.
func (*UpgradeActor) Value() unit.Amount { return 0 }

// Privileged implements Instruction.
func (*UpgradeActor) Privileged() bool { return false }

func (u *UpgradeActor) appendBody(dst []byte) []byte {
	dst = codec.AppendFixed(dst, u.Actor[:])
	dst = codec.AppendBytes(dst, u.Code)
	return appendOptionBytes(dst, u.Manifest)
}

func (*UpgradeActor) check() error { return nil }
