package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// Genesis is the parameters of height 0.
// Spec: WP §5.1a, §13, §13.1.
func Genesis() *Params {
	return &Params{
		Basefee: BasefeeConfig{
			CycleTarget:       20_000_000,
			CellTarget:        4_000_000,
			Alpha:             96,
			ChangeDenominator: 96,
		},
		Lanes: LaneMultipliers{MultiplierOne, MultiplierOne, MultiplierOne, MultiplierOne},
		Timer: TimerConfig{
			MaxTTLBlocks:      30 * BlocksPerDay,
			MaxCyclesPerFire:  550_000,
			MaxCellsPerFire:   550_000,
			MaxTimersPerActor: 1_024,
			GCCyclesPerBlock:  5_000_000,
		},
		Hybrid: HybridConfig{
			ActivationHeight: TimerHybridNever,
			MaxCyclesPerFire: MaxCyclesPerFireAuction,
		},
		Rent: RentConfig{
			RatePerByteYear:  unit.CBY / 1_000,
			EpochBlocks:      BlocksPerDay,
			GraceBytes:       10_240,
			EvictionEpochs:   RentGraceEpochs + RentWarningEpochs,
			CatchupBPS:       1_000,
			ReserveBPS:       1_000,
			TargetStateBytes: 0,
			BondPerByte:      unit.CBY / 1_000,
		},
		Limits: LimitConfig{
			MaxTxBytes:             MaxTxBytes,
			MaxMessageDepth:        32,
			PerActorPerBlockCycles: 1_000_000,
			BaseQuotaBytes:         BaseQuotaBytes,
		},
		Stake:             StakeConfig{MinimumValidatorStake},
		Settlement:        Split{RunnerBPS: 8_900, BurnBPS: 1_000, TreasuryBPS: 100},
		SlashDistribution: SlashSplit{BurnBPS: 10_000},
		Reputation:        ReputationConfig{HalfLifeBlocks: 1_209_600, AggregatorPercentile: 50},
		Aggregator:        AggregatorConfig{BonusBPS: 150},
		NonReveal:         NonRevealConfig{SlashBPS: 2_500},
		Committee:         CommitteeConfig{Members: 5, Threshold: 3},
		SimilarityModel:   "sentence-transformers/all-mpnet-base-v2",
		Entitlements:      EntitlementConfig{WindowBlocks: 604_800},
		Governance:        genesisGovernance(),
	}
}

// GenesisBasefees are the prices of the first block: the floor.
// Spec: WP §4.2, §17.8.
func GenesisBasefees() Basefees { return Basefees{Cycle: MinBasefee, Cell: MinBasefee} }
