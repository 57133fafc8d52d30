package params

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Params are the governed parameters a block executes under. The value is read
// once at the start of the block and not modified.
// Spec: WP §13.1.
type Params struct {
	Basefee           BasefeeConfig
	Lanes             LaneMultipliers
	Timer             TimerConfig
	Hybrid            HybridConfig
	Rent              RentConfig
	Limits            LimitConfig
	Stake             StakeConfig
	Settlement        Split
	SlashDistribution SlashSplit
	Reputation        ReputationConfig
	Aggregator        AggregatorConfig
	NonReveal         NonRevealConfig
	Committee         CommitteeConfig
	SimilarityModel   string
	// Administrators may send governed instructions directly, ascending by
	// address. Empty except on local networks.
	// Spec: governance-staking B10.
	Administrators []account.Address
	Entitlements   EntitlementConfig
	Governance     GovernanceConfig
	// Calendar is the network's epochs, fixed at genesis.
	Calendar Calendar
	// Schedule is when later versions of the protocol begin, fixed at genesis.
	Schedule Schedule
}

// Bounds of the variable-length groups.
const (
	MaxAdministrators    = 64  // addresses
	MaxModelNameBytes    = 256 // bytes
	maxPercentile        = 100
	maxLaneMultiplierPPM = 1_000 * MultiplierOne
)

// ErrInvalid reports parameters outside their range; the wrapped text names the
// group and the field.
var ErrInvalid = errors.New("params: value outside its range")

func invalid(group, field string) error {
	return fmt.Errorf("%w: %s.%s", ErrInvalid, group, field)
}

// BasefeeConfig steers the two basefees. Key system:basefee_config.
// Spec: WP §4.2, §4.3, §17.8.
type BasefeeConfig struct {
	CycleTarget       unit.Cycles // T_c per block
	CellTarget        unit.Cells  // T_b per block
	Alpha             uint64      // learning rate divisor
	ChangeDenominator uint64      // delta: at most ±1/ChangeDenominator per block
}

// Append appends the canonical encoding.
func (c BasefeeConfig) Append(dst []byte) []byte {
	return appendUints(dst, uint64(c.CycleTarget), uint64(c.CellTarget), c.Alpha, c.ChangeDenominator)
}

// ReadBasefeeConfig reads what Append wrote; errors stay in r.
func ReadBasefeeConfig(r *codec.Reader) BasefeeConfig {
	return BasefeeConfig{unit.Cycles(r.Uint()), unit.Cells(r.Uint()), r.Uint(), r.Uint()}
}

// Validate requires positive targets, a cycle target the lanes can reach, and
// positive divisors.
func (c BasefeeConfig) Validate() error {
	switch {
	case c.CycleTarget == 0 || c.CycleTarget > BlockCycles:
		return invalid("basefee", "cycle_target")
	case c.CellTarget == 0:
		return invalid("basefee", "cell_target")
	case c.Alpha == 0:
		return invalid("basefee", "alpha")
	case c.ChangeDenominator == 0:
		return invalid("basefee", "delta")
	}
	return nil
}

// LaneMultipliers scale the basefees of each lane, in parts per million. Key
// system:lane_fee_multipliers. Spec: WP §6.3, §13, §17.9.
type LaneMultipliers struct {
	System, Timer, Runner, User uint32
}

// Append appends the canonical encoding.
func (m LaneMultipliers) Append(dst []byte) []byte {
	return appendUints(dst, uint64(m.System), uint64(m.Timer), uint64(m.Runner), uint64(m.User))
}

// ReadLaneMultipliers reads what Append wrote; errors stay in r.
func ReadLaneMultipliers(r *codec.Reader) LaneMultipliers {
	return LaneMultipliers{r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()}
}

// Validate requires each multiplier in 1 ppm … 1000×.
func (m LaneMultipliers) Validate() error {
	for l := range LaneCount {
		if v := m.of(l); v == 0 || v > maxLaneMultiplierPPM {
			return invalid("lane_fee_multipliers", l.String())
		}
	}
	return nil
}

func (m LaneMultipliers) of(l Lane) uint32 {
	switch l {
	case LaneSystem:
		return m.System
	case LaneTimer:
		return m.Timer
	case LaneRunner:
		return m.Runner
	case LaneUser:
		return m.User
	}
	return 0
}

// Scale is lane_basefee = global_basefee × multiplier, rounded up so that a lane
// never charges less than its exact price; or unit.ErrOverflow.
// Spec: WP §6.3, §17.9.
func (m LaneMultipliers) Scale(fees Basefees, l Lane) (Basefees, error) {
	ppm := uint64(m.of(l))
	if ppm == MultiplierOne {
		return fees, nil
	}
	cycle, err := scaleUp(fees.Cycle, ppm)
	if err != nil {
		return Basefees{}, err
	}
	cell, err := scaleUp(fees.Cell, ppm)
	return Basefees{cycle, cell}, err
}

func scaleUp(fee, ppm uint64) (uint64, error) {
	hi, lo := bits.Mul64(fee, ppm)
	if hi >= MultiplierOne {
		return 0, unit.ErrOverflow
	}
	quo, rem := bits.Div64(hi, lo, MultiplierOne)
	if rem != 0 {
		quo++
	}
	return quo, nil
}

// TimerConfig bounds timers. Key system:timer_config (under 0x09; WP over CIP-5).
// Spec: WP §5.1a, §13.1; scheduler-timers §5.
type TimerConfig struct {
	MaxTTLBlocks      uint64      // from now to expires_at
	MaxCyclesPerFire  unit.Cycles // default and maximum
	MaxCellsPerFire   unit.Cells  // always reserved
	MaxTimersPerActor uint32
	GCCyclesPerBlock  unit.Cycles // cleanup lane
}

// Append appends the canonical encoding.
func (c TimerConfig) Append(dst []byte) []byte {
	return appendUints(dst, c.MaxTTLBlocks, uint64(c.MaxCyclesPerFire), uint64(c.MaxCellsPerFire),
		uint64(c.MaxTimersPerActor), uint64(c.GCCyclesPerBlock))
}

// ReadTimerConfig reads what Append wrote; errors stay in r.
func ReadTimerConfig(r *codec.Reader) TimerConfig {
	return TimerConfig{r.Uint(), unit.Cycles(r.Uint()), unit.Cells(r.Uint()), r.Uint32(), unit.Cycles(r.Uint())}
}

// Validate requires every field to be positive, one fire to fit the timer lane
// and the block's cells cap, and one removal to fit the cleanup lane: otherwise
// the head of a queue could wait for ever.
func (c TimerConfig) Validate() error {
	switch {
	case c.MaxTTLBlocks == 0 || c.MaxTTLBlocks > 100*BlocksPerYear:
		return invalid("timer", "max_ttl_blocks")
	case c.MaxCyclesPerFire == 0 || c.MaxCyclesPerFire > LaneTimerCycles:
		return invalid("timer", "max_cycles_per_fire")
	case c.MaxCellsPerFire == 0 || c.MaxCellsPerFire > MaxTxCells:
		return invalid("timer", "max_cells_per_fire")
	case c.MaxTimersPerActor == 0:
		return invalid("timer", "max_timers_per_actor")
	case c.GCCyclesPerBlock < TimerGCCyclesPerRemoval:
		return invalid("timer", "gc_cycles_per_block")
	}
	return nil
}

// HybridConfig governs the dormant second timer phase. Key
// system:gov:param:timer_hybrid. Spec: WP §5.1b; scheduler-timers §9.
type HybridConfig struct {
	ActivationHeight unit.Height // TimerHybridNever: never
	MaxCyclesPerFire unit.Cycles // in that phase
}

// Append appends the canonical encoding.
func (c HybridConfig) Append(dst []byte) []byte {
	return appendUints(dst, uint64(c.ActivationHeight), uint64(c.MaxCyclesPerFire))
}

// ReadHybridConfig reads what Append wrote; errors stay in r.
func ReadHybridConfig(r *codec.Reader) HybridConfig {
	return HybridConfig{unit.Height(r.Uint()), unit.Cycles(r.Uint())}
}

// Validate requires a fire to fit the timer lane.
func (c HybridConfig) Validate() error {
	if c.MaxCyclesPerFire == 0 || c.MaxCyclesPerFire > LaneTimerCycles {
		return invalid("timer_hybrid", "max_cycles_per_fire")
	}
	return nil
}

// LimitConfig are the denial-of-service limits and the base quota. Key
// system:gov:param:limits. Spec: WP §12.1, §3.2.
type LimitConfig struct {
	MaxTxBytes             uint64      // at most the decoder's hard cap
	MaxMessageDepth        uint32      // per transaction
	PerActorPerBlockCycles unit.Cycles // burstable
	BaseQuotaBytes         uint64      // storage per actor
}

// Append appends the canonical encoding.
func (c LimitConfig) Append(dst []byte) []byte {
	return appendUints(dst, c.MaxTxBytes, uint64(c.MaxMessageDepth), uint64(c.PerActorPerBlockCycles), c.BaseQuotaBytes)
}

// ReadLimitConfig reads what Append wrote; errors stay in r.
func ReadLimitConfig(r *codec.Reader) LimitConfig {
	return LimitConfig{r.Uint(), r.Uint32(), unit.Cycles(r.Uint()), r.Uint()}
}

// Validate holds each limit between something usable and its hard cap.
func (c LimitConfig) Validate() error {
	switch {
	case c.MaxTxBytes < 1<<10 || c.MaxTxBytes > MaxTxBytes:
		return invalid("limits", "max_tx_size")
	case c.MaxMessageDepth == 0 || c.MaxMessageDepth > ReentrancyDepth:
		return invalid("limits", "max_message_depth_per_tx")
	case c.PerActorPerBlockCycles == 0:
		return invalid("limits", "per_actor_per_block_cycles")
	case c.BaseQuotaBytes == 0 || c.BaseQuotaBytes > MaxQuotaBytes:
		return invalid("limits", "storage_quota_per_actor")
	}
	return nil
}

// StakeConfig governs validators. Key system:gov:param:stake.
// Spec: WP "Validator Set", §13.
type StakeConfig struct {
	MinimumValidatorStake unit.Amount
}

// Append appends the canonical encoding.
func (c StakeConfig) Append(dst []byte) []byte {
	return appendUints(dst, uint64(c.MinimumValidatorStake))
}

// ReadStakeConfig reads what Append wrote; errors stay in r.
func ReadStakeConfig(r *codec.Reader) StakeConfig { return StakeConfig{unit.Amount(r.Uint())} }

// Validate requires a positive minimum stake.
func (c StakeConfig) Validate() error {
	if c.MinimumValidatorStake == 0 {
		return invalid("stake", "minimum_validator_stake")
	}
	return nil
}

func appendUints(dst []byte, values ...uint64) []byte {
	for _, v := range values {
		dst = codec.AppendUint(dst, v)
	}
	return dst
}
