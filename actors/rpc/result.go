package rpc

import (
	"net/http"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// errNoResults answers for a job without a verified result. Spec: node-rpc-cli §2.4.
var errNoResults = refuse(http.StatusNotFound, 4004, "no result of this job is verified, or it ended so long ago that it was forgotten")

// JobResults implements Backend. Spec: node-rpc-cli §2.4; runner-marketplace §2.6.
func (n *Node) JobResults(name digest.Hash) (v wire.JobResults, err error) {
	view, id, _, err := n.findJob(name)
	if err != nil {
		return v, err
	}
	v = wire.JobResults{JobID: wire.Hash(id), Results: []wire.JobResult{}}
	s, err := market.LoadSelection(view, id)
	if err != nil || s == nil {
		return v, err
	}
	for _, addr := range slices.SortedFunc(slices.Values(s.Selected), account.Address.Compare) {
		r, err := market.LoadReveal(view, id, addr)
		if err != nil {
			return v, err
		}
		if r == nil {
			continue
		}
		o, err := verify.DecodeOutput(r.Output)
		if err != nil {
			return v, err
		}
		v.Results = append(v.Results, wire.ViewJobResult(r, o))
	}
	return v, nil
}

// JobVerified implements Backend. Spec: node-rpc-cli §2.4; runner-marketplace §2.6.
func (n *Node) JobVerified(name digest.Hash) (v wire.JobVerified, err error) {
	view, id, _, err := n.findJob(name)
	if err != nil {
		return v, err
	}
	result, err := market.LoadResult(view, id)
	if err == nil && result == nil {
		err = errNoResults
	}
	if err != nil {
		return v, err
	}
	return wire.ViewJobVerified(id, result), nil
}
