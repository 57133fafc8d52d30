package grant

import (
	"cmp"
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// The names of the registry's entries, below 0x07. An identity of a record or a role follows an address where there are both.
//
// Spec: entitlement-extras §5.
const (
	nameRecord  = "ent:"     // id: Record
	nameGrantee = "grantee:" // address, hash of scope and action, id: nothing, an index
	nameGrantor = "grantor:" // address, id: nothing, an index
	nameUntil   = "until:"   // grantee, valid_until in 8 bytes, id: nothing, an index
	nameRole    = "role:"    // id: Role
	nameRoles   = "roles:"   // address, id: Assignment
	nameHeld    = "held:"    // address, hash of a scope, role id: nothing, an index
	nameEnds    = "ends:"    // address, valid_until in 8 bytes, role id: nothing, an index
	nameTally   = "tally:"   // address: how much it has
)

// there is the value of an entry of an index.
var there = []byte{1}

// Home is the registry's address.
func Home() account.Address { return account.System(account.Entitlements) }

// Claims is what this package keeps in state.
func Claims(chapter string) []account.Claim {
	list := make([]account.Claim, 0, 9)
	for _, c := range [...]struct{ name, holds string }{
		{nameRecord, "grants, by identity"},
		{nameGrantee, "grants, by who has them and what they permit"},
		{nameGrantor, "grants, by who gave them"},
		{nameUntil, "grants, by who has them and when they end"},
		{nameRole, "roles"},
		{nameRoles, "assignments of roles, by address"},
		{nameHeld, "assignments of roles, by address and scope"},
		{nameEnds, "assignments of roles, by address and when they end"},
		{nameTally, "how many grants and roles an address has"},
	} {
		list = append(list, account.RecordClaim(chapter, Home(), c.name, c.holds, false))
	}
	return list
}

func key(name string, parts ...[]byte) []byte {
	return account.RecordKey(Home(), name, parts...)
}

func recordKey(id digest.Hash) []byte { return key(nameRecord, id[:]) }

// likeKey begins the index of a grantee's records with one scope and action.
func likeKey(grantee account.Address, s Scope, a Action) []byte {
	what := digest.Keccak256(s.Append(nil), a.Append(nil))
	return key(nameGrantee, grantee[:], what[:])
}

func granteeKey(r *Record, id digest.Hash) []byte {
	return append(likeKey(r.Grantee, r.Scope, r.Action), id[:]...)
}

func grantorKey(r *Record, id digest.Hash) []byte { return key(nameGrantor, r.By[:], id[:]) }

func untilKey(r *Record, id digest.Hash) []byte {
	return key(nameUntil, r.Grantee[:], binary.BigEndian.AppendUint64(nil, *r.Terms.ValidUntil), id[:])
}

func roleKey(id digest.Hash) []byte { return key(nameRole, id[:]) }

func assignmentKey(to account.Address, role digest.Hash) []byte {
	return key(nameRoles, to[:], role[:])
}

// heldKey begins the index of an address's roles with a scope.
func heldKey(to account.Address, s Scope) []byte {
	where := digest.Keccak256(s.Append(nil))
	return key(nameHeld, to[:], where[:])
}

func endsKey(r *Role, id digest.Hash, to account.Address) []byte {
	return key(nameEnds, to[:], binary.BigEndian.AppendUint64(nil, *r.Terms.ValidUntil), id[:])
}

func tallyKey(addr account.Address) []byte { return key(nameTally, addr[:]) }

// Load reads a record; nil where there is none.
func Load(r state.Reader, id digest.Hash) (*Record, error) {
	return state.Find(r, recordKey(id), DecodeRecord)
}

// LoadRole reads a role; nil where there is none.
func LoadRole(r state.Reader, id digest.Hash) (*Role, error) {
	return state.Find(r, roleKey(id), DecodeRole)
}

// LoadAssignment reads a role's assignment; nil where the address does not have the role.
func LoadAssignment(r state.Reader, to account.Address, role digest.Hash) (*Assignment, error) {
	return state.Find(r, assignmentKey(to, role), DecodeAssignment)
}

func loadTally(r state.Reader, addr account.Address) (*tally, error) {
	t, err := state.Find(r, tallyKey(addr), decodeTally)
	if err == nil && t == nil {
		t = &tally{}
	}
	return t, err
}

// identities are the last 32 bytes of the keys behind a prefix, after a key (nil: from the first), ascending, at most limit.
func identities(r state.Reader, prefix, after []byte, limit int) (list []digest.Hash, err error) {
	err = r.Scan(prefix, after, limit, func(key, _ []byte) bool {
		list = append(list, digest.Hash(key[len(key)-len(digest.Hash{}):]))
		return true
	})
	return list, err
}

// Held lists the records of a grantee, in no order that means anything, after one of them (zero: from the first) and at most limit. after that is gone
// gives ErrNone.
func Held(r state.Reader, grantee account.Address, after digest.Hash, limit int) ([]digest.Hash, error) {
	var from []byte
	if after != (digest.Hash{}) {
		last, err := Load(r, after)
		if err != nil || last == nil {
			return nil, cmp.Or(err, ErrNone)
		}
		from = granteeKey(last, after)
	}
	return identities(r, key(nameGrantee, grantee[:]), from, limit)
}

// Given lists the records somebody gave, ascending by identity, after one (zero: from the first) and at most limit.
func Given(r state.Reader, by account.Address, after digest.Hash, limit int) ([]digest.Hash, error) {
	prefix := key(nameGrantor, by[:])
	var from []byte
	if after != (digest.Hash{}) {
		from = append(prefix[:len(prefix):len(prefix)], after[:]...)
	}
	return identities(r, prefix, from, limit)
}

// Roles lists the roles an address has, ascending by identity: MaxRoles at most.
func Roles(r state.Reader, of account.Address) ([]digest.Hash, error) {
	return identities(r, key(nameRoles, of[:]), nil, MaxRoles)
}
