package secret

import (
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// Admission is what a proxy needs to serve a request that the state allows.
type Admission struct {
	Identity   *cbss.Identity // nil while the version is pending
	Pending    bool
	Generation *Generation // that is asked to serve
	Scope      Scope
}

// ErrDeclared is the reject of a secret that the manifest of the job's actor does not name.
//
// Spec: secrets-cbss §9 (SecretsNotDeclaredInManifest); entitlement-extras §6.
var ErrDeclared = errors.New("SecretsNotDeclaredInManifest: the actor's manifest does not name the secret")

// Admit holds a request to the state, for the proxy that got it, in the order in which proxies do: fresh; its runner's signature; the job has the runner; the
// actor's manifest names the secret; access list and attestation; the proxy is of the committee; the committee serves in the epoch; a receipt would be taken.
// Of the key of a volume the list is its grants, the release key is the one that it was wrapped for, and who asks without a job can pay. What the proxy
// remembers itself, and whether the version is pending, comes after. Rejects: ErrNoRequest, ErrStale, ErrRunnerSig, ErrAccess, ErrDeclared, ErrNotFound,
// ErrDeleted, ErrRecipient, ErrTEE, ErrNoKey, ErrNotMember, ErrStaleEpoch, ErrData, ErrFunds, ErrReleases.
//
// Spec: secrets-cbss §5 (proxy admission), §10 (2, 5), §11.
func (s *Service) Admit(raw []byte, proxy digest.Hash) (*Admission, error) {
	q, _, err := cbss.ParseRequest(raw)
	if err != nil {
		return nil, ErrNoRequest
	}
	if err := s.Fresh(q); err != nil {
		return nil, err
	}
	if _, err := s.asked(raw, proxy); err != nil {
		return nil, err
	}
	v, err := s.permitted(q)
	if err != nil {
		return nil, err
	}
	a, err := s.seated(q, v, proxy)
	if err != nil {
		return nil, err
	}
	if ofVolume(q) {
		if err := s.bound(q); err != nil {
			return nil, err
		}
	}
	if ofVolume(q) && q.Job.IsZero() {
		if err := s.affords(q, a.Generation); err != nil {
			return nil, err
		}
	}
	return a, s.remembered(q)
}

// permitted finds what a request is for, and who may have it, in the order in which proxies look.
func (s *Service) permitted(q *cbss.Request) (*Version, error) {
	if ofVolume(q) {
		if err := s.asks(q); err != nil {
			return nil, err
		}
		v, err := s.version(q)
		if err != nil {
			return nil, err
		}
		return v, s.lets(q)
	}
	if err := s.assigned(q); err != nil {
		return nil, err
	}
	if err := s.declared(q); err != nil {
		return nil, err
	}
	v, err := s.version(q)
	if err != nil {
		return nil, err
	}
	if err := s.permits(q, &v.Policy); err != nil {
		return nil, err
	}
	return v, s.attested(q, v)
}

// remembered gives ErrReleases for a release that the chain would take no receipt of.
func (s *Service) remembered(q *cbss.Request) error {
	set, err := LoadReceipts(s.State, q.Release())
	if err != nil || set != nil {
		return err
	}
	n, err := state.Number(s.State, releasesKey(&Receipts{Job: q.Job, Runner: q.Runner, Secret: q.Secret}))
	if err == nil && n >= MaxReleases {
		err = ErrReleases
	}
	return err
}

// attested wants an attestation of the runner where the policy does, of an environment that it is bound to. Rejects: ErrTEE, ErrAccess.
//
// Spec: secrets-cbss §5; tee §4.
func (s *Service) attested(q *cbss.Request, v *Version) error {
	if !v.Policy.TEE {
		return nil
	}
	j, err := market.Load(s.State, q.Job)
	if err != nil {
		return err
	}
	if j == nil {
		return ErrAccess
	}
	b, err := runner.BindingOf(s.State, q.Runner)
	if err == nil {
		_, err = b.Valid(s.State, q.Job, q.Runner, j.Assigned, s.Height)
	}
	for _, short := range [...]error{runner.ErrUnknown, tee.ErrAttestation, tee.ErrRevoked, tee.ErrExpired, tee.ErrKey, tee.ErrBinding, tee.ErrDeprecated} {
		if errors.Is(err, short) {
			return ErrTEE
		}
	}
	return err
}

// declared wants the secret among the keys of secrets.read, where the job's owner is an actor with a manifest. Reject: ErrDeclared.
//
// Spec: secrets-cbss §5 (the manifest declares the key); sdk §9.2; entitlement-extras §3.1.
func (s *Service) declared(q *cbss.Request) error {
	raw, ok, err := s.State.Lookup(entitle.Key(q.Actor))
	if err != nil || !ok || len(raw) == 0 {
		return err
	}
	m, err := entitle.Parse(raw)
	if err != nil {
		return err
	}
	spec, err := market.LoadSpec(s.State, q.Job)
	if err != nil {
		return err
	}
	owner, err := OwnerOf(s.State, q.Actor)
	if err != nil {
		return err
	}
	g, ok := m.Grant(entitle.Secrets)
	if !ok || spec == nil {
		return ErrDeclared
	}
	for i := range spec.Secrets {
		if e := &spec.Secrets[i]; names(e, owner, q) && slices.Contains(g.Texts("keys"), declaredAs(e)) {
			return nil
		}
	}
	return ErrDeclared
}

// declaredAs is how a manifest names a secret of a job: by its name, or as 0x<account>/<name> where the job names an account.
func declaredAs(e *job.Secret) string {
	if e.Account == nil {
		return e.Name
	}
	return "0x" + e.Account.Hex() + "/" + e.Name
}

// seated finds the committee that is asked. Rejects: ErrNoKey, ErrNotMember for a proxy of none of the scope's committees, or not of that epoch's,
// ErrStaleEpoch.
func (s *Service) seated(q *cbss.Request, v *Version, proxy digest.Hash) (*Admission, error) {
	of := scopeOf(q.Secret, q.Version, v)
	k, err := LoadKey(s.State, of)
	if err != nil {
		return nil, err
	}
	if k == nil {
		return nil, ErrNoKey
	}
	member := k.PlaceOf(proxy) > 0
	for i := range k.Prior {
		member = member || k.Prior[i].PlaceOf(proxy) > 0
	}
	if !member {
		return nil, ErrNotMember
	}
	g, err := s.served(k, q.Epoch)
	if err != nil {
		return nil, err
	}
	if g.PlaceOf(proxy) == 0 {
		return nil, ErrNotMember
	}
	a := &Admission{Pending: v.Pending, Generation: g, Scope: of}
	if !v.Pending {
		a.Identity = s.identity(q.Secret, q.Version, v.Epoch, k.Master)
	}
	return a, nil
}

// Work is a key that is made or passed on, with the key before.
type Work struct {
	Scope   Scope
	Pending *Pending
	Key     *ReleaseKey // nil for a new one
}

// maxWork bounds the pending keys that are looked through for a proxy; each has a bond, or a key that has had one.
const maxWork = 4_096

// WorkOf lists the drawn committees a proxy is of, before or after, at most limit.
//
// Spec: secrets-cbss §3, §5 (making and passing on keys).
func WorkOf(r state.Reader, proxy digest.Hash, limit int) (list []Work, err error) {
	prefix := under(underPending)
	var bad error
	err = r.Scan(prefix, nil, maxWork, func(key, value []byte) bool {
		var w Work
		if w.Scope, bad = ParseScope(key[len(prefix):]); bad != nil {
			return false
		}
		if w.Pending, bad = DecodePending(value); bad != nil {
			return false
		}
		if w.Pending.Committee == nil {
			return true
		}
		if w.Pending.Reshare {
			if w.Key, bad = LoadKey(r, w.Scope); bad != nil {
				return false
			}
		}
		if slices.Contains(w.Pending.Committee, proxy) || w.Key != nil && w.Key.PlaceOf(proxy) > 0 {
			list = append(list, w)
		}
		return len(list) < limit
	})
	if err == nil {
		err = bad
	}
	return list, err
}

// OpenChallenge is a challenge that waits for its proxy, with its identity.
type OpenChallenge struct {
	ID digest.Hash
	*Challenge
}

// ChallengesOf lists the open challenges of a proxy, at most limit.
//
// Spec: secrets-cbss §5 (liveness challenge).
func ChallengesOf(r state.Reader, proxy digest.Hash, limit int) (list []OpenChallenge, err error) {
	err = scan(r, under(underOpen, proxy[:]), nil, limit, func(id digest.Hash, _ []byte) error {
		c, err := LoadChallenge(r, id)
		if err == nil && c == nil {
			err = errUnexpected
		}
		list = append(list, OpenChallenge{id, c})
		return err
	})
	return list, err
}

// Rejected gives the text of a reject of Admit; false for nil and for errors that are of the machine.
func Rejected(err error) (string, bool) {
	for _, reject := range [...]error{
		ErrNoRequest, ErrStale, ErrRunnerSig, ErrAccess, ErrDeclared, ErrNotFound, ErrDeleted, ErrRecipient, ErrTEE, ErrNoKey, ErrNotMember, ErrStaleEpoch,
		ErrData, ErrFunds, ErrReleases,
	} {
		if errors.Is(err, reject) {
			return reject.Error(), true
		}
	}
	return "", false
}
