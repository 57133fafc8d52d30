package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Runners register at 0x01; jobs are dispatched at 0x02; results are committed, revealed and excused at 0x03; parameters and pinned executors live at
// 0x09.
//
// Spec: WP §9; runner-marketplace §3; governance-staking B10.
var jobRows = chapter(ChapterJob,
	registry(OpRunnerRegister, "RunnerRegister", params.LaneUser, params.CostVerifySecp256k1, func() Instruction { return new(RunnerRegister) }),
	registry(OpUpdateRateCard, "UpdateRateCard", params.LaneUser, 0, func() Instruction { return new(UpdateRateCard) }),
	registry(OpHeartbeat, "Heartbeat", params.LaneRunner, 0, func() Instruction { return new(Heartbeat) }),
	registry(OpDeregister, "Deregister", params.LaneUser, params.CostDelivery, func() Instruction { return new(Deregister) }),
	submission,
	verdict(OpJobResultSubmit, "JobResultSubmit", params.CostVerifySecp256k1, func() Instruction { return new(JobResultSubmit) }),
	cancellation,
	verdict(OpJobResultCommit, "JobResultCommit", 0, func() Instruction { return new(JobResultCommit) }),
	governed(OpExecutorRegistryPin, "ExecutorRegistryPin", func() Instruction { return new(ExecutorRegistryPin) }),
	governed(OpExecutorRegistryUnpin, "ExecutorRegistryUnpin", func() Instruction { return new(ExecutorRegistryUnpin) }),
	governed(OpUpdateReputationConfig, "UpdateReputationConfig", func() Instruction { return new(UpdateReputationConfig) }),
	governed(OpUpdateAggregatorConfig, "UpdateAggregatorConfig", func() Instruction { return new(UpdateAggregatorConfig) }),
	governed(OpUpdateSlashDistribution, "UpdateSlashDistribution", func() Instruction { return new(UpdateSlashDistribution) }),
	verdict(OpSubmitCrashAttestation, "SubmitCrashAttestation", 0, func() Instruction { return new(SubmitCrashAttestation) }),
	governed(OpUpdateNonRevealConfig, "UpdateNonRevealConfig", func() Instruction { return new(UpdateNonRevealConfig) }),
	governed(OpUpdateCommitteeConfig, "UpdateCommitteeConfig", func() Instruction { return new(UpdateCommitteeConfig) }),
	governed(OpUpdateSimilarityModel, "UpdateSimilarityModel", func() Instruction { return new(UpdateSimilarityModel) }),
	delegation(OpRunnerUpdateDelegationConfig, "RunnerUpdateDelegationConfig", Cost{15_000, 500},
		func() Instruction { return new(RunnerUpdateDelegationConfig) }),
	delegation(OpRunnerDelegateStake, "RunnerDelegateStake", Cost{25_000, 2_000}, func() Instruction { return new(RunnerDelegateStake) }),
	delegation(OpRunnerIncreaseDelegation, "RunnerIncreaseDelegation", Cost{20_000, 1_500}, func() Instruction { return new(RunnerIncreaseDelegation) }),
	delegation(OpRunnerUndelegateStake, "RunnerUndelegateStake", Cost{Cycles: 20_000}, func() Instruction { return new(RunnerUndelegateStake) }),
	delegation(OpRunnerClaimUnbonded, "RunnerClaimUnbonded", Cost{Cycles: 10_000}, func() Instruction { return new(RunnerClaimUnbonded) }),
	models(OpModelPublish, "ModelPublish", 256, func() Instruction { return new(ModelPublish) }),
	models(OpModelWithdraw, "ModelWithdraw", 0, func() Instruction { return new(ModelWithdraw) }),
	governed(OpModelMark, "ModelMark", func() Instruction { return new(ModelMark) }),
)
