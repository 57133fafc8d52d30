package grant

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The limits of the registry.
//
// Spec: CIP-2 §7.5; entitlement-extras §5.
const (
	MaxRecords = 256 // of an address
	MaxRoles   = 64  // of an address
	MaxDepth   = 5   // of a delegation; what nobody delegated has depth 0
)

// Further bounds, of this implementation.
const (
	MaxAlike       = 8 // records of one grantee with the same scope and action
	MaxRoleScopes  = 8
	MaxRoleActions = 16
	// maxSwept is how many expired records of its grantee a new one removes.
	maxSwept = 4
)

// Record is a grant or a delegation.
//
// Spec: CIP-2 §7.1; entitlement-extras §5.
type Record struct {
	Grantee account.Address
	By      account.Address // who gave it
	Scope   Scope
	Action  Action
	Terms   Terms
	Parent  digest.Hash // of a delegation; zero: none
	// ParentSerial is the parent's when this was delegated: the delegation works as long as a record with both is there.
	ParentSerial uint64
	Depth        uint8  // how many it was delegated through
	Serial       uint64 // of the grantee's records, never given twice
	At           unit.Height
	Counters     Counters
}

// ID is keccak256(grantee ‖ scope ‖ action ‖ parent_id?).
//
// Spec: CIP-2 §7.1; entitlement-extras §5.
func (r *Record) ID() digest.Hash {
	var parent []byte
	if r.Depth > 0 {
		parent = r.Parent[:]
	}
	return digest.Keccak256(r.Grantee[:], r.Scope.Append(nil), r.Action.Append(nil), parent)
}

// Encode is grantee(20) ‖ by(20) ‖ scope ‖ action ‖ terms ‖ U8 depth ‖ parent(32) and UInt parent serial where the depth is not zero ‖ UInt serial ‖
// UInt height ‖ counters.
func (r *Record) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(nil, r.Grantee[:]), r.By[:])
	dst = codec.AppendU8(r.Terms.Append(r.Action.Append(r.Scope.Append(dst))), r.Depth)
	if r.Depth > 0 {
		dst = codec.AppendUint(codec.AppendFixed(dst, r.Parent[:]), r.ParentSerial)
	}
	return r.Counters.append(codec.AppendUint(codec.AppendUint(dst, r.Serial), uint64(r.At)))
}

// DecodeRecord reads what Encode wrote and nothing else.
func DecodeRecord(data []byte) (*Record, error) {
	in, r := codec.NewReader(data), &Record{}
	in.Into(r.Grantee[:])
	in.Into(r.By[:])
	r.Scope, r.Action, r.Terms, r.Depth = ReadScope(in), ReadAction(in), ReadTerms(in), in.U8()
	if r.Depth > 0 {
		in.Into(r.Parent[:])
		r.ParentSerial = in.Uint()
	}
	r.Serial, r.At, r.Counters = in.Uint(), unit.Height(in.Uint()), readCounters(in)
	return r, in.Finish()
}

// Status is where a record or an assignment is in its life.
type Status uint8

// The statuses. Spec: entitlement-extras §5.
const (
	Active    Status = iota
	Waiting          // valid_from is not reached
	Exhausted        // max_uses are used
	Expired          // valid_until is passed
	Orphaned         // what it was delegated from does not work
)

// String names the status.
func (s Status) String() string {
	return [...]string{"active", "waiting", "exhausted", "expired", "orphaned"}[s]
}

// statusOf is the status by terms and counters alone.
func statusOf(t *Terms, c *Counters, now unit.Height) Status {
	switch {
	case t.expired(now):
		return Expired
	case c.exhausted(t):
		return Exhausted
	case !t.begun(now):
		return Waiting
	}
	return Active
}

// Role is what may be assigned to addresses.
//
// Spec: CIP-2 §7.1.
type Role struct {
	Creator account.Address
	Name    string
	Scopes  []Scope  // ascending by encoding
	Actions []Action // ascending by encoding
	Terms   Terms    // of each assignment
	At      unit.Height
}

// MaxRoleNameBytes bounds the name of a role, which has one byte at least.
const MaxRoleNameBytes = 64

// RoleID is keccak256(creator ‖ name).
func RoleID(creator account.Address, name string) digest.Hash {
	return digest.Keccak256(creator[:], []byte(name))
}

// ID is the role's identity.
func (r *Role) ID() digest.Hash { return RoleID(r.Creator, r.Name) }

// Encode is creator(20) ‖ Bytes name ‖ list of scopes ‖ list of actions ‖ terms ‖ UInt height.
func (r *Role) Encode() []byte {
	dst := codec.AppendBytes(codec.AppendFixed(nil, r.Creator[:]), []byte(r.Name))
	dst = codec.AppendLen(dst, len(r.Scopes))
	for _, s := range r.Scopes {
		dst = s.Append(dst)
	}
	dst = codec.AppendLen(dst, len(r.Actions))
	for _, a := range r.Actions {
		dst = a.Append(dst)
	}
	return codec.AppendUint(r.Terms.Append(dst), uint64(r.At))
}

// DecodeRole reads what Encode wrote and nothing else.
func DecodeRole(data []byte) (*Role, error) {
	in, r := codec.NewReader(data), &Role{}
	in.Into(r.Creator[:])
	r.Name = string(in.Bytes(MaxRoleNameBytes))
	r.Scopes = make([]Scope, in.Len(1, MaxRoleScopes, 1))
	for i := range r.Scopes {
		r.Scopes[i] = ReadScope(in)
	}
	r.Actions = make([]Action, in.Len(1, MaxRoleActions, 1))
	for i := range r.Actions {
		r.Actions[i] = ReadAction(in)
	}
	r.Terms, r.At = ReadTerms(in), unit.Height(in.Uint())
	return r, in.Finish()
}

// Assignment is a role of an address.
type Assignment struct {
	At       unit.Height
	Counters Counters
}

// Encode is UInt height ‖ counters.
func (a *Assignment) Encode() []byte { return a.Counters.append(codec.AppendUint(nil, uint64(a.At))) }

// DecodeAssignment reads what Encode wrote and nothing else.
func DecodeAssignment(data []byte) (*Assignment, error) {
	in := codec.NewReader(data)
	a := &Assignment{unit.Height(in.Uint()), readCounters(in)}
	return a, in.Finish()
}

// tally is what an address has. It stays when it has nothing, for the serial number.
type tally struct {
	records, roles uint64
	serial         uint64 // of the next record
}

// encode is UInt records ‖ UInt roles ‖ UInt serial.
func (t *tally) encode() []byte {
	return codec.AppendUint(codec.AppendUint(codec.AppendUint(nil, t.records), t.roles), t.serial)
}

func decodeTally(data []byte) (*tally, error) {
	in := codec.NewReader(data)
	t := &tally{in.Uint(), in.Uint(), in.Uint()}
	return t, in.Finish()
}
