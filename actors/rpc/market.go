package rpc

import (
	"encoding/hex"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
)

// jobs adds the calls about runners and jobs.
//
// Spec: node-rpc-cli §2.4; runner-marketplace §3.
func (s *server) jobs(mux *http.ServeMux) {
	b := s.Backend
	paged := func(read func(after *account.Address, limit int) (wire.Runners, error)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			var after *account.Address
			if text := r.URL.Query().Get("cursor"); text != "" {
				addr, err := account.ReadAddress(text)
				if err != nil {
					s.fail(w, badRequest("cursor is not one this node gave"))
					return
				}
				after = &addr
			}
			limit, err := number(r, "limit", maxPage)
			if err != nil {
				s.fail(w, err)
				return
			}
			list, err := read(after, int(min(max(limit, 1), maxPage)))
			s.answer(w, list, err)
		}
	}
	mux.HandleFunc("GET /runners/active", paged(b.ActiveRunners))
	mux.HandleFunc("GET /runners", paged(b.RegisteredRunners))
	mux.HandleFunc("GET /market", func(w http.ResponseWriter, _ *http.Request) {
		v, err := b.Market()
		s.answer(w, v, err)
	})
	mux.HandleFunc("GET /runner/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.Runner(a) }))
	mux.HandleFunc("GET /runner/{addr}/jobs", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		if s.Sunset {
			return nil, errSunset
		}
		var after digest.Hash
		if text := r.URL.Query().Get("cursor"); text != "" {
			raw, err := hex.DecodeString(trim0x(text))
			if err != nil || len(raw) != digest.Size {
				return nil, badRequest("cursor is not one this node gave")
			}
			after = digest.Hash(raw)
		}
		return b.RunnerJobs(a, after)
	}))
	mux.HandleFunc("POST /runner/{addr}/heartbeat", s.heartbeat)
	mux.HandleFunc("GET /job/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.Job(h) }))
	mux.HandleFunc("GET /job/{hash}/status", s.byHash(func(h digest.Hash) (any, error) {
		j, err := b.Job(h)
		return wire.JobStatus{JobID: j.JobID, Status: j.Status}, err
	}))
	mux.HandleFunc("GET /job/{hash}/runners", s.byHash(func(h digest.Hash) (any, error) { return b.JobRunners(h) }))
	mux.HandleFunc("GET /job/{hash}/results", s.byHash(func(h digest.Hash) (any, error) { return b.JobResults(h) }))
	mux.HandleFunc("GET /job/{hash}/verified", s.byHash(func(h digest.Hash) (any, error) { return b.JobVerified(h) }))
}

// marketCalls describes them.
func marketCalls() []Call {
	return []Call{
		{"get", "/market", "how large committees of jobs are now, and how much of the market few runners have", nil, "", wire.Market{}},
		{"get", "/runners", "registered runners, whether they get jobs or not", []string{
			"cursor:string:those after this one", "limit:integer:how many, at most 1000",
		}, "", wire.Runners{}},
		{"get", "/runners/active", "registered runners that get jobs now", []string{
			"cursor:string:those after this one", "limit:integer:how many to look at, at most 1000",
		}, "", wire.Runners{}},
		{"get", "/runner/{addr}", "a registered runner", nil, "", wire.Runner{}},
		{"get", "/runner/{addr}/jobs", "the open jobs a runner is selected for", []string{"cursor:string:those after this one"}, "", wire.RunnerJobs{}},
		{"post", "/runner/{addr}/heartbeat", "submit signed heartbeats of a runner, in any form of /submit", nil, "application/octet-stream",
			wire.SubmitReply{}},
		{"get", "/job/{hash}", "a job, by its identity or by SHA-256(transaction, height)", nil, "", wire.Job{}},
		{"get", "/job/{hash}/status", "a job's state", nil, "", wire.JobStatus{}},
		{"get", "/job/{hash}/results", "what the runners of a job revealed", nil, "", wire.JobResults{}},
		{"get", "/job/{hash}/verified", "a job's verified result; 404 until there is one", nil, "", wire.JobVerified{}},
		{"get", "/job/{hash}/runners", "whom a job was given to", nil, "", wire.JobRunners{}},
	}
}

// errNoScripts answers for scripted runners where there are none.
var errNoScripts = refuse(http.StatusNotFound, 4004, "this network has no scripted runners")

// errSunset answers whoever polls for jobs where that is over. Spec: runner-marketplace §9.4.
var errSunset = refuse(http.StatusGone, 1920, "")

// errNoRunner answers for an address that is no runner's.
var errNoRunner = refuse(http.StatusNotFound, 4004, "no runner is registered under this address")

// Runner implements Backend. Spec: node-rpc-cli §2.4; ENT §5.
func (n *Node) Runner(addr account.Address) (v wire.Runner, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	view := t.State.Overlay()
	r, ok, err := runner.Load(view, addr)
	if err != nil {
		return v, err
	}
	if !ok {
		return v, errNoRunner
	}
	d, err := runner.LoadDeclaration(view, addr)
	if err != nil {
		return v, err
	}
	a, _, err := runner.Attested(view, addr)
	if err != nil {
		return v, err
	}
	v = wire.ViewRunner(addr, r, d, t.Header.Height+1)
	v.Attestation = wire.ViewAttestation(a, t.Header.Height+1)
	return v, bindingOf(&v, view, addr, t.Header.Height+1)
}

// ActiveRunners implements Backend. Spec: node-rpc-cli §2.4.
func (n *Node) ActiveRunners(after *account.Address, limit int) (wire.Runners, error) {
	return n.listRunners(after, limit, true)
}

// RegisteredRunners implements Backend: those that get no jobs now as well. Spec: runner-marketplace §3.
func (n *Node) RegisteredRunners(after *account.Address, limit int) (wire.Runners, error) {
	return n.listRunners(after, limit, false)
}

func (n *Node) listRunners(after *account.Address, limit int, healthy bool) (wire.Runners, error) {
	reply := wire.Runners{Runners: []wire.Runner{}}
	t, err := n.tip()
	if err != nil {
		return reply, err
	}
	view, now := t.State.Overlay(), t.Header.Height+1
	list, err := runner.List(view, after, limit)
	if err != nil {
		return reply, err
	}
	for _, one := range list {
		if healthy && one.Health(now) != runner.Healthy {
			continue
		}
		d, err := runner.LoadDeclaration(view, one.Address)
		if err != nil {
			return reply, err
		}
		reply.Runners = append(reply.Runners, wire.ViewRunner(one.Address, one.Runner, d, now))
	}
	if len(list) == limit {
		reply.NextCursor = list[limit-1].Address.String()
	}
	return reply, nil
}

// Market implements Backend. Spec: WP §5.3; runner-marketplace §4.2.
func (n *Node) Market() (v wire.Market, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	view := t.State.Overlay()
	p, err := params.Load(view)
	if err != nil {
		return v, err
	}
	committee, err := market.CommitteeOf(view, p)
	if err != nil {
		return v, err
	}
	size, err := market.LoadSize(view)
	if err != nil {
		return v, err
	}
	escrow, err := market.Escrow(view)
	return wire.ViewMarket(committee, size, escrow), err
}
