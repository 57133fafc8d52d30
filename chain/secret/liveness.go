package secret

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// challengeDomain separates identities of challenges.
//
// Spec: secrets-cbss §3.
const challengeDomain = "cbss/liveness-challenge/v1"

// Reason is why a proxy did not serve.
//
// Spec: secrets-cbss §4 (80).
type Reason uint8

// The reasons.
const (
	InvalidRequest Reason = iota
	RateLimited
	NeverReceived
	Reasons // how many there are
)

// ChallengeID is the identity of a challenge: keccak256("cbss/liveness-challenge/v1" ‖ release ‖ proxy). There is one for a release and a proxy.
func ChallengeID(release, proxy digest.Hash) digest.Hash {
	return digest.Keccak256([]byte(challengeDomain), release[:], proxy[:])
}

// Challenge says that a proxy did not answer a request of the runner's, for a bond. Where there is a receipt the bond goes to the proxy at once. Rejects:
// ErrNoRequest, ErrRunnerSig, ErrPremature, ErrStaleChal, ErrNotFound, ErrDeleted, ErrAccess, ErrStaleEpoch, ErrNotMember, ErrProxy, ErrChallenged, those of
// an account that has too little.
//
// Spec: secrets-cbss §4 (79), §5 (liveness challenge), §6.
func (s *Service) Challenge(runner account.Address, raw []byte, proxy digest.Hash) (digest.Hash, error) {
	q, err := s.asked(raw, proxy)
	if err != nil {
		return digest.Hash{}, err
	}
	if q.Runner != runner {
		return digest.Hash{}, ErrRunnerSig
	}
	at := unit.Height(q.Block)
	if q.Block > uint64(s.Height) || s.Height < at+unit.Height(s.Config.ChallengeDelay) {
		return digest.Hash{}, ErrPremature
	}
	if s.Height > at+unit.Height(s.Config.ChallengeAge) {
		return digest.Hash{}, ErrStaleChal
	}
	v, err := s.Admits(q)
	if err != nil {
		return digest.Hash{}, err
	}
	p, err := s.member(q.Epoch, scopeOf(q.Secret, q.Version, v), proxy)
	if err != nil {
		return digest.Hash{}, err
	}
	release := q.Release()
	id := ChallengeID(release, proxy)
	if before, err := LoadChallenge(s.State, id); err != nil {
		return id, err
	} else if before != nil {
		return id, ErrChallenged
	}
	if err := s.take(runner, s.Config.LivenessBond); err != nil {
		return id, err
	}
	c := &Challenge{
		Release: release, Proxy: proxy, Runner: runner, Bond: s.Config.LivenessBond, Submitted: s.Height,
		Deadline: s.Height + unit.Height(s.Config.ResponseBlocks),
	}
	set, err := LoadReceipts(s.State, release)
	if err != nil {
		return id, err
	}
	if set != nil {
		for _, e := range set.Entries {
			if e.Proxy != proxy {
				continue
			}
			c.State = Resolved
			if err := s.give(p.Operator, c.Bond); err != nil {
				return id, err
			}
			c.Bond = 0
		}
	}
	s.State.Set(under(underChallenge, id[:]), c.Encode())
	if c.State == Open {
		s.State.Set(under(underOpen, proxy[:], id[:]), []byte{})
	}
	s.State.Set(forgetKey(s.forgetAt(at), forgetChallenge, id), []byte{})
	s.emit(TopicChallenged, id[:], release[:], proxy[:], []byte{byte(c.State)}, uints(c.Deadline))
	return id, nil
}

// member gives a proxy of the committee that may have served in an epoch: the present one or one that is still kept, since a challenge comes after the grace.
//
// Spec: secrets-cbss §5.
func (s *Service) member(epoch uint64, of Scope, proxy digest.Hash) (*Proxy, error) {
	k, err := LoadKey(s.State, of)
	if err != nil {
		return nil, err
	}
	if k == nil {
		return nil, errUnexpected
	}
	g := k.kept(epoch)
	if g == nil {
		return nil, ErrStaleEpoch
	}
	if g.PlaceOf(proxy) == 0 {
		return nil, ErrNotMember
	}
	return LoadProxy(s.State, proxy)
}

// kept is the committee of an epoch, whether its grace is over or not; nil where it is not known any more.
func (k *ReleaseKey) kept(epoch uint64) *Generation {
	if k.Epoch == epoch {
		return &k.Generation
	}
	for i := range k.Prior {
		if k.Prior[i].Epoch == epoch {
			return &k.Prior[i].Generation
		}
	}
	return nil
}

// Respond takes a proxy's answer to a challenge: the bond goes back, and the proxy's health stays. Rejects: ErrChallenge, ErrStaleChal, ErrProxySig for
// another's proxy, ErrForm.
//
// Spec: secrets-cbss §4 (80), §5 (Unverifiable).
func (s *Service) Respond(id digest.Hash, operator account.Address, why Reason) error {
	c, err := s.open(id)
	if err != nil {
		return err
	}
	if s.Height > c.Deadline {
		return ErrStaleChal
	}
	p, err := LoadProxy(s.State, c.Proxy)
	if err != nil {
		return err
	}
	if p.Operator != operator {
		return ErrProxySig
	}
	if why >= Reasons {
		return ErrForm
	}
	s.emit(TopicResponse, id[:], []byte{byte(why)})
	return s.close(id, c, Unverifiable)
}

func (s *Service) open(id digest.Hash) (*Challenge, error) {
	c, err := LoadChallenge(s.State, id)
	if err == nil && (c == nil || c.State != Open) {
		err = ErrChallenge
	}
	return c, err
}

// close ends a challenge; the bond goes back.
func (s *Service) close(id digest.Hash, c *Challenge, as ChallengeState) error {
	bond := c.Bond
	c.State, c.Bond = as, 0
	s.State.Set(under(underChallenge, id[:]), c.Encode())
	s.State.Delete(under(underOpen, c.Proxy[:], id[:]))
	return s.give(c.Runner, bond)
}

// Unanswer ends a challenge that was not answered in time: the bond goes back, and the proxy's health is lowered. Anybody may say so. Rejects: ErrChallenge,
// ErrNotDue.
//
// Spec: secrets-cbss §4 (82), §5 (Unanswered), §6.
func (s *Service) Unanswer(id digest.Hash) error {
	c, err := s.open(id)
	if err != nil {
		return err
	}
	if s.Height <= c.Deadline {
		return ErrNotDue
	}
	health := uint64(0)
	p, err := state.Find(s.State, proxyKey(c.Proxy), DecodeProxy)
	if err != nil {
		return err
	}
	if p != nil {
		p.Health -= min(p.Health, s.Config.HealthDecrement)
		health = p.Health
		s.saveProxy(c.Proxy, p)
	}
	s.emit(TopicUnanswered, id[:], c.Proxy[:], uints(health))
	return s.close(id, c, Unanswered)
}
