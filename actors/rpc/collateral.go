package rpc

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// collateral adds the call about what quotes of trusted environments are held against.
//
// Spec: tee §2.4.
func (s *server) collateral(mux *http.ServeMux) {
	mux.HandleFunc("GET /collateral/{type}", func(w http.ResponseWriter, r *http.Request) {
		t, err := tee.ParseType(r.PathValue("type"))
		if err != nil {
			s.fail(w, badRequest("type is sgx, sev, tdx or nitro"))
			return
		}
		v, err := s.Backend.Collateral(t)
		s.answer(w, v, err)
	})
}

// collateralCalls describes it.
func collateralCalls() []Call {
	return []Call{{"get", "/collateral/{type}", "what quotes of a type of trusted environment are held against, now and from a block to come on", nil, "",
		wire.Collateral{}}}
}

// Collateral implements Backend.
//
// Spec: tee §2.4 (CollateralSnapshot).
func (n *Node) Collateral(of tee.Type) (wire.Collateral, error) {
	t, err := n.tip()
	if err != nil {
		return wire.Collateral{}, err
	}
	all, err := tee.LoadCollateral(t.State.Overlay(), of)
	return wire.ViewCollateral(of, all, t.Header.Height), err
}
