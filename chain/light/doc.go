// Package light follows a chain without executing it: from a trusted validator set through final headers and their certificates, over the changes of
// the set, and verifies what an untrusted node says about the state, the transactions and the receipts of a final block.
//
// Spec: WP §2.5, §6.1; commonware §3.7, §5.6, §6.
//
// # What is trusted, and what follows from it
//
//   - upon the start: the registry in a state the user trusts, that of the genesis as a rule, gives the set and shared key of one epoch.
//   - upon a header and a finalization certificate (Follow): the header is of the client's chain and epoch, the certificate is about its hash, and a
//     quorum of the epoch's set signed it. The header is final: a Final, which nothing else makes.
//   - upon the last header of the epoch being final, a handover (Turn): the next epoch's record, and its set and shared key where they changed, with
//     proofs against that header's state root. From then the client believes the new set, and no longer the old one.
//   - upon an EpochProof: both at once, which is all a client needs of an epoch it passes.
//   - upon a trusted hash instead of a trusted state (NewTrusting): the header of that hash, and the registry's entries proven in its state.
//   - upon being kept (Encode) and made again (Decode): it stands where it stood. What was kept is trusted as the start was.
//   - upon a header that a final one descends from (Ancestor): the chain of parent hashes makes it final.
//   - upon an answer about an account, a storage entry, a transaction or a receipt: its proof leads to a root of a Final, or it is refused.
//
// At most f faulty validators in the epoch that is followed: then nothing false is believed. Whoever held keys of an old set and lost them later can
// forge history to a client that stands before that epoch; the client must start from something recent enough, and its trust must not be older than
// the unbonding period.
//
// Deliberately absent: the network, which nodes to ask, files, execution.
package light
