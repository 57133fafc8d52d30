package cost_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
)

// TestPublished holds the prices that the specification prints.
//
// Spec: CIP-3 §2.2.1; sdk §17.4.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"arithmetic", cost.Arith, 1}, {"function call", cost.Call, 10}, {"dict get/set", cost.DictAccess, 3},
		{"list append/access", cost.ListAccess, 2}, {"string operation, each character", cost.Char, 1},
		{"first import", cost.ImportFirst, 100}, {"repeated import", cost.ImportAgain, 5},
		{"denied import", cost.ImportDenied, 50}, {"serialization", cost.Serialize, 20}, {"encode and decode", cost.Encode, 10},
	} {
		if c.got != c.want {
			t.Errorf("%s costs %d cycles, published are %d", c.name, c.got, c.want)
		}
	}
}

// golden is the SHA-256 of the price list, one "name cycles" line for each entry.
// Changing a price is a change of the protocol.
const golden = "8df8622fca45c782715d1c6820cde2f24cbea62edc558566c7c8df5756c861dd"

// TestTable pins the price list.
//
// Spec: CIP-3 §2.2.1 (static, consensus-critical cost table).
func TestTable(t *testing.T) {
	h := sha256.New()
	for _, e := range cost.Table() {
		fmt.Fprintf(h, "%s %d\n", e.Name, e.Cycles)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != golden {
		t.Fatalf("the price list changed: hash %s", got)
	}
}
