package wire

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/receipt"
)

// A receipt of a request says after which block it was read, so that whoever is shown it can ask for nothing older.
//
// Spec: gateway-payments-streams §B (X-Cowboy-Min-Block), §C.
func TestRequestsSayTheirBlock(t *testing.T) {
	r := receipt.Identified{ID: receipt.ID{1}, Receipt: receipt.Receipt{Created: 40, Expires: 90}}
	if v := ViewRequest(&r, 42, true); v.BlockHeight != 42 || v.CreatedAt != 40 || v.Expired {
		t.Errorf("%+v", v)
	}
}
