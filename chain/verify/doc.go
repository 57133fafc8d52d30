// Package verify is what the Result Verifier, 0x03, decides: whether a reveal is what its runner committed itself to, whether the results of a committee
// agree as the job asks, which of them counts, and who gets what of the escrow. It is arithmetic over what it is given, without state; package market has
// the jobs, runtime/system/job runs both.
//
// # From a reveal to coins
//
//   - Open holds a Reveal against its commitment, keccak256(output ‖ salt). The salt is the hash of the runner's signature over this output of this job, so
//     that nobody can commit himself to what another committed itself to.
//   - Judge holds what was revealed against the job: each Output alone (size, schema, prompt leak, freshness), then the check pipeline in its order, then the
//     mode. A check of several results leaves the most that meet it together; N of M are to be left at the end. Non-voted fields are those of the lowest
//     address.
//   - Actual, ProRata and Bill.Divide are the payment: every base unit of the escrow is a runner's, burned, the treasury's or the submitter's.
//
// The order in which runners reveal decides nothing, but for the snapshot first_valid, which asks for it.
//
// # JSON
//
// ParseJSON reads JSON of at most 4,096 values once, in time in proportion to its length, and exactly: numbers are decimals of at most 64 digits, equal where
// their values are ("1.50" and 15e-1); names stand once. ParseSchema knows a part of JSON Schema and refuses all other keywords when the job is submitted. How
// often results are looked at is bounded by their size (Work).
//
// # Choices where the sources are silent
//
//   - A check that a result fails alone, of the objective ones of §6.3, is its runner's failure. Not to agree, a number out of range, a name that does not
//     resolve and a stale source are none: who answered honestly may be in the minority.
//   - A committee may agree that a job cannot be done. The progress that counts is the largest a threshold of it vouches for.
//   - Of an HTTP job with the snapshot median, the mode majority_vote takes the median for the vote.
//   - The price of a committee is the lower median of what its runners claim.
//
// A pattern in a schema is a regular expression of RE2, whose matching is linear in its steps and the bytes of the text, and whose steps are known and bounded
// before its program is made.
//
// Deliberately absent: references and combinations of schemas, since their work has no simple bound.
//
// Spec: WP §5.3, §5.4, "LLM Result Verification", "External Data and Oracle Semantics"; CIP-2 §8, §9; runner-marketplace §2.3, §2.4, §2.6, §5, §6.
package verify
