package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// Costs of the secret service, in cycles: those of the secrets whitepaper, which count pairings. The documents price no expiry of a challenge and no request
// for a resharing: they take what the like of them takes.
//
// Spec: secrets-cbss §7.
const (
	CostSecretSet         unit.Cycles = 200_000
	CostSecretOverride    unit.Cycles = 150_000 // on top, for a committee of its own
	CostSecretFinalize    unit.Cycles = 250_000
	CostSecretPolicy      unit.Cycles = 80_000
	CostSecretDelete      unit.Cycles = 60_000
	CostSecretDeleteEach  unit.Cycles = 20_000 // per version, where all are deleted
	CostProxyRegister     unit.Cycles = 150_000
	CostProxyDeregister   unit.Cycles = 80_000
	CostCommitteeRotate   unit.Cycles = 1_200_000
	CostCommitteeSigner   unit.Cycles = 80_000 // per signature
	CostProxySlash        unit.Cycles = 800_000
	CostReleaseReceipt    unit.Cycles = 600_000
	CostDkgRequest        unit.Cycles = 200_000
	CostDkgExpire         unit.Cycles = 100_000
	CostLivenessChallenge unit.Cycles = 250_000
	CostLivenessResponse  unit.Cycles = 180_000
	CostDebtPayment       unit.Cycles = 2_000 // of a delinquent account, to one proxy
)

// What the records of the secret service take, with their keys and their places in queues, beside what an instruction brings.
//
// Spec: WP §17.4.
const (
	SecretRecordCells    unit.Cells = 256 // a version with its secret's record
	ProxyRecordCells     unit.Cells = 256
	CommitteeRecordCells unit.Cells = 1_024 // a request for a committee, which is written again with its members; and their memberships
	ReceiptRecordCells   unit.Cells = 384   // a receipt with its place in its release; and what the actor owes
	ChallengeRecordCells unit.Cells = 256
	LockRecordCells      unit.Cells = 2_048 // a time lock, which has up to fifteen partials, with its places in queues
)
