package explorer

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

func (f *fake) Names(after string, limit int) (wire.Names, error) {
	if after != "" {
		return wire.Names{}, nil
	}
	return wire.Names{Names: []wire.Name{
		{FQDN: "shop.cow", Actor: actorAddress.String(), Owner: actorAddress.String(), Status: "active", ExpiresAt: 1_234_567},
		{FQDN: hostile, Actor: actorAddress.String(), Owner: actorAddress.String(), Status: "grace"},
	}, NextCursor: "shop.cow"}, nil
}

func (f *fake) Gateways(string, int) (wire.Gateways, error) {
	since := uint64(7)
	return wire.Gateways{Gateways: []wire.Gateway{
		{Address: actorAddress.String(), Stake: 10_000_000_000_000, Endpoint: hostile, Port: 443, LeavingSince: &since}, {Address: actorAddress.String()},
	}, Pool: wire.GatewayPool{Amount: 15_000_000_000, Epoch: 3}}, nil
}

func (f *fake) Requests(string, int) (wire.Requests, error) {
	return wire.Requests{Requests: []wire.Request{
		{ID: "919b108d-52d1-4320-9bac-f847db4148a8", Target: actorAddress.String(), Gateway: actorAddress.String(), Status: "FAILED", Expired: true},
	}, NextCursor: "x"}, nil
}

func (f *huge) Names(_ string, limit int) (wire.Names, error) {
	v := wire.Names{Names: make([]wire.Name, limit)}
	for i := range v.Names {
		v.Names[i] = wire.Name{FQDN: megabyte, Actor: actorAddress.String(), Owner: actorAddress.String(), Status: megabyte}
	}
	return v, nil
}

func (f *huge) Gateways(_ string, limit int) (wire.Gateways, error) {
	v := wire.Gateways{Gateways: make([]wire.Gateway, limit)}
	for i := range v.Gateways {
		v.Gateways[i] = wire.Gateway{Address: actorAddress.String(), Endpoint: megabyte}
	}
	return v, nil
}

// TestNames shows names, gateways and requests with what is wrong with each, and nothing of a stranger's as markup.
//
// Spec: gateway-payments-streams §A, §B, §C.
func TestNames(t *testing.T) {
	h := New(&fake{top: 200}, nobody)
	for _, c := range []struct{ path, want string }{
		{"names", "<td>shop.cow</td>"}, {"names", "1\u202f234\u202f567"}, {"names", `<span class="bad">grace</span>`}, {"names", "?cursor=shop.cow"},
		{"names?cursor=shop.cow", "No name is registered"}, {"names", "15 CBY lie in their pool"}, {"names", ">10000<"},
		{"names", `<span class="bad">leaving</span>`}, {"names", `<span class="bad">silent</span>`}, {"names",
			`<span class="bad">FAILED</span> <small>expired`},
		{"names", "919b108d-52d1-4320-9bac-f847db4148a8"},
	} {
		t.Run(c.want, func(t *testing.T) {
			r, body := get(t, h, Path+c.path)
			if r.StatusCode != 200 || !strings.Contains(body, c.want) || strings.Contains(body, "<b onload") {
				t.Errorf("%s: %d, %q is not there", c.path, r.StatusCode, c.want)
			}
		})
	}
}
