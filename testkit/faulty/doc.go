// Package faulty holds validators that misbehave, one small file each. A faulty validator is a production node whose link is in the hands of a Conduct:
// it sees every frame that comes and decides what becomes of every frame its node wants to send. It has its own keys and nobody else's.
//
// What any number up to f of them does must cost the others nothing but time: no two final blocks at a height, nobody honest blamed, progress once the
// network is well. With f+1 the checkers of package check are expected to find something; that they can is tested where they are used.
//
//	silent         sends nothing                               late           sends everything, much too late
//	equivocator    proposes two blocks in a view               doublevoter    votes for and against everything
//	withholder     shows votes and certificates to some        replayer       repeats what it heard as its own
//	forger         spoils signatures, certificates and bytes   impersonator   votes and introduces itself as others
//	badproposer    proposes blocks that are not valid          flooder        fills every channel with frames
//	liar           answers questions for blocks with others    twin           two honest machines with one key
//	lazy           does not propose                            dawdler        proposes when others are about to give up
//	spoiler        passes blocks on with a signature spoilt
//	omitter        does not hear one validator's votes        shunner        nor lets it see its blocks
//	slanderer      accuses leaders of proposals that are in order
//	perjurer       votes for two blocks in one view, once      misdealer      deals values that are not on its polynomial
//
// The kinds of Invalid each propose blocks that are invalid in one way, the same to all, and are to be jailed for it:
//
//	wrong-state, -receipts, -cycles, -cells             other than execution gives
//	wrong-basefee, -cellfee, -time, -version, -chain    other than the parent asks for
//	wrong-parent, -rank, -reward                        of another parent, another proposer, another account
//	wrong-proof, -output, -seed, -votes                 signatures over something else
//	wrong-order, stale-, repeated-transaction           a body that cannot be executed as it stands
//	wrong-body, wrong-count, unsigned-transaction       a body that is not the header's, or not signed
//
// Spec: commonware §7 (Byzantine mocks).
package faulty
