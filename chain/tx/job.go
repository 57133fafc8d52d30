package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
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
	Row{Opcode: 6, Name: "JobSubmit", Home: account.JobDispatcher, Lane: params.LaneUser},
	Row{Opcode: 7, Name: "JobResultSubmit", Home: account.ResultVerifier, Lane: params.LaneRunner},
	Row{Opcode: 8, Name: "JobCancel", Home: account.JobDispatcher, Lane: params.LaneUser},
	Row{Opcode: 9, Name: "JobResultCommit", Home: account.ResultVerifier, Lane: params.LaneRunner},
	governed(87, "ExecutorRegistryPin", nil),
	governed(88, "ExecutorRegistryUnpin", nil),
	governed(OpUpdateReputationConfig, "UpdateReputationConfig", func() Instruction { return new(UpdateReputationConfig) }),
	governed(95, "UpdateAggregatorConfig", nil),
	governed(OpUpdateSlashDistribution, "UpdateSlashDistribution", func() Instruction { return new(UpdateSlashDistribution) }),
	Row{Opcode: 97, Name: "SubmitCrashAttestation", Home: account.ResultVerifier, Lane: params.LaneRunner},
	governed(98, "UpdateNonRevealConfig", nil),
	governed(99, "UpdateCommitteeConfig", nil),
	governed(100, "UpdateSimilarityModel", nil),
	Row{Opcode: 119, Name: "RunnerUpdateDelegationConfig", Home: account.RunnerRegistry, Lane: params.LaneUser},
	Row{Opcode: 120, Name: "RunnerDelegateStake", Home: account.RunnerRegistry, Lane: params.LaneUser},
	Row{Opcode: 121, Name: "RunnerIncreaseDelegation", Home: account.RunnerRegistry, Lane: params.LaneUser},
	Row{Opcode: 122, Name: "RunnerUndelegateStake", Home: account.RunnerRegistry, Lane: params.LaneUser},
	Row{Opcode: 123, Name: "RunnerClaimUnbonded", Home: account.RunnerRegistry, Lane: params.LaneUser},
)
