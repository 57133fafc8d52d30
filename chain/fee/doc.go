// Package fee prices the two meters (cycles and cells), settles what executions cost, and keeps the books of the coin.
//
// # What it holds
//
//   - Adjustment: the basefee of one meter after a block, from the basefee before it and the use of the block.
//   - Rates, Bid, Price: what one cycle and one cell cost a transaction in a block, split into the part that is burned and the
//     part that is the proposer's.
//   - Settlement: pre-charge at the maximum fees, refund of everything that was not used or not asked for, burn, tip.
//   - Supply: how much coin exists (genesis + minted − burned) and the inflation of each block.
//
// # Rounding
//
// A basefee is an integer of base units per cycle or per cell. The change of a block is
//
//	floor(basefee × min(|used − target|, …) / (target × alpha))
//
// computed in 128 bits: the magnitude rounds down, toward an unchanged basefee, in both directions. Everything else is exact:
// prices are integers, so a fee is a sum of products and pre-charge = burn + tip + refund holds to the base unit.
//
// # Invariants
//
//   - Every product and sum is checked; overflow is an error, never a wrap.
//   - basefee ≥ floor after every adjustment, and it moves by at most 1/96 of itself.
//   - Settle's three parts add up to the pre-charge.
//
// Deliberately absent: who holds a balance (chain/account) and the order of charging (runtime/transition).
//
// Spec: WP §2.3, §4, §8.2, §8.4, §17.8, §17.9; CIP-3 §2.4.
package fee
