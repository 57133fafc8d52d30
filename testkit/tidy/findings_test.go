package tidy

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// sourceRules are the rules that have lists of exceptions, each in testdata/lists under its name.
var sourceRules = map[string]func([]Source) Findings{
	"files":      LongFiles,
	"functions":  LongFunctions,
	"width":      WideLines,
	"tables":     Tables,
	"subsystems": MissingFiles,
	"states":     ImpureStates,
	"core":       Chapters,
}

// TestSourceRules holds every file to the sizes, every table test to subtests, and every subsystem to its files and to a state without clock and link.
// What is on a list is excused, no more and no less. REWRITE=1 takes off the lists what is no longer needed; it never adds.
func TestSourceRules(t *testing.T) {
	sources, err := Sources(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(sources) < 1_000 {
		t.Fatalf("only %d files found", len(sources))
	}
	for name, rule := range sourceRules {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", "lists", name+".txt")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			list, err := ParseList(string(text))
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			found := rule(sources)
			if os.Getenv("REWRITE") != "" {
				list = found.Shrink(list)
				if err := os.WriteFile(path, []byte(list.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, problem := range found.Against(list) {
				t.Errorf("%s (%s)", problem, path)
			}
			for where, e := range list {
				if e.Why == "" {
					t.Errorf("%s: no reason why it stays (%s)", where, path)
				}
			}
		})
	}
}

// TestSourceRulesFindEach shows that each rule can fail, and what it lets pass: testdata/rules has one breach of each beside what only resembles one.
func TestSourceRulesFindEach(t *testing.T) {
	sources, err := Sources(filepath.Join("testdata", "rules"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Findings{
		"files":      {"long.go": 501},
		"functions":  {"long.go long.function": 101},
		"width":      {"wide.go": 2},
		"tables":     {"table_test.go": 4},
		"subsystems": {"actors/bare/inbox.go": 1, "actors/bare/state_test.go": 1},
		"states":     {"actors/bare/state.go": 8, "actors/bare/more.go": 2},
		"core":       {"runtime/drain chain/bank": 1, "runtime/drain runtime/system/event": 1},
	}
	for name, rule := range sourceRules {
		t.Run(name, func(t *testing.T) {
			if got := rule(sources); !maps.Equal(got, want[name]) {
				t.Errorf("found\n%v, want\n%v", got, want[name])
			}
		})
	}
}

// TestListsOnlyShrink holds findings to their list in every way in which the two can differ.
func TestListsOnlyShrink(t *testing.T) {
	const why = ": twenty characters of reason"
	list, err := ParseList("a.go 2" + why + "\nb.go f 101\nc.go 1" + why + "\nd.go 5" + why + "\n")
	if err != nil {
		t.Fatal(err)
	}
	found := Findings{"a.go": 2, "b.go f": 102, "d.go": 4, "e.go": 1}
	want := []string{
		"b.go f: 102, and the list of exceptions allows 101",
		"d.go: 4 only: the list of exceptions says 5 and must shrink",
		"e.go: 1",
		"c.go: keeps the rule: take it off the list of exceptions",
	}
	if got := found.Against(list); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := found.Shrink(list).String(); got != "a.go 2"+why+"\nb.go f 101\nd.go 4"+why+"\n" {
		t.Errorf("shrunk to %q", got)
	}
	for _, bad := range []string{
		"a.go" + why, "a.go x" + why, "a.go 0" + why, "a.go -1" + why, " 3" + why, "a.go 1" + why + "\na.go 2" + why, "a.go 1: it stays", "a.go 1:",
	} {
		t.Run(bad, func(t *testing.T) {
			if list, err := ParseList(bad); err == nil {
				t.Errorf("%q is taken for a list: %v", bad, list)
			}
		})
	}
}
