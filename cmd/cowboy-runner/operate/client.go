package operate

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// maxPages bounds the list of a runner's jobs.
const maxPages = 20

// Client is the chain behind a node, as a key sees it and sends to it.
type Client struct {
	wallet *api.Wallet
	polled func(ctx context.Context, height uint64) // each poll; may be nil

	mu     sync.Mutex
	nonces api.Nonces
}

// NewClient gives the chain behind a node to a key.
func NewClient(node *api.Client, key *sig.PrivateKey) *Client {
	return &Client{wallet: &api.Wallet{Node: node, Key: key}}
}

// jobView is what is read of GET /job/{id}, and of the entries of GET /runner/{addr}/jobs.
type jobView struct {
	ID       digest.Hash     `json:"job_id"`
	Status   string          `json:"status"`
	Deadline uint64          `json:"deadline"`
	Spec     json.RawMessage `json:"spec"`

	Submitter   string `json:"submitter"`
	SubmittedAt uint64 `json:"submitted_at"`
}

type jobsPage struct {
	Jobs []jobView `json:"jobs"`
	Next string    `json:"next_cursor"`
}

type jobRunners struct {
	Runners []struct {
		Runner     account.Address `json:"runner"`
		Committed  bool            `json:"committed"`
		Commitment digest.Hash     `json:"commitment"`
		Revealed   bool            `json:"revealed"`
		Crashed    bool            `json:"crashed"`
	} `json:"runners"`
	Aggregator account.Address `json:"aggregator"`
}

// Poll implements runner.Chain.
//
// Spec: runner-marketplace §9; node-rpc-cli §2.4.
func (c *Client) Poll(ctx context.Context, known []digest.Hash) (runner.View, error) {
	var height wire.Height // asked first: what follows is no older
	if err := c.wallet.Node.Read(ctx, "/height", &height); err != nil {
		return runner.View{}, err
	}
	if c.polled != nil {
		c.polled(ctx, height.Height)
	}
	v, listed, cursor := runner.View{Height: height.Height}, map[digest.Hash]bool{}, ""
	for range maxPages {
		path, page := "/runner/"+c.wallet.Key.Address().String()+"/jobs", jobsPage{}
		if cursor != "" {
			path += "?cursor=" + url.QueryEscape(cursor)
		}
		err := c.wallet.Node.Read(ctx, path, &page)
		var status *api.StatusError
		if errors.As(err, &status) && status.Status == http.StatusGone {
			break // the node leaves it to validators to push jobs; what became of known ones it tells
		}
		if err != nil {
			return v, err
		}
		for i := range page.Jobs {
			listed[page.Jobs[i].ID] = true
			if err := c.assign(ctx, &v, &page.Jobs[i]); err != nil {
				return v, err
			}
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	for _, id := range known {
		if listed[id] {
			continue
		}
		var j jobView
		err := c.wallet.Node.Read(ctx, "/job/"+id.String(), &j)
		var status *api.StatusError
		if errors.As(err, &status) && status.Status == http.StatusNotFound {
			continue // the node may be behind
		}
		if err == nil {
			err = c.assign(ctx, &v, &j)
		}
		if err != nil {
			return v, err
		}
	}
	return v, nil
}

// assign adds a job to a view, with what became of it at this runner.
func (c *Client) assign(ctx context.Context, v *runner.View, j *jobView) error {
	a := runner.Assignment{ID: j.ID, Deadline: j.Deadline}
	switch j.Status {
	case "AwaitingSeed":
		return nil
	case "Assigned", "Executing":
		a.Stage = runner.Working
	case "Revealing":
		a.Stage = runner.Revealing
	}
	if a.Stage == runner.Over {
		v.Jobs = append(v.Jobs, a)
		return nil
	}
	var all jobRunners
	if err := c.wallet.Node.Read(ctx, "/job/"+j.ID.String()+"/runners", &all); err != nil {
		return err
	}
	mine := false
	a.Aggregator = all.Aggregator
	for _, r := range all.Runners {
		if r.Runner != c.wallet.Key.Address() {
			a.Others = append(a.Others, runner.Member{Runner: r.Runner, Commitment: r.Commitment, Revealed: r.Revealed})
			continue
		}
		mine, a.Committed, a.Commitment, a.Revealed, a.Crashed = true, r.Committed, r.Commitment, r.Revealed, r.Crashed
	}
	if !mine {
		a.Stage = runner.Over
	} else if len(j.Spec) > 0 {
		spec, err := job.FromJSON(j.Spec)
		if err != nil {
			return err
		}
		spec.ID, spec.SubmittedAt = j.ID, unit.Height(j.SubmittedAt)
		if spec.Submitter, err = account.ReadAddress(j.Submitter); err != nil {
			return err
		}
		a.Spec = spec.Append(nil)
	}
	v.Jobs = append(v.Jobs, a)
	return nil
}

// plain are the limits of a commitment or a heartbeat; a reveal has those of its output on top. A runner has to be able to pay for them.
var plain = tx.Cost{Cycles: 80_000, Cells: 10_000}

// Send sends a transaction behind those that were sent just before, and does not wait. most are its limits.
func (c *Client) Send(ctx context.Context, in tx.Instruction, most tx.Cost) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	owner, err := c.wallet.Node.Account(ctx, c.wallet.Key.Address().String())
	if err != nil {
		return err
	}
	nonce, err := c.wallet.Send(ctx, in, c.nonces.Least(owner.Nonce, time.Now()), most)
	if err == nil {
		c.nonces.Sent(nonce)
	}
	return err
}

// Commit implements runner.Chain.
func (c *Client) Commit(ctx context.Context, id, commitment digest.Hash) error {
	return c.Send(ctx, &tx.JobResultCommit{JobID: id, Commitment: commitment}, plain)
}

// revealCost are the limits of a reveal of so many bytes.
func revealCost(size int) tx.Cost {
	most := plain
	most.Cycles += params.CostJudgedByte * unit.Cycles(size)
	most.Cells += 4 * unit.Cells(size)
	return most
}

// Reveal implements runner.Chain.
func (c *Client) Reveal(ctx context.Context, id digest.Hash, r *verify.Reveal) error {
	most := revealCost(len(r.Output))
	return c.Send(ctx, &tx.JobResultSubmit{JobID: id, Runner: r.Runner, Output: r.Output, Salt: r.Salt, Proof: r.Proof}, most)
}

// Crash implements runner.Chain.
func (c *Client) Crash(ctx context.Context, id digest.Hash, signal verify.Crash) error {
	return c.Send(ctx, &tx.SubmitCrashAttestation{JobID: id, Signal: uint64(signal)}, plain)
}

// Heartbeat implements runner.Chain.
func (c *Client) Heartbeat(ctx context.Context, accepting bool) error {
	return c.Send(ctx, &tx.Heartbeat{Accepting: accepting}, plain)
}
