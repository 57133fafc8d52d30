package market

import (
	"encoding/hex"
	"errors"
	"math/big"
	"math/bits"
	"slices"

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

// candidates lists who can do a job, ascending by address, with the weights they are drawn with, and says how many runners were looked at: those who are listed
// under what the job needs, and one for each such list.
//
// Spec: CIP-2 §4; ENT §6; runner-marketplace §4.1, §4.3; governance-staking C2 (effective stake as "stake").
func (m *Market) candidates(t *Task, excluded []account.Address) (list candidates, looked int, err error) {
	needs, read, err := m.demands(t)
	if err != nil {
		return nil, read, err
	}
	able, looked, err := m.able(t.Spec)
	if looked += read; err != nil {
		return nil, looked, err
	}
	for _, addr := range able {
		r, ok, err := runner.Load(m.State, addr)
		if err == nil && !ok {
			err = errors.New("market: a runner is listed that is not registered")
		}
		if err != nil {
			return nil, looked, err
		}
		can, read, err := m.can(t, &runner.Entry{Address: addr, Runner: r}, excluded)
		if looked += read; err != nil {
			return nil, looked, err
		}
		if can {
			can, read, err = m.provides(addr, needs)
			if looked += read; err != nil {
				return nil, looked, err
			}
		}
		if can {
			list = append(list, job.Candidate{Address: addr, Weight: job.Weight(r.Effective(), uint64(r.Reputation))})
		}
	}
	if len(list) > MaxCandidates {
		return nil, looked, ErrCandidates
	}
	return list, looked, nil
}

// able lists the runners that have an ability a job needs, each once, ascending by address. All that is read is paid for, page by page.
//
// Spec: CIP-2 §4 (3); runner-marketplace §4.1 (3), §13.
func (m *Market) able(s *job.Spec) (list []account.Address, looked int, err error) {
	needed := needs(s)
	for _, a := range needed {
		var after *account.Address
		for full := true; full; {
			some, err := runner.Able(m.State, a, after, page)
			if err != nil {
				return nil, looked, err
			}
			looked += len(some) + 1
			if err := m.look(len(some) + 1); err != nil {
				return nil, looked, err
			}
			list = append(list, some...)
			if full = len(some) == page; full {
				after = &some[page-1]
			}
		}
	}
	if len(needed) > 1 {
		slices.SortFunc(list, account.Address.Compare)
		list = slices.Compact(list)
	}
	return list, looked, nil
}

// needs are the abilities of which a runner has one that can do a job.
//
// Spec: CIP-2 §4 (3); runner-marketplace §2.5 (RunnerCapabilities), §4.1 (3).
func needs(s *job.Spec) []runner.Ability {
	switch s.Kind {
	case job.LLM:
		if !s.LLM.Model.IsZero() {
			return []runner.Ability{runner.AbilityModel(s.LLM.Model)}
		}
		return []runner.Ability{runner.AbilityType("llm")}
	case job.HTTP:
		host, ok := entitle.HostOf(s.HTTP.URL)
		if !ok {
			return nil
		}
		list := []runner.Ability{runner.AbilityDomain("*"), runner.AbilityDomain(host)}
		for i := range len(host) {
			if host[i] == '.' {
				list = append(list, runner.AbilityDomain("*"+host[i:]))
			}
		}
		return list
	case job.MCP:
		return []runner.Ability{runner.AbilityType("mcp_" + s.MCP.Server + "_" + s.MCP.Tool), runner.AbilityServer(s.MCP.Server)}
	case job.Custom:
		return []runner.Ability{runner.AbilityType("custom_0x" + hex.EncodeToString(s.Custom.Executor[:]))}
	case job.Container:
		return []runner.Ability{runner.AbilityType("container")}
	}
	return nil
}

// can says whether a runner that has an ability the job needs passes the filters, in their order; what it asks for is read for those alone that pass the first
// three. Beside the runner itself, looked counts what was read and paid for.
//
// Spec: CIP-2 §4; runner-marketplace §4.1, §8.2; governance-staking C2 (jobs up to effective_stake / 1.5).
func (m *Market) can(t *Task, r *runner.Entry, excluded []account.Address) (ok bool, looked int, err error) {
	s := t.Spec
	if slices.Contains(excluded, r.Address) || r.Health(m.Height) != runner.Healthy || r.Reputation.Points() < minReputation {
		return false, 0, nil
	}
	d, err := runner.LoadOffer(m.State, r.Address)
	if err != nil {
		return false, 0, err
	}
	switch {
	case !hasRoom(s, d), !affordable(s, &d.Card), r.ActiveJobs >= d.Capabilities.MaxConcurrentJobs:
		return false, 0, nil
	}
	if ok, looked, err = m.trusted(t, r.Address, d); err != nil || !ok {
		return false, looked, err
	}
	if s.Pool != nil {
		pool := string(s.Pool)
		if ok, err := grant.Check(m.State, r.Address, grant.PoolScope(pool), grant.JoinPool(pool), m.Height); err != nil || !ok {
			return false, looked, err
		}
	}
	if !r.Covers(s.MaxPrice) || !bonded(s, r.Effective()) {
		return false, looked, nil
	}
	if r.OnProbation(m.Height) {
		return r.ActiveJobs == 0 && s.MaxPrice <= d.Card.MaxJobValue/probationShare, looked, nil
	}
	return true, looked, nil
}

// bonded says whether a stake is what the job's bond_multiplier asks for: so many times its price.
//
// Spec: WP-January "Verification Mode Details" (bond_multiplier); runner-marketplace §2.4.
func bonded(s *job.Spec, stake unit.Amount) bool {
	have := new(big.Int).Mul(new(big.Int).SetUint64(uint64(stake)), big.NewInt(1_000_000_000))
	return !slices.ContainsFunc(s.Verification.Checks, func(k job.Check) bool {
		need := new(big.Int).Mul(new(big.Int).SetUint64(uint64(s.MaxPrice)), k.Limit.Scaled())
		return k.Kind == job.CheckBond && have.Cmp(need) < 0
	})
}

// probationShare is what part of its declared maximum a runner on probation may take: a tenth.
//
// Spec: runner-marketplace §8.2.
const probationShare = 10

// hasRoom says whether a runner mounts the volumes of a job, and has room for its container.
//
// Spec: CIP-2 §4 (3); runner-marketplace §2.5 (RunnerCapabilities), §2.9, §4.1 (3).
func hasRoom(s *job.Spec, d *runner.Declaration) bool {
	return (len(s.Volumes) == 0 || d.Capabilities.VolumeMounts) && (s.Runtime == nil || holds(s.Runtime, &d.Capabilities))
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

// bindingKeys is how many keys of a binding's measurements are read for the price of a runner that is looked at.
const bindingKeys = 4

// trusted says whether a runner has the trusted environment a job requires: what it declared is of the type, and what it is bound to admits new jobs, until the
// last block in which this one may be revealed. A binding of several measurements is paid for.
//
// Spec: CIP-2 §4 (4); runner-marketplace §4.1 (4); tee §2.3, §4.
func (m *Market) trusted(t *Task, addr account.Address, d *runner.Declaration) (ok bool, looked int, err error) {
	v := &t.Spec.Verification
	if !v.TEERequired {
		return true, 0, nil
	}
	b, err := tee.BindingOf(m.State, addr, d.Capabilities.TEESupport, d.Measurement)
	switch {
	case errors.Is(err, tee.ErrBinding):
		return false, 0, nil
	case err != nil:
		return false, 0, err
	case v.TEEType != nil && *v.TEEType != b.Type.String(), b.Type == tee.SGX && v.Mode == job.ModeDeterministic:
		return false, 0, nil
	}
	looked = len(b.Measurements) / bindingKeys
	if err := m.look(looked); err != nil {
		return false, looked, err
	}
	ok, err = b.Admits(m.State, m.Height, m.Height+unit.Height(t.Job.Timeout)+params.RevealWindowBlocks)
	return ok, looked, err
}

// affordable says whether a job pays what the runner asks for all that the job's bounds allow, and lies in the values it takes.
//
// Spec: CIP-2 §4 (5); runner-marketplace §4.1 (5), §5.2 (expected_price); WP-January "Price Discovery: Posted Prices with Priority Tips".
func affordable(s *job.Spec, c *runner.RateCard) bool {
	if s.MaxPrice < c.MinJobValue || s.MaxPrice > c.MaxJobValue {
		return false
	}
	cost, ok := Cost(s, Usage{s.Bounds.MaxInputTokens, s.Bounds.MaxOutputTokens, s.Bounds.MaxWallTimeSeconds, s.Bounds.MaxMemoryMB}, c)
	return ok && cost <= s.MaxPrice
}

// Cost is what a runner asks for a job that uses so much: Σ rate × use, and the base of a request or a call; of a container what containerCost says. ok is
// false above what an amount holds.
//
// Spec: runner-marketplace §2.5 (RateCard), §2.9, §5.2.
func Cost(s *job.Spec, u Usage, c *runner.RateCard) (cost unit.Amount, ok bool) {
	if s.Kind == job.Container && s.Runtime != nil {
		return containerCost(s.Runtime, u, c)
	}
	lines := [...][2]uint64{
		{uint64(c.LLMInputToken), uint64(u.InputTokens)}, {uint64(c.LLMOutputToken), uint64(u.OutputTokens)},
		{uint64(c.ComputeSecond), u.WallTimeSeconds}, {uint64(c.MemoryMB), uint64(u.MemoryMB)}, {0, 1},
	}
	switch s.Kind {
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

// containerCost is cpu/1000 × s × compute_second + memory/1024 × s × memory_mb, each rounded down: the millicores that the job has for itself, which are those
// of its class, and the seconds and megabytes that it used.
//
// Spec: runner-marketplace §2.9 (price).
func containerCost(r *job.Runtime, u Usage, c *runner.RateCard) (cost unit.Amount, ok bool) {
	for _, l := range [...]struct {
		rate       unit.Amount
		units, per uint64
	}{{c.ComputeSecond, uint64(r.CPUMilli), 1_000}, {c.MemoryMB, uint64(u.MemoryMB), 1_024}} {
		hi, used := bits.Mul64(l.units, u.WallTimeSeconds)
		one, err := l.rate.MulDiv(used, l.per)
		if err != nil || hi != 0 {
			return 0, false
		}
		if cost, err = cost.Add(one); err != nil {
			return 0, false
		}
	}
	return cost, true
}
