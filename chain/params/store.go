package params

import (
	"bytes"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// The governance keys, suffixes of storage entries of 0x09. Spec: WP §13.1.
const (
	KeyBasefee           = "system:basefee_config"
	KeyLanes             = "system:lane_fee_multipliers"
	KeyTimer             = "system:timer_config"
	KeyRent              = "system:cip4:rent_config"
	KeySettlement        = "system:settlement_config"
	KeySlashDistribution = "system:cip2:slash_distribution"
	KeyReputation        = "system:cip2:reputation_config"
	KeyAggregator        = "system:cip2:aggregator_config"
	KeyNonReveal         = "system:cip2:non_reveal_config"
	KeyCommittee         = "system:cip2:committee_config"
	KeySimilarityModel   = "system:cip2:semantic_similarity_embedding_model"
	KeyGenericPrefix     = "system:gov:param:"
	KeyHistoryPrefix     = "system:gov:param:history:"
	KeyHybrid            = KeyGenericPrefix + "timer_hybrid"
	KeyLimits            = KeyGenericPrefix + "limits"
	KeyStake             = KeyGenericPrefix + "stake"
	KeyAdministrators    = KeyGenericPrefix + "administrators"
	KeyEntitlements      = KeyGenericPrefix + "entitlements"
	KeyGovernance        = KeyGenericPrefix + "governance"
)

// Group is one stored entry of the parameters: its governance key and canonical
// encoding.
type Group struct {
	Key   string
	Value []byte
}

// Groups is the stored form of p, in a fixed order.
// Spec: WP §13.1.
func (p *Params) Groups() []Group {
	return []Group{
		{KeyBasefee, p.Basefee.Append(nil)},
		{KeyLanes, p.Lanes.Append(nil)},
		{KeyTimer, p.Timer.Append(nil)},
		{KeyHybrid, p.Hybrid.Append(nil)},
		{KeyRent, p.Rent.Append(nil)},
		{KeyLimits, p.Limits.Append(nil)},
		{KeyStake, p.Stake.Append(nil)},
		{KeySettlement, p.Settlement.Append(nil)},
		{KeySlashDistribution, p.SlashDistribution.Append(nil)},
		{KeyReputation, p.Reputation.Append(nil)},
		{KeyAggregator, p.Aggregator.Append(nil)},
		{KeyNonReveal, p.NonReveal.Append(nil)},
		{KeyCommittee, p.Committee.Append(nil)},
		{KeySimilarityModel, codec.AppendBytes(nil, []byte(p.SimilarityModel))},
		{KeyAdministrators, appendAdministrators(p.Administrators)},
		{KeyEntitlements, p.Entitlements.Append(nil)},
		{KeyGovernance, p.Governance.Append(nil)},
	}
}

// decodeGroup replaces the group stored under key in p; false for a key that is
// no parameter group.
func (p *Params) decodeGroup(key string, r *codec.Reader) bool {
	switch key {
	case KeyBasefee:
		p.Basefee = ReadBasefeeConfig(r)
	case KeyLanes:
		p.Lanes = ReadLaneMultipliers(r)
	case KeyTimer:
		p.Timer = ReadTimerConfig(r)
	case KeyHybrid:
		p.Hybrid = ReadHybridConfig(r)
	case KeyRent:
		p.Rent = ReadRentConfig(r)
	case KeyLimits:
		p.Limits = ReadLimitConfig(r)
	case KeyStake:
		p.Stake = ReadStakeConfig(r)
	case KeySettlement:
		p.Settlement = ReadSplit(r)
	case KeySlashDistribution:
		p.SlashDistribution = ReadSlashSplit(r)
	case KeyReputation:
		p.Reputation = ReadReputationConfig(r)
	case KeyAggregator:
		p.Aggregator = ReadAggregatorConfig(r)
	case KeyNonReveal:
		p.NonReveal = ReadNonRevealConfig(r)
	case KeyCommittee:
		p.Committee = ReadCommitteeConfig(r)
	case KeySimilarityModel:
		p.SimilarityModel = string(r.Bytes(MaxModelNameBytes))
	case KeyAdministrators:
		p.Administrators = readAdministrators(r)
	case KeyEntitlements:
		p.Entitlements = ReadEntitlementConfig(r)
	case KeyGovernance:
		p.Governance = ReadGovernanceConfig(r)
	default:
		return false
	}
	return true
}

func appendAdministrators(list []account.Address) []byte {
	dst := codec.AppendLen(nil, len(list))
	for _, a := range list {
		dst = codec.AppendFixed(dst, a[:])
	}
	return dst
}

func readAdministrators(r *codec.Reader) []account.Address {
	n := r.Len(0, MaxAdministrators, account.AddressSize)
	if n == 0 {
		return nil
	}
	list := make([]account.Address, n)
	for i := range list {
		r.Into(list[i][:])
		if r.Err() == nil && i > 0 && list[i-1].Compare(list[i]) >= 0 {
			r.Fail(codec.ErrOrder, 0)
		}
	}
	return list
}

// StateKey is where the group with this governance key is stored.
func StateKey(key string) []byte {
	return account.KeyString(account.KindStorage, account.System(account.Governance), key)
}

// Save stores every group, the calendar and the schedule.
// Spec: WP §13.1.
func (p *Params) Save(to state.Store) {
	p.Calendar.Save(to)
	p.Schedule.Save(to)
	for _, g := range p.Groups() {
		to.Set(StateKey(g.Key), g.Value)
	}
}

// Load reads the parameters of a state. A group that is not stored has its
// genesis default. Stored bytes that do not decode, and values that Validate
// refuses, give an error wrapping ErrInvalid; an error of the source is passed
// on as it is.
// Spec: WP §13.1.
func Load(from state.Reader) (*Params, error) {
	p := Genesis()
	var err error
	if p.Calendar, err = LoadCalendar(from); err != nil {
		return nil, err
	}
	if p.Schedule, err = LoadSchedule(from); err != nil {
		return nil, err
	}
	for _, key := range groupKeys() {
		value, ok, err := from.Lookup(StateKey(key))
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if err := p.Replace(key, value); err != nil {
			return nil, err
		}
	}
	return p, p.Validate()
}

// groupKeys are the governance keys of the groups, in the order of Groups.
func groupKeys() [17]string {
	return [...]string{
		KeyBasefee, KeyLanes, KeyTimer, KeyHybrid, KeyRent, KeyLimits, KeyStake, KeySettlement, KeySlashDistribution, KeyReputation,
		KeyAggregator, KeyNonReveal, KeyCommittee, KeySimilarityModel, KeyAdministrators, KeyEntitlements, KeyGovernance,
	}
}

// KeyPrefix starts the state key of every group. The caller does not modify it.
func KeyPrefix() []byte { return keyPrefix }

var keyPrefix = StateKey("system:")

// Holds reports whether a state key is a group's: whoever writes no such key
// leaves what Load gives as it is.
func Holds(stateKey []byte) bool {
	if !bytes.HasPrefix(stateKey, keyPrefix[:account.KeyHeader]) {
		return false
	}
	name := string(stateKey[account.KeyHeader:])
	for _, key := range groupKeys() {
		if key == name {
			return true
		}
	}
	return false
}

// Replace puts the encoded value of one group into p, as Load and a governance
// proposal do. It gives an error wrapping ErrInvalid for an unknown key or bytes
// that do not decode; ranges are Validate's.
func (p *Params) Replace(key string, value []byte) error {
	r := codec.NewReader(value)
	if !p.decodeGroup(key, r) {
		return fmt.Errorf("%w: no parameter group %q", ErrInvalid, key)
	}
	if err := r.Finish(); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrInvalid, key, err)
	}
	return nil
}

// Validate checks every group. Spec: WP §13.1.
func (p *Params) Validate() error {
	for _, g := range []interface{ Validate() error }{
		p.Basefee, p.Lanes, p.Timer, p.Hybrid, p.Rent, p.Limits, p.Stake, p.Settlement, p.SlashDistribution,
		p.Reputation, p.Aggregator, p.NonReveal, p.Committee, p.Entitlements, p.Schedule, p.Governance,
	} {
		if err := g.Validate(); err != nil {
			return err
		}
	}
	if len(p.SimilarityModel) > MaxModelNameBytes {
		return invalid("similarity", "model")
	}
	for i := 1; i < len(p.Administrators); i++ {
		if p.Administrators[i-1].Compare(p.Administrators[i]) >= 0 {
			return invalid("administrators", "order")
		}
	}
	if len(p.Administrators) > MaxAdministrators {
		return invalid("administrators", "count")
	}
	return nil
}

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	home := account.System(account.Governance)
	claims := []account.Claim{
		{Chapter: "params", Holds: "blocks of an epoch", Kind: account.KindRecord, Holder: account.One, Address: home, Suffix: KeyCalendar, Exact: true},
		{Chapter: "params", Holds: "versions to come", Kind: account.KindRecord, Holder: account.One, Address: home, Suffix: KeySchedule, Exact: true},
		{Chapter: "params", Holds: "changes so far", Kind: account.KindStorage, Holder: account.One, Address: home, Suffix: KeyVersion, Exact: true},
		{Chapter: "params", Holds: "changes", Kind: account.KindStorage, Holder: account.One, Address: home, Suffix: KeyHistoryPrefix},
		{Chapter: "params", Holds: "executors with a name", Kind: account.KindStorage, Holder: account.One, Address: home, Suffix: KeyExecutorPrefix},
	}
	for _, key := range groupKeys() {
		claims = append(claims, account.Claim{
			Chapter: "params", Holds: "parameters", Kind: account.KindStorage, Holder: account.One, Address: home, Suffix: key, Exact: true,
		})
	}
	return claims
}
