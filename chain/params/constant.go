package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// Time and blocks.
const (
	BlockTimeMs     = 1_000      // milliseconds, target and minimum interval; Spec: WP §6.1, §13
	BlocksPerHour   = 3_600      // blocks at the target interval
	BlocksPerDay    = 86_400     // blocks at the target interval
	BlocksPerYear   = 31_536_000 // blocks at the target interval, 365 days
	EpochBlocks     = 3_600      // blocks; Spec: WP "Validator Set", §13
	ProtocolVersion = 1          // header version of this protocol
)

// Transactions and blocks.
const (
	MaxTxBytes                    = 128 << 10      // bytes, hard cap of a decoder; Spec: WP §12.1 (max_tx_size)
	MaxTxCycles                   = LaneUserCycles // cycles_limit of a User lane transaction; fits an empty block; Spec: WP §2.2 (a), §17.9
	MaxTxCells         unit.Cells = 16_000_000     // cells_limit; four times the target, as for cycles; Spec: WP §2.2 (a), §4.3
	MaxBlockTxs                   = 1_000          // transactions per block; Spec: node-rpc-cli §3
	MaxBlockBytes                 = 4 << 20        // bytes of an encoded block
	MaxSubmissionTxs              = 50             // transactions per submission; Spec: node-rpc-cli §3
	MaxHandlerBytes               = 256            // bytes of a handler name; Spec: scheduler-timers §3
	MaxCodeBytes                  = 512 << 10      // bytes of canonical source; Spec: governance-staking B8
	MaxSaltBytes                  = 32             // bytes; Spec: sdk §3.8
	MaxInlineBlobBytes            = 64 << 10       // bytes per output; Spec: WP §7.1
	MaxReturnBytes                = 64 << 10       // bytes of on-chain return data; Spec: WP §5.4
	MaxManifestBytes              = 64 << 10       // bytes of an entitlement manifest
)

// Execution.
const (
	MemoryPerCallBytes   = 10 << 20  // bytes of heap per call; Spec: WP §3.2, §13
	ScratchBytes         = 256 << 10 // bytes of /tmp per invocation; Spec: WP §3.1
	ReentrancyDepth      = 32        // nested calls; Spec: WP §3.3, §13
	RecursionDepth       = 256       // Python frames; Spec: WP "Determinism Guarantees"
	FanoutPerTx          = 1_024     // messages and timers enqueued per transaction; Spec: WP §3.3, §13
	MailboxBytes         = 1_000_000 // bytes waiting per actor; Spec: WP §3.3, §13
	DedupWindowBlocks    = 10_000    // blocks after finality; Spec: WP §3.3, §13
	MaxIntegerBits       = 4_096     // bits of a Python integer; Spec: CIP-3 §2.2
	MaxStateKeyBytes     = 256       // bytes of a state key; Spec: commonware §5.10
	MaxStorageValueBytes = 64 << 10  // bytes of one storage value; Spec: WP §7.1; commonware §5.10
	MaxEventTopicBytes   = 256       // bytes of an event name
	MaxEventDataBytes    = 64 << 10  // bytes of event data; Spec: WP §7.1
)

// Deferred transactions. Spec: scheduler-timers §10.
const (
	MaxDeferredPerActor  = 64     // pending per actor
	DeferredMaxAgeBlocks = 1_000  // blocks, then dropped
	MaxDeferredList      = 16_384 // entries per block
)

// Timers. Spec: WP §5.1a, §5.1b; scheduler-timers §5–6.
const (
	TimerIDBytes                        = 32        // bytes
	TimerPayloadMaxBytes                = 1 << 20   // bytes; Spec: scheduler-timers §3
	TimerMaxCarryForward                = 256       // skips before the dead letter
	TimerGCCyclesPerRemoval unit.Cycles = 1_000     // cycles per expired or unfunded timer: five keys leave; Spec: scheduler-timers §6.5
	TimerHybridNever                    = 1<<64 - 1 // activation height "never"; Spec: scheduler-timers §1
	MaxCyclesPerFireAuction unit.Cycles = 250_000   // cycles, hybrid phase; Spec: WP §5.1b
	FairnessWindowBlocks                = 1_000     // blocks, hybrid phase; Spec: WP §5.1b
	TimerLaneTargetBPS                  = 5_000     // of the lane, hybrid phase; Spec: WP §5.1b
	TimerLaneMaxChangeBPS               = 1_250     // per block, hybrid phase; Spec: WP §5.1b
	DefaultGBAFeeMultiple               = 2         // times the lane basefee, hybrid phase; Spec: WP §5.1b
	TipEconomyBPS                       = 8_000     // of the priority fee, hybrid phase; Spec: WP §5.1b
	TipStandardBPS                      = 10_000    // of the priority fee, hybrid phase; Spec: WP §5.1b
	TipFastBPS                          = 15_000    // of the priority fee, hybrid phase; Spec: WP §5.1b
	TipUrgentBPS                        = 25_000    // of the priority fee, hybrid phase; Spec: WP §5.1b
)

// Fees.
const (
	MinBasefee     = 10_000    // base units per cycle and per cell; Spec: WP §4.2, §17.8
	MultiplierOne  = 1_000_000 // a lane fee multiplier of 1.0 in parts per million; Spec: governance-staking B9
	BasisPoints    = 10_000    // one, in basis points
	BasefeeBurnBPS = 10_000    // share of basefees burned; Spec: WP §4.2, §8.4
	TipProposerBPS = 10_000    // share of tips that goes to the proposer; Spec: WP §8.4
)

// Consensus and staking.
const (
	UnbondingBlocks       = 604_800 // blocks, 7 days; Spec: WP §13
	JailBlocks            = 86_400  // blocks, 24 h; Spec: WP §13
	DoubleSignSlashBPS    = 100     // of stake; Spec: WP §13
	DowntimeWindowBlocks  = 1_000   // blocks; Spec: WP "Slashing"
	DowntimeMissedBPS     = 5_000   // of votes, strictly more; Spec: WP "Slashing"
	AttendanceBlocks      = 32      // after a block, that may report who took part in its view
	MaxLateVotesBytes     = 3 << 10 // bytes of a header's late votes: 26 entries in a set of at most 64, 8 in the largest that is counted
	MaxJailDoublings      = 12      // of the jail period; Spec: governance-staking A1 (grows exponentially)
	SetFreezeBlock        = 1_800   // of an epoch: closes the list for the next one; Spec: commonware §4.3 (midpoint)
	MaxValidators         = 8_192   // in one set, the largest stakes; far above what the minimum stake leaves room for
	MaxEvidenceBytes      = 5 << 10 // bytes of evidence of misbehaviour: the longest header and a kilobyte
	MaxUnbondings         = 16      // withdrawals of one validator under way
	FinalityBlocks        = 2       // blocks, expected; Spec: WP §6.1
	SeedSuffix            = "_SEED" // namespaces of signed bytes; Spec: commonware §2.3
	NotarizeSuffix        = "_NOTARIZE"
	NullifySuffix         = "_NULLIFY"
	FinalizeSuffix        = "_FINALIZE"
	VRFSuffix             = "_VRF"
	HighestQCSuffix       = "_HIGHQC"
	PossessionSuffix      = "_POP"
	DealSuffix            = "_DEAL"
	AccuseSuffix          = "_ACCUSE"
	NamespaceBase         = "cowboy-"         // followed by the decimal chain id; Spec: commonware §2.3
	MinimumValidatorStake = 50_000 * unit.CBY // genesis default; Spec: governance-staking A1
)

// Chain identities. Spec: node-rpc-cli §2.5, §6.
const (
	ChainIDLocal uint64 = 1   // own node
	ChainIDDev   uint64 = 100 // public development network
)
