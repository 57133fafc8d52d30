package sequence

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/shape"
)

// space has two handlers, one of which counts.
func space() *Space {
	return &Space{
		Targets: []Target{
			{Actor: "a", Handler: shape.Handler{Name: "add", Fields: []shape.Field{{Name: "n", Kind: shape.Number}}}},
			{Actor: "a", Handler: shape.Handler{Name: "look"}},
		},
		Senders: []string{"alice", "bob"}, People: []string{"${alice}", "${bob}"}, Mention: func(s string) string { return "${" + s + "}" },
		Rules: 2,
	}
}

// sums breaks rule 1 once what was added passes 1,000.
func sums(calls []Call, known func(int) bool) *Broken {
	if known(1) {
		return nil
	}
	total := int64(0)
	for i := range calls {
		var in struct{ N int64 }
		if calls[i].Handler == "add" && json.Unmarshal([]byte(calls[i].Payload.String()), &in) == nil && in.N > 0 && in.N <= 600 {
			total += in.N
		}
		if total > 1_000 {
			return &Broken{After: i + 1, Rule: 1}
		}
	}
	return nil
}

func none(int) bool { return false }

// TestSearch finds a sequence, and shortens it until every call in it is needed, made by the first sender. It goes on for the other rule.
func TestSearch(t *testing.T) {
	o := Options{Seed: 4, Runs: 500}
	runs, all := Search(space(), o, sums)
	if len(all) != 1 || runs != 500 {
		t.Fatalf("%d runs: %+v", runs, all)
	}
	found := all[0]
	if found.Rule != 1 || len(found.Calls) < 2 {
		t.Fatalf("%+v", found)
	}
	if sums(found.Calls, none) == nil {
		t.Error("what was found breaks nothing")
	}
	for i, c := range found.Calls {
		if c.By != "alice" || c.Handler != "add" || c.Coins != 0 || sums(slices.Concat(found.Calls[:i], found.Calls[i+1:]), none) != nil {
			t.Errorf("call %d: %+v", i, c)
		}
	}
	if _, again := Search(space(), o, sums); !reflect.DeepEqual(again, all) {
		t.Errorf("the same seed finds %+v", again)
	}
	nothing := func([]Call, func(int) bool) *Broken { return nil }
	if runs, found := Search(space(), Options{Runs: 7}, nothing); runs != 7 || found != nil {
		t.Errorf("%d runs of 7, %+v", runs, found)
	}
	if runs, _ := Search(space(), Options{Until: func() bool { return true }}, nothing); runs != 1 {
		t.Errorf("%d runs after the end", runs)
	}
}

// TestSearchFindsEach: a search whose every rule breaks ends with the last of them, one finding for each.
func TestSearchFindsEach(t *testing.T) {
	breaks := func(calls []Call, known func(int) bool) *Broken {
		for rule, long := range []int{1, 3} {
			if !known(rule) && len(calls) >= long {
				return &Broken{After: len(calls), Rule: rule}
			}
		}
		return nil
	}
	runs, all := Search(space(), Options{Seed: 1, Runs: 500}, breaks)
	if len(all) != 2 || len(all[0].Calls) != 1 || len(all[1].Calls) != 3 || runs != all[1].Run || runs == 500 {
		t.Errorf("%d runs: %+v", runs, all)
	}
}

// TestTally: a handler is barren once enough of its calls were made and all of them failed.
func TestTally(t *testing.T) {
	var tally Tally
	for i := range Enough {
		tally.Add("never", "E1 no")
		if i < Enough-1 {
			tally.Add("rarely", "E2 no")
		}
	}
	if got := tally.Barren(); got != "never failed in all of 25 calls, the last with E1 no" {
		t.Error(got)
	}
	tally.Add("never", "")
	if got := tally.Barren() + tally.String(); got != "never 1 of 26, rarely 0 of 24" {
		t.Error(got)
	}
}
