//go:build examplechapter

package explorer

import (
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// The pages show an instruction of a chapter they know nothing of by its row.
//
// Spec: node-rpc-cli §1.
func TestExampleChapter(t *testing.T) {
	actor := account.Address{7}
	want := []fact{{"actor", "address", actor.String()}, {"amount", "amount", uint64(5)}}
	if got := facts(wire.FromInstruction(&tx.Pledge{Actor: actor, Amount: 5})); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
