package stake

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Founder is a validator of the first set.
type Founder struct {
	Address account.Address
	Key     sig.BLSPublicKey
	Stake   unit.Amount // base units; lies with 0x09
}

// Found writes the registry of height 0: founders, ascending by public key and each with its own account, are Active in epoch 0 and share the key
// whose encoded bls.Sharing is given. The caller has checked possession, minimum and order, and gives 0x09 the stakes.
// Spec: WP "Validator Set"; governance-staking A1; commonware §4.3 (a dealer for genesis).
func Found(to state.Store, founders []Founder, sharing []byte) {
	var sums Weights
	members := make([]Member, len(founders))
	for i, f := range founders {
		members[i] = Member{Address: f.Address, Key: f.Key, Weight: f.Stake}
		v := &Validator{Key: f.Key, Status: Active, Stake: f.Stake}
		to.Set(validatorKey(f.Address), v.Encode())
		to.Set(voteKey(f.Key), f.Address[:])
		to.Set(checkpointKey(weightPrefix(f.Address), 0), v.weight().encode())
		sums.change(Weight{}, v.weight())
	}
	to.Set(checkpointKey(recordKey(keyWeights), 0), sums.encode())
	to.Set(setKey(0), appendMembers(nil, members))
	to.Set(sharingKey(0), sharing)
	to.Set(epochKey(0), (&EpochRecord{}).encode())
	state.SetNumber(to, settledKey, 0)
}
