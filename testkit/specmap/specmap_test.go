package specmap

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// write makes a tree that holds the files below docs/spec and gives its root.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, "docs/spec", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

var scan = sync.OnceValues(func() (*Map, error) { return Scan("../..") })

// repository is what this tree says.
func repository(t *testing.T) *Map {
	t.Helper()
	found, err := scan()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestRead(t *testing.T) {
	root := write(t, map[string]string{
		"WP/README.md":  "# Whitepaper\n\n## How to read it\n",
		"WP/1-first.md": "# First\n\n## §1 Accounts\n\nText.\n\n### §1.1 Signatures\n\n*Rules, built.*\n\n## \"Slashing\"\n\n```\n## §9 no heading\n```\n",
		"WP/2-next.md": "# Next\n\n## §5.1a First in, first out\n*Rules, partly built: chapter timer.*\n\n*Missing: the fires\nof others.*\n\n" +
			"#### A remark\n\n## §A Vectors\n",
		"tokens.md": "# Tokens\n\n*Also cited as CIP-20, CIP-21.*\n\n## part E Ideas\n\n### §E.1 Data\n\n*Rules, not built.*\n",
	})
	c, err := Read(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []Section{
		{Doc: "WP", File: "docs/spec/WP", Line: 1},
		{Doc: "WP", ID: "1", Title: "Accounts", File: "docs/spec/WP/1-first.md", Line: 3},
		{Doc: "WP", ID: "1.1", Title: "Signatures", Status: Built, File: "docs/spec/WP/1-first.md", Line: 7},
		{Doc: "WP", ID: `"Slashing"`, File: "docs/spec/WP/1-first.md", Line: 11},
		{Doc: "WP", ID: "5.1a", Title: "First in, first out", Status: PartBuilt, Chapter: "timer", Missing: "the fires of others.",
			File: "docs/spec/WP/2-next.md", Line: 3},
		{Doc: "WP", ID: "A", Title: "Vectors", File: "docs/spec/WP/2-next.md", Line: 11},
		{Doc: "tokens", File: "docs/spec/tokens.md", Line: 1},
		{Doc: "CIP-20", File: "docs/spec/tokens.md", Line: 3},
		{Doc: "CIP-21", File: "docs/spec/tokens.md", Line: 3},
		{Doc: "tokens", ID: "part E", Title: "Ideas", File: "docs/spec/tokens.md", Line: 5},
		{Doc: "tokens", ID: "E.1", Title: "Data", Status: NotBuilt, File: "docs/spec/tokens.md", Line: 7},
	}
	if !reflect.DeepEqual(c.Sections, want) {
		t.Errorf("sections\n%+v, want\n%+v", c.Sections, want)
	}
	for ref, want := range map[Ref]bool{{"WP", "1.1"}: false, {"WP", "9"}: true, {"CIP-21", ""}: false, {"CIP-22", ""}: true, {"RFC", "6455 §99"}: false} {
		t.Run(fmt.Sprint(ref), func(t *testing.T) {
			if c.Dangling(ref) != want {
				t.Errorf("Dangling(%v) = %v", ref, !want)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for what, files := range map[string]map[string]string{
		"no directory":           {},
		"a heading of no number": {"a.md": "# A\n\n## Words\n"},
		"a section twice":        {"a/1.md": "## §1 One\n", "a/2.md": "## §1 Two\n"},
		"an unknown status":      {"a.md": "## §1 One\n\n*Rules, nearly built.*\n"},
		"a status without head":  {"a.md": "## §1 One\n\nText.\n\n*Rules, built.*\n"},
		"another name twice":     {"a.md": "*Also cited as CIP-1.*\n", "b.md": "*Also cited as CIP-1.*\n"},
		"a file that is no page": {"a.txt": ""},
		"a part without a word":  {"a.md": "## §1 One\n\n*Rules, partly built.*\n\nText.\n"},
		"a sentence without end": {"a.md": "## §1 One\n\n*Rules, partly built.*\n\n*Missing: all\n\nof it.*\n"},
		"a sentence that is all": {"a.md": "## §1 One\n\n*Rules, built.*\n\n*Missing: nothing.*\n"},
		"a sentence behind text": {"a.md": "## §1 One\n\n*Rules, partly built.*\n\nText.\n\n*Missing: a word.*\n"},
	} {
		t.Run(what, func(t *testing.T) {
			if c, err := Read(write(t, files)); err == nil {
				t.Errorf("%s: %+v, want an error", what, c.Sections)
			}
		})
	}
}

func TestRefs(t *testing.T) {
	c := repository(t).Catalog
	for text, want := range map[string][]Ref{
		"WP §4.2, §17.8; CIP-3 §2.4.":                         {{"WP", "4.2"}, {"WP", "17.8"}, {"CIP-3", "2.4"}},
		"WP §17.9 (over §13; §17 is authoritative).":          {{"WP", "17.9"}},
		`WP "The Cowboy Actor VM (PVM)", "Slashing" (> 50 %)`: {{"WP", `"The Cowboy Actor VM (PVM)"`}, {"WP", `"Slashing"`}},
		"WP Appendix A":                      {{"WP", "A"}},
		"commonware §1.1–1.3":                {{"commonware", "1.1"}, {"commonware", "1.2"}, {"commonware", "1.3"}},
		"ENT §8–§10, §9.12–§9.14":            {{"ENT", "8"}, {"ENT", "9"}, {"ENT", "10"}, {"ENT", "9.12"}, {"ENT", "9.13"}, {"ENT", "9.14"}},
		"WP §1–§99":                          {{"WP", "1"}, {"WP", "99"}},
		"governance-staking A3, B10, part E": {{"governance-staking", "A3"}, {"governance-staking", "B10"}, {"governance-staking", "part E"}},
		"gateway-payments-streams A.2":       {{"gateway-payments-streams", "A.2"}},
		"CIP-20":                             {{"CIP-20", ""}},
		"RFC 6455 §5.1, §7.4.1; WP §6.2":     {{"RFC", "6455 §5.1"}, {"RFC", "§7.4.1"}, {"WP", "6.2"}},
		`Python 3.11 library reference, "Bytes and Bytearray Operations"`: {
			{"Python 3.11 library reference", ""}, {"Python 3.11 library reference", `"Bytes and Bytearray Operations"`},
		},
	} {
		t.Run(text, func(t *testing.T) {
			got, err := c.Refs(text)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("Refs(%q) = %v, %v, want %v", text, got, err, want)
			}
		})
	}
	for _, text := range []string{"§4.2", "sdk.md §3", "WPA §1", "WP §x", "everything is bounded", "WP §4.2 of old", `WP "Slashing`} {
		if got, err := c.Refs(text); err == nil {
			t.Errorf("Refs(%q) = %v, want an error", text, got)
		}
	}
}

func TestDangling(t *testing.T) {
	c := repository(t).Catalog
	for ref, want := range map[Ref]bool{
		{"WP", "4.2"}: false, {"WP", "5.1a"}: false, {"WP", ""}: false, {"WP", `"Slashing"`}: false, {"RFC", "6455 §99"}: false,
		{"WP", "4.9"}: true, {"WP", "5.1c"}: true, {"WP", `"Slashings"`}: true, {"sdk", "40"}: true, {"CIP-99", ""}: true,
	} {
		t.Run(fmt.Sprint(ref), func(t *testing.T) {
			if c.Dangling(ref) != want {
				t.Errorf("Dangling(%v) = %v", ref, !want)
			}
		})
	}
}

// TestNoDanglingCitations holds every Spec line of the source against the headings of docs/spec.
func TestNoDanglingCitations(t *testing.T) {
	found := repository(t)
	for _, f := range found.Faults {
		t.Errorf("%s:%d: %s", f.Place.File, f.Place.Line, f.Text)
	}
	if len(found.Places) < 100 {
		t.Errorf("only %d sections are cited", len(found.Places))
	}
}

// TestBuiltIsProved holds what docs/spec says of a section against the source: what is called built has code and a test.
func TestBuiltIsProved(t *testing.T) {
	for _, e := range repository(t).Evidence() {
		if e.Status == Built && e.Unproved() != "" {
			t.Errorf("%s:%d: %s is called built and has %s", e.File, e.Line, e.Label(), e.Unproved())
		}
	}
}

func TestPrintListsGaps(t *testing.T) {
	found := &Map{
		Catalog: &Catalog{Sections: []Section{
			{Doc: "WP", ID: "4.2", Title: "basefee", Status: Built, File: "wp.md", Line: 9}, {Doc: "WP", ID: "5.1", Title: "timers", Status: Built},
			{Doc: "WP", ID: "5.1a"}, {Doc: "tokens", ID: "2", Title: "model", Status: NotBuilt, Chapter: "token"},
			{Doc: "WP", ID: "9", Title: "actors", Status: PartBuilt, Missing: "the last one."},
		}},
		Places: map[Ref][]Place{
			{"WP", "4.2"}:  {{Name: "chain/fee.Next", File: "chain/fee/market.go", Line: 3}},
			{"WP", "5.1a"}: {{Name: "chain/timer.Fire", File: "a.go", Line: 1}, {Name: "chain/timer.TestFire", File: "a_test.go", Line: 2, Test: true}},
			{"WP", "9"}:    {{Name: "runtime/system.Run", File: "a.go", Line: 1}, {Name: "runtime/system.TestRun", File: "a_test.go", Line: 2, Test: true}},
		},
		Faults: []Fault{{Place{File: "b.go", Line: 7}, "WP §99 leads to no heading"}},
	}
	var out strings.Builder
	if gaps := found.Print(&out); gaps != 3 {
		t.Errorf("%d gaps, want §4.2 without a test, tokens §2, and §9, which is partly built", gaps)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"WP §4.2 basefee wp.md:9 chain/fee.Next", "proved by chain/timer.TestFire", "Gaps: 3 of 4 sections", "WP §4.2 basefee built no test",
		"tokens §2 model not built, chapter token no code and test", "WP §9 actors partly built missing: the last one.",
		"b.go:7: WP §99 leads to no heading",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("output lacks %q:\n%s", want, out.String())
		}
	}
}

// TestSections counts sections by hand: a document that is read wrongly would have none.
func TestSections(t *testing.T) {
	count := map[string]int{}
	for _, s := range repository(t).Sections {
		if s.ID != "" {
			count[s.Doc]++
		}
	}
	for doc, want := range map[string]int{"CIP-3": 10, "CIP-2": 16} {
		t.Run(doc, func(t *testing.T) {
			if count[doc] != want {
				t.Errorf("%s has %d sections, want %d", doc, count[doc], want)
			}
		})
	}
	documents := slices.DeleteFunc(repository(t).names, func(name string) bool { return slices.Contains(foreign, name) })
	if len(documents) < 15 {
		t.Errorf("only the documents %v", documents)
	}
}
