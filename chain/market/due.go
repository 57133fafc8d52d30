package market

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// What the end of one block does at most; the rest is the next one's.
const (
	DrawsPerBlock = 128    // committees drawn from a seed that has come
	StepsPerBlock = 256    // jobs something is due of
	LooksPerBlock = 16_384 // runners looked at for other attempts, and tranches behind those who are slashed; the job that reaches it is still done
	// TranchesPerBlock bounds the tranches behind runners who are paid; the runner that reaches it is still paid, and the others in the next blocks. What is
	// due of other jobs does not wait for that.
	TranchesPerBlock = 16_384
	// JudgedPerBlock bounds the work to judge results (verify.Work): half of that of one job of the largest. The job that reaches it is still done.
	JudgedPerBlock = params.CommitteeMax * verify.MaxWork / 2
)

// RecordBlocks is how long the record of a job stays when all else of it was deleted: a week.
const RecordBlocks = 7 * params.BlocksPerDay

// End does what is due at the end of a block: the size of committees, draws, deadlines, windows, settlements and what is forgotten.
//
// Spec: WP §5.3; runner-marketplace §4.2, §4.4, §5, §5.1.
func (m *Market) End() error {
	if err := m.measure(); err != nil {
		return err
	}
	ended, err := m.turnEpoch()
	if err != nil {
		return err
	}
	if err := m.draws(ended); err != nil {
		return err
	}
	return m.steps()
}

// epochs is what the dispatcher keeps of the epochs of consensus.
type epochs struct {
	Epoch uint64 // of the newest block
	Ended uint64 // the view of the last block of the epoch before
}

// Encode is the record in state: the fields as UInt.
func (e *epochs) Encode() []byte { return codec.AppendUint(codec.AppendUint(nil, e.Epoch), e.Ended) }

func decodeEpochs(data []byte) (*epochs, error) {
	r := codec.NewReader(data)
	e := &epochs{r.Uint(), r.Uint()}
	return e, finish(r, "epochs")
}

// turnEpoch notes, in the first block of an epoch, the view in which the epoch before ended, and gives that of the present epoch.
func (m *Market) turnEpoch() (uint64, error) {
	e, err := state.Find(m.State, under(keyEpoch), decodeEpochs)
	switch {
	case err != nil:
		return 0, err
	case e != nil && e.Epoch == m.Round.Epoch:
		return e.Ended, nil
	case e == nil && m.Round.Epoch == 0:
		return 0, nil
	}
	e = &epochs{m.Round.Epoch, m.ParentView}
	m.State.Set(under(keyEpoch), e.Encode())
	return e.Ended, nil
}

// come reports whether the beacon of the block is that of an awaited round or of a later one, which stands for it when the round had no child. What an epoch
// that ended had no views for is counted on in the next, from its first.
//
// Spec: runner-marketplace §4.4.
func (m *Market) come(r sig.Round, ended uint64) bool {
	at := m.Beacon.Round
	switch {
	case at.Epoch == r.Epoch:
		return at.View >= r.View
	case at.Epoch != r.Epoch+1:
		return at.Epoch > r.Epoch
	}
	return ended >= r.View || at.View >= r.View-ended
}

// draws draws the committees whose seed has come.
//
// Spec: WP §5.3; runner-marketplace §4.4, §4.5.
func (m *Market) draws(ended uint64) error {
	var ids []digest.Hash
	prefix := under(underSeed)
	err := m.State.Scan(prefix, nil, DrawsPerBlock, func(key, _ []byte) bool {
		round := sig.Round{Epoch: binary.BigEndian.Uint64(key[len(prefix):]), View: binary.BigEndian.Uint64(key[len(prefix)+8:])}
		if !m.come(round, ended) {
			return false
		}
		ids = append(ids, idOf(key))
		return true
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		t, err := m.Open(id)
		if err != nil {
			return err
		}
		raw, _, err := m.State.Lookup(of(underCandidates, id))
		if err != nil {
			return err
		}
		list, err := decodeCandidates(raw)
		if err != nil {
			return err
		}
		m.State.Delete(seedKey(t.Job.Round, id))
		m.State.Delete(of(underCandidates, id))
		if err := m.draw(t, list, m.Beacon); err != nil {
			return err
		}
		m.save(t)
	}
	return nil
}

// steps does what is due of jobs.
func (m *Market) steps() error {
	ids, _, err := before(m.State, underDue, m.Height, StepsPerBlock)
	if err != nil {
		return err
	}
	looked := 0
	m.judged, m.paid, m.Registry.Looked = 0, 0, 0
	for _, id := range ids {
		n, err := m.step(id)
		if err != nil {
			return err
		}
		if looked += n; looked+m.Registry.Looked-m.paid >= LooksPerBlock || m.judged >= JudgedPerBlock {
			return nil
		}
	}
	return nil
}

// step does what is due of a job, and says how many runners were looked at.
func (m *Market) step(id digest.Hash) (looked int, err error) {
	j, err := m.find(id)
	if err != nil {
		return 0, err
	}
	if j.Status.Ended() {
		return 0, m.trim(id, j)
	}
	t, err := m.Open(id)
	if err != nil {
		return 0, err
	}
	switch {
	case j.Status == Challengeable:
		return 0, m.settle(t)
	case j.Status == Revealing && (j.Revealed == j.Committed || m.Height >= j.Deadline), j.Status == Verifying:
		return m.judge(t)
	case m.given(j):
		return 0, m.fail(t, ReasonTimeout)
	case j.Status == AwaitingSeed:
		return 0, errors.New("market: a job that awaits a seed is due")
	}
	return m.deadline(t)
}

// given reports whether whoever awaits a job takes no answer any more after this block.
func (m *Market) given(j *Job) bool { return j.Until > 0 && m.Height+1 >= j.Until }

// deadline is the end of the time for commitments.
//
// Spec: CIP-2 §6; runner-marketplace §5, §5.1, §8.
func (m *Market) deadline(t *Task) (looked int, err error) {
	for _, addr := range t.Selection.Selected {
		c, err := LoadCommitment(m.State, t.ID, addr)
		if err != nil {
			return 0, err
		}
		if c != nil {
			continue
		}
		if err := m.Registry.Score(addr, runner.ScoreTimeout); err != nil && !errors.Is(err, runner.ErrUnknown) {
			return 0, err
		}
		t.Selection.exclude(addr)
	}
	if t.Job.Committed == 0 {
		return m.retry(t, ReasonTimeout)
	}
	m.State.Set(of(underSelection, t.ID), t.Selection.Encode())
	m.revealing(t)
	m.save(t)
	return 0, nil
}

// exclude keeps a runner from the attempts to come.
func (s *Selection) exclude(addr account.Address) {
	at, there := slices.BinarySearchFunc(s.Excluded, addr, account.Address.Compare)
	if !there {
		s.Excluded = slices.Insert(s.Excluded, at, addr)
	}
}

// judge is the end of the time for reveals; of a job that is Verifying already, that an actor of a check has ruled, or the time for that is over.
//
// Spec: runner-marketplace §5, §8.1.
func (m *Market) judge(t *Task) (looked int, err error) {
	if m.Verifier == nil {
		return 0, errors.New("market: there are reveals and nobody judges them")
	}
	again := t.Job.Status == Verifying
	t.Job.Status = Verifying
	members := slices.SortedFunc(slices.Values(t.Selection.Selected), account.Address.Compare)
	var reveals []*Reveal
	for _, addr := range members {
		c, err := LoadCommitment(m.State, t.ID, addr)
		if err != nil {
			return 0, err
		}
		if c == nil {
			continue
		}
		v, err := LoadReveal(m.State, t.ID, addr)
		if err != nil {
			return 0, err
		}
		if v != nil {
			reveals = append(reveals, v)
			continue
		}
		if again {
			continue
		}
		t.Selection.exclude(addr)
		if err := m.Verifier.Unrevealed(m, t, addr); err != nil {
			return 0, err
		}
	}
	if uint32(len(reveals)) < t.Job.Threshold {
		return m.retry(t, ReasonTimeout)
	}
	m.judged += len(reveals) * verify.Work(t.Spec)
	result, reason, err := m.Verifier.Judge(m, t, reveals)
	if errors.Is(err, ErrAsked) {
		m.State.Set(of(underSelection, t.ID), t.Selection.Encode())
		m.schedule(t, m.Height+params.CheckAnswerBlocks)
		m.save(t)
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if result == nil {
		return m.retry(t, reason)
	}
	return 0, m.verified(t, result)
}

// verified takes a result: whoever awaits the job is told, its runners are free, and it is paid for when the dispute window is over.
//
// Spec: CIP-2 §8; runner-marketplace §5, §7.
func (m *Market) verified(t *Task, result *Result) error {
	result.Height = m.Height
	m.State.Set(of(underResult, t.ID), result.Encode())
	m.State.Set(of(underSelection, t.ID), t.Selection.Encode())
	if err := m.free(t, m.Height+max(params.ChallengeWindowBlocks, unit.Height(t.Job.Dispute))); err != nil {
		return err
	}
	t.Job.Status = Challengeable
	m.schedule(t, m.Height+unit.Height(t.Job.Dispute))
	m.save(t)
	m.emit(TopicVerified, t.ID, number(result.Count), number(t.Job.Due))
	if err := m.remember(t, result); err != nil {
		return err
	}
	if err := m.reproduced(t, result); err != nil {
		return err
	}
	return m.succeeds(t, result)
}

// free lets the runners of an attempt go, and ends their tokens of volumes. Their stakes stay until a block.
func (m *Market) free(t *Task, locked unit.Height) error {
	if m.mounts(t) {
		if err := m.Volumes.Unmint(t); err != nil {
			return err
		}
	}
	for _, addr := range t.Selection.Selected {
		m.State.Delete(ownerKey(underRunner, addr, t.ID))
		if err := m.Registry.Free(addr, locked); err != nil {
			return err
		}
	}
	return nil
}

// retry is what follows a failed attempt: another one, or the end of the job.
//
// Spec: CIP-2 §6; runner-marketplace §4.4 (retry seed), §5.1.
func (m *Market) retry(t *Task, reason string) (looked int, err error) {
	s := t.Selection
	if t.Job.Attempt >= t.Job.Retries || m.given(t.Job) {
		return 0, m.fail(t, reason)
	}
	list, looked, err := m.candidates(t, s.Excluded)
	if err != nil && !errors.Is(err, ErrCandidates) {
		return looked, err
	}
	// A job keeps the committee it began with, as far as there are so many candidates.
	trust := t.Spec.Verification
	if trust.Runners > 0 {
		trust.Runners = s.Members
	}
	size, ok := trust.SizeFor(params.CommitteeConfig{Members: s.Members, Threshold: s.Threshold}, len(list))
	if err != nil || !ok {
		return looked, m.fail(t, ReasonNoRunners)
	}
	if err := m.drop(t); err != nil {
		return looked, err
	}
	s.Members, s.Threshold, s.Attempt = size.Members, size.Threshold, s.Attempt+1
	s.CandidateRoot = list.root()
	if err := m.assign(t, list, job.RetrySeed(s.Seed, s.Attempt)); err != nil {
		return looked, err
	}
	m.save(t)
	return looked, nil
}

// drop ends an attempt: its runners are free, what they committed themselves to and revealed is deleted.
func (m *Market) drop(t *Task) error {
	if t.Selection == nil {
		return nil
	}
	for _, addr := range t.Selection.Selected {
		m.State.Delete(memberKey(underCommitment, t.ID, addr))
		m.State.Delete(memberKey(underReveal, t.ID, addr))
	}
	m.State.Delete(of(underInquiry, t.ID))
	return m.free(t, 0)
}

// fail ends a job without a result.
func (m *Market) fail(t *Task, reason string) error {
	if t.Job.Status.Working() {
		if err := m.drop(t); err != nil {
			return err
		}
		m.State.Set(of(underSelection, t.ID), t.Selection.Encode())
	}
	return m.end(t, Failed, reason)
}

// Upheld keeps that a challenge against a runner was right. Before the job is paid for it has no result then, and all that is held goes back; whoever awaits it
// has been told what was verified, and is told no more.
//
// Spec: runner-marketplace §2.6 (runners_to_slash), §5 (Challengeable, valid challenge), §7.
func (m *Market) Upheld(t *Task, result *Result, runner account.Address) error {
	at, _ := slices.BinarySearchFunc(result.Slash, runner, account.Address.Compare)
	result.Slash = slices.Insert(result.Slash, at, runner)
	m.State.Set(of(underResult, t.ID), result.Encode())
	p, err := loadPaying(m.State, t.ID)
	if err != nil || t.Job.Status != Challengeable || p != nil {
		return err
	}
	return m.back(t, Failed, ReasonChallenged)
}

// trim deletes what is long of a job that nobody can challenge any more, and a week later the rest.
func (m *Market) trim(id digest.Hash, j *Job) error {
	t := &Task{ID: id, Job: j}
	if j.Trimmed {
		m.schedule(t, 0)
		m.State.Delete(ownerKey(underSubmitter, j.Submitter, id))
		m.State.Delete(of(underAlias, Alias(j.Source, j.Submitted)))
		m.State.Delete(jobKey(id))
		return m.forget(j.Submitter)
	}
	if r, err := LoadRerun(m.State, id); err != nil || r != nil && r.Says == Running { // ended by another challenge meanwhile
		m.schedule(t, m.Height+params.ChallengeWindowBlocks)
		m.save(t)
		return err
	}
	s, err := LoadSelection(m.State, id)
	if err != nil {
		return err
	}
	if s != nil {
		for _, addr := range s.Selected {
			m.State.Delete(memberKey(underCommitment, id, addr))
			m.State.Delete(memberKey(underReveal, id, addr))
		}
	}
	for _, prefix := range [...]string{underSpec, underSelection, underCaller, underResult, underInquiry, underRerun, underOriginal} {
		m.State.Delete(of(prefix, id))
	}
	j.Trimmed = true
	m.schedule(t, m.Height+RecordBlocks)
	m.save(t)
	return nil
}
