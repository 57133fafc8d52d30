package secret

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Proof is what a proxy posts of an answer it gave.
//
// Spec: secrets-cbss §4 (76), §10 (1).
type Proof struct {
	Request   []byte // cbss.Request with its runner's signature
	Proxy     digest.Hash
	Epoch     uint64 // committee_epoch_at_serve
	Served    uint64 // served_at_block
	Blinded   cbss.Blinded
	Signature sig.Signature // the proxy's
}

// asked reads a request and holds it to its form: of this chain, for this proxy, signed by its runner. Rejects: ErrNoRequest, ErrRunnerSig.
//
// Spec: secrets-cbss §10 (2).
func (s *Service) asked(raw []byte, proxy digest.Hash) (*cbss.Request, error) {
	q, signature, err := cbss.ParseRequest(raw)
	if err != nil {
		return nil, ErrNoRequest
	}
	by, err := sig.Default().Recover(q.Hash(), signature)
	if err != nil || by != q.Runner || q.ChainID != s.ChainID || q.Proxy != proxy {
		return nil, ErrRunnerSig
	}
	return q, nil
}

// Fresh gives ErrStale for a request of a block to come, or too long ago.
//
// Spec: secrets-cbss §5, §6 (REQUEST_FRESHNESS).
func (s *Service) Fresh(q *cbss.Request) error {
	if q.Block > uint64(s.Height) || uint64(s.Height)-q.Block > s.Config.Freshness {
		return ErrStale
	}
	return nil
}

// Record takes a receipt: it counts toward the release's threshold, and the actor pays the proxy. Rejects, in the order of the checks: ErrNoRequest, ErrStale,
// ErrRunnerSig, ErrNotFound, ErrDeleted, ErrRecipient, ErrPending, ErrAccess, ErrTEE, ErrEpoch, ErrStaleEpoch, ErrNotMember, ErrProxy, ErrProxySig, ErrPartial,
// ErrRecorded, ErrMixed, ErrQuorum, ErrOrdering, ErrReleases, ErrFunds.
//
// Spec: secrets-cbss §5 (the chain validates a receipt), §10.
func (s *Service) Record(f *Proof) error {
	q, _, err := cbss.ParseRequest(f.Request)
	if err != nil {
		return ErrNoRequest
	}
	if err := s.Fresh(q); err != nil {
		return err
	}
	if _, err := s.asked(f.Request, f.Proxy); err != nil {
		return err
	}
	v, err := s.Admits(q)
	if err != nil {
		return err
	}
	if f.Epoch != q.Epoch {
		return ErrEpoch
	}
	p, g, err := s.shown(q, v, f)
	if err != nil {
		return err
	}
	return s.enlist(q, f, p, g)
}

// Admits holds a request to what the state says now: the version is there, sealed, and of that recipient; the policy names the job's owner; the job asks for
// the secret and has the runner; the runner is attested, where the policy wants it. The policy of a volume's key is the volume's grants. Rejects: ErrNotFound,
// ErrDeleted, ErrRecipient, ErrPending, ErrAccess, ErrTEE.
//
// Spec: secrets-cbss §5, §10 (5: read at the current head), §11.
func (s *Service) Admits(q *cbss.Request) (*Version, error) {
	v, err := s.version(q)
	switch {
	case err != nil:
		return nil, err
	case v.Pending:
		return nil, ErrPending
	case ofVolume(q):
		return v, s.granted(q)
	}
	if err := s.permits(q, &v.Policy); err != nil {
		return nil, err
	}
	if err := s.assigned(q); err != nil {
		return nil, err
	}
	return v, s.attested(q, v)
}

// permits holds whose job it is to a policy. Without a list these are the secret's account and the actors it made. Reject: ErrAccess.
//
// Spec: secrets-cbss §2 (SecretPolicy), §5 (access list).
func (s *Service) permits(q *cbss.Request, p *Policy) error {
	if p.Listed {
		if _, ok := slices.BinarySearchFunc(p.Actors, q.Actor, account.Address.Compare); !ok {
			return ErrAccess
		}
		return nil
	}
	if s.Owns(q.Secret.Account, q.Actor) != nil {
		return ErrAccess
	}
	return nil
}

// assigned gives ErrAccess unless the request's job is the actor's, asks for the secret, and has the runner.
//
// Spec: secrets-cbss §5 (assignment), §10 (5); sdk §9.2.
func (s *Service) assigned(q *cbss.Request) error {
	spec, err := s.task(q)
	if err != nil {
		return err
	}
	owner, err := OwnerOf(s.State, q.Actor)
	if err != nil {
		return err
	}
	for i := range spec.Secrets {
		if names(&spec.Secrets[i], owner, q) {
			return nil
		}
	}
	return ErrAccess
}

// task is the specification of a job that is the request's actor's and has its runner. Reject: ErrAccess.
func (s *Service) task(q *cbss.Request) (*job.Spec, error) {
	j, err := market.Load(s.State, q.Job)
	if err != nil {
		return nil, err
	}
	if j == nil || j.Submitter != q.Actor {
		return nil, ErrAccess
	}
	chosen, err := market.LoadSelection(s.State, q.Job)
	if err != nil {
		return nil, err
	}
	spec, err := market.LoadSpec(s.State, q.Job)
	if err == nil && (chosen == nil || spec == nil || chosen.Place(q.Runner) < 0) {
		err = ErrAccess
	}
	return spec, err
}

// OwnerOf is whose secret a job means that names no account: its submitter's, or who made the actor that submitted it.
//
// Spec: sdk §9.2.
func OwnerOf(r state.Reader, submitter account.Address) (account.Address, error) {
	a, err := account.Load(r, submitter)
	if err == nil && a.Kind == account.Actor {
		return a.Creator, nil
	}
	return submitter, err
}

// names reports whether an entry of a job's list is the secret of a request.
func names(e *job.Secret, owner account.Address, q *cbss.Request) bool {
	if e.Account != nil {
		owner = *e.Account
	}
	return q.Secret == cbss.SecretID{Account: owner, KeyHash: cbss.KeyHash(owner, e.Name)} && (e.Version == nil || *e.Version == q.Version)
}

// shown holds a receipt to its committee and its proxy. Rejects: ErrStaleEpoch, ErrNotMember, ErrProxy, ErrProxySig, ErrPartial.
//
// Spec: secrets-cbss §5 (committee of the current epoch, else of an earlier one within its grace; pairing), §10 (1).
func (s *Service) shown(q *cbss.Request, v *Version, f *Proof) (*Proxy, *Generation, error) {
	k, err := LoadKey(s.State, scopeOf(q.Secret, q.Version, v))
	if err != nil {
		return nil, nil, err
	}
	if k == nil {
		return nil, nil, errUnexpected
	}
	g, err := s.served(k, f.Epoch)
	if err != nil {
		return nil, nil, err
	}
	place := g.PlaceOf(f.Proxy)
	if place == 0 {
		return nil, nil, ErrNotMember
	}
	p, err := LoadProxy(s.State, f.Proxy)
	if err != nil {
		return nil, nil, err
	}
	hash := q.Hash()
	if !signedBy(p.Key, cbss.ReceiptHash(hash, f.Proxy, f.Epoch, f.Served, &f.Blinded), f.Signature) {
		return nil, nil, ErrProxySig
	}
	if f.Blinded.Check(s.identity(q.Secret, q.Version, v.Epoch, k.Master), g.Commitments, place, hash) != nil {
		return nil, nil, ErrPartial
	}
	return p, g, nil
}

// enlist adds a receipt to its release, and has it paid.
//
// Spec: secrets-cbss §5, §10 (4: duplicates by release and proxy).
func (s *Service) enlist(q *cbss.Request, f *Proof, p *Proxy, g *Generation) error {
	release := q.Release()
	set, err := LoadReceipts(s.State, release)
	if err != nil {
		return err
	}
	fresh := set == nil
	if fresh {
		set = &Receipts{
			Epoch: f.Epoch, Threshold: uint32(g.Threshold()), Block: unit.Height(q.Block), Secret: q.Secret, Version: q.Version, Actor: q.Actor,
			Runner: q.Runner, Job: q.Job,
		}
	}
	switch {
	case slices.ContainsFunc(set.Entries, func(e Receipt) bool { return e.Proxy == f.Proxy }):
		return ErrRecorded
	case set.Epoch != f.Epoch:
		return ErrMixed
	case len(set.Entries) >= int(set.Threshold):
		return ErrQuorum
	case f.Served < q.Block || f.Served > uint64(s.Height):
		return ErrOrdering
	}
	if fresh {
		if err := s.remember(release, set); err != nil {
			return err
		}
	}
	set.Entries = append(set.Entries, Receipt{f.Proxy, unit.Height(f.Served)})
	s.State.Set(under(underReceipts, release[:]), set.Encode())
	paid, err := s.charge(q.Actor, p.Operator)
	if err != nil {
		return err
	}
	s.emit(TopicReceipt, release[:], f.Proxy[:], q.Actor[:], uints(paid), uints(s.Config.ReleaseFee-paid))
	if len(set.Entries) == int(set.Threshold) {
		s.emit(TopicReleased, release[:], q.Secret.Append(nil), uints(q.Version), q.Actor[:], q.Runner[:], q.Job[:])
	}
	return nil
}

// What is forgotten.
const (
	forgetRelease byte = iota
	forgetChallenge
	forgetLock
)

// forgetAt is when what concerns a request is forgotten: nothing of it is taken any more, and challenges of it are over.
func (s *Service) forgetAt(request unit.Height) unit.Height {
	c := &s.Config
	return max(request+unit.Height(max(c.Freshness, c.ChallengeAge)+c.ResponseBlocks), s.Height) + 1
}

func forgetKey(at unit.Height, kind byte, id digest.Hash) []byte {
	return under(underForget, be8(uint64(at)), []byte{kind}, id[:])
}

// remember counts a release of a secret in a job. Reject: ErrReleases.
func (s *Service) remember(release digest.Hash, set *Receipts) error {
	n, err := state.Number(s.State, releasesKey(set))
	if err != nil {
		return err
	}
	if n >= MaxReleases {
		return ErrReleases
	}
	state.SetCount(s.State, releasesKey(set), n+1)
	s.State.Set(forgetKey(s.forgetAt(set.Block), forgetRelease, release), []byte{})
	return nil
}
