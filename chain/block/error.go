package block

import "errors"

// Reasons a block is refused. Each is a verdict about the block, the same on
// every honest node.
var (
	// ErrTooLarge reports a block above params.MaxBlockBytes.
	ErrTooLarge = errors.New("block: larger than the limit")
	// ErrTooMany reports more than params.MaxBlockTxs transactions.
	ErrTooMany = errors.New("block: more transactions than the limit")
	// ErrVersion reports a header of another protocol version.
	ErrVersion = errors.New("block: unknown version")
	// ErrChain reports a header of another chain.
	ErrChain = errors.New("block: chain id is not this chain's")
	// ErrParent reports a header that does not continue its parent.
	ErrParent = errors.New("block: does not continue its parent")
	// ErrRound reports a round that does not follow the parent's.
	ErrRound = errors.New("block: round does not follow the parent's")
	// ErrTimestamp reports a time not after the parent's.
	ErrTimestamp = errors.New("block: timestamp is not after the parent's")
	// ErrBasefee reports prices other than those the parent fixes.
	ErrBasefee = errors.New("block: basefee is not the one the parent fixes")
	// ErrSeed reports a parent beacon of the wrong round or without one.
	ErrSeed = errors.New("block: parent seed is not that of the preceding round")
	// ErrVRF reports a VRF output that is not the hash of its proof.
	ErrVRF = errors.New("block: VRF output is not the hash of its proof")
	// ErrVotes reports votes for the parent below a quorum, or where none belong, and
	// late votes that are too late, out of order, of nobody or too many.
	ErrVotes = errors.New("block: votes for the parent are no quorum of this epoch, or late votes do not belong here")
	// ErrTxRoot reports a transaction root or count that is not the body's.
	ErrTxRoot = errors.New("block: transaction root or count is not the body's")
	// ErrLane reports a lane over its budget.
	ErrLane = errors.New("block: lane over its budget")
	// ErrOrder reports transactions out of their VRF order.
	ErrOrder = errors.New("block: transactions are not in VRF order")
	// ErrDuplicate reports one transaction twice.
	ErrDuplicate = errors.New("block: transaction appears twice")
)
