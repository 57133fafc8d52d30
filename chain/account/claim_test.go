package account

import "testing"

// Two claims meet if and only if a key of one is a key of the other. Spec: commonware §5.10.
func TestClaims(t *testing.T) {
	nine := System(9)
	claim := func(h Holder, a Address, suffix string, exact bool) Claim {
		return Claim{Kind: KindTimer, Holder: h, Address: a, Suffix: suffix, Exact: exact}
	}
	claims := []Claim{
		claim(Anybody, Address{}, "", true), claim(Anybody, Address{}, "n", true), claim(Somebody, Address{}, "n", true),
		claim(Somebody, Address{}, "na", false), claim(Nobody, Address{}, "", false), claim(Nobody, Address{}, "na", true),
		claim(Program, Address{}, "", false), claim(Program, Address{}, "nab", true), claim(One, nine, "n", false),
		claim(One, nine, "x", true), claim(One, System(8), "n", false), claim(One, Address{7}, "na", true), claim(Anybody, Address{}, "x", false),
		{Kind: KindMailbox, Holder: Anybody},
	}
	var keys [][]byte // of every sort of address and suffix the claims tell apart
	for _, addr := range []Address{{}, nine, System(8), System(0x77), {7}, {0x42}} {
		for _, suffix := range []string{"", "n", "na", "nab", "nac", "nb", "x", "xy", "y"} {
			keys = append(keys, KeyString(KindTimer, addr, suffix))
		}
		keys = append(keys, KeyString(KindMailbox, addr, "n"))
	}
	meetings := 0
	for i, c := range claims {
		for j, d := range claims {
			shared := false
			for _, key := range keys {
				shared = shared || c.Has(key) && d.Has(key)
			}
			if c.Meets(d) != shared {
				t.Errorf("%v and %v: meet %v, share a key %v", c, d, c.Meets(d), shared)
			}
			if shared && i != j {
				meetings++
			}
		}
		if c.Has(nil) || c.Has(append([]byte{9}, KeyString(KindTimer, Address{7}, "n")[1:]...)) {
			t.Errorf("%v has what is no key", c)
		}
	}
	if meetings == 0 {
		t.Error("no two of the claims share a key: the test tries nothing")
	}
	if got := claim(One, nine, "n", false).String(); got != `00 05 0000000000000000000000000000000000000009 "n"...` {
		t.Error(got)
	}
}
