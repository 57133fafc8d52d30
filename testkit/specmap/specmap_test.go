package specmap

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestRefs(t *testing.T) {
	for text, want := range map[string][]Ref{
		"WP §4.2, §17.8; CIP-3 §2.4.":                         {{"WP", "4.2"}, {"WP", "17.8"}, {"CIP-3", "2.4"}},
		"WP §17.9 (over §13; §17 is authoritative).":          {{"WP", "17.9"}},
		`WP "The Cowboy Actor VM (PVM)", "Slashing" (> 50 %)`: {{"WP", `"The Cowboy Actor VM (PVM)"`}, {"WP", `"Slashing"`}},
		"WP Appendix A":                      {{"WP", "A"}},
		"commonware §1.1–1.3":                {{"commonware", "1.1"}, {"commonware", "1.3"}},
		"governance-staking A3, B10, part E": {{"governance-staking", "A3"}, {"governance-staking", "B10"}, {"governance-staking", "part E"}},
		"gateway-payments-streams A.2":       {{"gateway-payments-streams", "A.2"}},
		"CIP-20":                             {{"CIP-20", ""}},
		"RFC 6455 §5.1, §7.4.1; WP §6.2":     {{"RFC", "6455 §5.1"}, {"RFC", "§7.4.1"}, {"WP", "6.2"}},
		`Python 3.11 library reference, "Bytes and Bytearray Operations"`: {
			{"Python 3.11 library reference", ""}, {"Python 3.11 library reference", `"Bytes and Bytearray Operations"`},
		},
	} {
		got, err := Refs(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Refs(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestRefsOfNothing(t *testing.T) {
	for _, text := range []string{"§4.2", "sdk.md §3", "WPA §1", "WP §x", "everything is bounded", "WP §4.2 of old", `WP "Slashing`} {
		if got, err := Refs(text); err == nil {
			t.Errorf("Refs(%q) = %v, want an error", text, got)
		}
	}
}

func TestDangling(t *testing.T) {
	for ref, want := range map[Ref]bool{
		{"WP", "4.2"}: false, {"WP", "5.1a"}: false, {"WP", ""}: false, {"WP", `"Slashing"`}: false, {"RFC", "6455 §99"}: false,
		{"WP", "4.9"}: true, {"WP", "5.1c"}: true, {"WP", `"Slashings"`}: true, {"sdk", "40"}: true, {"CIP-99", ""}: true,
	} {
		if Dangling(ref) != want {
			t.Errorf("Dangling(%v) = %v", ref, !want)
		}
	}
}

// TestNoDanglingCitations holds every Spec line of the source against the catalog.
func TestNoDanglingCitations(t *testing.T) {
	found, err := Scan("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found.Faults {
		t.Errorf("%s:%d: %s", f.Place.File, f.Place.Line, f.Text)
	}
	if len(found.Places) < 100 {
		t.Errorf("only %d sections are cited", len(found.Places))
	}
}

func TestPrintListsGaps(t *testing.T) {
	found := &Map{
		Places: map[Ref][]Place{
			{"WP", "4.2"}:  {{Name: "chain/fee.Next", File: "chain/fee/market.go", Line: 3}},
			{"WP", "5.1a"}: {{Name: "chain/timer.Fire", File: "a.go", Line: 1}, {Name: "chain/timer.TestFire", File: "a_test.go", Line: 2, Test: true}},
		},
		Faults: []Fault{{Place{File: "b.go", Line: 7}, "WP has no section 99"}},
	}
	var out strings.Builder
	gaps := found.Print(&out)
	rules := slices.DeleteFunc(Sections(), func(s Section) bool { return !s.Rule })
	if gaps != len(rules)-1 {
		t.Errorf("%d gaps of %d, want all but §5.1", gaps, len(rules))
	}
	for _, want := range []string{"chain/fee.Next", "proved by chain/timer.TestFire", "b.go:7: WP has no section 99"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out.String())
		}
	}
}

// TestCatalog counts sections by hand: a document that is read wrongly would have none.
func TestCatalog(t *testing.T) {
	count := map[string]int{}
	for _, s := range Sections() {
		if s.ID == "" {
			continue
		}
		count[s.Doc]++
	}
	for doc, want := range map[string]int{"CIP-3": 9, "CIP-2": 10, "README": 5} {
		if count[doc] != want {
			t.Errorf("%s has %d sections, want %d", doc, count[doc], want)
		}
	}
	if len(known) != len(Sections()) {
		t.Errorf("%d sections have %d names", len(Sections()), len(known))
	}
}
