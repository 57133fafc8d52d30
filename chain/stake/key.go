package stake

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The registry's state keys are storage of 0x09 under these names. Numbers in keys are big-endian, so that order is numeric.
const (
	keyEpoch     = "system:stake:epoch:"     // be8 epoch → epochRecord
	keySet       = "system:stake:set:"       // be8 epoch it holds from → Vec<Member>
	keySharing   = "system:stake:sharing:"   // be8 epoch it holds from → bls.Sharing
	keyNext      = "system:stake:next"       // the list of the next epoch
	keyValidator = "system:stake:validator:" // address → Validator
	keyVote      = "system:stake:key:"       // voting key → address
	keySettled   = "system:stake:settled"    // UInt: how much of what was minted is paid
	keyOffence   = "system:stake:offence:"   // be8 epoch ‖ be8 view ‖ address → penalty given
	keyLog       = "system:stake:dkg:"       // be4 dealer rank → dealer log
	keyMissed    = "system:stake:missed"     // how many votes each rank missed
	keyVotes     = "system:stake:votes:"     // be4 slot → Ballot
)

// settledKey is not modified.
var settledKey = params.StateKey(keySettled)

// home is where the registry and its coins lie.
func home() account.Address { return account.System(account.Governance) }

func epochKey(epoch uint64) []byte { return numbered(keyEpoch, epoch) }

func setKey(epoch uint64) []byte { return numbered(keySet, epoch) }

func sharingKey(epoch uint64) []byte { return numbered(keySharing, epoch) }

func validatorKey(addr account.Address) []byte {
	return append(params.StateKey(keyValidator), addr[:]...)
}

func voteKey(key sig.BLSPublicKey) []byte { return append(params.StateKey(keyVote), key[:]...) }

func offenceKey(r sig.Round, addr account.Address) []byte {
	return append(binary.BigEndian.AppendUint64(numbered(keyOffence, r.Epoch), r.View), addr[:]...)
}

func logKey(rank uint32) []byte { return binary.BigEndian.AppendUint32(params.StateKey(keyLog), rank) }

// slotKey is where the ballot of a block lies, until one that is no longer looked at takes its place.
func slotKey(height unit.Height) []byte {
	const slots = params.DowntimeWindowBlocks + params.AttendanceBlocks
	return binary.BigEndian.AppendUint32(params.StateKey(keyVotes), uint32(height%slots))
}

func numbered(name string, n uint64) []byte {
	return binary.BigEndian.AppendUint64(params.StateKey(name), n)
}

// EpochKey is the state key of an epoch's record, whose value EpochRecord decodes: for proofs.
func EpochKey(epoch uint64) []byte { return epochKey(epoch) }

// SetKey is the state key of the set that holds from an epoch on, whose value DecodeMembers decodes: for proofs.
func SetKey(since uint64) []byte { return setKey(since) }

// SharingKey is the state key of the shared key that holds from an epoch on, an encoded bls.Sharing: for proofs.
func SharingKey(since uint64) []byte { return sharingKey(since) }
