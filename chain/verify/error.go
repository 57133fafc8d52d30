package verify

import (
	"errors"
	"fmt"
)

// The rejects of this package: what is wrong with a commitment or a reveal, and with what a job asks of the verifier.
//
// Spec: runner-marketplace §2.3, §2.4, §12.
var (
	// ErrMismatch reports a reveal that is not what was committed (reveal mismatch).
	ErrMismatch = errors.New("verify: the output and salt are not what was committed")
	// ErrSignature reports a signature that is not the runner's over this output of this job (invalid runner signature).
	ErrSignature = errors.New("verify: the signature is not the runner's over this output of this job")
	// ErrOutput reports bytes that are no output.
	ErrOutput = errors.New("verify: not an output of a runner")
	// ErrConfig reports a job whose results nobody could verify (InvalidConfig). The wrapped text names the part.
	ErrConfig = errors.New("verify: results cannot be verified as the job asks")
)

// Why the results of a job are not accepted. They are outcomes, which a verdict carries, and no rejects.
//
// Spec: runner-marketplace §12.
var (
	ErrInsufficient     = errors.New("InsufficientResults")
	ErrThreshold        = errors.New("ThresholdNotMet")
	ErrNoConsensus      = errors.New("NoConsensus")
	ErrNonDeterministic = errors.New("NonDeterministic")
	ErrSchema           = errors.New("SchemaMismatch")
	ErrField            = errors.New("FieldMismatch")
	ErrTolerance        = errors.New("ToleranceExceeded")
)

func config(part, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrConfig, part, fmt.Sprintf(format, args...))
}
