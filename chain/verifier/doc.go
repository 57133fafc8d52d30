// Package verifier is the Result Verifier, 0x03, over the state: it holds reveals against commitments, has package verify judge them, pays and scores the
// runners of package market's jobs, and decides challenges.
//
// # What it does, event by event
//
//   - upon a commitment or a reveal: package market keeps it; a reveal is opened first (verify.Reveal), so that nothing is kept that its runner did not sign.
//   - upon a crash attestation of a runner that committed itself, before the window for reveals is over: it is excused.
//   - upon the end of the window: a runner that did not reveal has a score of 0, and unless it is excused loses a quarter of its stake, at most 100,000 CBY.
//     The reveals are judged; who failed alone has a score of 0, who agreed 100, the aggregator 110.
//   - upon the end of the dispute window: the price, fixed when the result was verified, is divided (verify.Bill), and each runner's
//     part among it and its delegators (runner.Registry.Pay).
//   - upon a challenge: what the chain itself can decide is decided at once. The challenger has its bond back and the runner is slashed, or the bond is burned.
//     That a deterministic job cannot be reproduced is decided by a second run (market.Repeat), once for a job.
//     Before the job is paid for, a challenge that is right undoes the result too: all goes back to the submitter.
//   - upon a check by an actor (Custom): package market keeps the question, a turn of its own calls the actor, and the results are judged again with its
//     ruling.
//
// # Layout, records of 0x03
//
//	verifier:crashes/ ‖ runner    heights of a runner's latest crash attestations
//
// Spec: WP §5.3, §5.4, §9, §13; CIP-2 §8, §9; runner-marketplace §5, §6, §7, §8.
package verifier
