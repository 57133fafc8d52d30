package replica

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica/shares"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	chainstate "github.com/cowboyinc/cowboy-go/chain/state"
)

// registered is the set of a development genesis, seen by an observer.
func registered(t *testing.T, n int) (*Registered, []genesis.DevValidator) {
	t.Helper()
	spec, err := genesis.Devnet(1, n)
	if err != nil {
		t.Fatal(err)
	}
	keys, _, err := genesis.DevValidators(n)
	if err != nil {
		t.Fatal(err)
	}
	first, err := ledger.Genesis(spec, chainstate.Config{}, chainstate.NewMemory(chainstate.Config{}))
	if err != nil {
		t.Fatal(err)
	}
	return &Registered{Namespace: sig.NewNamespace(1), State: func() *chainstate.Commit { return first.State }}, keys
}

// become gives the set's reader the keys of a validator.
func (r *Registered) become(t *testing.T, vote *bls.PrivateKey, share bls.Share) {
	t.Helper()
	store, err := shares.Open(disk.NewMemory(), digest.Hash{}, vote)
	if err != nil {
		t.Fatal(err)
	}
	r.Vote, r.First, r.Shares = vote, share, store
}

// A validator alone needs no pairing for what it signed itself, and believes nothing else.
//
// Spec: commonware §2.1, §3.7.
func TestTrusting(t *testing.T) {
	f, keys := registered(t, 1)
	f.become(t, keys[0].Vote, keys[0].Share)
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

// A member is who has both keys; anybody else follows.
//
// Spec: WP "Validator Set"; commonware §4.2.
func TestRegistered(t *testing.T) {
	f, keys := registered(t, 4)
	c, err := f.At(0, digest.Hash{})
	if err != nil || c.Self != simplex.Observer || c.Signer != nil || len(c.Stakes) != 4 || c.Rewards[1] != keys[1].Account.Address() {
		t.Fatalf("observer: %+v, %v", c, err)
	}
	f.become(t, keys[2].Vote, keys[2].Share)
	if c, err = f.At(0, digest.Hash{}); err != nil || c.Self != 2 {
		t.Fatalf("validator: %+v, %v", c, err)
	}
	self := link.Peer{7}
	s, err := c.Signer.Introduce(self)
	if err != nil || c.Scheme.Verify(2, roster.IntroductionPreimage(f.Namespace, self), s) != nil {
		t.Error("the introduction does not verify")
	}
	other := roster.IntroductionPreimage(f.Namespace, link.Peer{8})
	if c.Scheme.Verify(2, other, s) == nil || c.Scheme.Verify(1, roster.IntroductionPreimage(f.Namespace, self), s) == nil {
		t.Error("an introduction introduces somebody else")
	}
	stranger, err := bls.ParsePrivateKey(append(make([]byte, 31), 5))
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		vote  *bls.PrivateKey
		share bls.Share
	}{
		"the share of another rank":  {keys[2].Vote, keys[1].Share},
		"a share of nothing":         {keys[2].Vote, bls.Share{Index: 2, Key: stranger}},
		"no share":                   {keys[2].Vote, bls.Share{}},
		"a key that is not in there": {stranger, keys[2].Share},
	} {
		t.Run(name, func(t *testing.T) {
			f.become(t, x.vote, x.share)
			if c, err := f.At(0, digest.Hash{}); err != nil || c.Self != simplex.Observer || c.Signer != nil {
				t.Errorf("%s: %+v, %v", name, c, err)
			}
		})
	}
	if _, err := f.At(1, digest.Hash{}); !errors.Is(err, stake.ErrNoEpoch) {
		t.Errorf("an epoch to come: %v", err)
	}
}
