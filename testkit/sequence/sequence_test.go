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
	}
}

// sums breaks rule 1 once what was added passes 1,000.
func sums(calls []Call) *Broken {
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

// TestSearch finds a sequence, and shortens it until every call in it is needed, made by the first sender.
func TestSearch(t *testing.T) {
	o := Options{Seed: 4, Runs: 500}
	runs, found := Search(space(), o, sums)
	if found == nil || runs != found.Run || found.Rule != 1 || len(found.Calls) < 2 {
		t.Fatalf("%d runs: %+v", runs, found)
	}
	if sums(found.Calls) == nil {
		t.Error("what was found breaks nothing")
	}
	for i, c := range found.Calls {
		if c.By != "alice" || c.Handler != "add" || sums(slices.Concat(found.Calls[:i], found.Calls[i+1:])) != nil {
			t.Errorf("call %d: %+v", i, c)
		}
	}
	if _, again := Search(space(), o, sums); !reflect.DeepEqual(again, found) {
		t.Errorf("the same seed finds %+v", again)
	}
	if runs, found := Search(space(), Options{Runs: 7}, func([]Call) *Broken { return nil }); runs != 7 || found != nil {
		t.Errorf("%d runs of 7, %+v", runs, found)
	}
	if runs, _ := Search(space(), Options{Until: func() bool { return true }}, func([]Call) *Broken { return nil }); runs != 1 {
		t.Errorf("%d runs after the end", runs)
	}
}
