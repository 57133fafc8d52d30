package protocol

import (
	"crypto/ed25519"
	"math"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Role is which side somebody is.
type Role uint64

// The roles.
const (
	Runner Role = iota
	Validator
	roles
)

// Hello begins a connection.
type Hello struct {
	Version uint64
	Party   Party
	Role    Role
	Height  uint64 // of the newest final block
	Nonce   digest.Hash
}

// HelloAck answers a Hello: the signature of the Challenge.
type HelloAck struct{ Signature PartySignature }

// Ping is a heartbeat of a runner. Its nonces ascend.
type Ping struct {
	Height    uint64
	Nonce     uint64
	Signature PartySignature // of PingHash
}

// Pong answers one, with its nonce.
type Pong struct {
	Height    uint64
	Nonce     uint64
	Signature PartySignature // of PongHash
}

// Backpressure says how much a runner does and takes.
type Backpressure struct {
	Active, Most uint64
	Accepting    bool
	Reason       string
}

// CapabilityDelta says what a runner's workers can do now, or cannot any more. It is advice: the registry decides.
type CapabilityDelta struct{ Added, Removed []string }

// Assignment is a job that the runner is selected for.
type Assignment struct {
	ID        digest.Hash
	Spec      []byte // canonical encoding
	Height    uint64 // of the block after which it is
	Deadline  uint64 // the last block commitments are taken in
	Signature [ed25519.SignatureSize]byte
}

// AckStatus is what a runner makes of an assignment.
type AckStatus uint64

// What it makes of one.
const (
	Accepted AckStatus = iota
	Duplicate
	Rejected
	ackStatuses
)

// Ack answers an assignment.
type Ack struct {
	ID     digest.Hash
	Status AckStatus
	Reason string
}

// Progress says how much of a job is done.
type Progress struct {
	ID       digest.Hash
	Fraction uint64 // of a hundred
	Detail   string
}

// Result brings a runner's transaction: a commitment or a reveal.
type Result struct {
	ID          digest.Hash
	Transaction []byte
}

// CancelReason is why a runner need not do a job.
type CancelReason uint64

// The reasons.
const (
	Reassigned CancelReason = iota
	Expired
	Failed
	cancelReasons
)

// Cancel takes an assignment back.
type Cancel struct {
	ID        digest.Hash
	Reason    CancelReason
	Signature [ed25519.SignatureSize]byte
}

// Reason is why a connection ends.
type Reason uint64

// The reasons. The numbers are ours.
const (
	Stopping           Reason = iota // the process ends
	UnsupportedVersion               // of the Hello
	NotInSubset                      // the validator is none of this runner's
	NotRegistered                    // nobody on the chain has the key
	BadSignature                     // of the HelloAck, a heartbeat or an assignment
	BadFrame                         // what came is no frame, or comes out of turn
	TooMuch                          // Hellos, heartbeats or connections
	Superseded                       // the runner has connected anew
	TooSlow                          // what is sent is not read
	reasons
)

// String names the reason.
func (r Reason) String() string {
	return [...]string{
		"stopping", "UnsupportedVersion", "NotInSubset", "not registered", "bad signature", "bad frame", "too much", "superseded", "too slow", "unknown",
	}[min(r, reasons)]
}

// Goodbye ends a connection.
type Goodbye struct{ Reason Reason }

// any64 bounds heights and nonces.
const any64 = math.MaxInt64

func (*Hello) kind() byte           { return typeHello }
func (*HelloAck) kind() byte        { return typeHelloAck }
func (*Ping) kind() byte            { return typePing }
func (*Pong) kind() byte            { return typePong }
func (*Backpressure) kind() byte    { return typeBackpressure }
func (*CapabilityDelta) kind() byte { return typeCapability }
func (*Assignment) kind() byte      { return typeAssignment }
func (*Ack) kind() byte             { return typeAck }
func (*Progress) kind() byte        { return typeProgress }
func (*Result) kind() byte          { return typeResult }
func (*Cancel) kind() byte          { return typeCancel }
func (*Goodbye) kind() byte         { return typeGoodbye }

func (*Hello) most() int           { return smallMost }
func (*HelloAck) most() int        { return smallMost }
func (*Ping) most() int            { return smallMost }
func (*Pong) most() int            { return smallMost }
func (*Backpressure) most() int    { return smallMost }
func (*CapabilityDelta) most() int { return capabilityMost }
func (*Assignment) most() int      { return assignmentMost }
func (*Ack) most() int             { return smallMost }
func (*Progress) most() int        { return smallMost }
func (*Result) most() int          { return resultMost }
func (*Cancel) most() int          { return smallMost }
func (*Goodbye) most() int         { return smallMost }

func (m *Hello) fields(f *fields) {
	f.uint("version", &m.Version, math.MaxUint16)
	f.fixed("public_key", m.Party[:])
	f.uint("role", (*uint64)(&m.Role), uint64(roles)-1)
	f.uint("block_height", &m.Height, any64)
	f.hash("nonce", &m.Nonce)
}

func (m *HelloAck) fields(f *fields) { f.fixed("signature", m.Signature[:]) }

func (m *Ping) fields(f *fields) { heartbeat(f, &m.Height, &m.Nonce, &m.Signature) }

func (m *Pong) fields(f *fields) { heartbeat(f, &m.Height, &m.Nonce, &m.Signature) }

func heartbeat(f *fields, height, nonce *uint64, signature *PartySignature) {
	f.uint("block_height", height, any64)
	f.uint("nonce", nonce, any64)
	f.fixed("signature", signature[:])
}

func (m *Backpressure) fields(f *fields) {
	f.uint("active_jobs", &m.Active, any64)
	f.uint("max_concurrent", &m.Most, any64)
	f.bool("accepting_new", &m.Accepting)
	f.text("reason", &m.Reason)
}

func (m *CapabilityDelta) fields(f *fields) {
	f.texts("added", &m.Added)
	f.texts("removed", &m.Removed)
}

func (m *Assignment) fields(f *fields) {
	f.hash("job_id", &m.ID)
	f.bytes("job_spec", &m.Spec, job.MaxSpecBytes)
	f.uint("block_height", &m.Height, any64)
	f.uint("deadline_block", &m.Deadline, any64)
	f.fixed("signature", m.Signature[:])
}

func (m *Ack) fields(f *fields) {
	f.hash("job_id", &m.ID)
	f.uint("status", (*uint64)(&m.Status), uint64(ackStatuses)-1)
	f.text("reason", &m.Reason)
}

func (m *Progress) fields(f *fields) {
	f.hash("job_id", &m.ID)
	f.uint("fraction", &m.Fraction, 100)
	f.text("detail", &m.Detail)
}

func (m *Result) fields(f *fields) {
	f.hash("job_id", &m.ID)
	f.bytes("transaction", &m.Transaction, params.MaxTxBytes)
}

func (m *Cancel) fields(f *fields) {
	f.hash("job_id", &m.ID)
	f.uint("reason", (*uint64)(&m.Reason), uint64(cancelReasons)-1)
	f.fixed("signature", m.Signature[:])
}

// A reason that this side does not know is one: later versions may have more.
func (m *Goodbye) fields(f *fields) { f.uint("reason", (*uint64)(&m.Reason), any64) }
