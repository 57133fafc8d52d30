package secret

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; secrets-cbss §2.
func TestGoldenRecords(t *testing.T) {
	v := golden.Fill(&Version{})
	v.Pending = false
	generation := golden.Fill(&Generation{})
	golden.Records(t, map[string][]byte{
		"Secret":          golden.Fill(&Secret{}).Encode(),
		"Policy":          golden.Fill(&Policy{}).Append(nil),
		"Version":         v.Encode(),
		"Version pending": golden.Fill(&Version{Pending: true}).Encode(),
		"ReleaseKey":      golden.Fill(&ReleaseKey{}).Encode(),
		"Pending":         golden.Fill(&Pending{}).Encode(),
		"Proxy":           golden.Fill(&Proxy{}).Encode(),
		"Receipts":        golden.Fill(&Receipts{}).Encode(),
		"Challenge":       golden.Fill(&Challenge{}).Encode(),
		"Lock":            golden.Fill(&Lock{}).Encode(),
		"Debt":            golden.Fill(&Debt{}).Encode(),
		"Tombstone":       golden.Fill(&Tombstone{}).Encode(),
		"Config":          golden.Fill(&Config{}).Encode(),
		"Signed":          golden.Fill(&Signed{}).Append(nil),
		"Generation":      generation.append(nil),
	})
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	same(t, golden.Fill(&Secret{}), golden.Fill(&Secret{}).Encode(), DecodeSecret)
	v := golden.Fill(&Version{})
	v.Pending, v.Recipient = false, OfSecret
	same(t, v, v.Encode(), DecodeVersion)
	same(t, &Version{Pending: true}, (&Version{Pending: true}).Encode(), DecodeVersion)
	same(t, golden.Fill(&ReleaseKey{}), golden.Fill(&ReleaseKey{}).Encode(), DecodeReleaseKey)
	same(t, golden.Fill(&Pending{}), golden.Fill(&Pending{}).Encode(), DecodePending)
	same(t, golden.Fill(&Proxy{}), golden.Fill(&Proxy{}).Encode(), DecodeProxy)
	same(t, golden.Fill(&Receipts{}), golden.Fill(&Receipts{}).Encode(), DecodeReceipts)
	c := golden.Fill(&Challenge{})
	c.State = Unanswered
	same(t, c, c.Encode(), DecodeChallenge)
	same(t, golden.Fill(&Lock{}), golden.Fill(&Lock{}).Encode(), DecodeLock)
	same(t, golden.Fill(&Debt{}), golden.Fill(&Debt{}).Encode(), DecodeDebt)
	same(t, golden.Fill(&Tombstone{}), golden.Fill(&Tombstone{}).Encode(), DecodeTombstone)
	same(t, golden.Fill(&Config{}), golden.Fill(&Config{}).Encode(), func(data []byte) (*Config, error) {
		c, err := DecodeConfig(data)
		return &c, err
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
