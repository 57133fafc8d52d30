// Package lines is the runner's side of package push: it keeps connections to the validators of the runner's subset, receives jobs over them and sends results
// back.
//
// # What it does, as upon-event bullets
//
//   - upon a look at the chain's validators, as the runner's node tells of them: those of the subset that have invited runners are connected to; an invitation
//     counts if the validator's voting key and its node's key signed it. Who leaves the subset stays connected for 32 blocks.
//   - upon a failure: it is tried again after 100 ms, then after twice as long each time, up to 30 s, a quarter more or less. A validator that says it is none
//     of this runner's, or knows no such runner, is asked again after 30 s.
//   - upon an assignment: if its validator signed it, the dispatcher decides and answers when it is in the journal. The same one from another validator is a
//     duplicate.
//   - every second: a heartbeat, and what has changed of the runner's load.
//   - upon a transaction of the runner's about a job: it goes to all that are connected, beside the node. So does how far a job is, which nobody answers.
//
// # Trust
//
// A validator's word starts work and nothing else: nothing is committed to before the runner's own node shows the job with the same specification.
//
// # Bounds
//
// A subset has 8 validators at most, and as many may linger. Of each, 8 assignments are taken at a time and 32 frames wait to be sent; what is beyond that the
// node still has. Of the progress of all jobs 8 frames a second are sent, and the rest is dropped: the next one says more.
//
// Spec: runner-marketplace §9.
package lines
