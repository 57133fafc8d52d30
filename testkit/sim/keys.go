package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// hashed is a scheme in which a signature is a hash of signer and preimage, an aggregate their exclusive or, and a seed a hash of its round.
type hashed struct {
	namespace  sig.Namespace
	validators int
}

var errHashed = errors.New("sim: signature does not verify")

func hashSign(signer uint32, preimage []byte) (s sig.BLSSignature) {
	h := sha256.Sum256(append(binary.BigEndian.AppendUint32(nil, signer), preimage...))
	copy(s[:], h[:])
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
	if hashSign(signer, preimage) != s {
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

// VerifyCertificate implements simplex.Scheme.
func (h hashed) VerifyCertificate(c *sig.Certificate) error {
	members := c.Signers.Members()
	var want sig.BLSSignature
	for _, m := range members {
		xor(&want, hashSign(uint32(m), c.Preimage(h.namespace)))
	}
	if len(members) < sig.Quorum(h.validators) || want != c.Aggregate || c.Seed != h.seed(c.Subject.Round) {
		return errHashed
	}
	return nil
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
	v.Signature = hashSign(k.rank, v.Preimage(k.namespace))
	v.Partial = hashSign(k.rank, k.namespace.Seed(v.Subject.Round))
	if h := request.Half; h != nil {
		v.Half = &simplex.Half{Parent: h.Parent, Signature: hashSign(k.rank, k.namespace.Finalize(h.Parent))}
	}
	return &v, nil
}

// SignNewView implements replica.Signer.
func (k hashKeys) SignNewView(request *simplex.NewView) (*simplex.NewView, error) {
	m := *request
	m.Signature = hashSign(k.rank, k.namespace.Nullify(m.Round))
	m.Partial = hashSign(k.rank, k.namespace.Seed(m.Round))
	m.Naming = hashSign(k.rank, m.NamingPreimage(k.namespace, k.anchor))
	return &m, nil
}

// ProveVRF implements replica.Signer.
func (k hashKeys) ProveVRF(epochSeed []byte, height uint64) (sig.BLSSignature, error) {
	return hashSign(k.rank, k.namespace.VRF(epochSeed, height)), nil
}

// Introduce implements replica.Signer.
func (k hashKeys) Introduce(self link.Peer) (sig.BLSSignature, error) {
	return hashSign(k.rank, replica.Introduction(k.namespace, self)), nil
}

// committees gives a machine the validator set.
type committees struct {
	w *World
	m *machine
}

func (w *World) committees(m *machine) replica.Committees { return &committees{w, m} }

// At implements replica.Committees.
func (c *committees) At(epoch uint64, anchor digest.Hash) (*replica.Committee, error) {
	w, m := c.w, c.m
	if w.plan.Real {
		return w.fixed(m).At(epoch, anchor)
	}
	h := hashed{w.setup.namespace, w.plan.Validators}
	committee := &replica.Committee{Scheme: h, VerifySeed: h.verifySeed, Self: simplex.Observer}
	for _, v := range w.setup.spec.Validators {
		committee.Stakes = append(committee.Stakes, v.Stake)
		committee.Rewards = append(committee.Rewards, v.Address)
	}
	if m.rank >= 0 {
		committee.Self, committee.Signer = uint32(m.rank), hashKeys{h, uint32(m.rank), anchor}
	}
	return committee, nil
}

// fixed is the genesis set with the machine's keys.
func (w *World) fixed(m *machine) *replica.Fixed {
	f := &replica.Fixed{Namespace: w.setup.namespace, Set: w.setup.spec.Validators, Sharing: w.setup.sharing}
	if m.rank >= 0 {
		f.Vote, f.Share = w.setup.keys[m.rank].Vote, w.setup.keys[m.rank].Share
	}
	return f
}

// signer is a faulty machine's keys, which sign anything.
func (w *World) signer(m *machine) replica.Signer {
	c, err := (&committees{w, m}).At(0, w.chain.Hash(0))
	if err != nil {
		panic(err)
	}
	return c.Signer
}

// accuse takes evidence: it must be against somebody faulty, and hold in court.
func (w *World) accuse(m *machine, e *simplex.Evidence) {
	w.accused[e.Offence.String()]++
	if !m.honest() {
		return
	}
	if w.plan.Faulty[e.Signer] == "" {
		w.violation("%s accuses honest validator %d: %v", m.name, e.Signer, e.Offence)
	}
	var scheme simplex.Scheme = hashed{w.setup.namespace, w.plan.Validators}
	if w.plan.Real {
		c, err := w.fixed(m).At(0, w.chain.Hash(0))
		if err != nil {
			panic(err)
		}
		scheme = c.Scheme
	}
	court := &simplex.Court{
		Namespace: w.setup.namespace, Validators: w.plan.Validators, Anchor: w.chain.Hash(0), LastHeight: lastOfEpoch0, Scheme: scheme,
		Inspect: simplex.InspectBlock,
	}
	if err := court.Verify(e); err != nil {
		w.violation("%s: evidence of %v does not hold: %v", m.name, e.Offence, err)
	}
}
