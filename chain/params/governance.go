package params

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of governance.
const (
	GovernanceTiers         = 5
	MaxOpenProposals        = 256     // proposals that people opened and that are not over
	ProposalStepsPerBlock   = 64      // deadlines the end of a block walks; the rest is the next block's
	MaxProposalPayloadBytes = 8 << 10 // bytes
	MaxMemoBytes            = 256     // bytes, of a disbursement
	MaxLabsMembers          = 16      // of the multisig that operates the portal
	MaxCancellations        = 16      // of the council that are counted towards a review
	maxGovernanceHours      = 90 * 24 // of a phase, its extensions included
	maxExtensions           = 16      // of a vote, and of a pause
)

// GovernanceLongest is the most blocks that a snapshot of voting weight is read for: the longest phase the configuration allows, which begins in the block
// after the snapshot's.
const GovernanceLongest = maxGovernanceHours*BlocksPerHour + 1

// GovernanceTier are the rules of the proposals of one tier. Shares are in basis points of all stake, of yes and no together, and of the active validators.
// Spec: governance-staking B3.
type GovernanceTier struct {
	Deposit       unit.Amount // base units
	CheckHours    uint32      // of the temperature check
	VoteHours     uint32
	QuorumBPS     uint32
	StakeBPS      uint32 // strictly more must say yes
	ValidatorBPS  uint32 // strictly more must say yes
	TimelockHours uint32
}

// GovernanceConfig governs proposals, votes and the Security Council. Key system:gov:param:governance. All times are in hours of HourBlocks blocks, so
// that a local network scales them together.
// Spec: governance-staking B3, B5, B6, B7.
type GovernanceConfig struct {
	HourBlocks        uint64
	Tiers             [GovernanceTiers]GovernanceTier
	CheckTurnoutBPS   uint32 // of all stake takes part in a temperature check at least
	CheckApprovalBPS  uint32 // of yes and no together approves at least
	ExtendBelowBPS    uint32 // of the validators, or of the quorum: a vote that reaches less is extended
	ExtendHours       uint32
	Extensions        uint32 // of a vote at most
	RetryHours        uint32 // in which a proposal whose time has come may be executed, and tried again
	FastVoteHours     uint32
	FastApprovalBPS   uint32 // strictly more must say yes, in both houses
	FastTimelockHours uint32
	PauseHours        uint32
	RatifyHours       uint32 // that a ratification adds to a pause
	PauseExtensions   uint32 // of a pause at most
	ReviewCancels     uint32 // cancellations of the council within ReviewHours open a review of it
	ReviewHours       uint32
}

// genesisGovernance is the table of tiers and the clocks as they are published.
// Spec: governance-staking B3, B5, B6, B7.
func genesisGovernance() GovernanceConfig {
	tier := func(deposit, check, vote, quorum, stake, validators, timelock uint32) GovernanceTier {
		return GovernanceTier{unit.Amount(deposit) * unit.CBY, 24 * check, 24 * vote, 100 * quorum, 100 * stake, 100 * validators, 24 * timelock}
	}
	return GovernanceConfig{
		HourBlocks: BlocksPerHour,
		Tiers: [GovernanceTiers]GovernanceTier{
			tier(1_000, 3, 5, 5, 50, 50, 3),
			tier(5_000, 3, 5, 10, 50, 50, 5),
			tier(5_000, 5, 7, 15, 55, 50, 7),
			tier(25_000, 7, 7, 15, 60, 50, 7),
			tier(100_000, 14, 14, 20, 66, 66, 14),
		},
		CheckTurnoutBPS: 100, CheckApprovalBPS: 3_300,
		ExtendBelowBPS: 6_000, ExtendHours: 24, Extensions: 3, RetryHours: 24,
		FastVoteHours: 24, FastApprovalBPS: 6_600, FastTimelockHours: EmergencyTimelockBlocks / BlocksPerHour,
		PauseHours: 7 * 24, RatifyHours: 30 * 24, PauseExtensions: 3,
		ReviewCancels: 3, ReviewHours: 90 * 24,
	}
}

// Append appends the canonical encoding.
func (c GovernanceConfig) Append(dst []byte) []byte {
	dst = codec.AppendUint(dst, c.HourBlocks)
	for _, t := range c.Tiers {
		dst = appendUints(dst, uint64(t.Deposit), uint64(t.CheckHours), uint64(t.VoteHours), uint64(t.QuorumBPS), uint64(t.StakeBPS),
			uint64(t.ValidatorBPS), uint64(t.TimelockHours))
	}
	return appendUints(dst, uint64(c.CheckTurnoutBPS), uint64(c.CheckApprovalBPS), uint64(c.ExtendBelowBPS), uint64(c.ExtendHours),
		uint64(c.Extensions), uint64(c.RetryHours), uint64(c.FastVoteHours), uint64(c.FastApprovalBPS), uint64(c.FastTimelockHours),
		uint64(c.PauseHours), uint64(c.RatifyHours), uint64(c.PauseExtensions), uint64(c.ReviewCancels), uint64(c.ReviewHours))
}

// ReadGovernanceConfig reads what Append wrote; errors stay in r.
func ReadGovernanceConfig(r *codec.Reader) GovernanceConfig {
	c := GovernanceConfig{HourBlocks: r.Uint()}
	for i := range c.Tiers {
		c.Tiers[i] = GovernanceTier{unit.Amount(r.Uint()), r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()}
	}
	for _, n := range [...]*uint32{
		&c.CheckTurnoutBPS, &c.CheckApprovalBPS, &c.ExtendBelowBPS, &c.ExtendHours, &c.Extensions, &c.RetryHours, &c.FastVoteHours,
		&c.FastApprovalBPS, &c.FastTimelockHours, &c.PauseHours, &c.RatifyHours, &c.PauseExtensions, &c.ReviewCancels, &c.ReviewHours,
	} {
		*n = r.Uint32()
	}
	return c
}

// Validate requires hours of at most an hour's blocks, shares that can be reached, phases that last and end, and a pause that outlives no phase a
// snapshot is kept for.
func (c GovernanceConfig) Validate() error {
	if c.HourBlocks == 0 || c.HourBlocks > BlocksPerHour {
		return invalid("governance", "hour_blocks")
	}
	if c.Extensions > maxExtensions || c.PauseExtensions > maxExtensions {
		return invalid("governance", "extensions")
	}
	more := uint64(c.Extensions) * uint64(c.ExtendHours)
	for _, t := range c.Tiers {
		switch {
		case t.Deposit > GenesisSupply:
			return invalid("governance", "deposit")
		case !hours(uint64(t.CheckHours)), !hours(uint64(t.VoteHours)), !hours(uint64(t.VoteHours) + more), !hours(uint64(t.TimelockHours)):
			return invalid("governance", "hours")
		case t.QuorumBPS > BasisPoints, t.StakeBPS >= BasisPoints, t.ValidatorBPS >= BasisPoints:
			return invalid("governance", "shares")
		}
	}
	switch {
	case c.CheckTurnoutBPS > BasisPoints, c.CheckApprovalBPS > BasisPoints, c.ExtendBelowBPS > BasisPoints, c.FastApprovalBPS >= BasisPoints:
		return invalid("governance", "shares")
	case !hours(uint64(c.ExtendHours)), !hours(uint64(c.RetryHours)), !hours(uint64(c.FastVoteHours)), !hours(uint64(c.FastVoteHours) + more),
		!hours(uint64(c.FastTimelockHours)), !hours(uint64(c.PauseHours)), !hours(uint64(c.RatifyHours)), !hours(uint64(c.ReviewHours)):
		return invalid("governance", "hours")
	case c.PauseHours < 2:
		return invalid("governance", "pause_hours") // its ratification is voted on before it ends
	case c.ReviewCancels == 0 || c.ReviewCancels > MaxCancellations:
		return invalid("governance", "review_cancellations")
	}
	return nil
}

// hours reports whether a phase may last so long.
func hours(n uint64) bool { return n > 0 && n <= maxGovernanceHours }

// Blocks is the length of a number of hours.
func (c *GovernanceConfig) Blocks(hours uint32) unit.Height {
	return unit.Height(uint64(hours) * c.HourBlocks)
}

// TierOf is the least tier of a proposal that changes the group under key; ok is false for a key that is no group of this package.
// Spec: governance-staking A1 (minimum_validator_stake), B3, B9.
func TierOf(key string) (tier uint8, ok bool) {
	switch key {
	case KeyBasefee, KeyLanes, KeyTimer, KeyRent, KeyReputation, KeyAggregator, KeyNonReveal, KeyCommittee, KeySimilarityModel, KeyStake:
		return 0, true
	case KeyLimits, KeyEntitlements:
		return 1, true
	case KeySettlement, KeySlashDistribution, KeyHybrid:
		return 3, true
	case KeyAdministrators, KeyGovernance:
		return 4, true
	}
	return 0, false
}

// Upgrades of system actors.
const (
	RollbackHours      = 7 * 24     // hours of governance, the shortest window of a rollback; Spec: governance-staking B8
	MaxUpgradeHours    = 90 * 24    // hours of governance, of the delay before an upgrade and of its window
	MaxMigrationCycles = 20_000_000 // cycles, what T_c is at genesis; the cells are MaxTxCells
	MaxMigrationName   = 64         // bytes of the name of a migration's handler
	MaxUploadBytes     = 16 << 20   // bytes of all programs that were uploaded for system actors
	MaxRegistered      = 256        // parameters that governance has registered
)
