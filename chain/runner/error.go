package runner

import "errors"

// The rejects of this package. Any other error is a failing state source, or a record that is not canonical.
//
// Spec: runner-marketplace §12.
var (
	// ErrUnknown reports an address that is no runner's.
	ErrUnknown = errors.New("runner: no runner has this address")
	// ErrKey reports a public key that is not that of the sender's address, or not the one it registered.
	ErrKey = errors.New("runner: the public key is not that of the address")
	// ErrDeclaration reports a rate card or capabilities outside their bounds.
	ErrDeclaration = errors.New("runner: the declaration is outside its bounds")
	// ErrStake reports a stake that does not cover what is declared.
	ErrStake = errors.New("runner: the stake does not cover max(10,000 CBY, 1.5 × the largest declared job value)")
	// ErrCooldown reports a rate card that is changed too soon.
	ErrCooldown = errors.New("runner: the rate card was changed less than its cooldown ago")
	// ErrLeaving reports a runner that has deregistered.
	ErrLeaving = errors.New("runner: the runner has deregistered and is leaving")
	// ErrSuspended reports a runner whose stake fell below the floor.
	ErrSuspended = errors.New("runner: the stake is below the floor; register again with what is missing")
)
