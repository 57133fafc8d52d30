package rpc

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// A runner is shown with the binding it has set, where it stands in the next block, and with the nonce it asked for.
//
// Spec: tee §2.3.
func TestRunnersAreShownWithTheirBinding(t *testing.T) {
	zeros, who := strings.Repeat("0", 62), account.Address{1}
	s := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	show := func() string {
		t.Helper()
		var v wire.Runner
		if err := bindingOf(&v, s, who, 100); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(map[string]any{"b": v.Binding, "n": v.BindingNonce})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := show(); got != `{"b":null,"n":null}` {
		t.Error(got)
	}
	nonce := tee.Ask(s, who, []byte("beacon"), 90)
	b := tee.Binding{Type: tee.TDX, Measurements: []digest.Hash{{0xaa}}, Accelerators: []digest.Hash{{0xbb}}, Service: [32]byte{0xcc}, Bound: 7, Expires: 900}
	s.Set(append(account.KeyString(account.KindRecord, tee.Holder(), "tee_binding:"), who[:]...), b.Encode())
	want := `{"b":{"cpu_tee_type":"tdx","allowed_cpu_measurements":["0xaa` + zeros + `"],"allowed_gpu":["0xbb` + zeros + `"],"service_pubkey":"0xcc` + zeros +
		`","service_scheme":"Ed25519","bound_at":7,"expires_at":900,"status":"Revoked","binding_hash":"` + b.Hash().String() +
		`"},"n":{"nonce":"` + nonce.String() + `","asked_at":90}}`
	if got := show(); got != want { // nobody trusts its measurement
		t.Errorf("%s, want %s", got, want)
	}
}
