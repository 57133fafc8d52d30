package sim

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/simplex/quorum"
	"github.com/cowboyinc/cowboy-go/chain/stake"
)

// hashed is a scheme in which a signature is a hash of the signer's key and the preimage, an aggregate their exclusive or, and a seed a hash of its round.
type hashed struct {
	namespace sig.Namespace
	keys      []sig.BLSPublicKey // by rank
}

func newHashed(n sig.Namespace, set *stake.Set) hashed {
	h := hashed{namespace: n}
	for _, m := range set.Members {
		h.keys = append(h.keys, m.Key)
	}
	return h
}

var errHashed = errors.New("sim: signature does not verify")

func (h hashed) sign(signer uint32, preimage []byte) (s sig.BLSSignature) {
	x := sha256.Sum256(append(h.keys[signer][:], preimage...))
	copy(s[:], x[:])
	s[95] = 1
	return s
}

func (h hashed) seed(r sig.Round) (s sig.BLSSignature) {
	x := sha256.Sum256(h.namespace.Seed(r))
	for i := range 3 {
		copy(s[32*i:], x[:])
		x = sha256.Sum256(x[:])
	}
	return s
}

// Verify implements simplex.Scheme.
func (h hashed) Verify(signer uint32, preimage []byte, s sig.BLSSignature) error {
	if int(signer) >= len(h.keys) || h.sign(signer, preimage) != s {
		return errHashed
	}
	return nil
}

// Assemble implements simplex.Scheme.
func (h hashed) Assemble(signers []uint32, preimage []byte, signatures []sig.BLSSignature) (aggregate sig.BLSSignature, bad []int) {
	for i, s := range signatures {
		if h.Verify(signers[i], preimage, s) != nil {
			bad = append(bad, i)
		}
		xor(&aggregate, s)
	}
	return aggregate, bad
}

func xor(into *sig.BLSSignature, s sig.BLSSignature) {
	for i := range into {
		into[i] ^= s[i]
	}
}

// Recover implements simplex.Scheme.
func (h hashed) Recover(round sig.Round, signers []uint32, partials []sig.BLSSignature) (seed sig.BLSSignature, bad []int) {
	for i, p := range partials {
		if h.Verify(signers[i], h.namespace.Seed(round), p) != nil {
			bad = append(bad, i)
		}
	}
	return h.seed(round), bad
}

// Hold implements simplex.Scheme.
func (h hashed) Hold(claims []simplex.Claim) bool {
	for _, c := range claims {
		var want sig.BLSSignature
		for _, rank := range c.Signers {
			xor(&want, h.sign(rank, c.Preimage))
		}
		if want != c.Signature {
			return false
		}
	}
	return true
}

// VerifyCertificate implements simplex.Scheme.
func (h hashed) VerifyCertificate(c *sig.Certificate) error {
	if c.Signers.Len() != len(h.keys) {
		return errHashed
	}
	members := c.Signers.Members()
	var want sig.BLSSignature
	for _, m := range members {
		xor(&want, h.sign(uint32(m), c.Preimage(h.namespace)))
	}
	if len(members) < sig.Quorum(len(h.keys)) || want != c.Aggregate || c.Seed != h.seed(c.Subject.Round) {
		return errHashed
	}
	return nil
}

// Join implements simplex.Economical.
func (h hashed) Join(j *simplex.Joint) (aggregates []sig.BLSSignature, seed sig.BLSSignature, ok bool) {
	ok = h.Hold(j.Claims)
	for _, b := range j.Batches {
		aggregate, bad := h.Assemble(b.Signers, b.Preimage, b.Signatures)
		aggregates, ok = append(aggregates, aggregate), ok && len(bad) == 0
	}
	seed, bad := h.Recover(j.Round, j.Holders, j.Partials)
	return aggregates, seed, ok && len(bad) == 0
}

// Prove implements simplex.Economical.
func (h hashed) Prove(c *sig.Certificate, _ bool, claims []simplex.Claim) bool {
	return h.VerifyCertificate(c) == nil && h.Hold(claims)
}

func (h hashed) verifySeed(s sig.Seed) error {
	if h.seed(s.Round) != s.Signature {
		return errHashed
	}
	return nil
}

// hashKeys signs for one validator.
type hashKeys struct {
	hashed
	rank   uint32
	anchor digest.Hash
}

// Remote implements replica.Signer.
func (hashKeys) Remote() bool { return false }

// SignVote implements replica.Signer.
func (k hashKeys) SignVote(request *simplex.Vote) (*simplex.Vote, error) {
	v := *request
	v.Signature = k.sign(k.rank, v.Preimage(k.namespace))
	v.Partial = k.sign(k.rank, k.namespace.Seed(v.Subject.Round))
	if h := request.Half; h != nil {
		v.Half = &simplex.Half{Parent: h.Parent, Signature: k.sign(k.rank, k.namespace.Finalize(h.Parent))}
	}
	return &v, nil
}

// SignNewView implements replica.Signer.
func (k hashKeys) SignNewView(request *simplex.NewView) (*simplex.NewView, error) {
	m := *request
	m.Signature = k.sign(k.rank, k.namespace.Nullify(m.Round))
	m.Partial = k.sign(k.rank, k.namespace.Seed(m.Round))
	m.Naming = k.sign(k.rank, m.NamingPreimage(k.namespace, k.anchor))
	return &m, nil
}

// ProveVRF implements replica.Signer.
func (k hashKeys) ProveVRF(epochSeed []byte, height uint64) (sig.BLSSignature, error) {
	return k.sign(k.rank, k.namespace.VRF(epochSeed, height)), nil
}

// Introduce implements replica.Signer.
func (k hashKeys) Introduce(self link.Peer) (sig.BLSSignature, error) {
	return k.sign(k.rank, replica.Introduction(k.namespace, self)), nil
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
	h := newHashed(r.Namespace, set)
	committee := &replica.Committee{Scheme: h, VerifySeed: h.verifySeed, Stakes: set.Stakes(), Self: simplex.Observer}
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
	return newHashed(c.registered.Namespace, set).VerifyCertificate(certificate)
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
		if m.keys != nil && int(rank) < len(set.Members) && m.keys.Vote.PublicKey().Bytes() == set.Members[rank].Key {
			return m
		}
	}
	return nil
}

// signer is a faulty machine's keys in the present epoch, which sign anything; nil where it is no member.
func (w *World) signer(m *machine) replica.Signer {
	epoch := w.present()
	set := w.set(epoch)
	rank, ok := set.Find(m.keys.Vote.PublicKey().Bytes())
	if !ok {
		return nil
	}
	anchor := w.chain.Hash(w.setup.calendar.Anchor(epoch))
	if !w.plan.Real {
		return hashKeys{newHashed(w.setup.namespace, set), rank, anchor}
	}
	return &replica.Keys{Signer: quorum.Signer{Namespace: w.setup.namespace, Key: m.keys.Vote, Share: m.keys.Share, Anchor: anchor}}
}

// accuse takes evidence: it must be against somebody faulty, and hold in court.
func (w *World) accuse(m *machine, e *simplex.Evidence) {
	w.accused[e.Offence.String()]++
	if !m.honest() {
		return
	}
	epoch := e.First.Subject.Round.Epoch
	set := w.set(epoch)
	if guilty := w.of(set, e.Signer); guilty == nil || guilty.honest() {
		w.violation("%s accuses honest validator %d: %v", m.name, e.Signer, e.Offence)
	}
	var scheme simplex.Scheme = newHashed(w.setup.namespace, set)
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
	court := &simplex.Court{
		Namespace: w.setup.namespace, Epoch: epoch, Validators: len(set.Members), Anchor: w.chain.Hash(calendar.Anchor(epoch)),
		LastHeight: uint64(calendar.Last(epoch)), Scheme: scheme, Inspect: simplex.InspectBlock,
	}
	if err := court.Verify(e); err != nil {
		w.violation("%s: evidence of %v does not hold: %v", m.name, e.Offence, err)
	}
}
