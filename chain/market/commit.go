package market

import (
	"cmp"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Commit keeps a selected runner's commitment to its result. When all of the committee have committed themselves, they may reveal. It gives the job as it is
// now. Rejects: ErrUnknown, ErrStatus, ErrLate, ErrSelected, ErrCommitted.
//
// Spec: WP §5.3; CIP-2 §8; runner-marketplace §2.7, §5.
func (m *Market) Commit(id digest.Hash, runner account.Address, commitment digest.Hash) (*Task, error) {
	t, err := m.Open(id)
	if err != nil {
		return nil, err
	}
	j := t.Job
	switch {
	case j.Status == Revealing || j.Status == Verifying || j.Status.Working() && m.Height > j.Deadline:
		return nil, ErrLate
	case !j.Status.Working():
		return nil, ErrStatus
	case t.Selection.Place(runner) < 0:
		return nil, ErrSelected
	}
	if before, err := LoadCommitment(m.State, id, runner); err != nil || before != nil {
		return nil, cmp.Or(err, ErrCommitted)
	}
	m.State.Set(memberKey(underCommitment, id, runner), (&Commitment{Hash: commitment, Height: m.Height, Time: m.Time}).Encode())
	j.Status = Executing
	if j.Committed++; j.Committed == uint32(len(t.Selection.Selected)) {
		m.revealing(t)
	}
	m.save(t)
	return t, nil
}

// revealing begins the window in which those who committed themselves reveal.
//
// Spec: runner-marketplace §5 (windows).
func (m *Market) revealing(t *Task) {
	t.Job.Status, t.Job.Deadline = Revealing, m.Height+params.RevealWindowBlocks
	m.schedule(t, t.Job.Deadline)
	m.emit(TopicRevealing, t.ID, number(t.Job.Deadline))
}

// Reveal keeps the result of a selected runner, which it committed itself to; anybody may post it. When all who committed themselves have revealed, the end
// of this block judges. The runner's signature is the caller's to check. It gives the job as it is now. Rejects: ErrUnknown, ErrStatus, ErrLate, ErrSelected,
// ErrUncommitted, ErrRevealed, ErrMismatch.
//
// Spec: WP §5.3; runner-marketplace §2.6, §5.
func (m *Market) Reveal(id digest.Hash, v *Reveal) (*Task, error) {
	t, err := m.Open(id)
	if err != nil {
		return nil, err
	}
	j := t.Job
	switch {
	case j.Status != Revealing:
		return nil, ErrStatus
	case m.Height > j.Deadline:
		return nil, ErrLate
	case t.Selection.Place(v.Runner) < 0:
		return nil, ErrSelected
	}
	c, err := LoadCommitment(m.State, id, v.Runner)
	if err != nil || c == nil {
		return nil, cmp.Or(err, ErrUncommitted)
	}
	if before, err := LoadReveal(m.State, id, v.Runner); err != nil || before != nil {
		return nil, cmp.Or(err, ErrRevealed)
	}
	if CommitmentOf(v.Output, v.Salt) != c.Hash {
		return nil, ErrMismatch
	}
	v.Height, v.Place = m.Height, j.Revealed
	m.State.Set(memberKey(underReveal, id, v.Runner), v.Encode())
	if j.Revealed++; j.Revealed == j.Committed {
		m.schedule(t, m.Height)
	}
	m.save(t)
	return t, nil
}

// Crash keeps a runner's word that it cannot reveal what it committed itself to. It counts until the window for reveals is over, and may reveal all the same.
// Rejects: ErrUnknown, ErrStatus, ErrLate, ErrSelected, ErrUncommitted, ErrRevealed, ErrCrashed.
//
// Spec: runner-marketplace §5 (rec: none at or after settlement), §8.1.
func (m *Market) Crash(id digest.Hash, runner account.Address) error {
	t, err := m.Open(id)
	if err != nil {
		return err
	}
	j := t.Job
	switch {
	case j.Status != Executing && j.Status != Revealing:
		return ErrStatus
	case j.Status == Revealing && m.Height > j.Deadline-params.RevealWindowBlocks+params.CrashExemptionBlocks:
		return ErrLate
	case t.Selection.Place(runner) < 0:
		return ErrSelected
	}
	c, err := LoadCommitment(m.State, id, runner)
	if err != nil || c == nil {
		return cmp.Or(err, ErrUncommitted)
	}
	if v, err := LoadReveal(m.State, id, runner); err != nil || v != nil {
		return cmp.Or(err, ErrRevealed)
	}
	if c.Crashed {
		return ErrCrashed
	}
	c.Crashed = true
	m.State.Set(memberKey(underCommitment, id, runner), c.Encode())
	return nil
}

// CommitmentOf is the commitment to a result: keccak256(output ‖ salt).
//
// Spec: WP §5.3.
func CommitmentOf(output []byte, salt digest.Hash) digest.Hash {
	return digest.Keccak256(output, salt[:])
}
