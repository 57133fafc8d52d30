package account

import (
	"fmt"
	"strings"
)

// Holder says under whose address the entries of a Claim lie.
type Holder uint8

// The holders of entries.
const (
	Anybody  Holder = iota // any address
	Somebody               // any address but the zero address
	Nobody                 // the zero address: the entry is of no account
	Program                // any address at which Python may run: all but the zero address and that of governance
	One                    // the address the claim names
)

// Claim is a range of state keys in which one chapter keeps its entries. The claims of all chapters are disjoint; package runtime/keyspace lists them.
type Claim struct {
	Chapter string
	Holds   string // what lies there
	Kind    Kind
	Holder  Holder
	Address Address // of One
	Suffix  string  // what the part of the key after the address begins with
	Exact   bool    // and ends with
}

// RecordClaim is the claim of the keys that RecordKey makes of a name, or of the one key without parts where it is exact.
func RecordClaim(chapter string, home Address, name, holds string, exact bool) Claim {
	return Claim{Chapter: chapter, Holds: holds, Kind: KindRecord, Holder: One, Address: home, Suffix: name, Exact: exact}
}

// Has reports whether a state key is in the range.
func (c Claim) Has(key []byte) bool {
	kind, addr, suffix, ok := SplitKey(key)
	if !ok || kind != c.Kind || !c.holds(addr) {
		return false
	}
	if c.Exact {
		return string(suffix) == c.Suffix
	}
	return strings.HasPrefix(string(suffix), c.Suffix)
}

func (c Claim) holds(addr Address) bool {
	switch c.Holder {
	case Somebody:
		return !addr.IsZero()
	case Nobody:
		return addr.IsZero()
	case Program:
		return !addr.IsZero() && addr != System(Governance)
	case One:
		return addr == c.Address
	}
	return true
}

// Meets reports whether some state key is in both ranges.
func (c Claim) Meets(d Claim) bool {
	return c.Kind == d.Kind && c.shareHolder(d) && c.shareSuffix(d)
}

// shareHolder tries an address of every sort there is: the zero address, those the claims name, one more of the reserved band, one above it. No holder
// tells two others of the band, or two others above it, apart.
func (c Claim) shareHolder(d Claim) bool {
	band, above := System(0xfe), Address{1}
	for _, addr := range [...]Address{{}, c.Address, d.Address, band, above} {
		if c.holds(addr) && d.holds(addr) {
			return true
		}
	}
	return false
}

func (c Claim) shareSuffix(d Claim) bool {
	switch {
	case c.Exact && d.Exact:
		return c.Suffix == d.Suffix
	case c.Exact:
		return strings.HasPrefix(c.Suffix, d.Suffix)
	case d.Exact:
		return strings.HasPrefix(d.Suffix, c.Suffix)
	}
	return strings.HasPrefix(c.Suffix, d.Suffix) || strings.HasPrefix(d.Suffix, c.Suffix)
}

// String is the range as a person reads it: namespace, kind, address, suffix, and ... where more may follow.
func (c Claim) String() string {
	address := [...]string{Anybody: "any", Somebody: "nonzero", Nobody: "zero", Program: "program", One: c.Address.Hex()}[c.Holder]
	rest := ""
	if !c.Exact {
		rest = "..."
	}
	return fmt.Sprintf("%02x %02x %s %q%s", c.Kind.Namespace(), byte(c.Kind), address, c.Suffix, rest)
}

// Claims is what this package keeps in state.
func Claims() []Claim {
	return []Claim{{Chapter: "account", Holds: "account record", Kind: KindAccount, Holder: Anybody, Exact: true}}
}
