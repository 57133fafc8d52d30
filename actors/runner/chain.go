package runner

import (
	"context"

	"github.com/cowboyinc/cowboy-go/chain/account"
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
	Crashed    bool            // it has said that it cannot reveal
	Aggregator account.Address // of the committee; zero where the node does not tell
	Others     []Member        // of the committee
}

// Member is another runner of a job's committee.
type Member struct {
	Runner     account.Address
	Commitment digest.Hash // zero: none yet
	Revealed   bool
}

// View is what one poll gives.
type View struct {
	Height uint64
	Jobs   []Assignment // those this runner is selected for, and those that were asked for
}

// Chain is what a dispatcher wants of the chain, on behalf of one runner. What all but Poll give is whether a node took the transaction; what became of it a
// later poll shows.
//
// Spec: runner-marketplace §3 (4, 7, 9, 97), §9 (polling).
type Chain interface {
	// Poll lists the jobs assigned to this runner, and the known ones, of which those that are over are listed as such.
	Poll(ctx context.Context, known []digest.Hash) (View, error)
	Commit(ctx context.Context, id, commitment digest.Hash) error
	// Reveal posts a reveal, of this runner or of another.
	Reveal(ctx context.Context, id digest.Hash, reveal *verify.Reveal) error
	Crash(ctx context.Context, id digest.Hash, signal verify.Crash) error
	Heartbeat(ctx context.Context, accepting bool) error
}

// Queue is where jobs are put for workers. Its key names a try of a job.
type Queue interface {
	Put(ctx context.Context, capability, key string, data []byte) error
}

// Reply is what an aggregator says to a reveal that is handed to it.
type Reply uint8

const (
	// Declined is a reveal that its runner has to post itself.
	Declined Reply = iota
	// Early is one that the aggregator does not see wanted yet.
	Early
	// Promised is one that it has in its journal, and posts.
	Promised
)

// Peers is how a runner reaches the others of a committee. An error is no answer.
//
// Spec: runner-marketplace §2.5 (endpoint); CIP-2 §8.
type Peers interface {
	Hand(ctx context.Context, to account.Address, id digest.Hash, reveal *verify.Reveal) (Reply, error)
}
