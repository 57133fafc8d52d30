package verify

import "fmt"

// Crash is why a runner that committed itself cannot reveal.
//
// Spec: runner-marketplace §8.1.
type Crash uint8

// The signals of a crash.
const (
	OutOfMemory Crash = iota
	NetworkPartition
	HardwareFault
	AttestationLost // of a trusted environment
	OtherCrash
	crashes
)

// String names the signal.
func (c Crash) String() string {
	return [...]string{"OOM", "NetworkPartition", "HardwareFault", "TEEAttestationLost", "Other"}[c]
}

// CheckCrash gives an error of ErrConfig for a number that is no signal.
//
// Spec: runner-marketplace §8.1.
func CheckCrash(n uint64) error {
	if n >= uint64(crashes) {
		return fmt.Errorf("%w: there is no crash signal %d", ErrConfig, n)
	}
	return nil
}
