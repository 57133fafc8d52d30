package market

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; runner-marketplace §2.6, §2.7, §2.8.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"Job":        golden.Fill(&Job{}).Encode(),
		"Selection":  golden.Fill(&Selection{}).Encode(),
		"candidates": candidates{*golden.Fill(&job.Candidate{}), {}}.Encode(),
		"Caller":     golden.Fill(&Caller{}).Encode(),
		"Answer":     golden.Fill(&Answer{}).Encode(),
		"Commitment": golden.Fill(&Commitment{}).Encode(),
		"Reveal":     golden.Fill(&Reveal{}).Encode(),
		"Size":       golden.Fill(&Size{}).Encode(),
		"epochs":     (&epochs{7, 300}).Encode(),
		"Inquiry":    golden.Fill(&Inquiry{}).Encode(),
		"Paying":     golden.Fill(&Paying{}).Encode(),
		"Rerun":      golden.Fill(&Rerun{}).Encode(),
		"Result":     golden.Fill(&Result{}).Encode(),
		"Recent":     golden.Fill(&Recent{}).Encode(),
	})
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	j := golden.Fill(&Job{})
	j.Status = Challengeable
	same(t, j, j.Encode(), DecodeJob)
	same(t, golden.Fill(&Selection{}), golden.Fill(&Selection{}).Encode(), DecodeSelection)
	same(t, golden.Fill(&Caller{}), golden.Fill(&Caller{}).Encode(), DecodeCaller)
	same(t, golden.Fill(&Answer{}), golden.Fill(&Answer{}).Encode(), DecodeAnswer)
	same(t, golden.Fill(&Commitment{}), golden.Fill(&Commitment{}).Encode(), DecodeCommitment)
	same(t, golden.Fill(&Reveal{}), golden.Fill(&Reveal{}).Encode(), DecodeReveal)
	same(t, golden.Fill(&Result{}), golden.Fill(&Result{}).Encode(), DecodeResult)
	q := golden.Fill(&Inquiry{})
	q.Rulings = []verify.Ruling{{Word: verify.Accepted, Canonical: []byte{}}, {Word: verify.Faulted}}
	same(t, q, q.Encode(), DecodeInquiry)
	again := golden.Fill(&Rerun{})
	again.Says = Differs
	same(t, again, again.Encode(), DecodeRerun)
	same(t, golden.Fill(&Paying{}), golden.Fill(&Paying{}).Encode(), DecodePaying)
	same(t, golden.Fill(&Recent{}), golden.Fill(&Recent{}).Encode(), DecodeRecent)
	same(t, golden.Fill(&Size{}), golden.Fill(&Size{}).Encode(), DecodeSize)
	same(t, &epochs{7, 300}, (&epochs{7, 300}).Encode(), decodeEpochs)
	list := candidates{*golden.Fill(&job.Candidate{}), {}}
	same(t, &list, list.Encode(), func(data []byte) (*candidates, error) {
		back, err := decodeCandidates(data)
		return &back, err
	})
}

func same[T any](t *testing.T, v *T, data []byte, decode func([]byte) (*T, error)) {
	t.Helper()
	back, err := decode(data)
	if err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%T: %+v, want %+v: %v", v, back, v, err)
	}
	for cut := range data {
		if _, err := decode(data[:cut]); err == nil {
			t.Errorf("%T is read when cut at %d", v, cut)
		}
	}
}
