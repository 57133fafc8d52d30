package replica

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/simplex/quorum"
)

// Signer holds one validator's keys of one epoch. An error that wraps sig.ErrUnsigned says that it gives no signature now: the vote, which is journaled, is
// not sent, and agreement goes on as if its message was lost. After any other error the node stops.
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

// Preparer is what a Signer may be besides: between two commands it does what a round is going to ask for. Nothing of it leaves this process before it
// is asked for.
type Preparer interface {
	// Prepare makes ready for the votes of a round, and for the header proof of a height by whomever.
	Prepare(r sig.Round, epochSeed []byte, height uint64)
}

// Elsewhere is a voting key in another process.
type Elsewhere interface {
	beacon.Key
	// Sealing is shares.Secret of the chain.
	Sealing() []byte
	// Signer signs in an epoch whose anchor, the block it builds on, is given. The share of the round seed is this process's own.
	Signer(namespace sig.Namespace, share bls.Share, anchor digest.Hash) Signer
}

// Keys is a Signer with the keys in memory.
type Keys struct{ quorum.Signer }

var (
	_ Signer   = (*Keys)(nil)
	_ Preparer = (*Keys)(nil)
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

// Prepare implements Preparer.
func (k *Keys) Prepare(r sig.Round, epochSeed []byte, height uint64) {
	k.Signer.Prepare(r)
	if k.Hashes != nil {
		k.Hashes.Expect(k.Namespace.VRF(epochSeed, height))
	}
}

// Introduce implements Signer.
func (k *Keys) Introduce(self link.Peer) (sig.BLSSignature, error) {
	return k.Key.Sign(roster.IntroductionPreimage(k.Namespace, self)), nil
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
