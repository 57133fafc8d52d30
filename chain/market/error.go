package market

import "errors"

// The rejects of this package. Any other error is a failing state source, or a record that is not canonical.
//
// Spec: runner-marketplace §12.
var (
	// ErrNoRunners reports a job that fewer runners can do than its mode needs.
	ErrNoRunners = errors.New("NO_CAPABLE_RUNNERS: fewer runners can do the job than its verification needs")
	// ErrPool reports a pool of runners whose name no registry can hold.
	ErrPool = errors.New("ERR_UNKNOWN_POOL: no pool of runners has such a name")
	// ErrUnknown reports an identity of no job.
	ErrUnknown = errors.New("market: no such job")
	// ErrStatus reports a job in a status in which this cannot be done.
	ErrStatus = errors.New("market: the job is in another status")
	// ErrSubmitter reports an instruction of somebody who did not submit the job.
	ErrSubmitter = errors.New("market: the job is another's")
	// ErrSelected reports a commitment or a reveal for a runner that is not selected.
	ErrSelected = errors.New("market: the runner is not selected for this job")
	// ErrCommitted reports a second commitment of a runner.
	ErrCommitted = errors.New("market: the runner has committed itself already")
	// ErrUncommitted reports a reveal without a commitment.
	ErrUncommitted = errors.New("market: the runner has not committed itself")
	// ErrCrashed reports a second attestation of one crash.
	ErrCrashed = errors.New("market: the runner has said that it crashed already")
	// ErrRevealed reports a second reveal of a runner.
	ErrRevealed = errors.New("market: the runner has revealed already")
	// ErrMismatch reports a reveal of something else than what its runner committed itself to.
	ErrMismatch = errors.New("market: the reveal does not match the commitment")
	// ErrLate reports what comes after its deadline.
	ErrLate = errors.New("market: the deadline is over")
	// ErrCandidates reports a job that more runners can do than a record holds.
	ErrCandidates = errors.New("market: more than 16,384 runners can do the job")
	// ErrRerun reports a second run of a job that has had one, or is one.
	ErrRerun = errors.New("market: the job has been run again, or is a second run")
	// ErrMarket reports a job that the market does not take: one with a callback to a continuation of an actor.
	ErrMarket = errors.New("market: callbacks to continuations are not taken")
)
