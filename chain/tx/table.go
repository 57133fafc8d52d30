package tx

import "github.com/cowboyinc/cowboy-go/chain/params"

// Entry is a line of the instruction table: what an opcode is called, which
// chapter of the specification it belongs to, the lane it travels in, and
// whether this build can decode it.
type Entry struct {
	Opcode  Opcode
	Name    string
	Chapter string
	Lane    params.Lane
	Built   bool
}

// Lookup finds the line of an opcode.
func Lookup(op Opcode) (Entry, bool) {
	for _, e := range Table() {
		if e.Opcode == op {
			return e, true
		}
	}
	return Entry{}, false
}

// Table lists every opcode the specification allocates, in ascending order. The
// caller owns the slice. A line that is not Built is a gap: a transaction with
// its opcode is refused with Unsupported.
// Spec: runner-marketplace §3 (full allocation).
func Table() []Entry {
	var t []Entry
	add := func(chapter string, lane params.Lane, built bool, first uint8, names ...string) {
		for i, name := range names {
			t = append(t, Entry{Op(System, first+uint8(i)), name, chapter, lane, built})
		}
	}
	const (
		user, runner, system = params.LaneUser, params.LaneRunner, params.LaneSystem
	)
	add("account", user, true, 0, "CreateAccount")
	add("transfer", user, true, 1, "Transfer")
	add("job", user, false, 2, "RunnerRegister", "UpdateRateCard")
	add("job", runner, false, 4, "Heartbeat")
	add("job", user, false, 5, "Deregister", "JobSubmit")
	add("job", runner, false, 7, "JobResultSubmit")
	add("job", user, false, 8, "JobCancel")
	add("job", runner, false, 9, "JobResultCommit")
	add("token", user, false, 10, "TokenCreate", "TokenTransfer", "TokenTransferFrom", "TokenApprove", "TokenMint",
		"TokenBurn", "TokenFreeze", "TokenUnfreeze", "TokenSetHook", "TokenTransferOwnership", "TokenTransferBatch",
		"TokenIncreaseAllowance", "TokenDecreaseAllowance", "TokenPermit")
	add("entitle", user, false, 30, "EntitlementGrant", "EntitlementRevoke", "EntitlementDelegate", "CreateRole",
		"AssignRole", "RevokeRole")
	add("govern", system, false, 40, "UpdateSettlementConfig")
	add("actor", user, true, 41, "FundActor")
	add("secret", user, false, 42, "KeyDelivery")
	add("actor", user, true, 43, "UpgradeActor")
	add("govern", system, true, 44, "UpdateBasefeeConfig")
	add("govern", user, false, 45, "SubmitProposal", "CastVote", "ExecuteProposal")
	add("timer", system, true, 48, "CancelTimer", "UpdateTimerConfig", "ExtendTimer")
	add("govern", system, false, 51, "DeployCode")
	add("session", user, false, 52, "SessionOpen", "SessionDeposit", "SessionSettle", "SessionClose",
		"SessionFinalize", "SessionSlash")
	add("tee", system, false, 60, "RegisterTeeTrustedKey", "RevokeTeeTrustedKey")
	add("tee", runner, false, 62, "SubmitTeeAttestation", "RevokeTeeAttestation")
	add("gateway", user, false, 65, "IngressDispatch", "CompleteReceipt", "ExternalDomainCallback")
	add("secret", user, false, 68, "SetSecret", "UpdateSecretPolicy", "DeleteSecretVersion", "DeleteSecret",
		"RegisterCbssProxy", "DeregisterCbssProxy", "RotateCommittee", "SlashCbssProxy", "SubmitReleaseReceipt",
		"RequestAccountDkg", "FinalizeSecretVersion", "SubmitLivenessChallenge", "LivenessChallengeResponse",
		"ExpireDkgPending", "ExpireLivenessChallenge", "RequestReshare")
	add("secret", system, false, 84, "ForcedDeregisterCbssProxy")
	add("relay", user, false, 85, "SubmitDrainRelayProposal", "SubmitAutoDrainPolicyProposal")
	add("job", system, false, 87, "ExecutorRegistryPin", "ExecutorRegistryUnpin")
	add("govern", system, true, 89, "UpdateLaneFeeMultipliers")
	add("rent", system, false, 90, "UpdateRentConfig")
	add("rent", user, false, 91, "SettleActorRent", "SetActorQuota", "RestoreActor")
	add("job", system, false, 94, "UpdateReputationConfig", "UpdateAggregatorConfig", "UpdateSlashDistribution")
	add("job", runner, false, 97, "SubmitCrashAttestation")
	add("job", system, false, 98, "UpdateNonRevealConfig", "UpdateCommitteeConfig", "UpdateSimilarityModel")
	add("route", user, false, 102, "UpdateRouteManifest")
	add("timer", system, true, 103, "ActivateTimerMarket")
	add("govern", system, false, 104, "GovernanceReserved104", "GovernanceReserved105", "GovernanceReserved106")
	add("govern", system, true, 107, "UpdateEntitlementConfig")
	add("job", user, false, 119, "RunnerUpdateDelegationConfig", "RunnerDelegateStake", "RunnerIncreaseDelegation",
		"RunnerUndelegateStake", "RunnerClaimUnbonded")
	add("tee", system, false, 124, "DeprecateBinding", "VerifyCae", "UpdateCollateral")
	add("secret", user, false, 152, "RegisterTlock", "SubmitTlockRelease")
	add("stake", system, true, 158, "SystemDkg")
	add("container", system, false, 160, "ContainerRegistry160", "ContainerRegistry161", "ContainerRegistry162",
		"ContainerRegistry163", "ContainerRegistry164")
	add("stake", system, true, 170, "ValidatorRegister", "ValidatorAddStake", "ValidatorExit", "ValidatorWithdraw",
		"ValidatorUnjail", "SubmitMisbehaviour")
	add("bank", user, false, 200, "IssueCard", "Deposit", "Withdraw", "CloseCard", "SetDefaultCard", "SetPolicy",
		"Freeze", "Unfreeze", "PauseBank", "UnpauseBank", "MintFromFiatVoucher", "SettleProvider", "IssueCardV2")
	add("bank", system, false, 216, "RegisterBank")
	return append(t,
		Entry{OpDeploy, "Deploy", "actor", user, true},
		Entry{OpExecute, "Execute", "actor", user, true},
		Entry{OpTimerSchedule, "TimerSchedule", "timer", user, true},
	)
}
