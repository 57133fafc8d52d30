package params

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/codec"
)

// ErrUnknownPool reports a number that no pool has.
// Spec: runner-marketplace §3 (ERR_UNKNOWN_POOL).
var ErrUnknownPool = errors.New("ERR_UNKNOWN_POOL")

// Pools is how many pools share payments by a split of their own.
const Pools = 6

// The pools, by number. The texts name the keys of 0, 1 and 3.
// Spec: runner-marketplace §3 (40); gateway-payments-streams §A.3, §I.
const (
	PoolMain uint64 = iota
	PoolRegistry
	PoolGateway
	PoolContainer
	PoolRegistryCow
	PoolRegistryCowboy
)

// PoolKey is the governance key of a pool's split, or ErrUnknownPool.
// Spec: runner-marketplace §3 (40).
func PoolKey(pool uint64) (string, error) {
	if pool >= Pools {
		return "", ErrUnknownPool
	}
	return [Pools]string{
		KeySettlement, "system:registry_settlement_config", "system:gateway_pool_settlement_config", "system:container_settlement_config",
		"system:registry_tld_cow_settlement_config", "system:registry_tld_cowboy_settlement_config",
	}[pool], nil
}

// ContainerSplit is how the prices of containers are shared out where governance says nothing else.
// Spec: gateway-payments-streams §I (8900, 100, 1000).
func ContainerSplit() Split { return Split{RunnerBPS: 8_900, BurnBPS: 1_000, TreasuryBPS: 100} }

// CheckSplit gives an error for bytes that are no split.
// Spec: runner-marketplace §3 (basis points that sum to 10,000).
func CheckSplit(value []byte) error {
	r := codec.NewReader(value)
	s := ReadSplit(r)
	if err := r.Finish(); err != nil {
		return err
	}
	return s.Validate()
}
