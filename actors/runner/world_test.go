package runner

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

var genesis = digest.SHA256([]byte("genesis"))

func newKey(t testing.TB) *sig.PrivateKey {
	raw := digest.SHA256([]byte("runner"))
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// onChain is a job on the chain of the tests.
type onChain struct {
	spec      []byte
	deadline  uint64
	revealBy  uint64
	commits   map[digest.Hash]int // all that ever arrived
	committed *digest.Hash
	revealed  *verify.Reveal
}

// world is a chain with jobs. Each poll is a block later. What arrives is included at once, or, where drop says so, never.
type world struct {
	mu     sync.Mutex
	height uint64
	order  []digest.Hash
	jobs   map[digest.Hash]*onChain
	drop   func() bool
	beats  []bool
	faults []string

	aggregator account.Address // of every committee
}

func newWorld() *world {
	return &world{jobs: map[digest.Hash]*onChain{}, height: 1, drop: func() bool { return false }}
}

// submit assigns a job to the runner; every other one has a committee of three.
func (w *world) submit(t *testing.T, kind job.Kind, blocks uint64) digest.Hash {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	id := digest.SHA256(fmt.Appendf(nil, "job %d", len(w.order)))
	spec := &job.Spec{ID: id, Kind: kind, Schema: job.ResultSchema{MaxReturnBytes: 100}, TimeoutBlocks: 100,
		Bounds: job.ResourceBounds{MaxInputTokens: 1, MaxOutputTokens: 1, MaxWallTimeSeconds: 60, MaxMemoryMB: 64}}
	if len(w.order)%2 == 1 {
		spec.Verification = job.Verification{Mode: job.ModeDeterministic, Runners: 3, Threshold: 2}
	}
	switch kind {
	case job.HTTP:
		spec.HTTP = &job.HTTPJob{URL: "http://example.org/", Method: "GET"}
	case job.Custom:
		spec.Custom = &job.CustomJob{Params: []byte(fmt.Sprint(len(w.order)))}
	}
	encoded := spec.Append(nil)
	if _, err := job.Decode(encoded); err != nil {
		t.Fatal(err)
	}
	w.order = append(w.order, id)
	w.jobs[id] = &onChain{spec: encoded, deadline: w.height + blocks, commits: map[digest.Hash]int{}}
	return id
}

// Poll implements Chain.
func (w *world) Poll(_ context.Context, known []digest.Hash) (View, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.height++
	v := View{Height: w.height}
	for _, id := range w.order {
		j := w.jobs[id]
		a := Assignment{
			ID: id, Spec: j.spec, Stage: Working, Deadline: j.deadline, Committed: j.committed != nil, Revealed: j.revealed != nil, Aggregator: w.aggregator,
		}
		if j.committed != nil {
			a.Commitment = *j.committed
			a.Stage, a.Deadline = Revealing, j.revealBy
		}
		if j.revealed != nil || w.height > a.Deadline {
			a.Stage = Over
		}
		v.Jobs = append(v.Jobs, a)
	}
	return v, nil
}

var errDropped = errors.New("no node took it")

// Commit implements Chain.
func (w *world) Commit(_ context.Context, id, commitment digest.Hash) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	j := w.jobs[id]
	if j.commits[commitment]++; len(j.commits) > 1 {
		w.faults = append(w.faults, "two commitments of job "+id.Hex())
	}
	if w.drop() {
		return errDropped
	}
	if j.committed == nil && w.height <= j.deadline {
		j.committed, j.revealBy = &commitment, w.height+60
	}
	return nil
}

// Reveal implements Chain.
func (w *world) Reveal(_ context.Context, id digest.Hash, r *verify.Reveal) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	j := w.jobs[id]
	if w.drop() {
		return errDropped
	}
	if j.committed == nil {
		if !alone(j.spec) {
			w.faults = append(w.faults, "a reveal of job "+id.Hex()+" before its commitment")
		}
		return errDropped
	}
	if _, err := r.Open(sig.Default(), id, *j.committed); err != nil {
		w.faults = append(w.faults, err.Error())
		return nil
	}
	j.revealed = r
	return nil
}

// Crash implements Chain.
func (w *world) Crash(_ context.Context, id digest.Hash, signal verify.Crash) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, "a crash of job "+id.Hex()+": "+signal.String())
	return nil
}

// Heartbeat implements Chain.
func (w *world) Heartbeat(_ context.Context, accepting bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.beats = append(w.beats, accepting)
	return nil
}

// check wants no fault, and all but the jobs named to be revealed.
func (w *world) check(t *testing.T, except ...digest.Hash) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.faults {
		t.Error(f)
	}
	not := map[digest.Hash]bool{}
	for _, id := range except {
		not[id] = true
	}
	for i, id := range w.order {
		if (w.jobs[id].revealed != nil) == not[id] {
			t.Errorf("job %d: revealed is %v, commitments %v", i, w.jobs[id].revealed != nil, len(w.jobs[id].commits))
		}
	}
}

// over reports whether no job wants anything more.
func (w *world) over() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, j := range w.jobs {
		if j.revealed == nil && (j.committed == nil && w.height <= j.deadline || j.committed != nil && w.height <= j.revealBy) {
			return false
		}
	}
	return true
}

func hexOf(h digest.Hash) string { return hex.EncodeToString(h[:4]) }
