package wire

import (
	"encoding/json"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
)

// Job answers GET /job/{id}. What is not so yet, or not any more, is absent. Spec: node-rpc-cli §2.4; runner-marketplace §2.6.
type Job struct {
	JobID       string          `json:"job_id"`
	Alias       string          `json:"alias"` // what clients take for the identity
	Status      string          `json:"status"`
	Reason      string          `json:"reason,omitempty"` // of one that failed
	Submitter   string          `json:"submitter"`
	Transaction string          `json:"transaction"` // or message that submitted it
	SubmittedAt uint64          `json:"submitted_at"`
	Escrow      uint64          `json:"escrow"` // held for it, base units
	Attempt     uint32          `json:"attempt"`
	Members     uint32          `json:"runners"`
	Threshold   uint32          `json:"threshold"`
	AssignedAt  uint64          `json:"assigned_at,omitempty"`
	Deadline    uint64          `json:"deadline,omitempty"` // of commitments, then of reveals
	Committed   uint32          `json:"committed"`
	Revealed    uint32          `json:"revealed"`
	EndedAt     uint64          `json:"ended_at,omitempty"`
	Spec        json.RawMessage `json:"spec,omitempty"`
}

// JobStatus answers GET /job/{id}/status. Spec: node-rpc-cli §2.4.
type JobStatus struct {
	JobID  string `json:"job_id"`
	Status string `json:"status"`
}

// JobRunners answers GET /job/{id}/runners: whom the job was given to, in the order they were drawn. Spec: runner-marketplace §2.8.
type JobRunners struct {
	JobID         string      `json:"job_id"`
	Runners       []JobRunner `json:"runners"`
	Aggregator    string      `json:"aggregator"`
	Attempt       uint32      `json:"retry_count"`
	Threshold     uint32      `json:"threshold"`
	Excluded      []string    `json:"excluded"` // silent in an attempt before
	CandidateRoot string      `json:"candidate_root"`
	Seed          string      `json:"seed"`
	Epoch         uint64      `json:"epoch"` // of the round whose beacon the seed was made of
	View          uint64      `json:"view"`
}

// JobRunner is a runner that was selected.
type JobRunner struct {
	Runner      string `json:"runner"`
	Committed   bool   `json:"committed"`
	Commitment  string `json:"commitment,omitempty"` // keccak256 of its output and salt
	Revealed    bool   `json:"revealed"`
	Crashed     bool   `json:"crashed,omitempty"`      // it has attested that it cannot reveal
	CommittedAt uint64 `json:"committed_at,omitempty"` // block
	RevealedAt  uint64 `json:"revealed_at,omitempty"`
	// Progress is how far it says it is, to the node that is asked, before it has committed itself; absent where it says nothing.
	Progress *JobProgress `json:"progress,omitempty"`
}

// JobProgress is how far a runner says it is with a job. Nothing holds it to that. Spec: runner-marketplace §9.3.
type JobProgress struct {
	Percent uint8  `json:"percent"`
	Detail  string `json:"detail,omitempty"` // on one line, with what does not print escaped
	Height  uint64 `json:"height"`           // the newest final block when it said so
}

// RunnerJobs answers GET /runner/{addr}/jobs: the open jobs a runner is selected for, ascending by identity. Spec: runner-marketplace §3, §9.
type RunnerJobs struct {
	Runner     string `json:"runner"`
	Jobs       []Job  `json:"jobs"`
	NextCursor string `json:"next_cursor,omitempty"`
}

// ViewJob shows a job. spec is its JSON, nil where it is not kept any more.
func ViewJob(id digest.Hash, j *market.Job, spec json.RawMessage) Job {
	return Job{
		JobID: Hash(id), Alias: Hash(market.Alias(j.Source, j.Submitted)), Status: j.Status.String(), Reason: j.Reason, Submitter: j.Submitter.String(),
		Transaction: Hash(j.Source), SubmittedAt: uint64(j.Submitted), Escrow: uint64(j.Escrow), Attempt: j.Attempt, Members: j.Members,
		Threshold: j.Threshold, AssignedAt: uint64(j.Assigned), Deadline: uint64(j.Deadline), Committed: j.Committed, Revealed: j.Revealed,
		EndedAt: uint64(j.Ended), Spec: spec,
	}
}

// ViewJobRunners shows a selection without who of it has committed itself.
func ViewJobRunners(id digest.Hash, s *market.Selection) JobRunners {
	v := JobRunners{
		JobID: Hash(id), Runners: []JobRunner{}, Aggregator: s.Aggregator.String(), Attempt: s.Attempt, Threshold: s.Threshold,
		Excluded: texts(s.Excluded), CandidateRoot: Hash(s.CandidateRoot), Seed: Hash(s.Seed), Epoch: s.Round.Epoch, View: s.Round.View,
	}
	for _, addr := range s.Selected {
		v.Runners = append(v.Runners, JobRunner{Runner: addr.String()})
	}
	return v
}

func texts(list []account.Address) []string {
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = a.String()
	}
	return out
}
