package tx

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/route"
)

// ingressSamples has one instruction of every built opcode about requests and routes.
func ingressSamples() []Instruction {
	return []Instruction{
		&IngressDispatch{Target: account.Address{7}, Envelope: []byte{0xa0}, RequestID: receipt.ID{1, 2, 3}},
		&CompleteReceipt{RequestID: receipt.ID{1, 2, 3}, Envelope: []byte{0xa1, 0x66, 's', 't', 'a', 't', 'u', 's', 0x18, 200}},
		&ExternalDomainCallback{Domain: []byte("shop.example"), Owner: account.Address{9}, Nonce: route.Nonce{1, 2, 3}, Verdict: []byte("VERIFIED")},
		&UpdateRouteManifest{
			Actor: account.Address{7}, Static: []route.Static{{Path: "/*", Volume: "site", Priority: 1}},
			Dynamic: []route.Dynamic{{Method: "GET", Path: "/api/{id}", Handler: "item", Priority: 3}},
		},
	}
}

// A request pays for its calldata, an answer and a manifest of routes once more for what is written.
//
// Spec: WP §17.2, §17.4; gateway-payments-streams §B, §C.
func TestCostOfRequests(t *testing.T) {
	for i, want := range []Cost{{21_000, 1}, {21_000, 20}, {21_000, 12 + 8}, {21_000, 2 * (1 + 3 + 5 + 1 + 1 + 4 + 10 + 5 + 1)}} {
		in := ingressSamples()[i]
		t.Run(in.Opcode().String(), func(t *testing.T) {
			if got := CostOf(in); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

// Routes that break the rule of priorities are no transaction.
//
// Spec: storage-cbfs §3.2 (gap rule).
func TestRoutesAreHeldToTheirPriorities(t *testing.T) {
	for name, c := range map[string]struct {
		static, dynamic uint32
		ok              bool
	}{"a gap of 1": {4, 5, false}, "a gap of 2": {4, 6, true}, "equal": {4, 4, false}, "below": {4, 3, false}} {
		t.Run(name, func(t *testing.T) {
			in := &UpdateRouteManifest{
				Static: []route.Static{{Path: "/*", Volume: "v", Priority: c.static}}, Dynamic: []route.Dynamic{{Method: "GET", Path: "/",
					Handler: "h", Priority: c.dynamic}},
			}
			if err := in.check(); (err == nil) != c.ok {
				t.Errorf("%v, want accepted: %v", err, c.ok)
			}
		})
	}
}
