package specmap

import (
	"reflect"
	"strings"
	"testing"
)

func TestRefs(t *testing.T) {
	for text, want := range map[string][]Ref{
		"WP §4.2, §17.8; CIP-3 §2.4.":                {{"WP", "4.2"}, {"WP", "17.8"}, {"CIP-3", "2.4"}},
		"WP §17.9 (over §13; §17 is authoritative).": {{"WP", "17.9"}, {"WP", "13"}, {"WP", "17"}},
		"WP Appendix A":   {{"WP", ""}, {"WP", "A"}},
		"CIP-20":          {{"CIP-20", ""}},
		"commonware §5.3": {{"commonware", "5.3"}},
	} {
		if got := Refs(text); !reflect.DeepEqual(got, want) {
			t.Errorf("Refs(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestPrintListsGaps(t *testing.T) {
	found := map[Ref][]Place{
		{"WP", "4.2"}:  {{Name: "chain/fee.Next", File: "chain/fee/market.go", Line: 3}},
		{"WP", "5.1a"}: {{Name: "chain/timer.Fire", File: "a.go", Line: 1}, {Name: "chain/timer.TestFire", File: "a_test.go", Line: 2, Test: true}},
	}
	var out strings.Builder
	gaps := Print(&out, found)
	if gaps != len(Sections())-1 {
		t.Errorf("%d gaps, want all sections but §5.1", gaps)
	}
	for _, want := range []string{"chain/fee.Next", "proved by chain/timer.TestFire"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out.String())
		}
	}
}
