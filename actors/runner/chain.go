package runner

import (
	"context"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// Stage is where a job stands, as far as its runners are concerned.
type Stage uint8

const (
	// Over is a job that wants nothing more of its runners.
	Over Stage = iota
	// Working is a job whose runners may commit themselves.
	Working
	// Revealing is a job whose runners reveal what they committed themselves to.
	Revealing
)

// Assignment is a job as the chain has it.
type Assignment struct {
	ID         digest.Hash
	Spec       []byte // canonical encoding
	Stage      Stage
	Deadline   uint64      // the last height at which the stage takes anything
	Committed  bool        // by this runner
	Commitment digest.Hash // zero where the node does not tell
	Revealed   bool
}

// View is what one poll gives.
type View struct {
	Height uint64
	Jobs   []Assignment // those this runner is selected for, and those that were asked for
}

// Chain is what a dispatcher wants of the chain, on behalf of one runner. What Commit, Reveal and Heartbeat give is whether a node took the transaction;
// what became of it a later poll shows.
//
// Spec: runner-marketplace §3 (4, 7, 9), §9 (polling).
type Chain interface {
	// Poll lists the jobs assigned to this runner, and the known ones, of which those that are over are listed as such.
	Poll(ctx context.Context, known []digest.Hash) (View, error)
	Commit(ctx context.Context, id, commitment digest.Hash) error
	Reveal(ctx context.Context, id digest.Hash, reveal *verify.Reveal) error
	Heartbeat(ctx context.Context, accepting bool) error
}

// Queue is where jobs are put for workers. Its key names a try of a job.
type Queue interface {
	Put(ctx context.Context, capability, key string, data []byte) error
}
