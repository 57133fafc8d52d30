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
	// ErrSignature reports an attestation that is another runner's, or that the runner has not signed.
	ErrSignature = errors.New("runner: the attestation is not signed by the sender as its runner")
	// ErrStake reports a stake that does not cover what is declared.
	ErrStake = errors.New("runner: the stake does not cover max(10,000 CBY, 1.5 × the largest declared job value)")
	// ErrCooldown reports a rate card that is changed too soon.
	ErrCooldown = errors.New("runner: the rate card was changed less than its cooldown ago")
	// ErrLeaving reports a runner that has deregistered.
	ErrLeaving = errors.New("runner: the runner has deregistered and is leaving")
	// ErrSuspended reports a runner whose stake fell below the floor.
	ErrSuspended = errors.New("runner: the stake is below the floor; register again with what is missing")

	// ErrDormant reports that governance has not switched delegation on.
	ErrDormant = errors.New("runner: governance has not switched delegation on")
	// ErrTerms reports terms of delegation outside their bounds.
	ErrTerms = errors.New("runner: the terms of delegation are outside their bounds")
	// ErrTermsCooldown reports terms that are changed too soon.
	ErrTermsCooldown = errors.New("runner: the terms of delegation were changed less than 600 blocks ago")
	// ErrNotAccepted reports a runner that takes no delegated stake, or a delegation to oneself.
	ErrNotAccepted = errors.New("runner: the runner takes no delegated stake of this account")
	// ErrAmount reports an amount that is zero, below the minimum, or leaves less than the minimum, or is more than there is.
	ErrAmount = errors.New("runner: the amount is not one that can be delegated or undelegated")
	// ErrDelegationFull reports a bound on delegators, tranches or delegated stake.
	ErrDelegationFull = errors.New("runner: no more stake can be delegated to this runner, or undelegated before what has unbonded is claimed")
	// ErrSelfBond reports a runner whose own stake would be less than a tenth of the effective stake.
	ErrSelfBond = errors.New("runner: the runner's own stake would be less than a tenth of its effective stake")
	// ErrTranche reports a number of a tranche that the sender does not have, or that is in another status.
	ErrTranche = errors.New("runner: the sender has no such tranche in this status")
)
