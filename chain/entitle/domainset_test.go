package entitle

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// The sets of a new network are the document's.
//
// Spec: entitlement-extras §2.3.
func TestGenesisSets(t *testing.T) {
	for name, want := range map[string][]string{
		"price_feeds":    {"api.coingecko.com", "api.coinbase.com", "api.binance.com", "api.kraken.com"},
		"government_us":  {"data.sec.gov", "www.sec.gov", "api.congress.gov", "www.federalregister.gov"},
		"social_apis":    {"api.x.com", "oauth.reddit.com"},
		"blockchain_rpc": nil,
	} {
		t.Run(name, func(t *testing.T) {
			slices.Sort(want)
			got, ok := GenesisSets().Hosts(name)
			if !ok || !slices.Equal(got, want) || !slices.Contains(SetNames(), name) {
				t.Errorf("%s: %q", name, got)
			}
			if back, err := DecodeSet(EncodeSet(got)); err != nil || !slices.Equal(back, got) {
				t.Errorf("%s: read back as %q, %v", name, back, err)
			}
		})
	}
	if _, ok := GenesisSets().Hosts("price_feed"); ok || len(SetNames()) != 4 {
		t.Error("there are other sets")
	}
}

// What governance put in a set's place counts from then on; an entry that is no set admits nothing.
//
// Spec: ENT §8.4; entitlement-extras §2.3.
func TestGovernedSets(t *testing.T) {
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	g := parse(t, `[{"id":"http.fetch","params":{"allowlist_domains":["a.org"],"domain_set":"price_feeds"}}]`)
	admits := func(host string) bool {
		sets, err := SetsIn(o)
		if err != nil {
			t.Fatal(err)
		}
		return g.Grants[0].AdmitsHost(host, sets)
	}
	if !admits("api.kraken.com") || admits("b.org") || !g.NamesSet() {
		t.Error("the sets of a new network do not count")
	}
	key := params.StateKey("system:gov:param:domain_set.price_feeds")
	o.Set(key, []byte("\x02\x07*.c.org\x05b.org"))
	if admits("api.kraken.com") || !admits("b.org") || !admits("x.c.org") || !admits("a.org") {
		t.Error("the changed set does not count")
	}
	sets, err := SetsIn(o)
	if err != nil {
		t.Fatal(err)
	}
	outer := parse(t, `[{"id":"http.fetch","params":{"allowlist_domains":["b.org","a.org","*.c.org"]}}]`)
	if !g.Within(outer, sets) || g.Within(outer, GenesisSets()) {
		t.Error("a subset does not go by the governed sets")
	}
	o.Set(key, []byte("\x02\x05b.org"))
	if admits("b.org") || admits("api.kraken.com") || !admits("a.org") {
		t.Error("an entry that is no set admits something")
	}
}

// Spec: ENT §8.2; entitlement-extras §2.3 (a sorted list of hosts), §3.1.
func TestSetsThatAreRefused(t *testing.T) {
	list := func(n int) (hosts []string) {
		for i := range n {
			hosts = append(hosts, fmt.Sprintf("h%03d.org", i))
		}
		return hosts
	}
	for name, c := range map[string]struct {
		raw []byte
		ok  bool
	}{
		"nothing":       {EncodeSet(nil), true},
		"the most":      {EncodeSet(list(MaxSetHosts)), true},
		"one more":      {EncodeSet(list(MaxSetHosts + 1)), false},
		"out of order":  {EncodeSet([]string{"b.org", "a.org"}), false},
		"twice":         {EncodeSet([]string{"a.org", "a.org"}), false},
		"upper case":    {EncodeSet([]string{"A.org"}), false},
		"with a port":   {EncodeSet([]string{"a.org:80"}), false},
		"a byte behind": {append(EncodeSet(list(1)), 0), false},
		"no bytes":      {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			if hosts, err := DecodeSet(c.raw); (err == nil) != c.ok || !c.ok && hosts != nil {
				t.Errorf("%s: %q, %v", name, hosts, err)
			}
		})
	}
}
