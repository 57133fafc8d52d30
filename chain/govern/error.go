package govern

import "errors"

// The rejects of this package. Any other error is a failing state source, or a record that is not canonical.
var (
	// ErrPayload reports a payload that is malformed, not built, or not valid in the present state; the text says which.
	ErrPayload = errors.New("govern: payload")
	// ErrTier reports a tier nobody has, or one below what the payload requires.
	ErrTier = errors.New("govern: tier")
	// ErrFast reports a fast-track of a proposal that is not of tier 3.
	ErrFast = errors.New("govern: only proposals of tier 3 can be fast-tracked")
	// ErrDeposit reports a deposit that is not the tier's.
	ErrDeposit = errors.New("govern: deposit")
	// ErrOpen reports that as many proposals are open as may be.
	ErrOpen = errors.New("govern: too many proposals are open")
	// ErrNoProposal reports a number no proposal has.
	ErrNoProposal = errors.New("govern: no such proposal")
	// ErrStatus reports an act that the proposal's status does not allow.
	ErrStatus = errors.New("govern: not in this status")
	// ErrClosed reports a vote after the deadline.
	ErrClosed = errors.New("govern: the window is over")
	// ErrLate reports a change of a vote in the last epoch of its window.
	ErrLate = errors.New("govern: votes cannot be changed in the last epoch of the window")
	// ErrSame reports a vote that was cast so already.
	ErrSame = errors.New("govern: the vote was cast so already")
	// ErrWeight reports a voter without weight at the snapshot.
	ErrWeight = errors.New("govern: the voter had neither stake nor an active validator at the snapshot")
	// ErrChoice reports a vote that is neither yes, no nor abstain.
	ErrChoice = errors.New("govern: no such choice")
	// ErrTimelock reports an execution before the timelock is over, or after its window.
	ErrTimelock = errors.New("govern: outside the time of execution")
	// ErrProposer reports a withdrawal by somebody else.
	ErrProposer = errors.New("govern: only who proposed it may withdraw a proposal")
	// ErrNoCouncil reports an act of a council that the chain does not have.
	ErrNoCouncil = errors.New("govern: the chain has no council")
	// ErrNonce reports an act of the council with another nonce than the next.
	ErrNonce = errors.New("govern: nonce of the council")
	// ErrSignatures reports fewer than seven signatures, one twice, or one of nobody in the council.
	ErrSignatures = errors.New("govern: signatures of the council")
	// ErrTarget reports a system actor that cannot be paused, or is paused already.
	ErrTarget = errors.New("govern: the system actor cannot be paused")
)
