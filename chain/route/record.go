package route

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Policy says what becomes of hosts below a name.
type Policy uint8

// The policies.
//
// Spec: gateway-payments-streams §A.1 (subdomain_policy).
const (
	OwnerOnly    Policy = iota // nobody answers there
	ActorManaged               // the name's actor answers
	Open                       // the name's actor answers
	policies
)

// Binding is a registered name (DomainBinding).
//
// Spec: gateway-payments-streams §A.1.
type Binding struct {
	Actor      account.Address // where the name leads to
	Owner      account.Address
	Policy     Policy
	Registered unit.Height
	Expires    unit.Height // the first block in which it is not active
}

// Append appends the canonical encoding: actor(20) ‖ owner(20) ‖ policy(1) ‖ UInt registered ‖ UInt expires.
func (b *Binding) Append(dst []byte) []byte {
	dst = codec.AppendU8(codec.AppendFixed(codec.AppendFixed(dst, b.Actor[:]), b.Owner[:]), uint8(b.Policy))
	return codec.AppendUint(codec.AppendUint(dst, uint64(b.Registered)), uint64(b.Expires))
}

// DecodeBinding reads what Append wrote.
func DecodeBinding(data []byte) (b Binding, err error) {
	r := codec.NewReader(data)
	r.Into(b.Actor[:])
	r.Into(b.Owner[:])
	b.Policy = Policy(r.Tag(uint8(policies)))
	b.Registered, b.Expires = unit.Height(r.Uint()), unit.Height(r.Uint())
	return b, r.Finish()
}

// Status is where a name is in its life.
type Status uint8

// The states of a name.
//
// Spec: gateway-payments-streams §A.3.
const (
	Free Status = iota
	Active
	InGrace
	InAuction
)

// String names the status.
func (s Status) String() string { return [...]string{"free", "active", "grace", "auction"}[s&3] }

// Status is where the name is at a height, and for how many blocks it has been there; since is nothing for a name that is free.
func (b *Binding) Status(c Config, at unit.Height) (s Status, since uint64) {
	if at < b.Expires {
		return Active, uint64(at - b.Registered)
	}
	since = uint64(at - b.Expires)
	if since < c.Grace {
		return InGrace, since
	}
	if since -= c.Grace; since < c.Auction {
		return InAuction, since
	}
	return Free, 0
}

// What the keys begin with, after the address of the registry.
const (
	underName     = "route:name/"
	underActor    = "route:actor/"
	underManifest = "route:manifest/"
)

// Home is where the registry lies.
func Home() account.Address { return account.System(account.RouteRegistry) }

func under(prefix string, parts ...[]byte) []byte {
	return account.RecordKey(Home(), prefix, parts...)
}

func nameKey(d Domain) []byte { return under(underName, []byte(d.String())) }

func actorKey(actor account.Address, d Domain) []byte {
	return under(underActor, actor[:], []byte(d.String()))
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	claim := func(holds, suffix string) account.Claim {
		return account.RecordClaim(chapter, Home(), suffix, holds, false)
	}
	return []account.Claim{
		claim("names", underName), claim("names by actor", underActor), claim("routes of actors", underManifest),
		claim("external domains", underExternal), claim("challenges of external domains", underChallenge), claim("external domains by actor", underBound),
		claim("external domains by when they go", underDue),
	}
}

// Load reads the record of a name; ok is false where nobody ever registered it. The record says by its Status whether the name is active.
func Load(r state.Reader, d Domain) (b Binding, ok bool, err error) {
	data, ok, err := r.Lookup(nameKey(d))
	if err != nil || !ok {
		return Binding{}, false, err
	}
	b, err = DecodeBinding(data)
	return b, err == nil, err
}

// Named is a record with its name.
type Named struct {
	Domain  string
	Binding Binding
}

// Names lists at most limit records of names above after, in the order of their domains, expired ones too.
func Names(r state.Reader, after string, limit int) (list []Named, err error) {
	prefix := under(underName)
	var above []byte
	if after != "" {
		above = under(underName, []byte(after))
	}
	failed := r.Scan(prefix, above, limit, func(key, value []byte) bool {
		var b Binding
		if b, err = DecodeBinding(value); err != nil {
			return false
		}
		list = append(list, Named{string(key[len(prefix):]), b})
		return true
	})
	return list, errors.Join(failed, err)
}

// NamesOf lists at most limit domains above after that lead to an actor, in their order, expired ones too.
//
// Spec: gateway-payments-streams §A.1 (an index leads from actors to names), §A.2 (lookup).
func NamesOf(r state.Reader, actor account.Address, after string, limit int) (list []string, err error) {
	prefix := under(underActor, actor[:])
	var above []byte
	if after != "" {
		above = under(underActor, actor[:], []byte(after))
	}
	err = r.Scan(prefix, above, limit, func(key, _ []byte) bool {
		list = append(list, string(key[len(prefix):]))
		return true
	})
	return list, err
}
