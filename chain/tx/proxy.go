package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// RegisterCbssProxy makes the sender the operator of a proxy, for a stake that is taken and held:
//
//	pubkey(33) ‖ hpke_pubkey(32) ‖ tls_spki(32) ‖ Bytes network_addr (≤ 128) ‖ stake(8)
//
// The receipt returns the proxy's identity.
//
// Spec: secrets-cbss §2, §4 (72).
type RegisterCbssProxy struct {
	PublicKey   sig.CompressedKey
	HPKE        [32]byte
	TLS         digest.Hash
	NetworkAddr []byte
	Stake       unit.Amount
}

// Opcode implements Instruction.
func (*RegisterCbssProxy) Opcode() Opcode { return OpRegisterCbssProxy }

// Fields implements Instruction.
func (r *RegisterCbssProxy) Fields(f *Form) {
	f.Fixed("pubkey", r.PublicKey[:])
	f.Fixed("hpke_pubkey", r.HPKE[:])
	f.Hash("tls_spki", &r.TLS)
	f.Text("network_addr", &r.NetworkAddr, secret.MaxAddressBytes)
	f.Amount("stake", &r.Stake)
}

func (r *RegisterCbssProxy) surcharge() Cost {
	data := calldata(r.PublicKey[:], r.HPKE[:], r.TLS[:], r.NetworkAddr)
	return Cost{Cells: 2*data + params.ProxyRecordCells}
}

// DeregisterCbssProxy has the sender's proxy unbond and its committees replaced. It has no fields.
//
// Spec: secrets-cbss §4 (73).
type DeregisterCbssProxy struct{}

// Opcode implements Instruction.
func (*DeregisterCbssProxy) Opcode() Opcode { return OpDeregisterCbssProxy }

// Fields implements Instruction.
func (*DeregisterCbssProxy) Fields(*Form) {}

func (*DeregisterCbssProxy) surcharge() Cost { return Cost{Cells: params.ProxyRecordCells} }

// ForcedDeregisterCbssProxy has a proxy unbond, by governance: proxy_id(32).
//
// Spec: secrets-cbss §4 (84), §5 (leaked plaintext and low health are for governance).
type ForcedDeregisterCbssProxy struct{ Proxy digest.Hash }

// Opcode implements Instruction.
func (*ForcedDeregisterCbssProxy) Opcode() Opcode { return OpForcedDeregisterCbssProxy }

// Fields implements Instruction.
func (d *ForcedDeregisterCbssProxy) Fields(f *Form) { f.Hash("proxy_id", &d.Proxy) }

func (d *ForcedDeregisterCbssProxy) surcharge() Cost {
	return Cost{Cells: calldata(d.Proxy[:]) + params.ProxyRecordCells}
}

// RotateCommittee brings the commitments of a key that a committee has made, or that another has passed on to it:
//
//	Bytes scope ‖ Bytes new_committee (32 each) ‖ UInt new_committee_epoch ‖ new_mpk(96) ‖ Bytes vss_commitments (96 each) ‖
//	Bytes new_committee_sigs ‖ Bytes prior_committee_sigs (each place(1), from 0, ‖ signature(65), ascending)
//
// Spec: secrets-cbss §4 (74), §5.
type RotateCommittee struct {
	Scope       []byte // secret.Scope
	Committee   []byte
	Epoch       uint64
	Master      cbss.Key
	Commitments []byte
	Signatures  []byte
	Prior       []byte
}

const signedSize = 1 + sig.SignatureSize

// Opcode implements Instruction.
func (*RotateCommittee) Opcode() Opcode { return OpRotateCommittee }

// Fields implements Instruction.
func (r *RotateCommittee) Fields(f *Form) {
	f.Bytes("scope", &r.Scope, cbss.MaxScopeBytes)
	f.Bytes("new_committee", &r.Committee, secret.MaxMembers*digest.Size)
	f.Uint("new_committee_epoch", &r.Epoch)
	f.Fixed("new_mpk", r.Master[:])
	f.Bytes("vss_commitments", &r.Commitments, secret.MaxMembers*cbss.KeySize)
	f.Bytes("new_committee_sigs", &r.Signatures, secret.MaxMembers*signedSize)
	f.Bytes("prior_committee_sigs", &r.Prior, secret.MaxMembers*signedSize)
}

// Generation is the committee.
func (r *RotateCommittee) Generation() secret.Generation {
	g := secret.Generation{Epoch: r.Epoch}
	for at := 0; at+digest.Size <= len(r.Committee); at += digest.Size {
		g.Committee = append(g.Committee, digest.Hash(r.Committee[at:at+digest.Size]))
	}
	for at := 0; at+cbss.KeySize <= len(r.Commitments); at += cbss.KeySize {
		g.Commitments = append(g.Commitments, cbss.Key(r.Commitments[at:at+cbss.KeySize]))
	}
	return g
}

// Signed are the signatures of the new and of the former committee.
func (r *RotateCommittee) Signed() (signed, prior []secret.Signed) {
	return readSigned(r.Signatures), readSigned(r.Prior)
}

func readSigned(raw []byte) (list []secret.Signed) {
	in := codec.NewReader(raw)
	for in.Remaining() > 0 && in.Err() == nil {
		list = append(list, secret.ReadSigned(in))
	}
	return list
}

func (r *RotateCommittee) check() error {
	_, err := secret.ParseScope(r.Scope)
	if err == nil && (len(r.Committee)%digest.Size != 0 || len(r.Commitments)%cbss.KeySize != 0 || len(r.Signatures)%signedSize != 0 ||
		len(r.Prior)%signedSize != 0) {
		err = secret.ErrForm
	}
	return instructionErr(err)
}

// surcharge is the signatures, the calldata and what of it is written.
//
// Spec: secrets-cbss §7 (80,000 for each of n + t); WP §17.4.
func (r *RotateCommittee) surcharge() Cost {
	signers := (len(r.Signatures) + len(r.Prior)) / signedSize
	data := calldata(r.Scope, r.Committee, r.Master[:], r.Commitments)
	return Cost{
		Cycles: unit.Cycles(signers) * params.CostCommitteeSigner,
		Cells:  2*data + calldata(r.Signatures, r.Prior) + params.CommitteeRecordCells + unit.Cells(3*len(r.Committee)),
	}
}

// SlashCbssProxy punishes a proxy for what its own signature shows: proxy_id(32) ‖ UInt fault_class ‖ Bytes evidence (≤ 2,048). The classes are 0
// InvalidPartialReencrypt, 1 DkgSabotage, 2 Equivocation.
//
// Spec: secrets-cbss §4 (75), §5 (Slashing).
type SlashCbssProxy struct {
	Proxy    digest.Hash
	Fault    uint64
	Evidence []byte
}

// Opcode implements Instruction.
func (*SlashCbssProxy) Opcode() Opcode { return OpSlashCbssProxy }

// Fields implements Instruction.
func (s *SlashCbssProxy) Fields(f *Form) {
	f.Hash("proxy_id", &s.Proxy)
	f.Uint("fault_class", &s.Fault)
	f.Bytes("evidence", &s.Evidence, secret.MaxEvidence)
}

func (s *SlashCbssProxy) check() error {
	if s.Fault > uint64(secret.Equivocation) {
		return instructionErr(secret.ErrForm)
	}
	return nil
}

func (s *SlashCbssProxy) surcharge() Cost {
	return Cost{Cells: calldata(s.Proxy[:], s.Evidence) + params.ProxyRecordCells}
}

// SubmitReleaseReceipt shows that a proxy gave a runner its partial:
//
//	Bytes runner_request ‖ proxy_id(32) ‖ blinded_sigma(48) ‖ blinded_share(96) ‖ challenge(32) ‖ response(32) ‖ UInt committee_epoch_at_serve ‖
//	UInt served_at_block ‖ proxy_sig(65)
//
// In the place of the documents' sigma_i stand the blinded points with their proof.
//
// Spec: secrets-cbss §4 (76), §10 (1).
type SubmitReleaseReceipt struct {
	Request   []byte // cbss.Request with its runner's signature
	Proxy     digest.Hash
	Sigma     cbss.Point
	Share     cbss.Key
	Challenge [cbss.ScalarSize]byte
	Response  [cbss.ScalarSize]byte
	Epoch     uint64
	Served    uint64
	Signature sig.Signature
}

// Opcode implements Instruction.
func (*SubmitReleaseReceipt) Opcode() Opcode { return OpSubmitReleaseReceipt }

// Fields implements Instruction.
func (s *SubmitReleaseReceipt) Fields(f *Form) {
	f.Bytes("runner_request", &s.Request, cbss.SignedRequestSize)
	f.Hash("proxy_id", &s.Proxy)
	f.Fixed("blinded_sigma", s.Sigma[:])
	f.Fixed("blinded_share", s.Share[:])
	f.Fixed("challenge", s.Challenge[:])
	f.Fixed("response", s.Response[:])
	f.Uint("committee_epoch_at_serve", &s.Epoch)
	f.Uint("served_at_block", &s.Served)
	f.Fixed("proxy_sig", s.Signature[:])
}

// Proof is what is shown.
func (s *SubmitReleaseReceipt) Proof() *secret.Proof {
	return &secret.Proof{
		Request: s.Request, Proxy: s.Proxy, Epoch: s.Epoch, Served: s.Served, Signature: s.Signature,
		Blinded: cbss.Blinded{Sigma: s.Sigma, Share: s.Share, Challenge: s.Challenge, Response: s.Response},
	}
}

func (s *SubmitReleaseReceipt) surcharge() Cost {
	data := calldata(s.Request, s.Proxy[:], s.Sigma[:], s.Share[:], s.Challenge[:], s.Response[:], s.Signature[:])
	return Cost{Cells: data + params.ReceiptRecordCells}
}

// RequestAccountDkg asks that a committee makes the release key of an account, for a bond: account(20). The account and who made the actor there may ask.
//
// Spec: secrets-cbss §4 (77).
type RequestAccountDkg struct{ Account account.Address }

// Opcode implements Instruction.
func (*RequestAccountDkg) Opcode() Opcode { return OpRequestAccountDkg }

// Fields implements Instruction.
func (r *RequestAccountDkg) Fields(f *Form) { f.Address("account", &r.Account) }

func (r *RequestAccountDkg) surcharge() Cost {
	return Cost{Cells: calldata(r.Account[:]) + params.CommitteeRecordCells}
}

// SubmitLivenessChallenge says that a proxy did not answer a request of the sender's, for a bond: Bytes runner_request ‖ proxy_id(32). The receipt returns the
// challenge's identity.
//
// Spec: secrets-cbss §4 (79), §5.
type SubmitLivenessChallenge struct {
	Request []byte
	Proxy   digest.Hash
}

// Opcode implements Instruction.
func (*SubmitLivenessChallenge) Opcode() Opcode { return OpSubmitLivenessChallenge }

// Fields implements Instruction.
func (s *SubmitLivenessChallenge) Fields(f *Form) {
	f.Bytes("runner_request", &s.Request, cbss.SignedRequestSize)
	f.Hash("proxy_id", &s.Proxy)
}

func (s *SubmitLivenessChallenge) surcharge() Cost {
	return Cost{Cells: calldata(s.Request, s.Proxy[:]) + params.ChallengeRecordCells}
}

// LivenessChallengeResponse answers a challenge of the sender's proxy: challenge_id(32) ‖ UInt reason, 0 InvalidRequest, 1 RateLimited, 2 NeverReceived.
//
// Spec: secrets-cbss §4 (80), §5.
type LivenessChallengeResponse struct {
	Challenge digest.Hash
	Reason    uint64
}

// Opcode implements Instruction.
func (*LivenessChallengeResponse) Opcode() Opcode { return OpLivenessChallengeResponse }

// Fields implements Instruction.
func (l *LivenessChallengeResponse) Fields(f *Form) {
	f.Hash("challenge_id", &l.Challenge)
	f.Uint("reason", &l.Reason)
}

func (l *LivenessChallengeResponse) check() error {
	if l.Reason >= uint64(secret.Reasons) {
		return instructionErr(secret.ErrForm)
	}
	return nil
}

func (l *LivenessChallengeResponse) surcharge() Cost {
	return Cost{Cells: calldata(l.Challenge[:]) + params.ChallengeRecordCells}
}

// ExpireDkgPending ends a key that was not made in time: Bytes scope.
//
// Spec: secrets-cbss §4 (81).
type ExpireDkgPending struct{ Scope []byte }

// Opcode implements Instruction.
func (*ExpireDkgPending) Opcode() Opcode { return OpExpireDkgPending }

// Fields implements Instruction.
func (e *ExpireDkgPending) Fields(f *Form) { f.Bytes("scope", &e.Scope, cbss.MaxScopeBytes) }

func (e *ExpireDkgPending) check() error { return checkScope(e.Scope) }

func checkScope(raw []byte) error {
	_, err := secret.ParseScope(raw)
	return instructionErr(err)
}

func (e *ExpireDkgPending) surcharge() Cost {
	return Cost{Cells: calldata(e.Scope) + params.SecretRecordCells}
}

// ExpireLivenessChallenge ends a challenge that was not answered in time: challenge_id(32).
//
// Spec: secrets-cbss §4 (82).
type ExpireLivenessChallenge struct{ Challenge digest.Hash }

// Opcode implements Instruction.
func (*ExpireLivenessChallenge) Opcode() Opcode { return OpExpireLivenessChallenge }

// Fields implements Instruction.
func (e *ExpireLivenessChallenge) Fields(f *Form) { f.Hash("challenge_id", &e.Challenge) }

func (e *ExpireLivenessChallenge) surcharge() Cost {
	return Cost{Cells: calldata(e.Challenge[:]) + params.ChallengeRecordCells + params.ProxyRecordCells}
}

// RequestReshare asks that a release key is passed on to a committee that is drawn anew: Bytes scope.
//
// Spec: secrets-cbss §4 (83).
type RequestReshare struct{ Scope []byte }

// Opcode implements Instruction.
func (*RequestReshare) Opcode() Opcode { return OpRequestReshare }

// Fields implements Instruction.
func (r *RequestReshare) Fields(f *Form) { f.Bytes("scope", &r.Scope, cbss.MaxScopeBytes) }

func (r *RequestReshare) check() error { return checkScope(r.Scope) }

func (r *RequestReshare) surcharge() Cost {
	return Cost{Cells: calldata(r.Scope) + params.CommitteeRecordCells}
}
