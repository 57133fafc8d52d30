package entitle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// reach is what a grant of http.fetch reaches, as the document has it: its own domains and those that governance put into the set it names.
type reach struct {
	list []string
	set  string // "" for none
}

// text is the grant as people write it.
func (r reach) text() string {
	var quoted []string
	for _, d := range r.list {
		quoted = append(quoted, fmt.Sprintf("%q", d))
	}
	params := `"allowlist_domains":[` + strings.Join(quoted, ",") + `]`
	if r.set != "" {
		params += fmt.Sprintf(`,"domain_set":%q`, r.set)
	}
	return `[{"id":"http.fetch","params":{` + params + `}}]`
}

func (r reach) admits(host string, governed map[string][]string) bool {
	return slices.ContainsFunc(append(slices.Clone(r.list), governed[r.set]...), func(pattern string) bool { return byHost(pattern, host) })
}

// Over thousands of sets as governance may have made them, a grant reaches exactly the hosts of its list and of its set, and one grant is within another
// exactly if it reaches no host that the other does not.
//
// Spec: ENT §8.2, §8.3, §8.4 (union; a wildcard satisfies every set); entitlement-extras §2.3.
func TestDomainSetsAgainstModel(t *testing.T) {
	patterns := []string{"*", "*.a.org", "*.x.a.org", "a.org", "b.org", "x.a.org", "xa.org"}
	// Every pattern has a host of its own here that no narrower one reaches: q is nobody's name.
	hosts := []string{"a.org", "b.org", "q.a.org", "q.b.org", "q.x.a.org", "q.xa.org", "x.a.org", "xa.org", "y.q.x.a.org"}
	names := []string{"", "blockchain_rpc", "government_us", "price_feeds", "social_apis"}
	r := rand.New(rand.NewPCG(8, 4))
	some := func(from []string, one int) (list []string) {
		for _, x := range from {
			if r.IntN(one) == 0 {
				list = append(list, x)
			}
		}
		return list
	}
	met := map[bool]int{}
	for range 6_000 {
		governed, sets := map[string][]string{}, &Sets{}
		for i, name := range names[1:] {
			governed[name] = some(patterns, 4)
			back, err := DecodeSet(EncodeSet(governed[name]))
			if err != nil {
				t.Fatal(err)
			}
			sets[i] = back
		}
		inner, outer := reach{some(patterns, 5), names[r.IntN(len(names))]}, reach{some(patterns, 4), names[r.IntN(len(names))]}
		in, out := parse(t, inner.text()), parse(t, outer.text())
		within := true
		for _, host := range hosts {
			wants := inner.admits(host, governed)
			within = within && (!wants || outer.admits(host, governed))
			if got := in.Grants[0].AdmitsHost(host, sets); got != wants {
				t.Fatalf("%s under %v reaches %s: %v", inner.text(), governed, host, got)
			}
		}
		met[within]++
		if got := in.Within(out, sets); got != within {
			t.Fatalf("%s within %s under %v: %v", inner.text(), outer.text(), governed, got)
		}
	}
	if met[true] < 500 || met[false] < 500 {
		t.Errorf("met %v", met)
	}
}
