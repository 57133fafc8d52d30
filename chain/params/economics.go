package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// Supply and emission.
const (
	GenesisSupply     unit.Amount = 1_000_000_000 * unit.CBY // Spec: WP §8.1
	CompanyBPS                    = 6_667                    // of supply; Spec: WP §8.3, §13 (company_reserve)
	CommunityBPS                  = 3_333                    // of supply; Spec: WP §8.3
	InflationFloorBPS             = 200                      // year 5 and later; Spec: WP §8.2
)

// InflationBPS is the gross inflation of a year of the chain's life, counted from
// 1, in basis points of the supply. Year 0 has none.
// Spec: WP §8.2.
func InflationBPS(year uint64) uint64 {
	switch year {
	case 0:
		return 0
	case 1:
		return 800
	case 2:
		return 600
	case 3:
		return 400
	case 4:
		return 300
	}
	return InflationFloorBPS
}

// Runner marketplace.
const (
	RunnerStakeFloor      = 10_000 * unit.CBY          // Spec: WP §5.2, §13
	RunnerStakePerJobBPS  = 15_000                     // of declared_max_job_value; Spec: WP §5.2, §17.7
	ChallengeWindowBlocks = 900                        // blocks, 15 min; Spec: WP §5.3, §13
	ChallengeBond         = 100 * unit.CBY             // Spec: WP §5.3, §13
	DisputeWindowBlocks   = 75                         // blocks; Spec: WP §13
	BillingDisputeBlocks  = 300                        // blocks, of containers; Spec: runner-marketplace §2.9, §11
	CommitteeMin          = 3                          // m_min; Spec: WP §5.3, §13
	CommitteeMax          = 9                          // m_max; Spec: WP §5.3, §13
	CommitteeHHIFloorPPM  = 10_000                     // 0.01 of concentration; Spec: WP §5.3
	CommitteeEpochBlocks  = 3_600                      // blocks between recomputations; Spec: WP §13
	CommitteeEMAWeightBPS = 1_250                      // weight of the newest HHI; Spec: runner-marketplace §4.2
	ModelDeposit          = 1_000 * unit.CBY           // refundable; Spec: WP §5.1
	JobTimeoutBlocks      = 100                        // default per attempt; Spec: runner-marketplace §2.1
	JobMaxRetries         = 3                          // Spec: runner-marketplace §5.1
	RevealWindowBlocks    = 60                         // blocks; Spec: runner-marketplace §5
	CrashExemptionBlocks  = 60                         // blocks, not below the reveal window; Spec: runner-marketplace §5
	NonRevealSlashMax     = 100_000 * unit.CBY         // of one slash; Spec: runner-marketplace §8.1
	MisconductSlashBPS    = 3_000                      // of effective stake, for what a challenge proves; Spec: runner-marketplace §6.3
	CrashesReviewed       = 5                          // attested crashes in CrashReviewBlocks that nobody looks at; Spec: runner-marketplace §8.1
	CrashReviewBlocks     = 1_000                      // blocks; Spec: runner-marketplace §8.1
	RunnerHeartbeatBlocks = 100                        // blocks; Spec: runner-marketplace §4.1
	ReputationInitial     = 50                         // Spec: runner-marketplace §8
	ReputationMax         = 200                        // Spec: runner-marketplace §8
	RunnerUnbondingBlocks = 7_200                      // blocks, longer than a challenge may come; Spec: runner-marketplace §7, §10
	ProbationReputation   = 60                         // points, below which a runner takes small jobs only; Spec: runner-marketplace §8.2
	ProbationBlocks       = 3_600                      // blocks after registration, likewise; Spec: runner-marketplace §8.2
	RunnerRecordCells     = 128                        // cells of a runner's record, its key and its place in the list; Spec: WP §17.4
	CostCandidate         = 500                        // cycles for a runner looked at; Spec: runner-marketplace §13
	SeedAdvanceRounds     = 2                          // K of advance_round; Spec: runner-marketplace §4.4
	RerunLockBlocks       = 1_000                      // beyond its time-out that stakes stay for a second run of a job; ours
	CostAbility           = 1_000                      // cycles for an entry of the lists of who can do what; ours
	AbilityCells          = 86                         // cells of one: its key
	CostPatternStep       = 3                          // cycles for a step of a pattern and a byte of a result; measured, 6 ns a cycle
	CheckCycles           = 250_000                    // of an actor's check of results at most; ours
	CheckCells            = 4_000                      // likewise
	CheckResultBytes      = 16 << 10                   // of each result that an actor checks at most; ours
	CostCheckBytes        = 4                          // cycles for a byte of the results and the job that an actor checks
	CheckTries            = 3                          // questions to an actor of a check
	CheckAnswerBlocks     = 20                         // blocks between two of them
	RunnerSelectDomain    = "cowboy-runner-select-v3:" // Spec: WP §5.3
	OrphanShardTTLBlocks  = 86_400                     // blocks; Spec: WP §7.3
)

// Rent and quotas.
const (
	BaseQuotaBytes      = 1 << 20 // bytes per actor; Spec: WP §3.2, §13
	MaxQuotaBytes       = 8 << 20 // bytes per actor with a bond; Spec: WP §3.2
	RentGraceEpochs     = 7       // rent epochs; Spec: WP §13
	RentWarningEpochs   = 3       // rent epochs; Spec: WP §13
	RentAlpha           = 8       // divisor of the rate adjustment; Spec: WP "State Rent"
	RentMaxChangeBPS    = 1_250   // per rent epoch; Spec: WP "State Rent"
	RentPriceFloorUSD   = 1       // USD per MiB and year, monitoring only; Spec: WP §17.5
	RentPriceCeilingUSD = 10      // USD per MiB and year, monitoring only; Spec: WP §17.5
)

// Governance clocks. Spec: WP §11; governance-staking B3, B6, B7.
const (
	TimelockBlocks          = 7 * BlocksPerDay // standard action
	EmergencyTimelockBlocks = 6 * BlocksPerHour
	CouncilSeats            = 9
	CouncilQuorum           = 7
)

// Stake that others delegate to runners.
const (
	DelegationMinimum         = 1_000 * unit.CBY // Spec: governance-staking C3 (MIN_DELEGATION_AMOUNT)
	DelegationUnbondingBlocks = UnbondingBlocks  // blocks; Spec: governance-staking C3, part D
	DelegationCooldownBlocks  = 600              // between two changes of a runner's terms; Spec: governance-staking C3
	DelegatorsPerRunner       = 200              // Spec: governance-staking C3
	DelegationActiveTranches  = 8                // of a delegator behind one runner; Spec: governance-staking C3
	DelegationLeavingTranches = 16               // likewise, unbonding or not claimed; ours, so that a slash is bounded
	DelegationClaims          = 32               // tranches of one claim; Spec: governance-staking C3 (CLAIM_MAX)
	DelegationSlashBPS        = 500              // of delegators' stake in an epoch at most; Spec: governance-staking C3
	DelegationPayoutsPerEvent = 20               // Spec: governance-staking C3 (event batch)
	CommissionMinBPS          = 500              // Spec: governance-staking C1
	SelfBondBPS               = 1_000            // of the effective stake at least; Spec: governance-staking C2
	CostUndelegateTranche     = 5_000            // cycles; Spec: governance-staking C3 (122)
	CostClaimTranche          = 3_000            // cycles; Spec: governance-staking C3 (123)
	CostSlashTranche          = 1_000            // cycles for a tranche that a challenge slashes; measured, 6 ns a cycle
	CellsUndelegateTranche    = 128              // cells of its place in the list of what unbonds; Spec: WP §17.4
)
