// Package beacon makes the threshold key behind the round seeds, and hands it on from one validator set to the next: a ceremony of joint Feldman sharing
// as pure state machines, and the rules by which everybody derives its outcome from the dealer logs on chain.
//
// Spec: WP §3.4; commonware §4.2, §4.3, §4.4.
//
// # The ceremony, event by event
//
// Dealers are the holders of the present key, players those of the next one. A fresh key has dealers without one. t is the players' quorum.
//
//   - upon the start, each dealer: its polynomial has degree t−1, its constant is the dealer's own share (a fresh key: a random scalar), the rest follows from
//     its secrets. Send every player, privately, the signed commitment and the player's value (Deal).
//   - upon the first Deal of a dealer, each player: the dealer signed the commitment; it has t terms among the players and, in a resharing, begins with the
//     dealer's present partial key; the value lies on it. Then keep the deal durably and answer with an Ack, the player's signature over ceremony, dealer
//     and commitment. Otherwise answer nothing.
//   - upon the deadline, each dealer: its Log is the commitment, who acknowledged with one aggregate of their signatures, and in the open the values of
//     those who did not. With more than f of the players silent there is no log.
//   - upon a Log on chain (Info.Check): as above, every player accounted for, at most f values in the open, each on the commitment.
//   - upon the end: the first R logs in dealer order are the ceremony's, R the larger of the dealers' quorum and the present threshold; fewer, and it
//     has failed, and the present key is carried forward. The new key is their sum, or in a resharing their interpolation at zero, which keeps the
//     group's public key. Each player's share is the same combination of its values; what was silent to it is in the log.
//
// # What it withstands
//
//   - Up to f dealers crash: R logs remain.
//   - A dealer that gives a player a wrong value, or nothing, gets no Ack and must put the value in the open, where a wrong one voids the log.
//   - A dealer that shares another constant than its share: its commitment does not begin with its partial key.
//   - Up to f players silent: their values are in the open, others' are not. Fewer than t values of a polynomial say nothing about its constant.
//   - Who leaves keeps a share of the old polynomial. It does not combine with shares of the new one, and fewer than t old ones combine to nothing:
//     whoever stays forgets its old share when the new epoch is under way.
//
// Participant is a node's dealer and player together, events in and effects out, for whoever drives them.
//
// Deliberately absent: transport and its privacy, storage, deadlines, the trusted dealer of development networks (bls.Deal).
package beacon
