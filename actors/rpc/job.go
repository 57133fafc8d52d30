package rpc

import (
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// errNoJob answers for a name of no job.
var errNoJob = refuse(http.StatusNotFound, 4004, "no such job, or one that ended so long ago that it was forgotten")

// errNoSelection answers for a job without runners.
var errNoSelection = refuse(http.StatusNotFound, 4004, "no runners are selected for this job, or it ended so long ago that they were forgotten")

// findJob reads a job by its identity or its alias, after the newest block.
func (n *Node) findJob(name digest.Hash) (view *state.Overlay, id digest.Hash, j *market.Job, err error) {
	t, err := n.tip()
	if err != nil {
		return nil, id, nil, err
	}
	view = t.State.Overlay()
	id, ok, err := market.Resolve(view, name)
	if err == nil && !ok {
		err = errNoJob
	}
	if err != nil {
		return nil, id, nil, err
	}
	j, err = market.Load(view, id)
	if err == nil && j == nil {
		err = errNoJob
	}
	return view, id, j, err
}

// viewJob shows a job with its specification.
func viewJob(view state.Reader, id digest.Hash, j *market.Job) (v wire.Job, err error) {
	spec, err := market.LoadSpec(view, id)
	if err != nil || spec == nil {
		return wire.ViewJob(id, j, nil), err
	}
	raw, err := spec.JSON()
	return wire.ViewJob(id, j, raw), err
}

// Job implements Backend. Spec: node-rpc-cli §2.4.
func (n *Node) Job(name digest.Hash) (v wire.Job, err error) {
	view, id, j, err := n.findJob(name)
	if err != nil {
		return v, err
	}
	return viewJob(view, id, j)
}

// JobRunners implements Backend. Spec: node-rpc-cli §2.4; runner-marketplace §2.8.
func (n *Node) JobRunners(name digest.Hash) (v wire.JobRunners, err error) {
	view, id, _, err := n.findJob(name)
	if err != nil {
		return v, err
	}
	s, err := market.LoadSelection(view, id)
	if err == nil && s == nil {
		err = errNoSelection
	}
	if err != nil {
		return v, err
	}
	v = wire.ViewJobRunners(id, s)
	for i, addr := range s.Selected {
		c, err := market.LoadCommitment(view, id, addr)
		if err != nil {
			return v, err
		}
		r, err := market.LoadReveal(view, id, addr)
		if err != nil {
			return v, err
		}
		if one := &v.Runners[i]; c != nil {
			one.Committed, one.CommittedAt, one.Commitment, one.Crashed = true, uint64(c.Height), wire.Hash(c.Hash), c.Crashed
		} else if n.Progress != nil {
			if p, ok := n.Progress(id, addr); ok {
				one.Progress = &wire.JobProgress{Percent: p.Fraction, Detail: p.Detail, Height: p.Height}
			}
		}
		if one := &v.Runners[i]; r != nil {
			one.Revealed, one.RevealedAt = true, uint64(r.Height)
		}
	}
	return v, nil
}

// jobsPage bounds the jobs of one answer, each of which has a specification of up to 60 KiB.
const jobsPage = 32

// RunnerJobs implements Backend. Spec: runner-marketplace §3, §9.
func (n *Node) RunnerJobs(addr account.Address, after digest.Hash) (wire.RunnerJobs, error) {
	v := wire.RunnerJobs{Runner: addr.String(), Jobs: []wire.Job{}}
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	view := t.State.Overlay()
	list, err := market.ByRunner(view, addr, after, jobsPage)
	if err != nil {
		return v, err
	}
	for _, id := range list {
		j, err := market.Load(view, id)
		if err != nil {
			return v, err
		}
		one, err := viewJob(view, id, j)
		if err != nil {
			return v, err
		}
		v.Jobs = append(v.Jobs, one)
	}
	if len(list) == jobsPage {
		v.NextCursor = wire.Hash(list[jobsPage-1])
	}
	return v, nil
}
