package params

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// RentConfig governs state rent. Key system:cip4:rent_config.
// Spec: WP "State Rent", §13, §17.5; rent §2.
type RentConfig struct {
	RatePerByteYear  unit.Amount // base units per byte and year
	EpochBlocks      uint64      // length of a rent epoch
	GraceBytes       uint64      // bytes never billed (grace_threshold)
	EvictionEpochs   uint32      // unpaid epochs before eviction
	CatchupBPS       uint32      // surcharge on missed rent
	ReserveBPS       uint32      // of a year's rent (reserve_multiplier)
	TargetStateBytes uint64      // zero: no dynamic rate
	BondPerByte      unit.Amount // base units locked per byte above the base quota
}

// Append appends the canonical encoding.
func (c RentConfig) Append(dst []byte) []byte {
	return appendUints(dst, uint64(c.RatePerByteYear), c.EpochBlocks, c.GraceBytes, uint64(c.EvictionEpochs),
		uint64(c.CatchupBPS), uint64(c.ReserveBPS), c.TargetStateBytes, uint64(c.BondPerByte))
}

// ReadRentConfig reads what Append wrote; errors stay in r.
func ReadRentConfig(r *codec.Reader) RentConfig {
	return RentConfig{
		unit.Amount(r.Uint()), r.Uint(), r.Uint(), r.Uint32(), r.Uint32(), r.Uint32(), r.Uint(), unit.Amount(r.Uint()),
	}
}

// Validate requires a positive epoch, an eviction threshold of at least one epoch
// shares of at most one hundred per cent, and a target of at most 2⁵⁶ bytes.
func (c RentConfig) Validate() error {
	switch {
	case c.EpochBlocks == 0 || c.EpochBlocks > BlocksPerYear:
		return invalid("rent", "rent_epoch_length")
	case c.EvictionEpochs == 0:
		return invalid("rent", "eviction_threshold_epochs")
	case c.CatchupBPS > BasisPoints:
		return invalid("rent", "rent_catchup_bps")
	case c.ReserveBPS > BasisPoints:
		return invalid("rent", "reserve_multiplier")
	case c.TargetStateBytes > 1<<56:
		return invalid("rent", "target_state_size")
	}
	return nil
}

// Split shares a runner's payment; the three sum to 10,000. Key
// system:settlement_config. Spec: WP §5.3, §8.4, §13.1.
type Split struct {
	RunnerBPS, BurnBPS, TreasuryBPS uint32
}

// Append appends the canonical encoding.
func (s Split) Append(dst []byte) []byte {
	return appendUints(dst, uint64(s.RunnerBPS), uint64(s.BurnBPS), uint64(s.TreasuryBPS))
}

// ReadSplit reads what Append wrote; errors stay in r.
func ReadSplit(r *codec.Reader) Split { return Split{r.Uint32(), r.Uint32(), r.Uint32()} }

// Validate requires the parts to be the whole.
func (s Split) Validate() error {
	if uint64(s.RunnerBPS)+uint64(s.BurnBPS)+uint64(s.TreasuryBPS) != BasisPoints {
		return invalid("settlement", "sum")
	}
	return nil
}

// SlashSplit shares slashed stake; the three sum to 10,000. Key
// system:cip2:slash_distribution. Spec: WP §8.4, §13.1.
type SlashSplit struct {
	BurnBPS, SubmitterBPS, TreasuryBPS uint32
}

// Append appends the canonical encoding.
func (s SlashSplit) Append(dst []byte) []byte {
	return appendUints(dst, uint64(s.BurnBPS), uint64(s.SubmitterBPS), uint64(s.TreasuryBPS))
}

// ReadSlashSplit reads what Append wrote; errors stay in r.
func ReadSlashSplit(r *codec.Reader) SlashSplit {
	return SlashSplit{r.Uint32(), r.Uint32(), r.Uint32()}
}

// Validate requires the parts to be the whole.
func (s SlashSplit) Validate() error {
	if uint64(s.BurnBPS)+uint64(s.SubmitterBPS)+uint64(s.TreasuryBPS) != BasisPoints {
		return invalid("slash_distribution", "sum")
	}
	return nil
}

// ReputationConfig governs runner reputation. Key system:cip2:reputation_config.
// Spec: WP §13, §13.1.
type ReputationConfig struct {
	HalfLifeBlocks       uint64
	AggregatorPercentile uint32
}

// Append appends the canonical encoding.
func (c ReputationConfig) Append(dst []byte) []byte {
	return appendUints(dst, c.HalfLifeBlocks, uint64(c.AggregatorPercentile))
}

// ReadReputationConfig reads what Append wrote; errors stay in r.
func ReadReputationConfig(r *codec.Reader) ReputationConfig {
	return ReputationConfig{r.Uint(), r.Uint32()}
}

// Validate requires a positive half-life and a percentile of at most 100.
func (c ReputationConfig) Validate() error {
	switch {
	case c.HalfLifeBlocks == 0:
		return invalid("reputation", "half_life_blocks")
	case c.AggregatorPercentile > maxPercentile:
		return invalid("reputation", "aggregator_eligibility_percentile")
	}
	return nil
}

// AggregatorConfig governs the aggregator's bonus. Key
// system:cip2:aggregator_config. Spec: WP §8.4, §13.1.
type AggregatorConfig struct {
	BonusBPS uint32 // of gross, carved out of the runner share
}

// Append appends the canonical encoding.
func (c AggregatorConfig) Append(dst []byte) []byte { return appendUints(dst, uint64(c.BonusBPS)) }

// ReadAggregatorConfig reads what Append wrote; errors stay in r.
func ReadAggregatorConfig(r *codec.Reader) AggregatorConfig { return AggregatorConfig{r.Uint32()} }

// Validate requires a share.
func (c AggregatorConfig) Validate() error {
	return share("aggregator", "aggregator_bonus_bps", c.BonusBPS)
}

// NonRevealConfig governs the penalty of a runner that committed and did not
// reveal. Key system:cip2:non_reveal_config. Spec: WP §13, §13.1.
type NonRevealConfig struct {
	SlashBPS uint32 // of effective stake
}

// Append appends the canonical encoding.
func (c NonRevealConfig) Append(dst []byte) []byte { return appendUints(dst, uint64(c.SlashBPS)) }

// ReadNonRevealConfig reads what Append wrote; errors stay in r.
func ReadNonRevealConfig(r *codec.Reader) NonRevealConfig { return NonRevealConfig{r.Uint32()} }

// Validate requires a share.
func (c NonRevealConfig) Validate() error {
	return share("non_reveal", "non_reveal_slash_bps", c.SlashBPS)
}

func share(group, field string, bps uint32) error {
	if bps > BasisPoints {
		return invalid(group, field)
	}
	return nil
}

// CommitteeConfig is the fixed fallback committee, used until the first adaptive
// epoch is complete. Key system:cip2:committee_config. Spec: WP §5.3, §13.1.
type CommitteeConfig struct {
	Members   uint32 // M
	Threshold uint32 // N
}

// Append appends the canonical encoding.
func (c CommitteeConfig) Append(dst []byte) []byte {
	return appendUints(dst, uint64(c.Members), uint64(c.Threshold))
}

// ReadCommitteeConfig reads what Append wrote; errors stay in r.
func ReadCommitteeConfig(r *codec.Reader) CommitteeConfig {
	return CommitteeConfig{r.Uint32(), r.Uint32()}
}

// Validate requires 3 ≤ M ≤ 9 and a majority N ≤ M.
func (c CommitteeConfig) Validate() error {
	switch {
	case c.Members < CommitteeMin || c.Members > CommitteeMax:
		return invalid("committee", "m")
	case c.Threshold > c.Members || 2*c.Threshold <= c.Members:
		return invalid("committee", "n")
	}
	return nil
}

// MaxExecutorNameBytes bounds the name of a custom executor.
const MaxExecutorNameBytes = 64

// KeyExecutorPrefix begins the governance keys of custom executors that have a name, which follows it. The value is the BLAKE3 of the executor.
// Spec: runner-marketplace §2.2.
const KeyExecutorPrefix = "system:executor_registry:"

// CheckExecutorName wants 1 to 64 visible ASCII characters.
func CheckExecutorName(name string) error {
	for i := range len(name) {
		if name[i] <= ' ' || name[i] >= 0x7f {
			return invalid("executor_registry", "name")
		}
	}
	if name == "" || len(name) > MaxExecutorNameBytes {
		return invalid("executor_registry", "name")
	}
	return nil
}
