package runner

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Ability is something a runner can do, under which the registry lists all who can.
type Ability digest.Hash

// The kinds of abilities: the first byte of what is hashed.
const (
	abilityType   = 't' // a job type
	abilityModel  = 'm' // a model, of a runner that does "llm"
	abilityDomain = 'd' // a domain as it is declared, of one that does "http"
	abilityServer = 's' // a server, of one that does "mcp"
)

// AbilityType is to do jobs of a type.
func AbilityType(name string) Ability { return ability(abilityType, name) }

// AbilityModel is to run a model.
func AbilityModel(id digest.Hash) Ability { return ability(abilityModel, string(id[:])) }

// AbilityDomain is to fetch what a domain, as runners declare them, has.
func AbilityDomain(name string) Ability { return ability(abilityDomain, name) }

// AbilityServer is to call the tools of a server.
func AbilityServer(name string) Ability { return ability(abilityServer, name) }

func ability(kind byte, name string) Ability {
	return Ability(digest.Keccak256([]byte{kind}, []byte(name)))
}

// Abilities are what a declaration says its runner can do, ascending.
//
// Spec: CIP-2 §4 (3); runner-marketplace §2.5 (RunnerCapabilities), §4.1 (3).
func (d *Declaration) Abilities() (list []Ability) {
	for _, t := range d.Capabilities.JobTypes {
		list = append(list, AbilityType(t.Name))
		switch t.Name {
		case "llm":
			for _, m := range d.Card.SupportedModels {
				list = append(list, AbilityModel(m.ID))
			}
		case "http":
			for _, n := range d.Capabilities.HTTPDomains {
				list = append(list, AbilityDomain(n.Name))
			}
		case "mcp":
			for _, n := range d.Card.SupportedMCPServers {
				list = append(list, AbilityServer(n.Name))
			}
		}
	}
	slices.SortFunc(list, compareAbilities)
	return list
}

func compareAbilities(a, b Ability) int { return slices.Compare(a[:], b[:]) }

// Offer is what of a declaration the dispatcher asks for beside abilities: one without lists, however long the declaration is.
func (d *Declaration) Offer() *Declaration {
	o := *d
	o.Card.SupportedModels, o.Card.SupportedMCPServers, o.Endpoint = nil, nil, ""
	o.Capabilities.JobTypes, o.Capabilities.Regions, o.Capabilities.HTTPDomains = nil, nil, nil
	return &o
}

// LoadOffer reads a runner's Offer. A reject: ErrUnknown.
func LoadOffer(r state.Reader, addr account.Address) (*Declaration, error) {
	data, ok, err := r.Lookup(under(underOffer, addr))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrUnknown
	}
	return DecodeDeclaration(data)
}

func ableKey(a Ability, addr account.Address) []byte { return append(ablePrefix(a), addr[:]...) }

func ablePrefix(a Ability) []byte {
	return append(account.KeyString(account.KindRecord, Home(), underAble), a[:]...)
}

// Able lists runners with an ability in the order of their addresses, those above after (nil: all), at most limit.
func Able(r state.Reader, a Ability, after *account.Address, limit int) (list []account.Address, err error) {
	prefix := ablePrefix(a)
	var above []byte
	if after != nil {
		above = ableKey(a, *after)
	}
	err = r.Scan(prefix, above, limit, func(key, _ []byte) bool {
		list = append(list, account.Address(key[len(prefix):]))
		return true
	})
	return list, err
}

// index keeps what a runner can do, and what it asks for: entries that were there before and are no more are deleted. before and now are nil for none. It pays
// for each entry that changes before it writes any.
func (g *Registry) index(addr account.Address, before, now *Declaration) error {
	var was, is []Ability
	if before != nil {
		was = before.Abilities()
	}
	if now != nil {
		is = now.Abilities()
	}
	gone := slices.DeleteFunc(slices.Clone(was), func(a Ability) bool { return holdsAbility(is, a) })
	is = slices.DeleteFunc(is, func(a Ability) bool { return holdsAbility(was, a) })
	if g.Index != nil {
		if err := g.Index(len(gone) + len(is)); err != nil {
			return err
		}
	}
	for _, a := range gone {
		g.State.Delete(ableKey(a, addr))
	}
	for _, a := range is {
		g.State.Set(ableKey(a, addr), nil)
	}
	if now == nil {
		g.State.Delete(under(underOffer, addr))
	} else {
		g.State.Set(under(underOffer, addr), now.Offer().Encode())
	}
	return nil
}

func holdsAbility(sorted []Ability, a Ability) bool {
	_, ok := slices.BinarySearchFunc(sorted, a, compareAbilities)
	return ok
}
