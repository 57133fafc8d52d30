package gateway

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The governance keys.
//
// Spec: gateway-payments-streams §B.
const (
	KeyConfig = "system:gov:param:gateway"
	KeyPool   = "system:gateway_pool_config"
)

// The rejects of this package. Any other error is a failing state source, or a record that is not canonical.
//
// Spec: gateway-payments-streams §B; entitlement-extras §6 (ERR_UNAUTHORIZED_GATEWAY).
var (
	ErrUnauthorized = errors.New("ERR_UNAUTHORIZED_GATEWAY: the sender is no active gateway")
	ErrUnknown      = errors.New("gateway: no gateway is registered at this address")
	ErrStake        = errors.New("gateway: the stake is below the minimum")
	ErrLeaving      = errors.New("gateway: the gateway is leaving, and its stake is locked until the delay is over")
	ErrFull         = errors.New("gateway: the registry is full")
	ErrEndpoint     = errors.New("gateway: an endpoint has 1 to 256 printable characters, and a port from 1 to 65,535")
	ErrEnvelope     = errors.New("gateway: not the envelope of a request")
	ErrMethod       = errors.New("gateway: the actor does not take requests with this method")
	ErrBody         = errors.New("gateway: the body is larger than the actor takes")
	ErrIngress      = errors.New("ERR_INGRESS_ENTITLEMENT_MISSING: the actor does not declare ingress.http")
	errParameter    = errors.New("gateway: a parameter is outside of its range")
)

// Config are the governed terms of gateways.
//
// Spec: gateway-payments-streams §B.
type Config struct {
	MinStake unit.Amount
	Health   uint64 // of a gateway in the block of its heartbeat
	Unstake  uint64 // blocks from the first unstake to the second
}

// Genesis are the values of the documents.
//
// Spec: gateway-payments-streams §B.
func Genesis() Config { return Config{MinStake: 10_000 * unit.CBY, Health: 3_600, Unstake: 604_800} }

// Append appends the canonical encoding: the fields in their order, as UInt.
func (c Config) Append(dst []byte) []byte {
	return codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, uint64(c.MinStake)), c.Health), c.Unstake)
}

// DecodeConfig reads what Append wrote and holds it to its bounds.
func DecodeConfig(data []byte) (Config, error) {
	r := codec.NewReader(data)
	c := Config{unit.Amount(r.Uint()), r.Uint(), r.Uint()}
	if err := r.Finish(); err != nil {
		return Config{}, err
	}
	if c.MinStake == 0 || c.Health == 0 || c.Health > 1<<16-1 || c.Unstake > params.BlocksPerYear {
		return Config{}, errParameter
	}
	return c, nil
}

// Pool are the governed terms of the pool of gateways. The shares are in basis points and sum to 10,000.
//
// Spec: gateway-payments-streams §B (5000·stake + 5000·uptime).
type Pool struct {
	StakeBPS, UptimeBPS uint64
	Blocks              uint64 // of an epoch
}

// GenesisPool are the values of the documents, and an epoch of a day.
//
// Spec: gateway-payments-streams §B.
func GenesisPool() Pool { return Pool{StakeBPS: 5_000, UptimeBPS: 5_000, Blocks: 86_400} }

// Append appends the canonical encoding: the fields in their order, as UInt.
func (p Pool) Append(dst []byte) []byte {
	return codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, p.StakeBPS), p.UptimeBPS), p.Blocks)
}

// leastEpoch is longer than the two walks over all gateways.
const leastEpoch = 2*(MaxGateways/WalkPerBlock+1) + 8

// DecodePool reads what Append wrote and holds it to its bounds.
func DecodePool(data []byte) (Pool, error) {
	r := codec.NewReader(data)
	p := Pool{r.Uint(), r.Uint(), r.Uint()}
	if err := r.Finish(); err != nil {
		return Pool{}, err
	}
	if p.StakeBPS > params.BasisPoints || p.StakeBPS+p.UptimeBPS != params.BasisPoints || p.Blocks < leastEpoch || p.Blocks > params.BlocksPerYear {
		return Pool{}, errParameter
	}
	return p, nil
}
