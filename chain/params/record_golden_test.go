package params

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every group's encoding, of values that are not the genesis ones, and of an entry of the audit trail.
// Spec: WP §2.5, §13.1.
func TestGoldenRecords(t *testing.T) {
	s := newState()
	if _, err := Update(s, KeyLimits, *golden.Fill(&Change{})); err != nil {
		t.Fatal(err)
	}
	change, _, err := s.Lookup(historyKey(KeyLimits, 1))
	if err != nil {
		t.Fatal(err)
	}
	golden.Records(t, map[string][]byte{
		"BasefeeConfig":     golden.Fill(&BasefeeConfig{}).Append(nil),
		"LaneMultipliers":   golden.Fill(&LaneMultipliers{}).Append(nil),
		"TimerConfig":       golden.Fill(&TimerConfig{}).Append(nil),
		"HybridConfig":      golden.Fill(&HybridConfig{}).Append(nil),
		"RentConfig":        golden.Fill(&RentConfig{}).Append(nil),
		"LimitConfig":       golden.Fill(&LimitConfig{}).Append(nil),
		"StakeConfig":       golden.Fill(&StakeConfig{}).Append(nil),
		"Split":             golden.Fill(&Split{}).Append(nil),
		"SlashSplit":        golden.Fill(&SlashSplit{}).Append(nil),
		"ReputationConfig":  golden.Fill(&ReputationConfig{}).Append(nil),
		"AggregatorConfig":  golden.Fill(&AggregatorConfig{}).Append(nil),
		"NonRevealConfig":   golden.Fill(&NonRevealConfig{}).Append(nil),
		"CommitteeConfig":   golden.Fill(&CommitteeConfig{}).Append(nil),
		"EntitlementConfig": golden.Fill(&EntitlementConfig{}).Append(nil),
		"GovernanceConfig":  golden.Fill(&GovernanceConfig{}).Append(nil),
		"administrators":    appendAdministrators(*golden.Fill(new([]account.Address))),
		"Change":            change,
	})
}
