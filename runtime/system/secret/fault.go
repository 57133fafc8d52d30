package secret

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// The codes of faults about secrets. No public text numbers them but those of time locks, 1739 to 1745.
//
// Spec: secrets-cbss §4, §9; sdk §18.
const (
	FaultNotFound    uint16 = 1701
	FaultDeleted     uint16 = 1702
	FaultPending     uint16 = 1703
	FaultAccess      uint16 = 1704
	FaultTEE         uint16 = 1705
	FaultQuota       uint16 = 1706
	FaultCommittee   uint16 = 1707
	FaultInProgress  uint16 = 1708
	FaultNoKey       uint16 = 1709
	FaultWrapEpoch   uint16 = 1710
	FaultData        uint16 = 1711
	FaultRecipient   uint16 = 1712
	FaultStale       uint16 = 1713
	FaultStaleEpoch  uint16 = 1714
	FaultEpoch       uint16 = 1715
	FaultGrace       uint16 = 1716
	FaultRunnerSig   uint16 = 1717
	FaultProxySig    uint16 = 1718
	FaultPartial     uint16 = 1719
	FaultRecorded    uint16 = 1720
	FaultOrdering    uint16 = 1721
	FaultQuorum      uint16 = 1722
	FaultMixed       uint16 = 1723
	FaultFunds       uint16 = 1724
	FaultChallenged  uint16 = 1725
	FaultPremature   uint16 = 1726
	FaultStaleChal   uint16 = 1727
	FaultCorrupted   uint16 = 1728
	FaultRotation    uint16 = 1729
	FaultProxy       uint16 = 1730
	FaultRegistered  uint16 = 1731
	FaultStake       uint16 = 1732
	FaultNotDue      uint16 = 1733
	FaultEvidence    uint16 = 1734
	FaultSlashed     uint16 = 1735
	FaultReleases    uint16 = 1736
	FaultNoChallenge uint16 = 1737
	FaultInline      uint16 = 1738
	FaultLockUnknown uint16 = 1739
	FaultLockKnown   uint16 = 1740
	FaultLockRound   uint16 = 1741
	FaultLockEarly   uint16 = 1742
	FaultLockOpen    uint16 = 1743
	FaultLockGiven   uint16 = 1744
	FaultLockPartial uint16 = 1745
	FaultSealRequest uint16 = 1746
	FaultSealUnpaid  uint16 = 1747
)

// raised is a fault that actors meet in Python as a HostError.
func raised(err error, code uint16, host int) chapter.Fault {
	return chapter.Fault{Err: err, Code: code, Class: "HostError", Host: host}
}

// Faults are the rejects of package secret, for those that ask the service.
//
// Spec: secrets-cbss §9.
func Faults() []chapter.Fault {
	return []chapter.Fault{
		raised(secret.ErrNotFound, FaultNotFound, 3),
		raised(secret.ErrDeleted, FaultDeleted, 3),
		{Err: secret.ErrPending, Code: FaultPending},
		{Err: secret.ErrAccess, Code: FaultAccess},
		{Err: secret.ErrTEE, Code: FaultTEE},
		raised(secret.ErrQuota, FaultQuota, 8),
		{Err: secret.ErrCommittee, Code: FaultCommittee},
		{Err: secret.ErrInProgress, Code: FaultInProgress},
		raised(secret.ErrNoKey, FaultNoKey, 3),
		raised(secret.ErrWrapEpoch, FaultWrapEpoch, 2),
		raised(secret.ErrData, FaultData, 2),
		{Err: secret.ErrRecipient, Code: FaultRecipient},
		{Err: secret.ErrStale, Code: FaultStale},
		{Err: secret.ErrStaleEpoch, Code: FaultStaleEpoch},
		{Err: secret.ErrEpoch, Code: FaultEpoch},
		{Err: secret.ErrGrace, Code: FaultGrace},
		{Err: secret.ErrRunnerSig, Code: FaultRunnerSig},
		{Err: secret.ErrProxySig, Code: FaultProxySig},
		{Err: secret.ErrPartial, Code: FaultPartial},
		{Err: secret.ErrRecorded, Code: FaultRecorded},
		{Err: secret.ErrOrdering, Code: FaultOrdering},
		{Err: secret.ErrQuorum, Code: FaultQuorum},
		{Err: secret.ErrMixed, Code: FaultMixed},
		raised(secret.ErrFunds, FaultFunds, 6),
		{Err: secret.ErrChallenged, Code: FaultChallenged},
		{Err: secret.ErrPremature, Code: FaultPremature},
		{Err: secret.ErrStaleChal, Code: FaultStaleChal},
		raised(secret.ErrCorrupted, FaultCorrupted, 2),
		{Err: secret.ErrNotMember, Code: FaultProxy},
		{Err: secret.ErrSignatures, Code: FaultRotation},
		{Err: secret.ErrRotation, Code: FaultRotation},
		{Err: secret.ErrHasKey, Code: FaultRegistered},
		{Err: secret.ErrProxy, Code: FaultProxy},
		{Err: secret.ErrRegistered, Code: FaultRegistered},
		{Err: secret.ErrStake, Code: FaultStake},
		{Err: secret.ErrKey, Code: drain.FaultInput},
		{Err: secret.ErrFull, Code: drain.FaultLimit},
		{Err: secret.ErrLeaving, Code: FaultRegistered},
		raised(secret.ErrForm, drain.FaultInput, 2),
		raised(secret.ErrInline, FaultInline, 2),
		{Err: secret.ErrNotDue, Code: FaultNotDue},
		{Err: secret.ErrEvidence, Code: FaultEvidence},
		{Err: secret.ErrSlashed, Code: FaultSlashed},
		{Err: secret.ErrReleases, Code: FaultReleases},
		{Err: secret.ErrChallenge, Code: FaultNoChallenge},
		{Err: secret.ErrOwner, Code: drain.FaultForbidden},
		{Err: secret.ErrLockUnknown, Code: FaultLockUnknown},
		{Err: secret.ErrLockKnown, Code: FaultLockKnown},
		{Err: secret.ErrLockRound, Code: FaultLockRound},
		{Err: secret.ErrLockEarly, Code: FaultLockEarly},
		{Err: secret.ErrLockOpen, Code: FaultLockOpen},
		{Err: secret.ErrLockGiven, Code: FaultLockGiven},
		{Err: secret.ErrLockPartial, Code: FaultLockPartial},
		{Err: secret.ErrSealRequest, Code: FaultSealRequest},
		{Err: secret.ErrSealUnpaid, Code: FaultSealUnpaid},
		{Err: secret.ErrNoRequest, Code: drain.FaultInput},
	}
}

// short is the reject of an account that has less than a stake or a bond.
func short(err *account.ShortfallError) error {
	return chapter.Refuse(drain.FaultValue, "a stake or a bond of %d is taken, and %d are there", err.Need, err.Have)
}
