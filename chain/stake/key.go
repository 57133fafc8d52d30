package stake

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The registry's state keys are records of 0x09 under these names. Numbers in keys are big-endian, so that order is numeric.
const (
	keyEpoch     = "stake:epoch:"     // be8 epoch → epochRecord
	keySet       = "stake:set:"       // be8 epoch it holds from → Vec<Member>
	keySharing   = "stake:sharing:"   // be8 epoch it holds from → bls.Sharing
	keyNext      = "stake:next"       // the list of the next epoch
	keyValidator = "stake:validator:" // address → Validator
	keyVote      = "stake:key:"       // voting key → address
	keySettled   = "stake:settled"    // UInt: how much of what was minted is paid
	keyOffence   = "stake:offence:"   // be8 epoch ‖ be8 view ‖ address → penalty given
	keyLog       = "stake:dkg:"       // be4 dealer rank → dealer log
	keyMissed    = "stake:missed"     // how many votes each rank missed
	keyVotes     = "stake:votes:"     // be4 slot → Ballot
	keyWeight    = "stake:weight:"    // address ‖ be8 inverted height → Weight
	keyWeights   = "stake:weights:"   // be8 inverted height → Weights
)

// settledKey is not modified.
var settledKey = recordKey(keySettled)

// recordKey is the state key of the registry's record of a name, or what the keys of its records begin with.
func recordKey(name string) []byte { return account.KeyString(account.KindRecord, home(), name) }

// KeyPrefix starts the state key of every record of the registry, and of other records of 0x09.
func KeyPrefix() []byte { return recordKey("stake:") }

// home is where the registry and its coins lie.
func home() account.Address { return account.System(account.Governance) }

func epochKey(epoch uint64) []byte { return numbered(keyEpoch, epoch) }

func setKey(epoch uint64) []byte { return numbered(keySet, epoch) }

func sharingKey(epoch uint64) []byte { return numbered(keySharing, epoch) }

func validatorKey(addr account.Address) []byte {
	return append(recordKey(keyValidator), addr[:]...)
}

func voteKey(key sig.BLSPublicKey) []byte { return append(recordKey(keyVote), key[:]...) }

func offenceKey(r sig.Round, addr account.Address) []byte {
	return append(binary.BigEndian.AppendUint64(numbered(keyOffence, r.Epoch), r.View), addr[:]...)
}

func logKey(rank uint32) []byte { return binary.BigEndian.AppendUint32(recordKey(keyLog), rank) }

// slotKey is where the ballot of a block lies, until one that is no longer looked at takes its place.
func slotKey(height unit.Height) []byte {
	const slots = params.DowntimeWindowBlocks + params.AttendanceBlocks
	return binary.BigEndian.AppendUint32(recordKey(keyVotes), uint32(height%slots))
}

func numbered(name string, n uint64) []byte {
	return binary.BigEndian.AppendUint64(recordKey(name), n)
}

// EpochKey is the state key of an epoch's record, whose value EpochRecord decodes: for proofs.
func EpochKey(epoch uint64) []byte { return epochKey(epoch) }

// SetKey is the state key of the set that holds from an epoch on, whose value DecodeMembers decodes: for proofs.
func SetKey(since uint64) []byte { return setKey(since) }

// SharingKey is the state key of the shared key that holds from an epoch on, an encoded bls.Sharing: for proofs.
func SharingKey(since uint64) []byte { return sharingKey(since) }

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	all := func(holds, prefix string) account.Claim {
		return account.RecordClaim("stake", home(), prefix, holds, false)
	}
	one := func(holds, name string) account.Claim {
		c := all(holds, name)
		c.Exact = true
		return c
	}
	return []account.Claim{
		all("epochs' records", keyEpoch),
		all("validator sets", keySet),
		all("shared keys", keySharing),
		one("the next epoch's list", keyNext),
		all("validators", keyValidator),
		all("owners of voting keys", keyVote),
		one("how much of what was minted is paid", keySettled),
		all("penalties given", keyOffence),
		all("dealer logs", keyLog),
		one("votes missed, by rank", keyMissed),
		all("ballots of late blocks", keyVotes),
		all("voting weights as they changed", keyWeight),
		all("sums of voting weights as they changed", keyWeights),
	}
}
