package market

import (
	"encoding/hex"
	"math/bits"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/container"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// minReputation is the least reputation, in points, of a runner that is given jobs.
//
// Spec: CIP-2 §4 (2); runner-marketplace §4.1 (2).
const minReputation = params.ReputationInitial

// page is how many runners are read at once.
const page = 256

// candidates lists who can do a job, ascending by address, with the weights they are drawn with, and says how many runners were looked at.
//
// Spec: CIP-2 §4; runner-marketplace §4.1, §4.3; governance-staking C2 (effective stake as "stake").
func (m *Market) candidates(t *Task, excluded []account.Address) (list candidates, looked int, err error) {
	var after *account.Address
	for {
		entries, err := runner.List(m.State, after, page)
		if err != nil {
			return nil, looked, err
		}
		for i := range entries {
			if looked++; m.Look != nil {
				if err := m.Look(); err != nil {
					return nil, looked, err
				}
			}
			able, err := m.can(t.Spec, &entries[i], excluded)
			if err != nil {
				return nil, looked, err
			}
			if able {
				list = append(list, job.Candidate{Address: entries[i].Address, Weight: job.Weight(entries[i].Effective(), uint64(entries[i].Reputation))})
			}
		}
		if len(list) > MaxCandidates {
			return nil, looked, ErrCandidates
		}
		if len(entries) < page {
			return list, looked, nil
		}
		after = &entries[page-1].Address
	}
}

// can says whether a runner passes the filters, in their order; what it declares is read for those alone that pass the first three.
//
// Spec: CIP-2 §4; runner-marketplace §4.1, §8.2; governance-staking C2 (jobs up to effective_stake / 1.5).
func (m *Market) can(s *job.Spec, r *runner.Entry, excluded []account.Address) (bool, error) {
	if slices.Contains(excluded, r.Address) || r.Health(m.Height) != runner.Healthy || r.Reputation.Points() < minReputation {
		return false, nil
	}
	d, err := runner.LoadDeclaration(m.State, r.Address)
	if err != nil {
		return false, err
	}
	switch {
	case !capable(s, d), !affordable(s, &d.Card), r.ActiveJobs >= d.Capabilities.MaxConcurrentJobs:
		return false, nil
	}
	if ok, err := m.trusted(s, d); err != nil || !ok {
		return false, err
	}
	if s.Pool != nil {
		pool := string(s.Pool)
		if ok, err := grant.Check(m.State, r.Address, grant.PoolScope(pool), grant.JoinPool(pool), m.Height); err != nil || !ok {
			return false, err
		}
	}
	if !r.Covers(s.MaxPrice) {
		return false, nil
	}
	if r.OnProbation(m.Height) {
		return r.ActiveJobs == 0 && s.MaxPrice <= d.Card.MaxJobValue/probationShare, nil
	}
	return true, nil
}

// probationShare is what part of its declared maximum a runner on probation may take: a tenth.
//
// Spec: runner-marketplace §8.2.
const probationShare = 10

// capable says whether a runner can do this type of job.
//
// Spec: CIP-2 §4 (3); runner-marketplace §2.5 (RunnerCapabilities), §2.9, §4.1 (3).
func capable(s *job.Spec, d *runner.Declaration) bool {
	if len(s.Volumes) > 0 && !d.Capabilities.VolumeMounts {
		return false
	}
	switch s.Kind {
	case job.LLM:
		return does(d, "llm") && (s.LLM.Model.IsZero() || slices.Contains(d.Card.SupportedModels, runner.Model{ID: s.LLM.Model}))
	case job.HTTP:
		host, ok := entitle.HostOf(s.HTTP.URL)
		return ok && does(d, "http") && slices.ContainsFunc(d.Capabilities.HTTPDomains, func(n runner.Name) bool { return reaches(n.Name, host) })
	case job.MCP:
		return does(d, "mcp_"+s.MCP.Server+"_"+s.MCP.Tool) || does(d, "mcp") && slices.Contains(d.Card.SupportedMCPServers, runner.Name{Name: s.MCP.Server})
	case job.Custom:
		return does(d, "custom_0x"+hex.EncodeToString(s.Custom.Executor[:]))
	case job.Container:
		return does(d, "container") && holds(s.Runtime, &d.Capabilities)
	}
	return false
}

func does(d *runner.Declaration, jobType string) bool {
	return slices.Contains(d.Capabilities.JobTypes, runner.Name{Name: jobType})
}

// reaches says whether a declared domain has a host: the same, all below it where it begins with "*.", or any.
func reaches(domain, host string) bool {
	rest, wide := strings.CutPrefix(domain, "*")
	return domain == host || domain == "*" || wide && strings.HasPrefix(rest, ".") && strings.HasSuffix(host, rest)
}

// holds says whether a runner is large enough for a container.
//
// Spec: runner-marketplace §2.9 (prefilter by class and GPU).
func holds(r *job.Runtime, c *runner.Capabilities) bool {
	return c.CPUMillicores >= r.CPUMilli && c.MemoryMB >= r.MemoryMiB && c.ScratchMB >= r.ScratchMiB && c.GPUCount >= r.GPUCount
}

// size holds a container job to the Container Registry and states in it what its class means now, so that what becomes of the class does not change the job.
// Rejects: those of container.Allowed.
//
// Spec: runner-marketplace §2.9; gateway-payments-streams §I.
func (m *Market) size(r *job.Runtime) error {
	c, err := container.Allowed(m.State, r)
	if err != nil {
		return err
	}
	r.CPUMilli, r.MemoryMiB, r.ScratchMiB = uint32(c.CPUMillicores), uint32(c.MemoryMiB), uint32(c.ScratchMiB)
	r.MaxDuration, r.GPUCount, r.MinVRAMMiB = c.MaxDurationSec, uint32(c.GPUCount), uint32(c.GPUMinVRAMMiB)
	return nil
}

// trusted says whether a runner has the trusted environment a job requires, with a measurement that a key is trusted for.
//
// Spec: CIP-2 §4 (4); runner-marketplace §4.1 (4); tee §4.
func (m *Market) trusted(s *job.Spec, d *runner.Declaration) (bool, error) {
	v := &s.Verification
	if !v.TEERequired {
		return true, nil
	}
	kind, err := tee.ParseType(d.Capabilities.TEESupport)
	if err != nil || v.TEEType != nil && *v.TEEType != kind.String() || kind == tee.SGX && v.Mode == job.ModeDeterministic {
		return false, nil
	}
	return tee.Trusted(m.State, kind, d.Measurement)
}

// affordable says whether a job pays what the runner asks for all that the job's bounds allow, and lies in the values it takes.
//
// Spec: CIP-2 §4 (5); runner-marketplace §4.1 (5), §5.2 (expected_price).
func affordable(s *job.Spec, c *runner.RateCard) bool {
	if s.MaxPrice < c.MinJobValue || s.MaxPrice > c.MaxJobValue {
		return false
	}
	cost, ok := Cost(s.Kind, Usage{s.Bounds.MaxInputTokens, s.Bounds.MaxOutputTokens, s.Bounds.MaxWallTimeSeconds, s.Bounds.MaxMemoryMB}, c)
	return ok && cost <= s.MaxPrice
}

// Cost is what a runner asks for a job of a kind that uses so much: Σ rate × use, and the base of a request or a call. ok is false above what an amount holds.
//
// Spec: runner-marketplace §2.5 (RateCard), §5.2.
func Cost(kind job.Kind, u Usage, c *runner.RateCard) (cost unit.Amount, ok bool) {
	lines := [...][2]uint64{
		{uint64(c.LLMInputToken), uint64(u.InputTokens)}, {uint64(c.LLMOutputToken), uint64(u.OutputTokens)},
		{uint64(c.ComputeSecond), u.WallTimeSeconds}, {uint64(c.MemoryMB), uint64(u.MemoryMB)}, {0, 1},
	}
	switch kind {
	case job.HTTP:
		lines[4][0] = uint64(c.HTTPRequestBase)
	case job.MCP:
		lines[4][0] = uint64(c.MCPCallBase)
	}
	var sum uint64
	for _, l := range lines {
		hi, lo := bits.Mul64(l[0], l[1])
		next, carry := bits.Add64(sum, lo, 0)
		if hi != 0 || carry != 0 {
			return 0, false
		}
		sum = next
	}
	return unit.Amount(sum), true
}
