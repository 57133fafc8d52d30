// Package treasury releases the shares of the genesis supply by their terms. Its rules are functions over a state.Store.
//
//   - A Bucket is a share with its terms: what is unlocked at genesis, a cliff, and a release in equal or decreasing steps after it. Its coins lie at an
//     address that no key controls.
//   - A Grant awards a part of a bucket to somebody. Governance awards and, where the award says that it may, revokes: that is how milestones, a
//     board's decisions and votes gate a release. A bucket never awards more than it has.
//   - Claim pays a grant's beneficiary what the terms have released of the grant and was not paid yet, no matter who asks.
//   - Revoke leaves a grant what is released by then; the rest can be awarded anew.
//
// The coins of the treasury's own bucket lie on its account, 0x08, and are paid out by governance's disbursements alone.
//
// # Choices where the sources are silent
//
//   - Months are twelfths of BlocksPerYear blocks since genesis, as the years of inflation are years of blocks.
//   - A release after a cliff begins with the end of the cliff: nothing is released at once for the months before.
//   - "Decreasing" and "front-loaded" are steps in the proportion n, n−1, …, 1.
//   - Terms count from genesis for every grant, so that the grants of a bucket together release no faster than the bucket.
//
// # Layout
//
//	Record ‖ 0x09 ‖ genesis:bucket: ‖ name  Bucket, written at genesis
//	Record ‖ 0x08 ‖ awarded/ ‖ name         coins of the bucket's grants, base units
//	Record ‖ 0x08 ‖ grant/ ‖ number(8)      Grant
//	Record ‖ 0x08 ‖ grants                  the number of the newest grant
//
// Deliberately absent: who decides (chain/govern), and who asks (runtime/system/treasury).
//
// Spec: WP §8.3, §8.4, §9 (0x08); governance-staking B4.
package treasury
