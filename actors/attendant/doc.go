// Package attendant does a validator's duties beside agreement: its part in the key ceremony of each epoch, and bringing misbehaviour to the chain.
//
// # Upon event
//
//   - upon a final block: show it to the ceremony (chain/stake.Attendant). Deals and answers go to the peers that are their receivers, a dealer log
//     becomes a SystemDkg transaction. Then look after the transactions: one is out at a time, the dealer log first. It is offered to the lanes again and
//     again until the state shows that it is done, or that it is not needed any more.
//   - upon a deal or an answer of a peer: verify; a deal is on disk before its answer leaves.
//   - upon evidence (simplex.Accuse): keep it on disk. It becomes a SubmitMisbehaviour transaction unless another validator's was faster: members
//     wait for each other, two blocks for every rank between them and the guilty one. It is dropped when the state shows the punishment, or when the
//     offence is out of date.
//
// The epoch's outcome is not this package's: the committee of the next epoch is found by package replica from the chain's state and the store.
//
// # Never dealt twice
//
// A dealer's polynomial is a function of its keys and of the ceremony, which is final, so a dealer that crashes deals the same again and needs no journal
// of what it dealt. What a player acknowledged is in the store.
//
// # Frames
//
// On channel Consensus, with first bytes the replica does not use. A peer is a dealer or player by a signature with the voting key over its network
// identity, the one replica.Introduction defines. Deals are private because the transport is, and go to nobody but their player.
//
//	10 ‖ key(48) ‖ signature(96)   whose node the sender is
//	11 ‖ UInt epoch ‖ deal         of the ceremony for an epoch
//	12 ‖ UInt epoch ‖ answer
//
// # Commands
//
// Final blocks (coalesced: the newest is looked at), frames, peers that come and go, accusations.
//
// # State and restarts
//
// The ceremony under way, who is who, the transaction that is out. A restart begins from the state of the chain and the store.
//
// # Bounds
//
// Frames waiting: 64 of a peer, 1,024 in all. What costs a signature check: 64 a second and peer. Accusations: 64; more are dropped, and come back with
// the next offence.
//
// A node without a voting key does nothing; one without the key of an account takes part in ceremonies but cannot put a log or evidence on chain, and one
// with another account than the one that registered its voting key can put evidence there, but no log.
//
// Deliberately absent: the rules (chain/beacon, chain/stake), votes (package replica), registering and leaving, which are the operator's transactions;
// relaying deals between validators that are not connected: the values of those a dealer cannot reach are opened in its log.
//
// Spec: commonware §4.3; WP "Slashing"; governance-staking A3.
package attendant
