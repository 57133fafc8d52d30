package lanes

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// TestRefusalsAreCountedByReason: each refused transaction counts once, under its class whatever wraps it.
func TestRefusalsAreCountedByReason(t *testing.T) {
	h := NewHandle()
	h.refusals.add([]Result{{}, {Err: ErrFull}, {Err: fmt.Errorf("sender: %w", tx.ErrNonce)}, {Err: errors.New("a failing disk")}})
	h.refusals.add([]Result{{Err: ErrFull}})
	want := map[string]uint64{"E_POOL_FULL": 2, "E_TX_NONCE": 1, "other": 1}
	if got := h.Refusals(); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
