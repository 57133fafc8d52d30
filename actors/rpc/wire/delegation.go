package wire

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/model"
	"github.com/cowboyinc/cowboy-go/chain/runner"
)

// Delegations answers the calls that list tranches of delegated stake. Spec: governance-staking C5 (queries).
type Delegations struct {
	Delegations []Delegation `json:"delegations"`
	NextCursor  string       `json:"next_cursor,omitempty"`
}

// Delegation is a tranche of delegated stake (DelegationTranche). Spec: governance-staking C1.
type Delegation struct {
	Runner      string `json:"runner"`
	Delegator   string `json:"delegator"`
	TrancheID   uint64 `json:"tranche_id"`
	Amount      uint64 `json:"amount"` // base units
	CreatedAt   uint64 `json:"created_at"`
	Status      string `json:"status"` // Active, Unbonding
	ClaimableAt uint64 `json:"claimable_at,omitempty"`
}

// DelegationStats answers GET /runners/{addr}/delegation_stats. Amounts are base units. Spec: governance-staking C1, C2.
type DelegationStats struct {
	Runner          string            `json:"runner"`
	Config          *DelegationConfig `json:"delegation_config"` // null of a runner that has set none
	SelfStake       uint64            `json:"self_stake"`
	TotalActive     uint64            `json:"total_active"`
	EffectiveStake  uint64            `json:"effective_stake"`
	DelegatorCount  uint32            `json:"delegator_count"`
	ActiveTranches  uint32            `json:"active_tranche_count"`
	DelegationsOpen bool              `json:"delegations_open"` // governance has switched delegation on
}

// DelegationConfig is on what terms a runner takes delegated stake. Spec: governance-staking C1.
type DelegationConfig struct {
	AcceptDelegation      bool   `json:"accept_delegation"`
	CommissionBPS         uint32 `json:"commission_bps"` // that holds now
	PendingCommissionBPS  uint32 `json:"pending_commission_bps,omitempty"`
	PendingEffectiveEpoch uint64 `json:"pending_effective_epoch,omitempty"`
	MaxDelegatedStake     uint64 `json:"max_delegated_stake"`
	MinDelegation         uint64 `json:"min_delegation"`
	LastUpdated           uint64 `json:"last_updated"`
}

// ViewDelegations shows tranches.
func ViewDelegations(list []runner.Delegation) Delegations {
	v := Delegations{Delegations: make([]Delegation, len(list))}
	for i, d := range list {
		v.Delegations[i] = Delegation{
			Runner: d.Runner.String(), Delegator: d.Delegator.String(), TrancheID: d.Number, Amount: uint64(d.Amount), CreatedAt: uint64(d.Created),
			Status: "Active", ClaimableAt: uint64(d.Claimable),
		}
		if !d.Active() {
			v.Delegations[i].Status = "Unbonding"
		}
	}
	return v
}

// ViewDelegationConfig shows terms as an epoch finds them; nil for none.
func ViewDelegationConfig(c *runner.DelegationConfig, epoch uint64) *DelegationConfig {
	if c == nil {
		return nil
	}
	v := &DelegationConfig{
		AcceptDelegation: c.Accept, CommissionBPS: c.Commission(epoch), MaxDelegatedStake: uint64(c.MaxDelegated), MinDelegation: uint64(c.MinDelegation),
		LastUpdated: uint64(c.Updated),
	}
	if v.CommissionBPS != c.PendingBPS {
		v.PendingCommissionBPS, v.PendingEffectiveEpoch = c.PendingBPS, c.Epoch
	}
	return v
}

// Models answers GET /models: published models, by model_id. Spec: WP §5.1.
type Models struct {
	Models     []Model `json:"models"`
	NextCursor string  `json:"next_cursor,omitempty"`
}

// Model is a model that is published, marked by governance, or both. Spec: WP §5.1.
type Model struct {
	ModelID     string `json:"model_id"`
	Published   bool   `json:"published"`
	Weights     string `json:"weights,omitempty"`
	Arch        string `json:"arch,omitempty"`
	Tokenizer   string `json:"tokenizer,omitempty"`
	License     string `json:"license,omitempty"`
	Publisher   string `json:"publisher,omitempty"`
	Deposit     uint64 `json:"deposit,omitempty"` // base units
	PublishedAt uint64 `json:"published_at,omitempty"`
	Flagged     bool   `json:"flagged"`
	Banned      bool   `json:"banned"`
}

// ViewModel shows a model; m is nil of one that is not published.
func ViewModel(id digest.Hash, m *model.Record, mark model.Mark) Model {
	v := Model{ModelID: Hash(id), Flagged: mark == model.Flagged, Banned: mark == model.Banned}
	if m == nil {
		return v
	}
	v.Published, v.Publisher, v.Deposit, v.PublishedAt = true, m.Publisher.String(), uint64(m.Deposit), uint64(m.Published)
	v.Weights, v.Arch, v.Tokenizer, v.License = Hash(m.Weights), Hash(m.Arch), Hash(m.Tokenizer), Hash(m.License)
	return v
}
