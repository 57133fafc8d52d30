// Package quorum is the arithmetic behind agreement: votes over BLS12-381, verified in one batch at quorum, and one threshold seed per round. It
// implements simplex.Scheme for one epoch's keys and signs what simplex asks to have signed.
//
// Spec: WP §3.4, §6.1; commonware §2.5, §2.6, §3.7, §4.2.
//
// # Why a batch is one pairing
//
// A certificate is valid iff the sum of its signatures verifies under the sum of its signers' keys. That is checked first, without weights: when
// it holds, the certificate made of exactly these votes is valid, whatever the single votes are. Only when it fails are the votes checked with
// random weights and halved down to the bad ones (bls.VerifyMany), which are dropped and reported. Likewise the recovered seed is verified once
// under the group key, and single partials only when that fails.
//
// Deliberately absent: key files, remote signing, the decision what to sign.
package quorum
