package beacon

import "errors"

var (
	// ErrInfo reports a ceremony that cannot be: no dealers or players, or another number of them than the present key has holders.
	ErrInfo = errors.New("beacon: impossible ceremony")
	// ErrRank reports a dealer or player outside the ceremony.
	ErrRank = errors.New("beacon: no such participant")
	// ErrCommitment reports a commitment of the wrong length, or that does not begin with the dealer's partial key.
	ErrCommitment = errors.New("beacon: commitment is not one of this dealer")
	// ErrDealer reports a deal its dealer did not sign.
	ErrDealer = errors.New("beacon: the dealer did not sign this deal")
	// ErrShare reports a value that does not lie on its commitment.
	ErrShare = errors.New("beacon: value does not lie on the commitment")
	// ErrAgain reports a second, different deal of a dealer.
	ErrAgain = errors.New("beacon: dealer has dealt already")
	// ErrAck reports an acknowledgement that does not verify.
	ErrAck = errors.New("beacon: acknowledgement does not verify")
	// ErrSilent reports more silent players than may be revealed.
	ErrSilent = errors.New("beacon: too many players did not acknowledge")
	// ErrLog reports a log that leaves a player out, names one twice or proves too little.
	ErrLog = errors.New("beacon: log does not account for every player")
	// ErrFailed reports fewer valid logs than the ceremony needs.
	ErrFailed = errors.New("beacon: not enough dealer logs")
	// ErrLost reports a player that acknowledged a deal it no longer holds.
	ErrLost = errors.New("beacon: an acknowledged deal is missing")
)
