package replica

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

func fixedSet(t *testing.T, n int) (*Fixed, []genesis.DevValidator) {
	t.Helper()
	spec, err := genesis.Devnet(1, n)
	if err != nil {
		t.Fatal(err)
	}
	keys, sharing, err := genesis.DevValidators(n)
	if err != nil {
		t.Fatal(err)
	}
	return &Fixed{Namespace: sig.NewNamespace(1), Set: spec.Validators, Sharing: sharing}, keys
}

// A validator alone needs no pairing for what it signed itself, and believes nothing else.
//
// Spec: commonware §2.1, §3.7.
func TestTrusting(t *testing.T) {
	f, keys := fixedSet(t, 1)
	f.Vote, f.Share = keys[0].Vote, keys[0].Share
	c, err := f.At(0, digest.Hash{1})
	if err != nil {
		t.Fatal(err)
	}
	scheme := newTrusting(c.Scheme, f.Namespace)
	subject := subjectOf(blockAt(3))
	v, err := c.Signer.SignVote(&simplex.Vote{Kind: sig.Notarization, Subject: subject})
	if err != nil {
		t.Fatal(err)
	}
	preimage := v.Preimage(f.Namespace)
	slow, bad := scheme.Assemble([]uint32{0}, preimage, []sig.BLSSignature{v.Signature})
	seed, badSeed := scheme.Recover(subject.Round, []uint32{0}, []sig.BLSSignature{v.Partial})
	if bad != nil || badSeed != nil {
		t.Fatal("what was signed does not verify")
	}
	if _, bad := scheme.Assemble([]uint32{0}, preimage, []sig.BLSSignature{v.Partial}); bad == nil {
		t.Error("another signature is believed")
	}
	scheme.made(preimage, v.Signature)
	scheme.made(f.Namespace.Seed(subject.Round), v.Partial)
	if _, bad := scheme.Assemble([]uint32{0}, f.Namespace.Finalize(subject), []sig.BLSSignature{v.Signature}); bad == nil {
		t.Error("an own signature is believed to be over something else")
	}
	if _, bad := scheme.Recover(sig.Round{View: 9}, []uint32{0}, []sig.BLSSignature{v.Partial}); bad == nil {
		t.Error("an own partial is believed to be of another round")
	}
	fast, _ := scheme.Assemble([]uint32{0}, preimage, []sig.BLSSignature{v.Signature})
	quick, _ := scheme.Recover(subject.Round, []uint32{0}, []sig.BLSSignature{v.Partial})
	if fast != slow || quick != seed {
		t.Error("without pairings the certificate is another one")
	}
	certificate := &sig.Certificate{Kind: sig.Notarization, Subject: subject, Signers: sig.NewSigners(1), Aggregate: fast, Seed: quick}
	certificate.Signers.Add(0)
	if err := c.Scheme.VerifyCertificate(certificate); err != nil {
		t.Error(err)
	}
	for range 2 * ownKept {
		v.Signature[3]++
		scheme.made(preimage, v.Signature)
	}
	if len(scheme.own) > ownKept || len(scheme.recent) > ownKept {
		t.Errorf("%d own signatures are remembered", len(scheme.own))
	}
}

// Keys must be those of the set; without any the node follows.
func TestFixed(t *testing.T) {
	f, keys := fixedSet(t, 4)
	c, err := f.At(0, digest.Hash{})
	if err != nil || c.Self != simplex.Observer || c.Signer != nil || len(c.Stakes) != 4 {
		t.Fatalf("observer: %+v, %v", c, err)
	}
	f.Vote, f.Share = keys[2].Vote, keys[2].Share
	if c, err = f.At(0, digest.Hash{}); err != nil || c.Self != 2 {
		t.Fatalf("validator: %+v, %v", c, err)
	}
	self := link.Peer{7}
	s, err := c.Signer.Introduce(self)
	if err != nil || c.Scheme.Verify(2, Introduction(f.Namespace, self), s) != nil {
		t.Error("the introduction does not verify")
	}
	if c.Scheme.Verify(2, Introduction(f.Namespace, link.Peer{8}), s) == nil || c.Scheme.Verify(1, Introduction(f.Namespace, self), s) == nil {
		t.Error("an introduction introduces somebody else")
	}
	f.Share = keys[1].Share
	if _, err := f.At(0, digest.Hash{}); !errors.Is(err, ErrCommittee) {
		t.Errorf("the share of another rank: %v", err)
	}
	stranger, err := bls.ParsePrivateKey(append(make([]byte, 31), 5))
	if err != nil {
		t.Fatal(err)
	}
	f.Vote = stranger
	if _, err := f.At(0, digest.Hash{}); !errors.Is(err, ErrCommittee) {
		t.Errorf("a key that is not in the set: %v", err)
	}
}
