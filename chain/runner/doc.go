// Package runner is the Runner Registry, 0x01: who offers off-chain work, with what stake, for what price and for which jobs, who is awake, and how far each
// is trusted. Its rules are functions over a state.Store; the registry and its coins lie under 0x01.
//
// # A runner's life, event by event
//
//   - upon Register of a stranger: the stake covers max(10,000 CBY, 1.5 × the largest job value it declares), and the public key is that of its address. It is
//     Active, its reputation is 50, and it has just been heard of.
//   - upon Register of a runner: what it declares is replaced, the coins are added to its stake. One that is Suspended comes back, with a reputation of 50 at
//     least.
//   - upon UpdateCard: the card is replaced, unless the last one is younger than its cooldown, which is an epoch of 3,600 blocks or as much longer as the card
//     says.
//   - upon Heartbeat: it was heard of, and takes new jobs or is Paused, as it says. Without a heartbeat for 100 blocks it is unhealthy, and gets no jobs.
//   - upon Attest: what it says it provides, signed, replaces what it said before.
//   - upon Score: its reputation moves towards the score (Reputation).
//   - upon Slash: a part of its stake, and of what is delegated to it, is taken and shared out as governance says. With less than the floor left it is
//     Suspended, and its reputation is 0.
//   - upon Deregister: it gets no more jobs. After the unbonding period, and when its last job is over and nobody may challenge it any more, the end of a block
//     pays its stake out and forgets it. All that is delegated to it begins to unbond.
//
// # Delegated stake, event by event
//
//   - upon SetDelegation: the runner says whether it takes stake, for what commission. Governance has switched delegation on, or it is refused.
//   - upon Delegate: the coins are a new tranche behind the runner. Its own stake is a tenth of the effective stake at least.
//   - upon Increase: the coins are added to an active tranche.
//   - upon Undelegate: the oldest tranches begin to unbond, the last of them is split.
//   - upon Claim: tranches whose unbonding is over are paid out.
//   - upon Pay: what a settlement earned is divided among the runner and its delegators (Split).
//   - upon Slash: each tranche that is active or unbonding loses in proportion, 5 % in an epoch at most.
//
// A runner has at most 200 delegators, each with 24 tranches, so that whatever looks at all of them looks at 4,800 records.
//
// # Reputation
//
// A Reputation is a share of 200 in Q1.63. A scored event moves it by α·(score − reputation), α = 1 − 2^(−Δ/half-life), where Δ is the number of blocks since
// the event before, at least one and at most a half-life: an average over time, in which an event weighs as much as the time it speaks for. So a runner
// gains nothing by many small jobs, and a lone event of a new runner is not invisible.
//
// # Layout, records of 0x01
//
//	runner:state/ ‖ address          Runner
//	runner:declared/ ‖ address       Declaration
//	runner:offer/ ‖ address          Declaration without its lists
//	runner:able/ ‖ ability ‖ address nothing: who can do what
//	runner:attested/ ‖ address       entitle.Attestation, in CBOR
//	runner:leaving/ ‖ be8 ‖ address  nothing: who leaves, by the block it may leave in
//
//	delegation:tranche/ ‖ runner ‖ delegator ‖ be8 number   Tranche
//	delegation:delegator/ ‖ delegator ‖ be8 number          runner
//	delegation:summary/ ‖ runner ‖ delegator                Summary
//	delegation:totals/ ‖ runner                             Totals
//	delegation:config/ ‖ runner                             DelegationConfig
//	delegation:unbonding/ ‖ be8 height ‖ be8 number         delegator
//	delegation:counter                                      the number of the last tranche
//
// What changes often is small. Who can do a job is found under the abilities it needs; what is long is read for nobody that is chosen among.
//
// All coins, the delegated too, are on the balance of 0x01.
//
// Deliberately absent: who is chosen for which job (chain/job); when all this runs
// (runtime/system/job).
//
// Spec: WP §5.2, §13, §17.7; runner-marketplace §2.5, §3, §8, §10, §11; governance-staking part C; CIP-2 §4; ENT §4, §5.
package runner
