package entitle

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// KeyDomainSet begins the governance keys of the curated sets of domains; the set's name follows.
//
// Spec: entitlement-extras §2.3.
const KeyDomainSet = params.KeyGenericPrefix + "domain_set."

// MaxSetHosts bounds a curated set, as a list of a manifest is bounded.
//
// Spec: entitlement-extras §3.1.
const MaxSetHosts = maxList

// setNames are the curated sets there are.
//
// Spec: entitlement-extras §2.3.
var setNames = [...]string{"blockchain_rpc", "government_us", "price_feeds", "social_apis"}

// Sets are the hosts of the curated sets, in the order of their names.
type Sets [len(setNames)][]string

// SetNames lists the names of the curated sets, ascending.
func SetNames() []string { return slices.Clone(setNames[:]) }

// Hosts are the hosts of a set; ok is false for a name without one.
func (s *Sets) Hosts(name string) (hosts []string, ok bool) {
	i, ok := slices.BinarySearch(setNames[:], name)
	if !ok {
		return nil, false
	}
	return s[i], true
}

// GenesisSets are the sets of a state in which governance has changed none.
//
// Spec: entitlement-extras §2.3 (genesis defaults).
func GenesisSets() *Sets {
	return &Sets{
		nil,
		{"api.congress.gov", "data.sec.gov", "www.federalregister.gov", "www.sec.gov"},
		{"api.binance.com", "api.coinbase.com", "api.coingecko.com", "api.kraken.com"},
		{"api.x.com", "oauth.reddit.com"},
	}
}

// SetsIn reads the sets of a state, an entry for each that governance has changed. An entry that is no set is an empty one. An error is a failing source.
//
// Spec: entitlement-extras §2.3 (the version of the block of submission).
func SetsIn(r state.Reader) (*Sets, error) {
	sets := GenesisSets()
	for i, name := range setNames {
		raw, ok, err := r.Lookup(params.StateKey(KeyDomainSet + name))
		if err != nil {
			return nil, err
		}
		if ok {
			sets[i], _ = DecodeSet(raw)
		}
	}
	return sets, nil
}

// EncodeSet is a list of Bytes, the hosts ascending.
//
// Spec: entitlement-extras §2.3.
func EncodeSet(hosts []string) []byte {
	dst := codec.AppendLen(nil, len(hosts))
	for _, h := range hosts {
		dst = codec.AppendBytes(dst, []byte(h))
	}
	return dst
}

// DecodeSet reads what EncodeSet wrote: at most MaxSetHosts canonical domains, strictly ascending. An error says what they are not, and there are none.
//
// Spec: ENT §8.2, §8.4; entitlement-extras §2.3 (a sorted list of hosts).
func DecodeSet(raw []byte) ([]string, error) { return decodeNames(raw, maxText, isDomain) }

// decodeNames reads a list of Bytes, strictly ascending, each of at most so many bytes and of a form.
func decodeNames(raw []byte, longest int, form func(string) bool) ([]string, error) {
	in := codec.NewReader(raw)
	names := make([]string, in.Len(0, MaxSetHosts, 1))
	for i := range names {
		names[i] = string(in.Bytes(longest))
		if in.Err() == nil && (!form(names[i]) || i > 0 && names[i-1] >= names[i]) {
			in.Fail(codec.ErrOrder, uint64(i))
		}
	}
	if err := in.Finish(); err != nil {
		return nil, err
	}
	return names, nil
}

// NamesSet reports whether some grant of a manifest names a curated set.
func (m *Manifest) NamesSet() bool {
	return slices.ContainsFunc(m.Grants, func(g Grant) bool { return g.NamesSet() })
}

// NamesSet reports whether a grant names a curated set.
func (g *Grant) NamesSet() bool {
	_, ok := g.value("domain_set")
	return ok
}
