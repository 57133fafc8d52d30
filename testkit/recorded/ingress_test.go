package recorded

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ingress draws an instruction about names, gateways, requests and routes.
func (p *player) ingress() tx.Instruction {
	id, actor := receipt.ID{byte(p.draw.IntN(9))}, p.actor()
	name := []string{"shopping", "bakery", "abc"}[p.draw.IntN(3)]
	plain := func(home byte, method string, value unit.Amount, args ...any) tx.Instruction {
		data, _ := cbor.Append(nil, args) // texts, addresses and numbers
		return &tx.Execute{To: account.System(home), Handler: []byte(method), Payload: data, Amount: value}
	}
	envelope, _ := cbor.Append(nil, cbor.Map{{Key: "method", Value: "POST"}, {Key: "path", Value: "/"}, {Key: "host", Value: name}})
	answer, _ := cbor.Append(nil, cbor.Map{{Key: "status", Value: 200 + p.draw.IntN(4)}})
	switch p.draw.IntN(11) {
	case 0:
		return plain(account.RouteRegistry, "register", unit.CBY, name, actor[:], 86_400)
	case 1:
		return plain(account.RouteRegistry, "register_tld_label", unit.CBY, name, 1, actor[:], 86_400)
	case 2:
		return plain(account.RouteRegistry, "renew", unit.CBY, name, 86_400)
	case 3:
		return plain(account.GatewayRegistry, "register_gateway", 10_000*unit.CBY, "edge.example", 443)
	case 4:
		return plain(account.GatewayRegistry, []string{"heartbeat", "unstake"}[p.draw.IntN(2)], 0)
	case 5:
		return &tx.CompleteReceipt{RequestID: id, Envelope: answer}
	case 6:
		return &tx.UpdateRouteManifest{Actor: actor, Dynamic: []route.Dynamic{{Method: "GET", Path: "/", Handler: "read", Priority: 1}}}
	case 7:
		return &tx.ExternalDomainCallback{Domain: []byte("shop.example"), Owner: p.person().Address(), Verdict: []byte("VERIFIED")}
	case 8:
		method := []string{"begin_attach_external", "reverify_external", "detach_external"}[p.draw.IntN(3)]
		if method == "begin_attach_external" {
			return plain(account.RouteRegistry, method, 0, "shop.example", actor[:], 1)
		}
		return plain(account.RouteRegistry, method, 0, "shop.example")
	}
	return &tx.IngressDispatch{Target: actor, Envelope: envelope, RequestID: id}
}
