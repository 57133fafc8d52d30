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
	p := cost.First()
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"arithmetic", p.Arith, 1}, {"function call", p.Call, 10}, {"dict get/set", p.DictAccess, 3},
		{"list append/access", p.ListAccess, 2}, {"string operation, each character", p.Char, 1},
		{"first import", p.ImportFirst, 100}, {"repeated import", p.ImportAgain, 5},
		{"denied import", p.ImportDenied, 50}, {"serialization", p.Serialize, 20}, {"encode and decode", p.Encode, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("%s costs %d cycles, published are %d", c.name, c.got, c.want)
			}
		})
	}
}

// golden is the SHA-256 of the price list, one "name cycles" line for each entry.
// Changing a price is a change of the protocol.
const golden = "dbb56c404d61124eb7594ed1e23911aea6b03c8fa4334bd79147da702bdc86f7"

// TestTable pins the price list.
//
// Spec: CIP-3 §2.2.1 (static, consensus-critical cost table).
func TestTable(t *testing.T) {
	h := sha256.New()
	for _, e := range cost.Table(cost.First()) {
		fmt.Fprintf(h, "%s %d\n", e.Name, e.Cycles)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != golden {
		t.Fatalf("the price list changed: hash %s", got)
	}
}
