package market

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// rerunDomain is what the source of a second run is hashed with, beside the identity of the job: a job has one.
const rerunDomain = "cowboy-job-rerun-v1:"

// Reproduction is what a second run of a deterministic job says of the first.
type Reproduction uint8

// The answers.
const (
	Running   Reproduction = iota // it is under way
	Same                          // the output is that of the first run
	Differs                       // it is another
	Undecided                     // it has no result
	reproductions
)

// Rerun is the second run of a deterministic job, for a challenge.
//
// Spec: runner-marketplace §7 (a fresh committee).
type Rerun struct {
	Job    digest.Hash     // the job that is the second run
	By     account.Address // whoever challenged
	Runner account.Address // whom
	Bond   unit.Amount     // lies under 0x03 while it is Running
	Due    unit.Height     // when something becomes of the first job, which waits
	Says   Reproduction
}

// Encode is the record in state: job(32) ‖ by(20) ‖ runner(20) ‖ UInt bond ‖ UInt due ‖ says(1).
func (r *Rerun) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(codec.AppendFixed(nil, r.Job[:]), r.By[:]), r.Runner[:])
	return codec.AppendU8(codec.AppendUint(codec.AppendUint(dst, uint64(r.Bond)), uint64(r.Due)), uint8(r.Says))
}

// DecodeRerun reads what Encode wrote.
func DecodeRerun(data []byte) (*Rerun, error) {
	in, r := codec.NewReader(data), new(Rerun)
	in.Into(r.Job[:])
	in.Into(r.By[:])
	in.Into(r.Runner[:])
	r.Bond, r.Due, r.Says = unit.Amount(in.Uint()), unit.Height(in.Uint()), Reproduction(in.Tag(uint8(reproductions)))
	return r, finish(in, "rerun")
}

// LoadRerun reads the second run of a job; nil where there is none.
func LoadRerun(r state.Reader, id digest.Hash) (*Rerun, error) {
	return state.Find(r, of(underRerun, id), DecodeRerun)
}

// rerunOf is the job that another is the second run of; ok is false for one that is none.
func (m *Market) rerunOf(id digest.Hash) (first digest.Hash, ok bool, err error) {
	raw, ok, err := m.State.Lookup(of(underOriginal, id))
	if err != nil || !ok {
		return first, false, err
	}
	return digest.Hash(raw), true, nil
}

// Repeat has a deterministic job run again, once: by as large a committee, of runners that had nothing to do with the first run, drawn from the seed of a
// round to come. from holds the price and the tip, which whoever challenges pays as any submitter does; by is whoever that is. It has one attempt, nobody
// can cancel it, and the first job waits for it. Rejects: ErrRerun, and those of Submit.
//
// Spec: WP §5.4; runner-marketplace §7.
func (m *Market) Repeat(t *Task, from account.Address, r *Rerun) (*Task, error) {
	before, err := LoadRerun(m.State, t.ID)
	if err != nil || before != nil {
		return nil, cmp.Or(err, ErrRerun)
	}
	if _, second, err := m.rerunOf(t.ID); err != nil || second {
		return nil, cmp.Or(err, ErrRerun)
	}
	spec, err := LoadSpec(m.State, t.ID)
	if err != nil {
		return nil, err
	}
	spec.Callback, spec.Bounds.MaxRetries, spec.Verification.Runners = job.Callback{}, 0, t.Selection.Members
	source := digest.Keccak256([]byte(rerunDomain), t.ID[:])
	m.State.Set(of(underOriginal, job.Identity(source, 0, m.Height)), t.ID[:]) // before its candidates are found, who provide what the first ones did
	again, err := m.post(source, spec, &posting{by: r.By, from: from, excluded: append(slices.Concat(t.Selection.Selected, t.Selection.Excluded), r.By)})
	if err != nil {
		return nil, err
	}
	r.Job, r.Due = again.ID, t.Job.Due
	m.State.Set(of(underRerun, t.ID), r.Encode())
	m.schedule(t, 0)
	m.save(t)
	return again, nil
}

// reproduced tells the Verifier what a second run says, when it has a result, or ends without one (nil). The first job goes on.
//
// Spec: runner-marketplace §7.
func (m *Market) reproduced(t *Task, result *Result) error {
	if t.Spec.Verification.Mode != job.ModeDeterministic {
		return nil
	}
	id, second, err := m.rerunOf(t.ID)
	if err != nil || !second {
		return err
	}
	r, err := LoadRerun(m.State, id)
	if err != nil || r == nil || r.Says != Running {
		return err
	}
	first, err := m.Open(id)
	if err != nil {
		return err
	}
	was, err := LoadResult(m.State, id)
	if err != nil {
		return err
	}
	switch {
	case result == nil || result.Outcome != verify.Success:
		r.Says = Undecided
	case bytes.Equal(result.Data, was.Data):
		r.Says = Same
	default:
		r.Says = Differs
	}
	m.State.Set(of(underRerun, id), r.Encode())
	if first.Job.Due == 0 { // nothing else has ended it
		m.schedule(first, max(r.Due, m.Height+1))
		m.save(first)
	}
	return m.Verifier.Reproduced(m, first, was, r)
}
