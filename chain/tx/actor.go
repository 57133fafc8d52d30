package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of actors. Those of category Actor are this implementation's.
// Spec: runner-marketplace §3; governance-staking B10.
const (
	OpFundActor    = Opcode(System)<<8 | 41
	OpUpgradeActor = Opcode(System)<<8 | 43
	OpDeploy       = Opcode(Actor) << 8
	OpExecute      = Opcode(Actor)<<8 | 1
)

// actorRows prices an upgrade as the deployment of the new code, and funding as the transfer it is.
//
// Spec: WP §17.2.
var actorRows = chapter(ChapterActor,
	Row{
		Opcode: OpFundActor, Name: "FundActor", Lane: params.LaneUser, Payment: PayActor,
		Intrinsic: Cost{Cycles: params.IntrinsicTransferCycles}, body: func() Instruction { return new(FundActor) },
	},
	Row{
		Opcode: OpUpgradeActor, Name: "UpgradeActor", Lane: params.LaneUser,
		Intrinsic: Cost{Cycles: params.IntrinsicDeployCycles}, body: func() Instruction { return new(UpgradeActor) },
	},
	Row{
		Opcode: OpDeploy, Name: "Deploy", Lane: params.LaneUser,
		Intrinsic: Cost{Cycles: params.IntrinsicDeployCycles}, body: func() Instruction { return new(Deploy) },
	},
	Row{
		Opcode: OpExecute, Name: "Execute", Lane: params.LaneUser,
		Intrinsic: Cost{Cycles: params.IntrinsicActorMessageCycles}, body: func() Instruction { return new(Execute) },
	},
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

// Opcode implements Instruction.
func (*Deploy) Opcode() Opcode { return OpDeploy }

// Fields implements Instruction.
func (d *Deploy) Fields(f *Form) {
	f.Text("code", &d.Code, params.MaxCodeBytes)
	f.Bytes("salt", &d.Salt, params.MaxSaltBytes)
	f.OptionText("init_handler", &d.InitHandler, params.MaxHandlerBytes)
	f.OptionBytes("init_payload", &d.InitPayload, params.MaxTxBytes)
	f.OptionBytes("manifest", &d.Manifest, params.MaxManifestBytes)
}

// surcharge is the code and the calldata of the init call. Spec: WP §17.2, §17.4.
func (d *Deploy) surcharge() Cost {
	return Cost{Cells: calldata(d.Code, d.InitHandler, d.InitPayload, d.Manifest)}
}

// Calls is the handler that initializes the actor, if there is one.
func (d *Deploy) Calls() []byte { return d.InitHandler }

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

// Opcode implements Instruction.
func (*Execute) Opcode() Opcode { return OpExecute }

// Fields implements Instruction.
func (e *Execute) Fields(f *Form) {
	f.Address("actor", &e.To)
	f.Amount("amount", &e.Amount)
	f.Text("handler", &e.Handler, params.MaxHandlerBytes)
	f.Bytes("payload", &e.Payload, params.MaxTxBytes)
}

// lane has a storage manifest anchor travel in the Runner lane, everything else in
// the User lane. Spec: WP §6.3, §17.9.
func (e *Execute) lane() params.Lane {
	if e.To == account.System(account.StorageManager) && string(e.Handler) == anchorHandler {
		return params.LaneRunner
	}
	return params.LaneUser
}

// surcharge is the calldata. Spec: WP §17.2.
func (e *Execute) surcharge() Cost { return Cost{Cells: calldata(e.Handler, e.Payload)} }

// Calls is the handler.
func (e *Execute) Calls() []byte { return e.Handler }

// Value is what the actor receives.
func (e *Execute) Value() unit.Amount { return e.Amount }

// Target is the actor, which may be a system actor.
func (e *Execute) Target() account.Address { return e.To }

// FundActor adds native coin to an actor's balance: actor(20) ‖ amount(8,
// big-endian). Unlike Transfer it faults if no actor lives there.
// Spec: runner-marketplace §3 (41); rent §11.
type FundActor struct {
	Actor  account.Address
	Amount unit.Amount // base units
}

// Opcode implements Instruction.
func (*FundActor) Opcode() Opcode { return OpFundActor }

// Fields implements Instruction.
func (a *FundActor) Fields(f *Form) {
	f.Address("actor", &a.Actor)
	f.Amount("amount", &a.Amount)
}

// Value is the amount.
func (a *FundActor) Value() unit.Amount { return a.Amount }

// Target is the actor.
func (a *FundActor) Target() account.Address { return a.Actor }

// UpgradeActor replaces an actor's code: actor(20) ‖ Bytes code ‖ Option<Bytes>
// manifest. Whether the sender may is the entitlement sys.upgrade.
// Spec: runner-marketplace §3 (43); sdk §3.8; entitlement-extras §4.
type UpgradeActor struct {
	Actor    account.Address
	Code     []byte
	Manifest []byte // nil: unchanged
}

// Opcode implements Instruction.
func (*UpgradeActor) Opcode() Opcode { return OpUpgradeActor }

// Fields implements Instruction.
func (u *UpgradeActor) Fields(f *Form) {
	f.Address("actor", &u.Actor)
	f.Text("code", &u.Code, params.MaxCodeBytes)
	f.OptionBytes("manifest", &u.Manifest, params.MaxManifestBytes)
}

// surcharge is the code and the manifest. Spec: WP §17.2.
func (u *UpgradeActor) surcharge() Cost { return Cost{Cells: calldata(u.Code, u.Manifest)} }

// Target is the actor.
func (u *UpgradeActor) Target() account.Address { return u.Actor }
