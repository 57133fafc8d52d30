package replica

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/simplex/quorum"
)

// Signer holds one validator's keys of one epoch. It gives an error when it cannot sign or refuses to; the node then stops, since a vote that is
// journaled and never sent is all it can safely do.
//
// A Signer whose keys are in this process may be asked before the request is durable, because its answer cannot leave before. One whose keys are
// elsewhere answers true to Remote and is asked afterwards.
//
// Spec: commonware §3.5, §3.7.
type Signer interface {
	Remote() bool
	// SignVote makes the signatures a vote lacks.
	SignVote(request *simplex.Vote) (*simplex.Vote, error)
	// SignNewView makes the signatures a NEW_VIEW lacks.
	SignNewView(request *simplex.NewView) (*simplex.NewView, error)
	// SignAccusation makes the signature of an accusation.
	SignAccusation(request *simplex.Accusation) (*simplex.Accusation, error)
	// ProveVRF is the header proof of a height.
	ProveVRF(epochSeed []byte, height uint64) (sig.BLSSignature, error)
	// Introduce says that a network identity is this validator's.
	Introduce(self link.Peer) (sig.BLSSignature, error)
}

// Foresighted is what a Signer may be besides: between two commands it does what a round is going to ask for. Nothing of it leaves this process before it
// is asked for.
type Foresighted interface {
	// Prepare makes ready for the votes of a round, and for the header proof of a height by whomever.
	Prepare(r sig.Round, epochSeed []byte, height uint64)
}

// introduceSuffix is the domain of introductions.
const introduceSuffix = "_PEER"

// Introduction is what Introduce signs: who repeats it under another network identity introduces nobody.
func Introduction(n sig.Namespace, self link.Peer) []byte {
	return n.UnionUnique(introduceSuffix, self[:])
}

// Keys is a Signer with the keys in memory.
type Keys struct{ quorum.Signer }

var (
	_ Signer      = (*Keys)(nil)
	_ Foresighted = (*Keys)(nil)
)

// Remote implements Signer.
func (*Keys) Remote() bool { return false }

// SignVote implements Signer.
func (k *Keys) SignVote(v *simplex.Vote) (*simplex.Vote, error) { return k.Signer.SignVote(v), nil }

// SignNewView implements Signer.
func (k *Keys) SignNewView(m *simplex.NewView) (*simplex.NewView, error) {
	return k.Signer.SignNewView(m), nil
}

// SignAccusation implements Signer.
func (k *Keys) SignAccusation(a *simplex.Accusation) (*simplex.Accusation, error) {
	return k.Signer.SignAccusation(a), nil
}

// ProveVRF implements Signer. Spec: WP §6.1; commonware §3.6.
func (k *Keys) ProveVRF(epochSeed []byte, height uint64) (sig.BLSSignature, error) {
	return k.Hashes.Sign(k.Key, k.Namespace.VRF(epochSeed, height)), nil
}

// Prepare implements Foresighted.
func (k *Keys) Prepare(r sig.Round, epochSeed []byte, height uint64) {
	k.Signer.Prepare(r)
	if k.Hashes != nil {
		k.Hashes.Expect(k.Namespace.VRF(epochSeed, height))
	}
}

// Introduce implements Signer.
func (k *Keys) Introduce(self link.Peer) (sig.BLSSignature, error) {
	return k.Key.Sign(Introduction(k.Namespace, self)), nil
}

// trusting is a Scheme that does not verify what this process has signed itself. Where that is all there is, in a set of one, an aggregate costs no
// pairing.
type trusting struct {
	simplex.Scheme
	namespace sig.Namespace
	own       map[digest.Hash]bool // over what was signed and the signature
	recent    []digest.Hash        // of own, oldest first
}

// ownKept bounds the signatures remembered: those of a few views.
const ownKept = 32

func newTrusting(s simplex.Scheme, n sig.Namespace) *trusting {
	return &trusting{Scheme: s, namespace: n, own: map[digest.Hash]bool{}}
}

func ownKey(preimage []byte, s sig.BLSSignature) digest.Hash { return digest.Blake3(s[:], preimage) }

// made remembers an own signature over a preimage.
func (t *trusting) made(preimage []byte, s sig.BLSSignature) {
	key := ownKey(preimage, s)
	if t.own[key] {
		return
	}
	if len(t.recent) == ownKept {
		delete(t.own, t.recent[0])
		t.recent = append(t.recent[:0], t.recent[1:]...)
	}
	t.own[key] = true
	t.recent = append(t.recent, key)
}

// Assemble implements simplex.Scheme.
func (t *trusting) Assemble(signers []uint32, preimage []byte, signatures []sig.BLSSignature) (sig.BLSSignature, []int) {
	if len(signatures) == 1 && t.own[ownKey(preimage, signatures[0])] {
		return signatures[0], nil // the sum of one
	}
	return t.Scheme.Assemble(signers, preimage, signatures)
}

// Recover implements simplex.Scheme.
func (t *trusting) Recover(round sig.Round, signers []uint32, partials []sig.BLSSignature) (sig.BLSSignature, []int) {
	if len(partials) == 1 && t.own[ownKey(t.namespace.Seed(round), partials[0])] {
		return partials[0], nil // a constant polynomial: the share is the key
	}
	return t.Scheme.Recover(round, signers, partials)
}

// Join implements simplex.Economical. In a set of one the own signatures cost less one by one.
func (t *trusting) Join(j *simplex.Joint) (aggregates []sig.BLSSignature, seed sig.BLSSignature, ok bool) {
	scheme, able := t.Scheme.(simplex.Economical)
	if !able || len(j.Batches[0].Signatures) == 1 {
		return nil, seed, false
	}
	return scheme.Join(j)
}

// Prove implements simplex.Economical.
func (t *trusting) Prove(c *sig.Certificate, seeded bool, claims []simplex.Claim) bool {
	if scheme, able := t.Scheme.(simplex.Economical); able {
		return scheme.Prove(c, seeded, claims)
	}
	return t.VerifyCertificate(c) == nil && (len(claims) == 0 || t.Hold(claims))
}
