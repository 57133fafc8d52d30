package block

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// What certifies a parent names its hash, the height below, and the view it was proposed in.
//
// Spec: WP §6.1; commonware §3.3.
func TestParentSubject(t *testing.T) {
	h := Header{Height: 9, View: 7, ParentView: 5, ParentHash: digest.Hash{3}}
	if got, want := h.Parent(2), (sig.Subject{BlockHash: digest.Hash{3}, Height: 8, Round: sig.Round{Epoch: 2, View: 5}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
