package sim

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/simplex/quorum"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/testkit/hashed"
)

// newScheme is a set's, with hashes for signatures.
func newScheme(n sig.Namespace, set *stake.Set) hashed.Economical {
	s := hashed.Scheme{Namespace: n}
	for i := range set.Members {
		s.Keys = append(s.Keys, set.Members[i].Key[:])
	}
	return hashed.Economical{Scheme: s}
}

// hashKeys signs for one validator.
type hashKeys struct {
	hashed.Economical
	rank   uint32
	anchor digest.Hash
}

// Remote implements replica.Signer.
func (hashKeys) Remote() bool { return false }

// SignVote implements replica.Signer.
func (k hashKeys) SignVote(request *simplex.Vote) (*simplex.Vote, error) {
	return k.Vote(k.rank, request), nil
}

// SignNewView implements replica.Signer.
func (k hashKeys) SignNewView(request *simplex.NewView) (*simplex.NewView, error) {
	return k.NewView(k.rank, request, k.anchor), nil
}

// SignAccusation implements replica.Signer.
func (k hashKeys) SignAccusation(request *simplex.Accusation) (*simplex.Accusation, error) {
	return k.Accusation(k.rank, request), nil
}

// ProveVRF implements replica.Signer.
func (k hashKeys) ProveVRF(epochSeed []byte, height uint64) (sig.BLSSignature, error) {
	return k.Sign(k.rank, k.Namespace.VRF(epochSeed, height)), nil
}

// Introduce implements replica.Signer.
func (k hashKeys) Introduce(self link.Peer) (sig.BLSSignature, error) {
	return k.Sign(k.rank, roster.IntroductionPreimage(k.Namespace, self)), nil
}

// committees gives a machine the validator sets of the chain's registry, with hashes for signatures unless the plan wants real ones.
func (w *World) committees(m *machine) func(*replica.Registered) replica.Committees {
	if w.plan.Real {
		return nil
	}
	return func(r *replica.Registered) replica.Committees { return &hashedSets{r} }
}

// hashedSets are the registry's sets with hashes for signatures. Who is a member is the registry's to say, and the store's, as with real ones.
type hashedSets struct{ registered *replica.Registered }

// At implements replica.Committees.
func (c *hashedSets) At(epoch uint64, anchor digest.Hash) (*replica.Committee, error) {
	r := c.registered
	set, err := stake.SetAt(r.State(), epoch)
	if err != nil {
		return nil, err
	}
	h := newScheme(r.Namespace, set)
	committee := &replica.Committee{Scheme: h, VerifySeed: h.VerifySeed, Stakes: set.Stakes(), Self: simplex.Observer}
	for _, m := range set.Members {
		committee.Rewards = append(committee.Rewards, m.Address)
	}
	if r.Vote == nil {
		return committee, nil
	}
	if set.Shared == 0 {
		if rank, ok := set.Find(r.Vote.PublicKey().Bytes()); ok && r.First.Key != nil {
			committee.Self = rank
		}
	} else if real, err := r.At(epoch, anchor); err != nil {
		return nil, err
	} else {
		committee.Self = real.Self
	}
	if committee.Self != simplex.Observer {
		committee.Signer = hashKeys{h, committee.Self, anchor}
	}
	return committee, nil
}

// Certified implements catchup.Certifier.
func (c *hashedSets) Certified(set *stake.Set, certificate *sig.Certificate) error {
	return newScheme(c.registered.Namespace, set).VerifyCertificate(certificate)
}

// set is the validator set of an epoch, as the newest block has it.
func (w *World) set(epoch uint64) *stake.Set {
	set, err := stake.SetAt(w.chain.State(), epoch)
	if err != nil {
		panic(fmt.Errorf("at height %d: %w", w.chain.Height(), err))
	}
	return set
}

// present is the epoch of the block after the newest.
func (w *World) present() uint64 { return w.setup.calendar.Epoch(w.chain.Height() + 1) }

// of is the machine of a member of a set; nil for nobody's.
func (w *World) of(set *stake.Set, rank uint32) *machine {
	for _, m := range w.machines {
		if m.keys != nil && int(rank) < len(set.Members) && m.key() == set.Members[rank].Key {
			return m
		}
	}
	return nil
}

// key is the machine's public voting key, computed once: faulty machines ask for it with every frame.
func (m *machine) key() sig.BLSPublicKey {
	if m.public == nil {
		key := sig.BLSPublicKey(m.keys.Vote.PublicKey().Bytes())
		m.public = &key
	}
	return *m.public
}

// signer is a faulty machine's keys in the present epoch, which sign anything; nil where it is no member.
func (w *World) signer(m *machine) replica.Signer {
	epoch := w.present()
	set := w.set(epoch)
	rank, ok := set.Find(m.key())
	if !ok {
		return nil
	}
	anchor := w.chain.Hash(w.setup.calendar.Anchor(epoch))
	if !w.plan.Real {
		return hashKeys{newScheme(w.setup.namespace, set), rank, anchor}
	}
	return &replica.Keys{Signer: quorum.Signer{Namespace: w.setup.namespace, Key: m.keys.Vote, Share: m.keys.Share, Anchor: anchor}}
}

// accuse takes evidence: it must be against somebody faulty, and hold in verifier.
func (w *World) accuse(m *machine, e *simplex.Evidence) {
	w.accused[e.Offence.String()]++
	if !m.honest() {
		return
	}
	epoch := e.First.Subject.Round.Epoch
	set := w.set(epoch)
	guilty := w.of(set, e.Signer)
	if guilty == nil || guilty.honest() {
		w.violation("%s accuses honest validator %d: %v", m.name, e.Signer, e.Offence)
	}
	var scheme simplex.Scheme = newScheme(w.setup.namespace, set)
	if w.plan.Real {
		keys, sharing, err := set.Keys(w.setup.namespace)
		if err != nil {
			panic(err)
		}
		if scheme, err = quorum.NewKeys(keys, sharing); err != nil {
			panic(err)
		}
	}
	calendar := w.setup.calendar
	verifier := &simplex.EvidenceVerifier{
		Namespace: w.setup.namespace, Epoch: epoch, Validators: len(set.Members), Anchor: w.chain.Hash(calendar.Anchor(epoch)),
		LastHeight: uint64(calendar.Last(epoch)), Scheme: scheme, Inspect: simplex.InspectBlock,
	}
	if err := verifier.Verify(e); err != nil {
		w.violation("%s: evidence of %v does not hold: %v", m.name, e.Offence, err)
		return
	}
	w.guilty[guilty] = true
}

// suspects holds that an honest node accuses nobody honest.
func (w *World) suspects(m *machine, s *replica.BadProposal) {
	a := s.Accusation
	if guilty := w.of(w.set(a.Subject.Round.Epoch), a.Accused); m.honest() && (guilty == nil || guilty.honest()) {
		w.violation("%s suspects honest validator %d in view %d: %v %s", m.name, a.Accused, a.Subject.Round.View, a.Flaw, s.Reason)
	}
}

// disputes holds that more than f validators never accuse one another wrongly.
func (w *World) disputes(m *machine, a *simplex.Accusation) {
	if m.honest() {
		w.violation("%s disputes an accusation of validator %d in view %d: %v", m.name, a.Accused, a.Subject.Round.View, a.Flaw)
	}
}
