package volume

import "errors"

// The rejects of this package, beside those of packages cbfs and relay. Any other error is a failing state source, or a record that is not canonical.
//
// Spec: storage-cbfs §9.
var (
	// ErrNotFound reports a volume or token that there is not.
	ErrNotFound = errors.New("volume: there is no volume or token of this name")
	// ErrAuth reports somebody who may not do this.
	ErrAuth = errors.New("volume: the sender may not do this")
	// ErrInvalid reports arguments outside their bounds.
	ErrInvalid = errors.New("volume: an argument is outside its bounds")
	// ErrConflict reports a manifest that has changed since: the commit names another root than the volume's.
	ErrConflict = errors.New("volume: the manifest has changed, or the name is taken")
	// ErrQuota reports more than an account or a volume may have.
	ErrQuota = errors.New("volume: more than an account or a volume may have")
	// ErrOverlap reports a prefix that a token may write already.
	ErrOverlap = errors.New("volume: a token that holds now writes below this prefix")
	// ErrToken reports a token that is expired, revoked, or somebody else's.
	ErrToken = errors.New("volume: the token does not hold now, or not for this")
	// ErrBytes reports a commit beyond what its token allows.
	ErrBytes = errors.New("volume: the commit exceeds max_bytes of its token")
	// ErrCommittee reports a private volume without a wrapped key, or without the epoch of its committee.
	ErrCommittee = errors.New("volume: a private volume has a wrapped key and the epoch of its committee, a public one neither")
	// ErrReserve reports a volume whose reserve does not cover what it has to.
	ErrReserve = errors.New("volume: the reserve does not cover the rent of an epoch and what is owed")
	// ErrDeleted and ErrCollected report a volume that is deleted.
	ErrDeleted   = errors.New("volume: VOLUME_DELETED")
	ErrCollected = errors.New("volume: VOLUME_GC")
)
