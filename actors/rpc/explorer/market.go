package explorer

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// How many rows the parts of the market's pages have.
const (
	runnerRows = 25
	offerRows  = 10 // models and images
)

// runnersPage is the market of jobs: who works, what is on offer, and on a developer's network what is scripted.
type runnersPage struct {
	Market  wire.Market
	Runners []wire.Runner
	Next    string // cursor of the page after
	Models  []wire.Model
	MoreM   bool
	Images  []wire.ContainerImage
	MoreI   bool
	Scripts *scriptsPart // nil: the network has none
}

// scriptsPart is a developer's network's runners: the first rows of the jobs that wait and of the late answers, and how many there are.
type scriptsPart struct {
	wire.DevRunners
	Waits, Lates int
}

func (s *site) runners(r *http.Request) (view, error) {
	var p runnersPage
	var after *account.Address
	if text := r.URL.Query().Get("cursor"); text != "" {
		addr, err := account.ReadAddress(text)
		if err != nil {
			return view{}, errAddress
		}
		after = &addr
	}
	list, err := s.source.RegisteredRunners(after, runnerRows)
	if err != nil {
		return view{}, err
	}
	p.Runners, p.Next = list.Runners, list.NextCursor
	if p.Market, err = s.source.Market(); err != nil {
		return view{}, err
	}
	models, err := s.source.Models(nil, offerRows)
	if err != nil {
		return view{}, err
	}
	p.Models, p.MoreM = models.Models, models.NextCursor != ""
	images, err := s.source.Containers("", offerRows)
	if err != nil {
		return view{}, err
	}
	p.Images, p.MoreI = images.Images, images.NextCursor != ""
	jobs, err := s.source.Runners()
	if err == nil {
		part := &scriptsPart{DevRunners: jobs, Waits: len(jobs.Waiting), Lates: len(jobs.Late)}
		part.Waiting, part.Late = part.Waiting[:min(part.Waits, pageRows)], part.Late[:min(part.Lates, pageRows)]
		p.Scripts = part
	} else if !absent(err) {
		return view{}, err
	}
	return view{Page: "runners", Title: "Runners and jobs", Active: "runners", Live: after == nil, Data: &p}, nil
}

// runnerPage is a registered runner: what it asks, what it can do, and what it is at.
type runnerPage struct {
	wire.Runner
	Delegation *wire.DelegationStats
	Jobs       []jobRow
	Next       string // cursor of the jobs after
	Prices     []price
}

// price is a row of a rate card: base units for a unit of work.
type price struct {
	Of     string
	Amount uint64
}

// jobRow is a job in a list.
type jobRow struct {
	wire.Job
	Words string
}

func (s *site) runner(r *http.Request) (view, error) {
	addr, err := account.ReadAddress(r.PathValue("addr"))
	if err != nil {
		return view{}, errAddress
	}
	one, err := s.source.Runner(addr)
	if err != nil {
		return view{}, err
	}
	c := &one.RateCard
	p := runnerPage{Runner: one, Prices: []price{
		{"input token", c.LLMInputToken}, {"output token", c.LLMOutputToken}, {"HTTP request", c.HTTPRequestBase}, {"call of an MCP server", c.MCPCallBase},
		{"second of computing", c.ComputeSecond}, {"MB of memory", c.MemoryMB},
	}}
	if stats, err := s.source.DelegationStats(addr); err == nil {
		p.Delegation = &stats
	} else if !absent(err) {
		return view{}, err
	}
	var after digest.Hash
	text := r.URL.Query().Get("jobs")
	if text != "" {
		if after, err = parseHash(text); err != nil {
			return view{}, err
		}
	}
	jobs, err := s.source.RunnerJobs(addr, after)
	if err != nil {
		return view{}, err
	}
	for i := range jobs.Jobs {
		p.Jobs = append(p.Jobs, jobRow{jobs.Jobs[i], wordsOf(&jobs.Jobs[i])})
	}
	p.Next = jobs.NextCursor
	return view{Page: "runner", Title: "Runner " + short(one.Address), Active: "runners", Live: text == "", Data: &p}, nil
}

// names joins what a runner declares, short enough for a page.
func names(list []string) string {
	shown := min(len(list), 12)
	parts := make([]string, shown, shown+1)
	for i := range shown {
		parts[i] = cut(unitext.PlainLine(list[i]), 40)
	}
	if more := len(list) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

// percent writes millionths as hundredths, with one digit behind the point.
func percent(ppm uint64) string { return fmt.Sprintf("%d.%d %%", ppm/10_000, ppm/1_000%10) }

// jobOf is the identity of the job an event tells of; "" of any other event.
func jobOf(e wire.Event) string {
	if e.Actor != market.Home().String() || !strings.HasPrefix(e.Topic, "job.") || len(e.Data) < 2*digest.Size {
		return ""
	}
	id, err := parseHash(e.Data[:2*digest.Size])
	if err != nil {
		return ""
	}
	return wire.Hash(id)
}

// wordsOf says in words where a job is in its life.
func wordsOf(j *wire.Job) string {
	switch j.Status {
	case market.AwaitingSeed.String():
		return "Waiting for its runners to be drawn"
	case market.Assigned.String():
		return "Given to runners, none has committed itself"
	case market.Executing.String():
		return fmt.Sprintf("Runners work: %d of %d have committed themselves", j.Committed, j.Members)
	case market.Revealing.String():
		return fmt.Sprintf("Runners reveal: %d of %d have", j.Revealed, j.Committed)
	case market.Verifying.String():
		return "What was revealed is verified"
	case market.Challengeable.String():
		return "Answered, and not paid for yet: the result may be challenged"
	case market.Completed.String():
		return "Answered and paid for"
	case market.Cancelled.String():
		return "Cancelled by its submitter"
	}
	switch j.Reason {
	case market.ReasonTimeout:
		return "Failed: no attempt gave a result in time"
	case market.ReasonNoRunners:
		return "Failed: too few runners can do it"
	case market.ReasonChallenged:
		return "Failed: a challenge undid its result"
	}
	return "Failed: " + cut(unitext.PlainLine(j.Reason), 80)
}
