package mutants

import (
	"slices"
	"strings"
	"testing"
)

const sample = `package p

func Limit(n int) bool {
	if n < 10 && ok(n) {
		note(n)
		return true
	}
	return !ok(n + 1)
}
`

// TestFind compares the mutants of a function with those counted by hand.
func TestFind(t *testing.T) {
	found, err := inFile("p/p.go", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		changed := string(m.Apply([]byte(sample)))
		if strings.Count(changed, "\n") != strings.Count(sample, "\n") {
			t.Errorf("%s moves lines", m.ID())
		}
		got = append(got, m.Kind+" "+m.From+" -> "+m.To)
	}
	slices.Sort(got)
	want := []string{
		"not ! -> ", "number 1 -> 2", "number 10 -> 11", "operator && -> ||", "operator + -> -", "operator < -> <=", "statement note(n) -> ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if changed := string(found[0].Apply([]byte(sample))); !strings.Contains(changed, "||") && !strings.Contains(changed, "<=") {
		t.Errorf("the first change is not in\n%s", changed)
	}
}

// TestPickIsStable draws the same mutants when others are added elsewhere.
func TestPickIsStable(t *testing.T) {
	found, err := inFile("p/p.go", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	more, err := inFile("q/q.go", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	all := Pick(append(slices.Clone(more), found...), 7, len(found)+len(more))
	var ours []string
	for _, m := range all {
		if m.File == "p/p.go" {
			ours = append(ours, m.ID())
		}
	}
	var alone []string
	for _, m := range Pick(found, 7, len(found)) {
		alone = append(alone, m.ID())
	}
	if !slices.Equal(ours, alone) {
		t.Errorf("drawn %v with others, %v alone", ours, alone)
	}
	if first := Pick(found, 8, len(found)); first[0].ID() == alone[0] && first[1].ID() == alone[1] && first[2].ID() == alone[2] {
		t.Error("another seed draws the same")
	}
}

// TestKept expects every listed mutant to exist still, with a reason.
func TestKept(t *testing.T) {
	all, err := Find("../..", []string{"chain", "runtime/drain", "runtime/transition", "runtime/host"})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, m := range all {
		ids[m.ID()] = true
	}
	if len(ids) != len(all) {
		t.Errorf("%d mutants have %d names", len(all), len(ids))
	}
	for id, reason := range Kept() {
		if !ids[id] {
			t.Errorf("%s is listed and does not exist", id)
		}
		if reason == "" {
			t.Errorf("%s is listed without a reason", id)
		}
	}
}
