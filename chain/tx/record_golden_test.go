package tx

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	records := map[string][]byte{}
	for _, in := range []Instruction{
		golden.Fill(&CreateAccount{}), golden.Fill(&Transfer{}), golden.Fill(&Execute{}), golden.Fill(&Deploy{}), golden.Fill(&TimerSchedule{}),
		golden.Fill(&FundActor{}), golden.Fill(&UpgradeActor{}), golden.Fill(&UpdateBasefeeConfig{}), golden.Fill(&UpdateLaneFeeMultipliers{}),
		golden.Fill(&CancelTimer{}), golden.Fill(&UpdateTimerConfig{}), golden.Fill(&ActivateTimerMarket{}), golden.Fill(&ExtendTimer{}),
		golden.Fill(&ValidatorRegister{}), golden.Fill(&ValidatorAddStake{}), golden.Fill(&ValidatorExit{}), golden.Fill(&ValidatorWithdraw{}),
		golden.Fill(&ValidatorUnjail{}), golden.Fill(&SubmitMisbehaviour{}), golden.Fill(&SystemDkg{}), golden.Fill(&UpdateEntitlementConfig{}),
		golden.Fill(&TokenCreate{}), golden.Fill(&TokenTransfer{}), golden.Fill(&TokenTransferFrom{}), golden.Fill(&TokenApprove{}),
		golden.Fill(&TokenMint{}), golden.Fill(&TokenBurn{}), golden.Fill(&TokenFreeze{}), golden.Fill(&TokenUnfreeze{}), golden.Fill(&TokenSetHook{}),
		golden.Fill(&TokenTransferOwnership{}), golden.Fill(&TokenTransferBatch{}), golden.Fill(&TokenIncreaseAllowance{}),
		golden.Fill(&TokenDecreaseAllowance{}), golden.Fill(&TokenPermit{}),
		golden.Fill(&EntitlementGrant{Scope: grant.PoolScope("pool"), Action: grant.JoinPool("pool")}), golden.Fill(&EntitlementRevoke{}),
		golden.Fill(&EntitlementDelegate{}), golden.Fill(&AssignRole{}), golden.Fill(&RevokeRole{}),
		golden.Fill(&CreateRole{Scopes: []grant.Scope{grant.PoolScope("pool")}, Actions: []grant.Action{grant.JoinPool("pool")}}),
		golden.Fill(&SubmitProposal{}), golden.Fill(&CastVote{}), golden.Fill(&ExecuteProposal{}), golden.Fill(&WithdrawProposal{}), golden.Fill(&CouncilAct{}),
		golden.Fill(&DeployCode{}), golden.Fill(&UpgradeSystemActor{}), golden.Fill(&UpdateSettlementConfig{}),
		golden.Fill(&RunnerRegister{}), golden.Fill(&UpdateRateCard{}), golden.Fill(&Heartbeat{}), golden.Fill(&Deregister{}),
		golden.Fill(&RegisterBaseImage{}), golden.Fill(&DeregisterBaseImage{}), golden.Fill(&RegisterResourceClass{}),
		golden.Fill(&DeregisterResourceClass{}),
		golden.Fill(&IngressDispatch{}), golden.Fill(&CompleteReceipt{}), golden.Fill(&UpdateRouteManifest{}),
		golden.Fill(&ExternalDomainCallback{}),
		golden.Fill(&RegisterTeeTrustedKey{}), golden.Fill(&RevokeTeeTrustedKey{}), golden.Fill(&SubmitTeeAttestation{}), golden.Fill(&RevokeTeeAttestation{}),
		golden.Fill(&DeprecateBinding{}), golden.Fill(&VerifyCae{}), golden.Fill(&UpdateCollateral{}),
		golden.Fill(&SetSecret{}), golden.Fill(&UpdateSecretPolicy{}), golden.Fill(&DeleteSecretVersion{}), golden.Fill(&DeleteSecret{}),
		golden.Fill(&RegisterCbssProxy{}), golden.Fill(&DeregisterCbssProxy{}), golden.Fill(&RotateCommittee{}), golden.Fill(&SlashCbssProxy{}),
		golden.Fill(&SubmitReleaseReceipt{}), golden.Fill(&RequestAccountDkg{}), golden.Fill(&FinalizeSecretVersion{}),
		golden.Fill(&SubmitLivenessChallenge{}), golden.Fill(&LivenessChallengeResponse{}), golden.Fill(&ExpireDkgPending{}),
		golden.Fill(&ExpireLivenessChallenge{}), golden.Fill(&RequestReshare{}), golden.Fill(&ForcedDeregisterCbssProxy{}),
		golden.Fill(&SessionOpen{}), golden.Fill(&SessionDeposit{}), golden.Fill(&SessionSettle{}), golden.Fill(&SessionClose{}),
		golden.Fill(&SessionFinalize{}),
		golden.Fill(&UpdateReputationConfig{}), golden.Fill(&UpdateSlashDistribution{}), golden.Fill(&UpdateCommitteeConfig{}),
		golden.Fill(&JobResultCommit{}), golden.Fill(&JobResultSubmit{}), golden.Fill(&SubmitCrashAttestation{}),
		golden.Fill(&UpdateAggregatorConfig{}), golden.Fill(&UpdateNonRevealConfig{}), golden.Fill(&UpdateSimilarityModel{}),
		golden.Fill(&JobSubmit{}), golden.Fill(&JobCancel{}), golden.Fill(&ExecutorRegistryPin{}), golden.Fill(&ExecutorRegistryUnpin{}),
		golden.Fill(&RunnerUpdateDelegationConfig{}), golden.Fill(&RunnerDelegateStake{}), golden.Fill(&RunnerIncreaseDelegation{}),
		golden.Fill(&RunnerUndelegateStake{}), golden.Fill(&RunnerClaimUnbonded{}), golden.Fill(&ModelPublish{}), golden.Fill(&ModelWithdraw{}),
		golden.Fill(&ModelMark{}),
		golden.Fill(&IssueCard{}), golden.Fill(&IssueCardV2{}), golden.Fill(&Deposit{}), golden.Fill(&Withdraw{}), golden.Fill(&CloseCard{}),
		golden.Fill(&SetDefaultCard{}), golden.Fill(&SetPolicy{}), golden.Fill(&Freeze{}), golden.Fill(&Unfreeze{}), golden.Fill(&PauseBank{}),
		golden.Fill(&UnpauseBank{}), golden.Fill(&MintFromFiatVoucher{}), golden.Fill(&SettleProvider{}), golden.Fill(&RenewCard{}),
		golden.Fill(&TransferOwnership{}), golden.Fill(&RegisterBank{}), golden.Fill(&SetBankOperator{}), golden.Fill(&SetBankFiatMintSigner{}),
		golden.Fill(&UpdateRentConfig{}), golden.Fill(&SettleActorRent{}), golden.Fill(&SetActorQuota{}), golden.Fill(&RestoreActor{}), golden.Fill(&PayRent{}),
		golden.Fill(&SubmitDrainRelayProposal{}), golden.Fill(&SubmitAutoDrainPolicyProposal{}),
		golden.Fill(&RegisterTlock{}), golden.Fill(&SubmitTlockRelease{}),
	} {
		name := strings.TrimPrefix(fmt.Sprint(reflect.TypeOf(in)), "*tx.")
		records[name] = golden.Fill(&Tx{Instruction: in}).Encode()
	}
	records["PolicyActor"] = golden.Fill(&PolicyActor{}).Append(nil)
	records["PreferredProxy"] = golden.Fill(&PreferredProxy{}).Append(nil)
	records["Platform"] = golden.Fill(&Platform{}).Append(nil)
	records["Tx unsigned"] = golden.Fill(&Tx{Instruction: golden.Fill(&Transfer{})}).AppendUnsigned(nil)
	golden.Records(t, records)
}
