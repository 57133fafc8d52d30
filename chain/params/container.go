package params

// The most that a container job may have.
//
// Spec: runner-marketplace §2.9.
const (
	ContainerCPUMilli   = 16_000 // thousandths of a core
	ContainerMemoryMiB  = 64 << 10
	ContainerScratchMiB = 200 << 10
	ContainerSeconds    = 7_200
	ContainerGPUs       = 8
	ContainerImageBytes = 10 << 30
	ContainerVRAMMiB    = 1 << 20 // of a GPU; a bound of ours
)

// AttestationRecordCells is what the record of an attestation takes, with its place in the queue and the keys of both.
//
// Spec: WP §17.4; tee §2.1.
const AttestationRecordCells = 240

// What a composite attestation takes in state beside its calldata: the 64 bytes of the text, and its record, its nonce and their places in the queue with the
// keys of all; and what an update of collateral takes.
//
// Spec: WP §17.4; tee §7.
const (
	CompositeRecordCells  = 64 + 512
	CollateralRecordCells = 500
)
