package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of the Secrets Manager.
//
// Spec: secrets-cbss §4; runner-marketplace §3.
const (
	OpSetSecret                 = Opcode(System)<<8 | 68
	OpUpdateSecretPolicy        = Opcode(System)<<8 | 69
	OpDeleteSecretVersion       = Opcode(System)<<8 | 70
	OpDeleteSecret              = Opcode(System)<<8 | 71
	OpRegisterCbssProxy         = Opcode(System)<<8 | 72
	OpDeregisterCbssProxy       = Opcode(System)<<8 | 73
	OpRotateCommittee           = Opcode(System)<<8 | 74
	OpSlashCbssProxy            = Opcode(System)<<8 | 75
	OpSubmitReleaseReceipt      = Opcode(System)<<8 | 76
	OpRequestAccountDkg         = Opcode(System)<<8 | 77
	OpFinalizeSecretVersion     = Opcode(System)<<8 | 78
	OpSubmitLivenessChallenge   = Opcode(System)<<8 | 79
	OpLivenessChallengeResponse = Opcode(System)<<8 | 80
	OpExpireDkgPending          = Opcode(System)<<8 | 81
	OpExpireLivenessChallenge   = Opcode(System)<<8 | 82
	OpRequestReshare            = Opcode(System)<<8 | 83
	OpForcedDeregisterCbssProxy = Opcode(System)<<8 | 84
	OpRegisterTlock             = Opcode(System)<<8 | 152
	OpSubmitTlockRelease        = Opcode(System)<<8 | 153
)

// guarded is the row of an instruction of the Secrets Manager.
//
// Spec: secrets-cbss §4, §7; WP §9.
func guarded(op Opcode, name string, cycles unit.Cycles, body func() Instruction) Row {
	return Row{Opcode: op, Name: name, Home: account.SecretsManager, Lane: params.LaneUser, Intrinsic: Cost{Cycles: cycles}, body: body}
}

// No public text says what KeyDelivery does, nor what a time lock costs: registering one takes what setting a secret does, and a partial of it what a receipt
// does, which has as many pairings.
//
// Spec: runner-marketplace §3; secrets-cbss §4, §7; WP §9.
var secretRows = chapter(ChapterSecret,
	Row{Opcode: 42, Name: "KeyDelivery", Home: account.SecretsManager, Lane: params.LaneUser},
	guarded(OpSetSecret, "SetSecret", params.CostSecretSet, func() Instruction { return new(SetSecret) }),
	guarded(OpUpdateSecretPolicy, "UpdateSecretPolicy", params.CostSecretPolicy, func() Instruction { return new(UpdateSecretPolicy) }),
	guarded(OpDeleteSecretVersion, "DeleteSecretVersion", params.CostSecretDelete, func() Instruction { return new(DeleteSecretVersion) }),
	guarded(OpDeleteSecret, "DeleteSecret", params.CostSecretDelete, func() Instruction { return new(DeleteSecret) }),
	guarded(OpRegisterCbssProxy, "RegisterCbssProxy", params.CostProxyRegister, func() Instruction { return new(RegisterCbssProxy) }),
	guarded(OpDeregisterCbssProxy, "DeregisterCbssProxy", params.CostProxyDeregister, func() Instruction { return new(DeregisterCbssProxy) }),
	guarded(OpRotateCommittee, "RotateCommittee", params.CostCommitteeRotate, func() Instruction { return new(RotateCommittee) }),
	guarded(OpSlashCbssProxy, "SlashCbssProxy", params.CostProxySlash, func() Instruction { return new(SlashCbssProxy) }),
	guarded(OpSubmitReleaseReceipt, "SubmitReleaseReceipt", params.CostReleaseReceipt, func() Instruction { return new(SubmitReleaseReceipt) }),
	guarded(OpRequestAccountDkg, "RequestAccountDkg", params.CostDkgRequest, func() Instruction { return new(RequestAccountDkg) }),
	guarded(OpFinalizeSecretVersion, "FinalizeSecretVersion", params.CostSecretFinalize, func() Instruction { return new(FinalizeSecretVersion) }),
	guarded(OpSubmitLivenessChallenge, "SubmitLivenessChallenge", params.CostLivenessChallenge,
		func() Instruction { return new(SubmitLivenessChallenge) }),
	guarded(OpLivenessChallengeResponse, "LivenessChallengeResponse", params.CostLivenessResponse,
		func() Instruction { return new(LivenessChallengeResponse) }),
	guarded(OpExpireDkgPending, "ExpireDkgPending", params.CostDkgExpire, func() Instruction { return new(ExpireDkgPending) }),
	guarded(OpExpireLivenessChallenge, "ExpireLivenessChallenge", params.CostDkgExpire, func() Instruction { return new(ExpireLivenessChallenge) }),
	guarded(OpRequestReshare, "RequestReshare", params.CostDkgRequest, func() Instruction { return new(RequestReshare) }),
	Row{
		Opcode: OpForcedDeregisterCbssProxy, Name: "ForcedDeregisterCbssProxy", Home: account.SecretsManager, Lane: params.LaneSystem, Privileged: true,
		Intrinsic: Cost{Cycles: params.CostProxyDeregister}, body: func() Instruction { return new(ForcedDeregisterCbssProxy) },
	},
	guarded(OpRegisterTlock, "RegisterTlock", params.CostSecretSet, func() Instruction { return new(RegisterTlock) }),
	guarded(OpSubmitTlockRelease, "SubmitTlockRelease", params.CostReleaseReceipt, func() Instruction { return new(SubmitTlockRelease) }),
)

// PolicyActor is an account whose jobs may have a secret.
type PolicyActor struct{ Actor account.Address }

// Append appends the address.
func (a PolicyActor) Append(dst []byte) []byte { return codec.AppendFixed(dst, a.Actor[:]) }

func readPolicyActor(r *codec.Reader) (a PolicyActor) {
	r.Into(a.Actor[:])
	return a
}

// PreferredProxy is a proxy that is taken into a committee before others.
type PreferredProxy struct{ Proxy digest.Hash }

// Append appends the identity.
func (p PreferredProxy) Append(dst []byte) []byte { return codec.AppendFixed(dst, p.Proxy[:]) }

func readPreferredProxy(r *codec.Reader) (p PreferredProxy) {
	r.Into(p.Proxy[:])
	return p
}

// policyOf makes a policy of what an instruction says.
func policyOf(listed bool, actors []PolicyActor, tee bool) secret.Policy {
	p := secret.Policy{Listed: listed, TEE: tee}
	for _, a := range actors {
		p.Actors = append(p.Actors, a.Actor)
	}
	return p
}

// SetSecret makes the next version of a secret of the sender's, sealed to the sender's release key, or pending with a committee of its own:
//
//	key_hash(32) ‖ UInt recipient ‖ bool restrict_actors ‖ list of actor(20) (≤ 64, ascending) ‖ bool tee_required ‖ Option<Bytes> cbfs_pointer (≤ 65,537) ‖
//	Option<UInt> wrap_epoch ‖ Option<Bytes> wrapped_dek (328) ‖ Option<UInt> committee_n ‖ Option<UInt> committee_t ‖ list of preferred proxy(32) (≤ 15)
//
// recipient is 0 for the account's key and 1 for a committee of its own. cbfs_pointer begins with its kind: 0 and a place in storage of at most 128 bytes, or
// 1 and the encrypted payload itself. The receipt returns the version, be8.
//
// Spec: secrets-cbss §2, §4 (68), §5.
type SetSecret struct {
	KeyHash     digest.Hash
	Recipient   uint64
	Restrict    bool
	Actors      []PolicyActor
	TEERequired bool
	Pointer     []byte
	WrapEpoch   *uint64
	Wrapped     []byte
	Members     *uint64
	Quorum      *uint64
	Preferred   []PreferredProxy
}

// Opcode implements Instruction.
func (*SetSecret) Opcode() Opcode { return OpSetSecret }

// Fields implements Instruction.
func (s *SetSecret) Fields(f *Form) {
	f.Hash("key_hash", &s.KeyHash)
	f.Uint("recipient", &s.Recipient)
	f.Bool("restrict_actors", &s.Restrict)
	listOf(f, "actors", &s.Actors, secret.MaxActors, readPolicyActor)
	f.Bool("tee_required", &s.TEERequired)
	f.OptionBytes("cbfs_pointer", &s.Pointer, 1+secret.MaxPayload)
	f.OptionUint("wrap_epoch", &s.WrapEpoch)
	f.OptionBytes("wrapped_dek", &s.Wrapped, cbss.EnvelopeSize)
	f.OptionUint("committee_n", &s.Members)
	f.OptionUint("committee_t", &s.Quorum)
	listOf(f, "preferred_proxies", &s.Preferred, secret.MaxMembers, readPreferredProxy)
}

// Policy is who may have the secret.
func (s *SetSecret) Policy() secret.Policy { return policyOf(s.Restrict, s.Actors, s.TEERequired) }

// Sealed is what opens the version; nil for one with a committee of its own.
func (s *SetSecret) Sealed() *secret.Sealed {
	if s.WrapEpoch == nil {
		return nil
	}
	return &secret.Sealed{Epoch: *s.WrapEpoch, Pointer: s.Pointer, Wrapped: s.Wrapped}
}

// Override is the committee the version asks for; nil for none.
func (s *SetSecret) Override() *secret.Override {
	if s.Members == nil {
		return nil
	}
	o := &secret.Override{Members: uint32(*s.Members), Quorum: uint32(*s.Quorum)}
	for _, p := range s.Preferred {
		o.Preferred = append(o.Preferred, p.Proxy)
	}
	return o
}

func (s *SetSecret) check() error {
	sealed := s.WrapEpoch != nil
	own := s.Members != nil
	wrong := sealed == own || sealed != (s.Pointer != nil) || sealed != (s.Wrapped != nil) || own != (s.Quorum != nil) || !own && len(s.Preferred) > 0 ||
		own != (s.Recipient == uint64(secret.OfSecret)) || s.Recipient > uint64(secret.OfSecret) ||
		own && (*s.Members > secret.MaxMembers || *s.Quorum > secret.MaxMembers)
	if wrong {
		return instructionErr(secret.ErrForm)
	}
	p := s.Policy()
	return instructionErr(p.Check())
}

// surcharge is the calldata, what of it is written to state, and for a committee of its own what drawing it takes.
//
// Spec: secrets-cbss §7; WP §17.4.
func (s *SetSecret) surcharge() Cost {
	data := calldata(s.KeyHash[:], s.Pointer, s.Wrapped) + unit.Cells(account.AddressSize*len(s.Actors)+digest.Size*len(s.Preferred))
	c := Cost{Cells: 2*data + params.SecretRecordCells}
	if s.Members != nil {
		c.Cycles, c.Cells = params.CostSecretOverride, c.Cells+params.CommitteeRecordCells
	}
	return c
}

// FinalizeSecretVersion seals a version whose own committee has made its key:
//
//	key_hash(32) ‖ UInt version ‖ UInt wrap_epoch ‖ Bytes cbfs_pointer ‖ Bytes wrapped_dek
//
// Spec: secrets-cbss §4 (78), §5.
type FinalizeSecretVersion struct {
	KeyHash   digest.Hash
	Version   uint64
	WrapEpoch uint64
	Pointer   []byte
	Wrapped   []byte
}

// Opcode implements Instruction.
func (*FinalizeSecretVersion) Opcode() Opcode { return OpFinalizeSecretVersion }

// Fields implements Instruction.
func (s *FinalizeSecretVersion) Fields(f *Form) {
	f.Hash("key_hash", &s.KeyHash)
	f.Uint("version", &s.Version)
	f.Uint("wrap_epoch", &s.WrapEpoch)
	f.Bytes("cbfs_pointer", &s.Pointer, 1+secret.MaxPayload)
	f.Bytes("wrapped_dek", &s.Wrapped, cbss.EnvelopeSize)
}

func (s *FinalizeSecretVersion) surcharge() Cost {
	return Cost{Cells: 2*calldata(s.KeyHash[:], s.Pointer, s.Wrapped) + params.SecretRecordCells}
}

// UpdateSecretPolicy replaces the policy of a version: key_hash(32) ‖ UInt version ‖ bool restrict_actors ‖ list of actor(20) ‖ bool tee_required.
//
// Spec: secrets-cbss §4 (69).
type UpdateSecretPolicy struct {
	KeyHash     digest.Hash
	Version     uint64
	Restrict    bool
	Actors      []PolicyActor
	TEERequired bool
}

// Opcode implements Instruction.
func (*UpdateSecretPolicy) Opcode() Opcode { return OpUpdateSecretPolicy }

// Fields implements Instruction.
func (u *UpdateSecretPolicy) Fields(f *Form) {
	f.Hash("key_hash", &u.KeyHash)
	f.Uint("version", &u.Version)
	f.Bool("restrict_actors", &u.Restrict)
	listOf(f, "actors", &u.Actors, secret.MaxActors, readPolicyActor)
	f.Bool("tee_required", &u.TEERequired)
}

// Policy is who may have the secret from now on.
func (u *UpdateSecretPolicy) Policy() secret.Policy {
	return policyOf(u.Restrict, u.Actors, u.TEERequired)
}

func (u *UpdateSecretPolicy) check() error {
	p := u.Policy()
	return instructionErr(p.Check())
}

// surcharge is the calldata, and the version's record, which is written again.
//
// Spec: WP §17.4.
func (u *UpdateSecretPolicy) surcharge() Cost {
	data := calldata(u.KeyHash[:]) + unit.Cells(account.AddressSize*len(u.Actors))
	return Cost{Cells: 2*data + params.SecretRecordCells + cbss.EnvelopeSize + secret.MaxPointer}
}

// DeleteSecretVersion ends a version of a secret: key_hash(32) ‖ UInt version.
//
// Spec: secrets-cbss §4 (70).
type DeleteSecretVersion struct {
	KeyHash digest.Hash
	Version uint64
}

// Opcode implements Instruction.
func (*DeleteSecretVersion) Opcode() Opcode { return OpDeleteSecretVersion }

// Fields implements Instruction.
func (d *DeleteSecretVersion) Fields(f *Form) {
	f.Hash("key_hash", &d.KeyHash)
	f.Uint("version", &d.Version)
}

func (d *DeleteSecretVersion) surcharge() Cost {
	return Cost{Cells: calldata(d.KeyHash[:]) + params.SecretRecordCells}
}

// DeleteSecret ends all versions of a secret: key_hash(32). It pays for each of them where they are known.
//
// Spec: secrets-cbss §4 (71), §7.
type DeleteSecret struct{ KeyHash digest.Hash }

// Opcode implements Instruction.
func (*DeleteSecret) Opcode() Opcode { return OpDeleteSecret }

// Fields implements Instruction.
func (d *DeleteSecret) Fields(f *Form) { f.Hash("key_hash", &d.KeyHash) }

func (d *DeleteSecret) surcharge() Cost {
	return Cost{Cells: calldata(d.KeyHash[:]) + params.SecretRecordCells}
}
