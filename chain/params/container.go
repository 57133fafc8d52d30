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
