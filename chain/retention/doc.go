// Package retention is the market of plain blobs at 0x0A: an operator pays relays for keeping blobs, which stand on the chain as references of 64 bytes, from
// one epoch to another. Its rules are functions over a state.Store; contracts lie under 0x0A, their coins under 0x0B.
//
// # A contract's life, event by event
//
//   - upon Create: the operator says which blobs, for which epochs of 600 blocks, by how many providers, what each is paid for an epoch, how it is sampled and
//     what it loses. The coins for all of it are in escrow from then on.
//   - upon Accept: an active relay takes a seat, and stakes what the contract asks for. It is paid from the next epoch on.
//   - upon the first block of an epoch: the beacon gives the epoch's randomness, from which the samples of every audit follow.
//   - upon Prove in an epoch whose audit is the provider's: it has proven every sample and is paid for the epochs since the audit before, or one sample is not
//     the blob's, which is a strike.
//   - upon the end of that epoch without an answer: a strike. It costs the pay of those epochs, a part of the stake, or both, and with the last one the
//     provider loses its seat and gets the rest of its stake.
//   - upon Renew: the operator pays for further epochs, also in the grace after the end, whose epochs are neither audited nor paid.
//   - upon the end of the grace: stakes go back to the providers, what is left in escrow to the operator, and the contract is forgotten.
//
// # Choices where the sources are silent
//
//   - Providers are relays, so that they are known and heard of; the stake of a contract is its own.
//   - Nobody attests: a provider proves by pieces that lead to the root over a blob's pieces, which the contract keeps beside the reference.
//   - Should the chain be behind with audits that were missed, a provider's next audit is in an epoch to come, and it pays for the epochs between.
//   - SLASH alone takes of the stake and pays all the same.
//
// # Layout, records of 0x0A
//
//	ret:contract: ‖ contract_id              Contract
//	ret:provider: ‖ contract_id ‖ provider   Commitment
//	ret:due: ‖ be8 height ‖ contract_id ‖ provider   nothing; the zero address: the contract ends
//	ret:seed                                 Seed
//
// # Invariants
//
//   - The escrow of a contract covers what its seats can earn up to its end.
//   - The end of a block meets a bounded number of audits and contracts, however many there are.
//
// Spec: storage-cbfs §7; WP §7.2, §17.6.
package retention
