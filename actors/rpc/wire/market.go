package wire

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Market answers GET /market: how large committees of jobs that are submitted now are, and why. Spec: WP §5.3, §13; runner-marketplace §4.2.
type Market struct {
	Members          uint32 `json:"runners"`
	Threshold        uint32 `json:"threshold"`
	Measured         bool   `json:"measured"`                    // false before the first epoch is complete: the size is the fixed one
	Active           uint64 `json:"active_runners,omitempty"`    // healthy when it was measured
	ConcentrationPPM uint64 `json:"concentration_ppm,omitempty"` // sum of the squared shares of stake, smoothed; a million where one has all
	Escrow           uint64 `json:"escrow"`                      // held for open jobs, base units
}

// ViewMarket shows the size of committees; size is nil before it was measured.
func ViewMarket(c params.CommitteeConfig, size *market.Size, escrow unit.Amount) Market {
	v := Market{Members: c.Members, Threshold: c.Threshold, Escrow: uint64(escrow)}
	if size != nil {
		v.Measured, v.Active, v.ConcentrationPPM = true, size.Active, uint64(size.Concentration)*1_000_000>>32
	}
	return v
}

// Runners answers GET /runners and GET /runners/active: those that get jobs now. By address. Spec: node-rpc-cli §2.4.
type Runners struct {
	Runners    []Runner `json:"runners"`
	NextCursor string   `json:"next_cursor,omitempty"`
}

// Runner is a registered runner (RunnerInfo). Spec: node-rpc-cli §2.4; runner-marketplace §2.5.
type Runner struct {
	Address         string             `json:"address"`
	PublicKey       string             `json:"public_key"`
	Stake           uint64             `json:"stake"` // base units, as all amounts here
	Delegated       uint64             `json:"delegated_stake"`
	EffectiveStake  uint64             `json:"effective_stake"` // what it is weighed by
	RateCard        RateCard           `json:"rate_card"`
	Capabilities    RunnerCapabilities `json:"capabilities"`
	Endpoint        string             `json:"endpoint,omitempty"`
	Measurement     string             `json:"measurement_binding,omitempty"`
	Health          string             `json:"health"`
	RegisteredAt    uint64             `json:"registered_at"`
	LastHeartbeat   uint64             `json:"last_heartbeat"`
	Reputation      uint64             `json:"reputation"` // whole points of 200
	ReputationMilli uint64             `json:"reputation_milli"`
	ActiveJobs      uint32             `json:"active_jobs"`
	OnProbation     bool               `json:"on_probation"`
	Suspended       bool               `json:"suspended,omitempty"`
	LeavesAt        uint64             `json:"leaves_at,omitempty"`
	Attestation     *Attestation       `json:"attestation,omitempty"` // of one runner, not in lists, as what follows
	Binding         *Binding           `json:"binding,omitempty"`
	BindingNonce    *BindingNonce      `json:"binding_nonce,omitempty"`
}

// Attestation is what a runner has signed that it provides (RunnerAttestation). Spec: ENT §5.1, §12.2.
type Attestation struct {
	RunnerID     string       `json:"runner_id"`
	Capabilities []Capability `json:"capabilities"`
	ValidFrom    uint64       `json:"valid_from"` // heights
	ValidUntil   uint64       `json:"valid_until"`
	EvidenceHash string       `json:"evidence_hash,omitempty"`
	Signature    string       `json:"signature"`
	Valid        bool         `json:"valid"` // in the next block
}

// Capability is an entitlement that a runner provides.
type Capability struct {
	ID     string         `json:"id"`
	Params map[string]any `json:"params,omitempty"`
}

// ViewAttestation shows what a runner provides as the block at a height finds it; nil of one that says nothing.
//
// Spec: ENT §3.4, §5.1.
func ViewAttestation(a *entitle.Attestation, now unit.Height) *Attestation {
	if a == nil {
		return nil
	}
	v := &Attestation{
		RunnerID: a.Runner.String(), Capabilities: []Capability{}, ValidFrom: uint64(a.ValidFrom), ValidUntil: uint64(a.ValidUntil),
		Signature: a.Signature.String(), Valid: a.Valid(now),
	}
	for i := range a.Capabilities.Grants {
		g := &a.Capabilities.Grants[i]
		v.Capabilities = append(v.Capabilities, Capability{ID: g.ID, Params: g.Plain()})
	}
	if a.Evidence != nil {
		v.EvidenceHash = Hash(*a.Evidence)
	}
	return v
}

// RateCard is what a runner asks for its work.
type RateCard struct {
	LLMInputToken       uint64   `json:"llm_input_token"`
	LLMOutputToken      uint64   `json:"llm_output_token"`
	HTTPRequestBase     uint64   `json:"http_request_base"`
	MCPCallBase         uint64   `json:"mcp_call_base"`
	ComputeSecond       uint64   `json:"compute_second"`
	MemoryMB            uint64   `json:"memory_mb"`
	SupportedModels     []string `json:"supported_models"`
	SupportedMCPServers []string `json:"supported_mcp_servers"`
	MinJobValue         uint64   `json:"min_job_value"`
	MaxJobValue         uint64   `json:"max_job_value"`
	CooldownBlocks      uint64   `json:"cooldown_blocks"`
	LastUpdated         uint64   `json:"last_updated"`
}

// RunnerCapabilities are the jobs a runner can do.
type RunnerCapabilities struct {
	JobTypes          []string `json:"job_types"`
	TEESupport        *string  `json:"tee_support"`
	Regions           []string `json:"regions"`
	HTTPDomains       []string `json:"http_domains"`
	MaxConcurrentJobs uint32   `json:"max_concurrent_jobs"`
	VolumeMounts      bool     `json:"volume_mounts,omitempty"`
	CPUMillicores     uint32   `json:"cpu_millicores,omitempty"`
	MemoryMB          uint32   `json:"memory_mb,omitempty"`
	ScratchMB         uint32   `json:"scratch_mb,omitempty"`
	GPUCount          uint32   `json:"gpu_count,omitempty"`
}

// ViewRunner shows a runner as the block at a height finds it.
func ViewRunner(addr account.Address, r *runner.Runner, d *runner.Declaration, now unit.Height) Runner {
	c := &d.Capabilities
	v := Runner{
		Address: addr.String(), PublicKey: fmt.Sprintf("0x%x", r.Key), Stake: uint64(r.Stake), Endpoint: d.Endpoint, Health: r.Health(now).String(),
		Delegated: uint64(r.Delegated), EffectiveStake: uint64(r.Effective()),
		RegisteredAt: uint64(r.Registered), LastHeartbeat: uint64(r.Heard), Reputation: r.Reputation.Points(), ReputationMilli: r.Reputation.Milli(),
		ActiveJobs: r.ActiveJobs, OnProbation: r.OnProbation(now), Suspended: r.Status == runner.Suspended, LeavesAt: uint64(r.Leaves),
		RateCard: viewCard(&d.Card, d.CardChanged),
		Capabilities: RunnerCapabilities{
			JobTypes: viewNames(c.JobTypes), Regions: viewNames(c.Regions), HTTPDomains: viewNames(c.HTTPDomains), MaxConcurrentJobs: c.MaxConcurrentJobs,
			VolumeMounts: c.VolumeMounts, CPUMillicores: c.CPUMillicores, MemoryMB: c.MemoryMB, ScratchMB: c.ScratchMB, GPUCount: c.GPUCount,
		},
	}
	if c.TEESupport != "" {
		v.Capabilities.TEESupport = &c.TEESupport
	}
	if d.Measurement != (digest.Hash{}) {
		v.Measurement = Hash(d.Measurement)
	}
	return v
}

func viewCard(c *runner.RateCard, changed unit.Height) RateCard {
	v := RateCard{
		LLMInputToken: uint64(c.LLMInputToken), LLMOutputToken: uint64(c.LLMOutputToken), HTTPRequestBase: uint64(c.HTTPRequestBase),
		MCPCallBase: uint64(c.MCPCallBase), ComputeSecond: uint64(c.ComputeSecond), MemoryMB: uint64(c.MemoryMB), MinJobValue: uint64(c.MinJobValue),
		MaxJobValue: uint64(c.MaxJobValue), CooldownBlocks: max(c.CooldownBlocks, params.CommitteeEpochBlocks), LastUpdated: uint64(changed),
		SupportedModels: []string{}, SupportedMCPServers: viewNames(c.SupportedMCPServers),
	}
	for _, m := range c.SupportedModels {
		v.SupportedModels = append(v.SupportedModels, Hash(m.ID))
	}
	return v
}

func viewNames(list []runner.Name) []string {
	names := make([]string, len(list))
	for i, n := range list {
		names[i] = n.Name
	}
	return names
}

// Card reads a rate card as people write it; lists need no order, and what stands twice counts once.
func (c *RateCard) Card() (runner.RateCard, error) {
	card := runner.RateCard{
		LLMInputToken: unit.Amount(c.LLMInputToken), LLMOutputToken: unit.Amount(c.LLMOutputToken), HTTPRequestBase: unit.Amount(c.HTTPRequestBase),
		MCPCallBase: unit.Amount(c.MCPCallBase), ComputeSecond: unit.Amount(c.ComputeSecond), MemoryMB: unit.Amount(c.MemoryMB),
		MinJobValue: unit.Amount(c.MinJobValue), MaxJobValue: unit.Amount(c.MaxJobValue), CooldownBlocks: c.CooldownBlocks,
		SupportedMCPServers: readNames(c.SupportedMCPServers),
	}
	for _, text := range ordered(c.SupportedModels) {
		id, err := digest.ParseHash(strings.ToLower(text))
		if err != nil {
			return card, fmt.Errorf("supported_models: %w", err)
		}
		card.SupportedModels = append(card.SupportedModels, runner.Model{ID: id})
	}
	return card, card.Check()
}

// Read reads capabilities as people write them.
func (c *RunnerCapabilities) Read() (runner.Capabilities, error) {
	read := runner.Capabilities{
		JobTypes: readNames(c.JobTypes), Regions: readNames(c.Regions), HTTPDomains: readNames(c.HTTPDomains), MaxConcurrentJobs: c.MaxConcurrentJobs,
		VolumeMounts: c.VolumeMounts, CPUMillicores: c.CPUMillicores, MemoryMB: c.MemoryMB, ScratchMB: c.ScratchMB, GPUCount: c.GPUCount,
	}
	if c.TEESupport != nil {
		read.TEESupport = *c.TEESupport
	}
	return read, read.Check()
}

func ordered(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

func readNames(list []string) []runner.Name {
	var names []runner.Name
	for _, n := range ordered(list) {
		names = append(names, runner.Name{Name: n})
	}
	return names
}
