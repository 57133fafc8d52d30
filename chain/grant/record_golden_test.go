package grant

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	s, a := Scope{OfPool, "pool"}, Action{ActorExecuteHandler, "handler"}
	golden.Records(t, map[string][]byte{
		"Scope":      s.Append(nil),
		"Action":     a.Append(nil),
		"Terms":      golden.Fill(&Terms{}).Append(nil),
		"Counters":   golden.Fill(&Counters{}).append(nil),
		"Record":     golden.Fill(&Record{Scope: s, Action: a}).Encode(),
		"Role":       golden.Fill(&Role{Scopes: []Scope{s}, Actions: []Action{a}}).Encode(),
		"Assignment": golden.Fill(&Assignment{}).Encode(),
		"tally":      golden.Fill(&tally{}).encode(),
	})
}
