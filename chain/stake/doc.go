// Package stake is the validator registry: who may take part in agreement in which epoch and with what weight, how stake comes and goes, who is paid, and who
// is punished. Its rules are functions over a state.Store; the registry lies under the Governance actor (0x09), and so do its coins.
//
// Spec: WP "Validator Set", "Staking and Rewards", "Slashing", §8.2, §8.4, §13; governance-staking part A; commonware §4.3 (epoch schedule).
//
// # Epochs, event by event
//
//   - upon the first block of an epoch: its parent's hash becomes the epoch's anchor, the seed it took over the epoch seed.
//   - upon the midpoint (params.Calendar.Freeze): the list for the next epoch closes. On it is whoever is Pending or Active with at least the minimum
//     stake, ascending by public key. An empty list is no list: the present set stays.
//   - from then to the last block: each present validator may put one dealer log of the resharing on chain (chain/beacon). The logs stay until the next list
//     closes, so that a player that was down can still make its share.
//   - upon the last block: pay the rewards; burn the slashes; move what joins and leaves; if enough dealer logs are there, the list becomes the set of
//     the next epoch and shares the key; otherwise set and key are carried forward. Weights are the stakes as they are then.
//
// Membership changes at boundaries only. A jailed validator is at once unpaid and barred from proposing; it stays in the set, and counts towards
// quorums, until the next boundary it can leave at, because agreement cannot change its quorums within an epoch.
//
// # A validator's life
//
//	none ─Register─► Pending ─boundary─► Active ─Exit─► Exiting ─boundary─► Unbonding ─7 days, Withdraw─► none
//	Active, Pending ─offence─► Jailed ─jail period over, Unjail─► Pending
//
// An Active validator whose stake falls below the minimum is Pending after the next boundary. Exit with an amount takes that much out at the next
// boundary and must leave the minimum; added stake counts from the next boundary on.
//
// # Money
//
//   - Stakes are coins of 0x09, from Register to Withdraw. A slash takes from stake and from what is unbonding alike, and is burned.
//   - Inflation is shared in proportion to stake among the Active members. What a block mints is owed, not moved: the amount owed is the supply's
//     minted total less what was paid (Owed), and is paid when an epoch ends or the earners change. A division's remainder stays owed.
//   - balances + pools + Owed = supply, after every block.
//
// # How a node uses it
//
//   - The set of an epoch: SetAt on a state from its anchor on (actors/replica.Registered). The node's share of a renewed key: Recover, up to the midpoint.
//   - Its own part in resharings: an Attendant, shown final blocks; it answers with messages for peers and a log for a SystemDkg transaction
//     (actors/attendant).
//   - simplex.Accuse: a SubmitMisbehaviour transaction with the evidence's encoding, until Settled.
//   - A proposer fills its header's ParentVotes with simplex.State.Votes of the parent and its LateVotes with simplex.State.LateVotes of the blocks whose
//     ballots are open (LoadBallot), and proposes nothing while CheckProposer refuses it.
//
// The length of an epoch is the network's calendar (params.Calendar), fixed at genesis: 3,600 blocks unless the genesis says otherwise.
//
// # Evidence
//
// Anybody may submit simplex.Evidence while the offence is within the unbonding period. One penalty per validator and round, however many proofs.
// Double votes of any kind: jail and 1 % of stake, taken at the next boundary. A block that breaks a rule its header proves: jail.
//
// So is any other invalid proposal, but its proof is not in the evidence: a proposal may have 4 MiB, it executes on a state that few nodes keep, and to
// execute a block inside another would let one block cost two. Every validator executes every proposal in its turn; what f+1 of them signed to have found is
// evidence of less than 2 KiB however large the set is (simplex.Finding), which package simplex argues to be right whenever at most f are faulty. Every node
// that had the block can check it against its own verdict, at leisure by executing the bytes that accusers keep ("cowboyd verify --block"); it proposes no
// evidence that it knows to be false. Who submits it pays for each key it is verified with.
//
// Deliberately absent: delegation; verifying blocks and votes; the ceremony's private side (chain/beacon); a reset of how often somebody was jailed.
package stake
