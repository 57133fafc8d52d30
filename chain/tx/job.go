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
	Row{Opcode: 2, Name: "RunnerRegister", Home: account.RunnerRegistry, Lane: params.LaneUser},
	Row{Opcode: 3, Name: "UpdateRateCard", Home: account.RunnerRegistry, Lane: params.LaneUser},
	Row{Opcode: 4, Name: "Heartbeat", Home: account.RunnerRegistry, Lane: params.LaneRunner},
	Row{Opcode: 5, Name: "Deregister", Home: account.RunnerRegistry, Lane: params.LaneUser},
	Row{Opcode: 6, Name: "JobSubmit", Home: account.JobDispatcher, Lane: params.LaneUser},
	Row{Opcode: 7, Name: "JobResultSubmit", Home: account.ResultVerifier, Lane: params.LaneRunner},
	Row{Opcode: 8, Name: "JobCancel", Home: account.JobDispatcher, Lane: params.LaneUser},
	Row{Opcode: 9, Name: "JobResultCommit", Home: account.ResultVerifier, Lane: params.LaneRunner},
	governed(87, "ExecutorRegistryPin", nil),
	governed(88, "ExecutorRegistryUnpin", nil),
	governed(94, "UpdateReputationConfig", nil),
	governed(95, "UpdateAggregatorConfig", nil),
	governed(96, "UpdateSlashDistribution", nil),
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
