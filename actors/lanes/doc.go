// Package lanes is the mempool: a router that admits transactions, and one actor per lane that keeps its lane's transactions in their
// order.
//
// # Commands
//
//   - Submit (router): encoded transactions, answered once with an identity and a reject or none each.
//   - lookup, count, nextNonce (router): what is waiting.
//   - included, drop (router): transactions that left through a final block, or can never be included. What was dropped for a reason is refused with it when it
//     comes again, for 3,600 blocks, the newest 16,384 of them; a router that restarts forgets that.
//   - frames of channel Transactions (router): what peers have; what is taken of it, and of this node's clients, is told to the other peers:
//     Vec of Bytes, at most 1,024 transactions. What this node's clients sent and still waits is told again, 1 MiB of it at most: to a peer that connects,
//     16 of them between two blocks, and to all after 64 blocks.
//   - add, remove, Offer, census (lane): keep, forget, offer to a proposer, tell everything.
//
// # Admission, in order
//
// size and layout → known already, or dropped for a reason → stateless checks and signatures (verifier) → sender, funds, basefee and privilege against the
// newest final state → nonce: the account's next that is not waiting, or one that is, which replaces if both maximum fees rise by a tenth and no
// priority falls → 32 per account → 32,768 transactions and 32 MB in all, or better than the worst.
//
// The fee tier of a transaction is the bit length of its effective fee per byte (WP §6.4) at admission: a tier pays up to twice the one
// below. Within a tier the first to come is the first to go: the older of two equals has the higher score. When the pool is full, the
// youngest transaction of the lowest tier leaves, with its sender's later ones, if a better one comes.
//
// What nobody can pay for any more is not offered, and leaves after 64 blocks at most: a balance that covered many transactions one by one, spent, or a payer
// who has nothing left, keeps no other transaction out of a block.
//
// The memory of transactions on their way is a share of the node's budget, of which those of peers take half at most; beyond it a submission is shed.
// What waits is bounded by Limits, which Limits.Within fits into a share.
//
// # State and restarts
//
// The router's book knows every waiting transaction; a lane knows its own in order. A lane that restarts is filled again from the
// book, the router that restarts asks the lanes. Only if both are lost at once are waiting transactions gone; none was promised more.
//
// Spec: WP §6.3, §6.4; node-rpc-cli §3.
package lanes
