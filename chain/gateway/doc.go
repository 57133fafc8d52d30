// Package gateway is the Gateway Registry at 0x0F: who may bring requests over HTTP to actors, and what gateways earn. Its rules are functions over a
// state.Store.
//
// # Life of a gateway
//
//	─register, with its stake─► active ⇄ silent ─unstake─► leaving ─unstake, after the delay─► gone
//
// Health is 3,600 in the block of a heartbeat and one less in every block after it. It is computed from the height, so nothing is written block by block. A
// gateway is active while its health is above zero, its stake is at least the minimum, and it is not leaving.
//
// # The pool
//
// What the registry of names takes for the gateways lies in a pool. When an epoch of the pool is over, what lies there is shared among the gateways that were
// healthy in one of its blocks: by half for their part of all stake, and by half for their part of all healthy blocks. Two walks over the gateways do that,
// a few gateways a block: the first adds up and notes the shares, the second pays them. What rounding leaves stays in the pool.
//
// # Layout, records of 0x0F
//
//	gateway:profile/ ‖ address(20)   Profile
//	gateway:count                    how many there are
//	gateway:stakes                   the sum of all stakes, base units
//	gateway:pool                     what lies in the pool, base units
//	gateway:epoch                    Epoch: where the pool is
//
// # Invariants
//
//   - At most MaxGateways gateways. gateway:stakes is the sum of the profiles' stakes.
//   - A pool's epoch is paid out before the next one is over.
//
// Deliberately absent: slashing of gateways, which no text has; what becomes of a request, which is package receipt's.
//
// Spec: gateway-payments-streams §B; WP §9 (0x0F).
package gateway
