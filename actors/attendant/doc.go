// Package attendant does a validator's duties beside agreement: it takes part in the key ceremony of each epoch, and it brings evidence of
// misbehaviour to the chain.
//
// # Upon event
//
//   - upon a final block: the ceremony sees the state after it (chain/stake.Attendant). Deals and answers are sent to the peers that are to receive
//     them; a dealer log becomes a SystemDkg transaction. Then the subsystem looks after its transactions. At most one is outstanding, and a dealer
//     log goes before evidence. The transaction is offered to the lanes again and again until the state shows that its effect is there or that it is
//     not needed any more.
//   - upon a deal or an answer from a peer: it is verified. A deal is on disk before its answer is sent.
//   - upon evidence from agreement (simplex.Accuse): it is written to disk, and becomes a SubmitMisbehaviour transaction unless another validator's
//     evidence arrives first. So that mostly one validator pays, each member waits two blocks for every rank between itself and the guilty validator.
//     Evidence is dropped when the state shows the punishment, or when the offence is too old to be punished.
//
// The outcome of a ceremony is not this package's business: package replica finds the committee of the next epoch in the chain's state and the store
// of key shares.
//
// # Never dealt twice
//
// A dealer's polynomial is a function of its keys and of the ceremony, which is final. A dealer that crashed therefore deals the same values again
// and needs no journal of its deals. The deals that a player acknowledged are in the store.
//
// # Messages
//
// Messages travel on channel Consensus and begin with bytes that the replica does not use. A peer proves which dealer or player it is by a signature
// with the validator's voting key over the peer's network identity (roster.IntroductionPreimage). A deal is private because the transport is encrypted and
// the deal is sent to its player only.
//
//	10 ‖ key(48) ‖ signature(96)   the validator whose node the sender is
//	11 ‖ UInt epoch ‖ deal         of the ceremony for an epoch
//	12 ‖ UInt epoch ‖ answer
//
// # Commands
//
// Final blocks (several that wait become one: the newest), frames, peers that connect and disconnect, accusations.
//
// # State and restarts
//
// In memory are the ceremony in progress, the voting keys that peers have proved, and the outstanding transaction. After a restart all of it is
// rebuilt from the chain's state and the store.
//
// # Bounds
//
// Waiting frames: 64 for each peer and 1,024 in all. Signature checks that a peer may cause: 64 a second. Accusations: 64; further ones are dropped,
// and the next offence of the same validator brings evidence again.
//
// A node without a voting key does nothing. A node without an account key takes part in ceremonies but cannot bring a log or evidence to the chain. The
// account need not be the one that registered the voting key, which owns the stake: a log from another account has the dealer's signature behind it.
//
// Deliberately absent: the rules (chain/beacon, chain/stake); votes (package replica); registering and leaving, which are the operator's
// transactions; relaying deals between validators that are not connected, because a dealer opens in its log the values of players that it cannot
// reach.
//
// Spec: commonware §4.3; WP "Slashing"; governance-staking A3.
package attendant
