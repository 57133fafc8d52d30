package entitle

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// KeyRegions is the governance key of the regions there are.
//
// Spec: entitlement-extras §2.2 (governance may amend the list).
const KeyRegions = params.KeyGenericPrefix + "regions"

const maxRegion = 16 // bytes of a name

// isRegion knows the form of a region's name: 2 to 16 lower-case letters, digits and -, a letter first. Which regions there are, the state says.
//
// Spec: ENT §9.14, §10; entitlement-extras §2.2 (lower case).
func isRegion(s string) bool {
	if len(s) < 2 || len(s) > maxRegion || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// GenesisRegions are the regions of a state in which governance has changed none, ascending.
//
// Spec: ENT §9.14; entitlement-extras §2.2.
func GenesisRegions() []string {
	return []string{"ae", "au", "br", "ca", "ch", "eu", "il", "in", "jp", "kr", "sg", "uk", "us", "za"}
}

// RegionsIn reads the regions of a state, ascending. An entry that is no list is an empty one. An error is a failing source.
//
// Spec: entitlement-extras §2.2.
func RegionsIn(r state.Reader) ([]string, error) {
	raw, ok, err := r.Lookup(params.StateKey(KeyRegions))
	if err != nil {
		return nil, err
	}
	if !ok {
		return GenesisRegions(), nil
	}
	list, _ := DecodeRegions(raw)
	return list, nil
}

// DecodeRegions reads a list that EncodeSet wrote: at most 64 names of regions, strictly ascending. An error says what they are not, and there are none.
//
// Spec: ENT §9.14; entitlement-extras §2.2.
func DecodeRegions(raw []byte) ([]string, error) { return decodeNames(raw, maxRegion, isRegion) }

// InRegions says whether the region that a manifest or a runner's capabilities name, if any, is one of a list.
//
// Spec: ENT §9.14, §10.
func (m *Manifest) InRegions(list []string) bool {
	g, asks := m.Grant(Residency)
	if !asks {
		return true
	}
	v, stated := g.value("region")
	return !stated || slices.Contains(list, v.Text)
}

// NamesRegion reports whether a manifest asks for a region.
func (m *Manifest) NamesRegion() bool {
	_, asks := m.Grant(Residency)
	return asks
}
