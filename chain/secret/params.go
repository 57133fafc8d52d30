package secret

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds.
//
// Spec: secrets-cbss §2, §3, §5, §6.
const (
	MaxSecrets      = 256 // of an account that have versions
	MaxVersions     = 32  // of a secret that are not deleted
	MaxPayload      = 65_536
	MaxPointer      = 128 // bytes of a place in storage
	MaxActors       = 64  // of an access list
	MaxPrior        = 4   // former committees that still serve
	DefaultMembers  = 5
	DefaultQuorum   = 4
	MinMembers      = 5
	MaxMembers      = 15
	MinQuorum       = 3
	MaxAddressBytes = 128 // of a proxy's network address
	DebtFees        = 16  // an actor may owe
	HealthFull      = 10_000
	healthFloor     = 500 // of a weight: 0.05
)

// Bounds of ours, so that work and state are bounded.
const (
	MaxProxies  = 1_024
	MaxReleases = 8 // of a secret for one runner of a job that are remembered
	MaxEvidence = 2_048
	// FaultWindow is in how many blocks a proxy is punished once for a fault.
	FaultWindow = params.BlocksPerDay

	paidPerBlock    = 64  // stakes that are paid out
	drawsPerBlock   = 16  // committees that are drawn
	forcedPerBlock  = 16  // resharings that are asked for since a proxy leaves
	forgotPerBlock  = 256 // releases and challenges that are forgotten: more than fit a block
	committeeDomain = "cbss/committee/v1"
)

// Shares of a stake, in basis points, that faults cost.
//
// Spec: secrets-cbss §5 (Slashing).
const (
	slashPartial      = 500
	slashSabotage     = 500
	slashEquivocation = 5_000
)

// KeyConfig is the governance key of the chapter's parameters.
const KeyConfig = params.KeyGenericPrefix + "secrets"

// Config are the governed parameters.
//
// Spec: secrets-cbss §6.
type Config struct {
	MinStake        unit.Amount
	Soak            uint64 // blocks after registration until a proxy is chosen
	Unbond          uint64 // blocks
	ReshareInterval uint64 // blocks after which anybody may ask for a resharing
	ReshareGrace    uint64 // blocks a former committee serves
	DkgBlocks       uint64 // to make a key, or pass it on
	DkgBond         unit.Amount
	DkgSlash        unit.Amount // of the bond, where no key was made in time
	ExpireReward    unit.Amount // of what is taken, for who says so
	Freshness       uint64      // blocks of a request
	ChallengeDelay  uint64      // blocks from the request on
	ResponseBlocks  uint64
	ChallengeAge    uint64 // blocks from the request on
	LivenessBond    unit.Amount
	HealthDecrement uint64 // basis points
	ReleaseFee      unit.Amount
	Inline          bool // payloads up to MaxPayload may be kept in the state
}

// Defaults are the parameters of a chain on which governance has set none. A development network, one with administrators, lets proxies soak for 100 blocks
// and payloads be kept inline.
//
// Spec: secrets-cbss §6 (recommended), §12 (6).
func Defaults(p *params.Params) Config {
	c := Config{
		MinStake: 10_000 * unit.CBY, Soak: 86_400, Unbond: params.UnbondingBlocks, ReshareInterval: 1_296_000, ReshareGrace: 100, DkgBlocks: 7_200,
		DkgBond: 1_000 * unit.CBY, DkgSlash: 50 * unit.CBY, ExpireReward: unit.CBY, Freshness: 384, ChallengeDelay: 416, ResponseBlocks: 64, ChallengeAge: 480,
		LivenessBond: 100 * unit.CBY, HealthDecrement: 250, ReleaseFee: unit.CBY,
	}
	if len(p.Administrators) > 0 {
		c.Soak, c.Inline = 100, true
	}
	return c
}

// Encode is the governed value: the fields in their order, numbers as UInt.
func (c *Config) Encode() []byte {
	var dst []byte
	for _, n := range [...]uint64{
		uint64(c.MinStake), c.Soak, c.Unbond, c.ReshareInterval, c.ReshareGrace, c.DkgBlocks, uint64(c.DkgBond), uint64(c.DkgSlash), uint64(c.ExpireReward),
		c.Freshness, c.ChallengeDelay, c.ResponseBlocks, c.ChallengeAge, uint64(c.LivenessBond), c.HealthDecrement, uint64(c.ReleaseFee),
	} {
		dst = codec.AppendUint(dst, n)
	}
	return codec.AppendBool(dst, c.Inline)
}

// DecodeConfig reads what Encode wrote.
func DecodeConfig(data []byte) (c Config, err error) {
	r := codec.NewReader(data)
	amount := func() unit.Amount { return unit.Amount(r.Uint()) }
	c.MinStake, c.Soak, c.Unbond, c.ReshareInterval, c.ReshareGrace, c.DkgBlocks = amount(), r.Uint(), r.Uint(), r.Uint(), r.Uint(), r.Uint()
	c.DkgBond, c.DkgSlash, c.ExpireReward = amount(), amount(), amount()
	c.Freshness, c.ChallengeDelay, c.ResponseBlocks, c.ChallengeAge = r.Uint(), r.Uint(), r.Uint(), r.Uint()
	c.LivenessBond, c.HealthDecrement, c.ReleaseFee, c.Inline = amount(), r.Uint(), amount(), r.Bool()
	return c, r.Finish()
}

// ErrConfig is the reject of parameters that make no sense.
var ErrConfig = errors.New("secret: parameters outside their bounds")

// CheckConfig gives an error for bytes that are no value of the governed parameters.
func CheckConfig(value []byte) error {
	c, err := DecodeConfig(value)
	if err != nil {
		return err
	}
	for _, n := range [...]uint64{
		c.Soak, c.Unbond, c.ReshareInterval, c.ReshareGrace, c.DkgBlocks, c.Freshness, c.ChallengeDelay, c.ResponseBlocks, c.ChallengeAge,
	} {
		if n > 1<<32 {
			return ErrConfig
		}
	}
	for _, a := range [...]unit.Amount{c.MinStake, c.DkgBond, c.LivenessBond, c.ReleaseFee} {
		if a > params.GenesisSupply/100 {
			return ErrConfig
		}
	}
	switch {
	case c.MinStake == 0, c.DkgBlocks == 0, c.Freshness == 0, c.ResponseBlocks == 0, c.HealthDecrement > HealthFull:
		return ErrConfig
	case c.DkgSlash > c.DkgBond, c.ExpireReward > c.DkgSlash, c.ChallengeDelay <= c.Freshness, c.ChallengeAge < c.ChallengeDelay:
		return ErrConfig
	}
	return nil
}

// LoadConfig reads the parameters that hold in a block.
func LoadConfig(r state.Reader, p *params.Params) (Config, error) {
	value, ok, err := r.Lookup(params.StateKey(KeyConfig))
	if err != nil || !ok {
		return Defaults(p), err
	}
	return DecodeConfig(value)
}
