package explorer

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// TestFacts shows each kind of field. What the page does not show is a field that is absent.
func TestFacts(t *testing.T) {
	to := account.System(7)
	long := strings.Repeat("x", longText+1)
	for i, c := range []struct {
		in   tx.Instruction
		want []fact
	}{
		{&tx.Transfer{To: to, Amount: 5}, []fact{{"to", "address", to.String()}, {"amount", "amount", uint64(5)}}},
		{&tx.Deploy{Code: []byte("x = 1\ny = 2\n"), Salt: []byte{0xfe}, InitHandler: []byte("init"), InitPayload: []byte("{}")}, []fact{
			{"code", "folded", "x = 1\ny = 2\n"}, {"salt", "text", "fe"}, {"init_handler", "text", "init"}, {"init_payload", "text", "{}"},
		}},
		{&tx.UpgradeActor{Actor: to, Code: []byte(long)}, []fact{{"actor", "address", to.String()}, {"code", "folded", long}}},
		{&tx.UpdateEntitlementConfig{Config: params.EntitlementConfig{WindowBlocks: 7, Deprecated: []params.Deprecation{{ID: "a", From: 1, Until: 8}}}}, []fact{
			{"config.window_blocks", "number", uint64(7)}, {"config.require_manifest", "text", "false"},
			{"config.deprecated[0].id", "text", "a"}, {"config.deprecated[0].from", "number", uint64(1)}, {"config.deprecated[0].until", "number", uint64(8)},
		}},
		{&tx.ValidatorExit{}, nil},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := facts(wire.FromInstruction(c.in)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%T shows %v, want %v", c.in, got, c.want)
			}
		})
	}
	if facts(wire.Instruction{"type": "Nothing"}) != nil {
		t.Error("an instruction that nobody knows has fields")
	}
}
