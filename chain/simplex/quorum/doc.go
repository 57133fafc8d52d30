// Package quorum is the cryptography of consensus: votes over BLS12-381, verified in one batch at quorum, and one threshold seed per round. It implements
// simplex.Scheme for one epoch's keys and signs what simplex asks to have signed.
//
// Spec: WP §3.4, §6.1; commonware §2.5, §2.6, §3.7, §4.2.
//
// # Why a batch is one pairing
//
// A certificate is valid iff the sum of its signatures verifies under the sum of its signers' keys. That is checked, without weights: when it
// holds, the certificate made of exactly these votes is valid, whatever the single votes are. When it fails, the sums are halved down to the bad
// votes, which are dropped and reported (bls.AggregateMany). Likewise the recovered seed is verified once under the group key; single partials, whose
// errors interpolation would not cancel, only when that fails, and then with random weights (bls.VerifyMany).
//
// Deliberately absent: key files, remote signing, the decision what to sign.
package quorum
