package params

import "github.com/cowboyinc/cowboy-go/chain/unit"

// Intrinsic costs, paid before execution begins. Spec: WP §17.2.
const (
	IntrinsicTransferCycles      unit.Cycles = 21_000
	IntrinsicDeployCycles        unit.Cycles = 100_000 // cells: the size of the code
	IntrinsicActorMessageCycles  unit.Cycles = 21_000  // cells: the size of the calldata
	IntrinsicLlmRequestCycles    unit.Cycles = 10_000  // cells: the size of the prompt
	IntrinsicTimerScheduleCycles unit.Cycles = 5_000
	IntrinsicTimerScheduleCells  unit.Cells  = 64
	// IntrinsicSystemCycles is the base of every instruction §17.2 does not list.
	IntrinsicSystemCycles unit.Cycles = 21_000
	// IntrinsicCreateAccountCells are the bytes of an account's key and of its record.
	IntrinsicCreateAccountCells unit.Cells = 64
	// IntrinsicSignerCycles is paid for each additional signer: one secp256k1
	// verification. Spec: WP §3.5.
	IntrinsicSignerCycles = CostVerifySecp256k1
	// IntrinsicSignerCells is paid for each additional signer: the bytes it adds,
	// 20 + 65. Spec: WP §17.4 (calldata).
	IntrinsicSignerCells unit.Cells = 85
)

// Host calls, in cycles. Spec: WP §3.5, §17.3.
const (
	CostSendMessage   unit.Cycles = 80  // per message, payload extra
	CostTimer         unit.Cycles = 200 // set, cancel or extend
	CostBlobPerKiB    unit.Cycles = 40
	CostStorageRead   unit.Cycles = 100 // Spec: WP §17.3 (over CIP-3's 10)
	CostStorageWrite  unit.Cycles = 200 // Spec: WP §17.3 (over CIP-3's 50)
	CostStorageDelete unit.Cycles = 200 // Spec: sdk §8
	CostStorageScan   unit.Cycles = 100 // per returned pair, and once for a scan; Spec: sdk §8
	CostStoragePassed unit.Cycles = 25  // per pair that a scan passes, because the block has removed it
	CostCompile       unit.Cycles = 150 // per byte of a source that is deployed, spawned or put in another's place; execution, beside WP §17.2's base cost
	CostBlockInfo     unit.Cycles = 100
	// CostDelivery is what handing a message, a timer's fire or a deferred call to its handler takes before the handler runs: the keys that go, the
	// escrow that pays, the receipt. Nothing published prices it. As much as WP §17.2 takes for scheduling a timer, which writes the same keys.
	CostDelivery unit.Cycles = 5_000
	// DeliveryBytesPerCycle is how many bytes of a payload are read from state, hashed and handed over for one cycle more.
	DeliveryBytesPerCycle = 16
	// The digest of the SDK leaves these open (sdk §25): a frame of its own for a synchronous call, the look at a job on top of the message that carries
	// it, an exception of the host with its texts.
	CostActorCall    unit.Cycles = 1_000
	CostJob          unit.Cycles = 3_600
	CostHostError    unit.Cycles = 200
	CostEvent        unit.Cycles = 500
	CostEventPerByte unit.Cycles = 5
)

// Cryptography, in cycles. Spec: WP §3.5, §17.3.
const (
	CostVerifyBLS        unit.Cycles = 8_000
	CostDecodeBLSKey     unit.Cycles = 1_200 // a compressed key found on the curve and in its group: the part of CostVerifyBLS that its time is
	CostVerifyEd25519    unit.Cycles = 5_000
	CostVerifySecp256k1  unit.Cycles = 10_000  // Spec: WP §3.5 (over CIP-3's 3,000)
	CostVerifyP256       unit.Cycles = 15_000  // Spec: tee §7 (recommended)
	CostVerifyP384       unit.Cycles = 160_000 // of the same curve arithmetic without assembly: eleven times the time of P-256
	CostVerifyCAE        unit.Cycles = 200_000 // Spec: tee §7
	CostCollateral       unit.Cycles = 5_000   // Spec: tee §7 (an update of roots)
	CostJudgedByte       unit.Cycles = 40      // per byte of a result that is revealed: reading it for the job's checks when it is judged
	CostSHA256Base       unit.Cycles = 500
	CostSHA256PerBlock   unit.Cycles = 8 // per 64 bytes begun
	SHA256BlockBytes                 = 64
	CostKeccak256PerWord unit.Cycles = 6 // per 32 bytes begun
	KeccakWordBytes                  = 32
	CostRandomness       unit.Cycles = 1_000
)

// Signatures that actors check, by weight, of about 50 µs each. Their prices are published; a pairing takes more than a millisecond for 8,000 cycles,
// so that a block full of them would take seconds. A block therefore checks a weight of at most VerifyWeightPerBlock, a quarter of a second of one
// core, and refuses more.
const (
	VerifyWeightPerBlock  = 5_120
	VerifyWeightEd25519   = 2
	VerifyWeightSecp256k1 = 1
	VerifyWeightBLS       = 25
)

// HashedPerBlock is how many bytes the host hashes for the actors of a block: with Keccak-256, of messages whose signatures are checked, and of blobs.
// Their prices are published; a block full of them would take 1.8 seconds on a machine that runs CPython 3.11's fib(27) in 60 ms. This many take at most
// 0.3.
const HashedPerBlock = 64 << 20

// SendsPerBlock is how many messages, deferred calls and timers the actors of a block may put into state, extend or cancel, whether their turns end well or
// not. Each moves several keys of the authenticated tree, some 10 µs, for a published price of 80 or 200 cycles, so that a block full of them would take
// seconds. It is what a phase may deliver, and two to four tenths of a second of one core.
const SendsPerBlock = 16_384

// Programs are loaded at no published price but their own top level, and a node that has not compiled one before needs time for it: about a microsecond for
// each unit of weight (pvm.Program.Weight), of which a program has at most 229,376. So a turn that has loaded programs of FreshPerTurn which nobody loaded
// in the block before it is refused further ones, and once messages, timers and deferred calls have loaded FreshPerBlock, a phase runs one turn and leaves
// the others to the next block.
const (
	FreshPerTurn  = 1 << 16
	FreshPerBlock = 1 << 18
)

// Cells are paid for, and their price rises with their use, but no document bounds those of a block, and each stands for a byte that is written, hashed
// and kept. A transaction's limit of cells therefore has to fit what BlockCells leaves beside the cells that the block has used before it, as its limit
// of cycles has to fit its lane; and once a block has used InjectedCells, a phase of messages, timers or deferred calls runs one turn and leaves the
// others to the next block.
const (
	BlockCells    = 4 * MaxTxCells
	InjectedCells = BlockCells / 2
)

// Python primitives the whitepaper prices. Spec: WP §3.5; CIP-3 §2.2.
const (
	CostArithmetic       unit.Cycles = 1
	CostCall             unit.Cycles = 10
	CostDict             unit.Cycles = 3 // get or set
	CostList             unit.Cycles = 2 // append or access
	CostStringPerChar    unit.Cycles = 1
	CostIntegerPerWord   unit.Cycles = 1 // per 64 bits of the longer operand
	CostEncodeBase       unit.Cycles = 10
	CostEncodePerByte    unit.Cycles = 1
	CostSerializeBase    unit.Cycles = 20
	CostSerializePerByte unit.Cycles = 1
	CostImportFirst      unit.Cycles = 100
	CostImportAgain      unit.Cycles = 5
	CostImportRefused    unit.Cycles = 50
)

// On-chain data, in cells. Spec: WP §17.4.
const (
	CellsPerByteWritten              = 1
	CellsPerByteCalldata             = 1
	CellsPerByteReturned             = 1   // Spec: CIP-3 §2.2
	StateReadBytesPerCell            = 100 // 0.01 cells per byte
	EventBytesPerCell                = 2   // 0.5 cells per byte
	BlobReferenceCells    unit.Cells = 64  // Spec: WP §17.6
)

// Platform tokens. Spec: WP §17.3; tokens §3.
const (
	CostTokenTransfer      unit.Cycles = 1_000
	CellsTokenTransfer     unit.Cells  = 64
	CostTokenTransferFrom  unit.Cycles = 1_500
	CellsTokenTransferFrom unit.Cells  = 96
	CostTokenApprove       unit.Cycles = 500
	CellsTokenApprove      unit.Cells  = 32
	CostTokenBalance       unit.Cycles = 100
	CostTokenInfo          unit.Cycles = 200
	CostTokenMint          unit.Cycles = 1_000
	CellsTokenMint         unit.Cells  = 64
	CostTokenBurn          unit.Cycles = 500
	CellsTokenBurn         unit.Cells  = 64
	CostTokenCreate        unit.Cycles = 10_000
	CellsTokenCreate       unit.Cells  = 256 // and the bytes of name and symbol
	CostTokenBatchBase     unit.Cycles = 500
	CostTokenBatchPerLeg   unit.Cycles = 500
	CostTokenAdmin         unit.Cycles = 500 // freeze, hook, ownership
	CellsTokenAdmin        unit.Cells  = 32
	TokenHookCycles        unit.Cycles = 50_000
	TokenHookCells         unit.Cells  = 50_000
	TokenNameBytes                     = 64
	TokenSymbolBytes                   = 16
	TokenURIBytes                      = 256 // of metadata_uri
	TokenMaxDecimals                   = 18
	TokenBatchLegs                     = 256                                       // transfers of one batch
	TokenMaxSupply                     = 1_000_000_000_000_000_000_000_000_000_000 // 10^30; Spec: tokens §2
)
