package market

import (
	"cmp"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/model"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Submit takes a job: it takes max_price and tip from its submitter and draws its runners, or freezes its candidates until the seed of a round to come. source
// is the transaction or message that submits it, and no other job. c is whom its end is told to, nil for nobody; until is the first block in which that one
// takes no answer any more, 0 for none. Rejects: ErrNoRunners, ErrPool, ErrCandidates, model.ErrBanned, those of an account that has too little, of the
// Container Registry, and of Look.
//
// Spec: WP §5.1, §5.3; CIP-2 §3; runner-marketplace §2.1, §4, §5.2.
func (m *Market) Submit(source digest.Hash, spec *job.Spec, by account.Address, c *Caller, until unit.Height) (*Task, error) {
	return m.post(source, spec, &posting{by: by, from: by, caller: c, until: until})
}

// posting is who posts a job.
type posting struct {
	by       account.Address // to whom goes back what is left
	from     account.Address // has the price and the tip
	caller   *Caller
	until    unit.Height
	excluded []account.Address // runners that are no candidates
}

// disputable is how long a result is paid for after it was verified, in blocks: dispute_window_blocks, and of a container without a trusted environment as long
// as its bill can be disputed.
//
// Spec: runner-marketplace §2.1, §2.9, §11 (billing dispute window).
func disputable(s *job.Spec) uint64 {
	if s.Kind == job.Container && !s.Verification.TEERequired {
		return max(s.Verification.DisputeBlocks, params.BillingDisputeBlocks)
	}
	return s.Verification.DisputeBlocks
}

// post is Submit.
func (m *Market) post(source digest.Hash, spec *job.Spec, p *posting) (*Task, error) {
	if spec.Pool != nil && len(spec.Pool) == 0 {
		return nil, ErrPool
	}
	if spec.LLM != nil {
		if err := model.Choose(m.State, spec.LLM.Model); err != nil {
			return nil, err
		}
	}
	if spec.Runtime != nil {
		if err := m.size(spec.Runtime); err != nil {
			return nil, err
		}
	}
	held, err := spec.MaxPrice.Add(spec.Tip)
	if err != nil {
		return nil, err
	}
	if err := account.Debit(m.State, p.from, held); err != nil {
		return nil, err
	}
	m.Held += int64(held)
	id := job.Identity(source, 0, m.Height)
	spec.Seal(id, p.by, m.Height)
	t := &Task{ID: id, Spec: spec, Job: &Job{
		Kind: spec.Kind, Submitter: p.by, Source: source, Submitted: m.Height, Time: m.Time, Escrow: held, Timeout: spec.TimeoutBlocks,
		Dispute: disputable(spec), Retries: min(spec.Bounds.MaxRetries, params.JobMaxRetries), Until: p.until,
	}}
	list, _, err := m.candidates(t, p.excluded)
	if err != nil {
		return nil, err
	}
	network, err := CommitteeOf(m.State, m.Params)
	if err != nil {
		return nil, err
	}
	size, ok := spec.Verification.SizeFor(network, len(list))
	if !ok {
		return nil, ErrNoRunners
	}
	t.Job.Members, t.Job.Threshold = size.Members, size.Threshold
	if m.mounts(t) {
		if err := m.Volumes.Attach(t); err != nil {
			return nil, err
		}
	}
	m.State.Set(of(underSpec, id), spec.Append(nil))
	m.State.Set(ownerKey(underSubmitter, p.by, id), nil)
	m.State.Set(of(underAlias, Alias(source, m.Height)), id[:])
	if p.caller != nil {
		m.State.Set(of(underCaller, id), p.caller.Encode())
	}
	m.emit(TopicSubmitted, id, p.by[:], []byte{byte(spec.Kind)}, number(size.Members), number(size.Threshold), number(held))
	if size.Members == 1 {
		err = m.draw(t, list, m.Beacon)
	} else {
		t.Job.Status, t.Job.Round = AwaitingSeed, sig.Round{Epoch: m.Round.Epoch, View: m.Round.View + params.SeedAdvanceRounds}
		m.State.Set(of(underCandidates, id), list.Encode())
		m.State.Set(seedKey(t.Job.Round, id), nil)
		m.schedule(t, 0)
	}
	m.save(t)
	return t, err
}

// Kept is how many bytes of a job's record and its entries are kept beside the specification, for whoever submits it to pay for: the candidates' until the
// draw, the others' until it is forgotten.
//
// Spec: WP §17.4.
func (m *Market) Kept(t *Task) (int, error) {
	n := 0
	for _, prefix := range [...]string{underJob, underSelection, underCandidates, underCaller} {
		raw, _, err := m.State.Lookup(of(prefix, t.ID))
		if err != nil {
			return 0, err
		}
		n += len(raw)
	}
	return n, nil
}

// draw selects the first committee of a job.
//
// Spec: runner-marketplace §4.4, §4.5.
func (m *Market) draw(t *Task, list candidates, beacon sig.Seed) error {
	t.Selection = &Selection{
		CandidateRoot: list.root(), Seed: job.Seed(&beacon, t.ID, t.Job.Submitted), Round: beacon.Round, Members: t.Job.Members, Threshold: t.Job.Threshold,
	}
	return m.assign(t, list, t.Selection.Seed)
}

// root is the Merkle root over the addresses of the candidates: a leaf is the address behind twelve zero bytes.
//
// Spec: runner-marketplace §2.8, §4.1.
func (c candidates) root() digest.Hash {
	leaves := make([]digest.Hash, len(c))
	for i := range c {
		copy(leaves[i][digest.Size-account.AddressSize:], c[i].Address[:])
	}
	return digest.MerkleRoot(leaves)
}

// assign draws the committee of an attempt with a seed, and gives it the job.
//
// Spec: runner-marketplace §4.5, §4.6, §5 (commit deadline).
func (m *Market) assign(t *Task, list candidates, seed digest.Hash) error {
	j, s := t.Job, t.Selection
	drawn, err := m.choose(t, list, seed)
	if err != nil {
		return err
	}
	s.Selected = make([]account.Address, len(drawn))
	reputations := make([]uint64, len(drawn))
	for i := range drawn {
		s.Selected[i] = drawn[i].Address
		reputation, err := m.Registry.Assign(drawn[i].Address)
		if err != nil {
			return err
		}
		reputations[i] = uint64(reputation)
		m.State.Set(ownerKey(underRunner, drawn[i].Address, t.ID), nil)
	}
	s.Aggregator = job.Aggregator(t.ID, s.Selected, reputations, m.Params.Reputation.AggregatorPercentile)
	m.State.Set(of(underSelection, t.ID), s.Encode())
	j.Status, j.Attempt, j.Committed, j.Revealed, j.Assigned = Assigned, s.Attempt, 0, 0, m.Height
	j.Members, j.Threshold = s.Members, s.Threshold
	j.Deadline = m.Height + unit.Height(j.Timeout)
	m.schedule(t, j.Deadline)
	m.emit(TopicAssigned, t.ID, number(j.Attempt), number(j.Deadline), appendAddresses(nil, s.Selected), s.Aggregator[:])
	if m.mounts(t) {
		return m.Volumes.Mint(t)
	}
	return nil
}

// mounts reports whether a job has volumes that tokens are minted of.
func (m *Market) mounts(t *Task) bool { return m.Volumes != nil && len(t.Spec.Volumes) > 0 }

// Cancel takes a job back before runners are assigned. Rejects: ErrUnknown, ErrSubmitter, ErrStatus.
//
// Spec: runner-marketplace §3 (8), §5.
func (m *Market) Cancel(id digest.Hash, by account.Address) error {
	j, err := m.find(id)
	switch {
	case err != nil:
		return err
	case j.Submitter != by:
		return ErrSubmitter
	case j.Status != AwaitingSeed:
		return ErrStatus
	}
	if _, second, err := m.rerunOf(id); err != nil || second {
		return cmp.Or(err, ErrStatus)
	}
	t, err := m.Open(id)
	if err != nil {
		return err
	}
	return m.end(t, Cancelled, "")
}

// end is the end of a job: what is still held goes back to its submitter.
//
// Spec: runner-marketplace §5, §5.2 (full refund).
func (m *Market) end(t *Task, with Status, reason string) error {
	if err := m.back(t, with, reason); err != nil {
		return err
	}
	if with == Failed {
		if err := m.reproduced(t, nil); err != nil {
			return err
		}
	}
	switch {
	case with == Completed:
		return nil
	case with == Cancelled:
		return m.fails(t, "cancelled", "the job was cancelled")
	case t.Job.Reason == ReasonTimeout:
		return m.fails(t, "timeout", "no attempt gave a result in time")
	}
	return m.fails(t, "failed", t.Job.Reason)
}

// back ends a job without a word to whoever awaits it.
func (m *Market) back(t *Task, with Status, reason string) error {
	j := t.Job
	if j.Status == AwaitingSeed {
		m.State.Delete(seedKey(j.Round, t.ID))
		m.State.Delete(of(underCandidates, t.ID))
	}
	back := j.Escrow
	if err := m.Pay(t, j.Submitter, back); err != nil {
		return err
	}
	j.Status, j.Ended, j.Reason = with, m.Height, reason[:min(len(reason), MaxReasonBytes)]
	m.schedule(t, m.Height+params.ChallengeWindowBlocks)
	m.save(t)
	switch with {
	case Completed:
		m.emit(TopicCompleted, t.ID, number(back))
	case Cancelled:
		m.emit(TopicCancelled, t.ID, number(back))
	default:
		m.emit(TopicFailed, t.ID, number(back), codec.AppendBytes(nil, []byte(j.Reason)))
	}
	return nil
}
