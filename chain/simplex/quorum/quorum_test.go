package quorum

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

const namespace = sig.Namespace("cowboy-test")

var anchor = digest.SHA256([]byte("anchor"))

func scalar(label string) []byte {
	h := digest.SHA256([]byte(label))
	h[0] &= 0x3f // below the group order
	return h[:]
}

// deal makes n validators' keys.
func deal(t testing.TB, n int) (*Keys, []*Signer) {
	t.Helper()
	var coefficients [][]byte
	for i := range sig.Quorum(n) {
		coefficients = append(coefficients, scalar(fmt.Sprint("coefficient ", i)))
	}
	sharing, shares, err := bls.Deal(coefficients, uint32(n))
	if err != nil {
		t.Fatal(err)
	}
	epoch := &bls.Epoch{Namespace: namespace, Group: sharing.GroupKey()}
	signers := make([]*Signer, n)
	for i := range signers {
		key, err := bls.ParsePrivateKey(scalar(fmt.Sprint("key ", i)))
		if err != nil {
			t.Fatal(err)
		}
		epoch.Validators = append(epoch.Validators, key.PublicKey())
		signers[i] = &Signer{Namespace: namespace, Key: key, Share: shares[i], Anchor: anchor}
	}
	keys, err := NewKeys(epoch, sharing)
	if err != nil {
		t.Fatal(err)
	}
	return keys, signers
}

func subject(view uint64) sig.Subject {
	return sig.Subject{BlockHash: digest.SHA256([]byte("block")), Height: 5, Round: sig.Round{Epoch: 2, View: view}}
}

// votes gives the votes of everybody on one subject.
func votes(signers []*Signer, s sig.Subject) (ranks []uint32, signatures, partials []sig.BLSSignature) {
	for i, signer := range signers {
		v := signer.SignVote(&simplex.Vote{Kind: sig.Notarization, Subject: s, Signer: uint32(i)})
		ranks = append(ranks, uint32(i))
		signatures = append(signatures, v.Signature)
		partials = append(partials, v.Partial)
	}
	return ranks, signatures, partials
}

// TestCertificateOfVotes makes a certificate of a quorum's votes that everybody can verify. Spec: WP §6.1; commonware §2.5, §3.7.
func TestCertificateOfVotes(t *testing.T) {
	keys, signers := deal(t, 5)
	s := subject(3)
	ranks, signatures, partials := votes(signers[1:], s) // quorum of 5 is 4
	for i := range ranks {
		ranks[i]++
		signatures[i] = signers[ranks[i]].Key.Sign(namespace.Notarize(s))
	}
	for i, r := range ranks {
		if err := keys.Verify(r, namespace.Notarize(s), signatures[i]); err != nil {
			t.Fatal(err)
		}
	}
	aggregate, bad := keys.Assemble(ranks, namespace.Notarize(s), signatures)
	if bad != nil {
		t.Fatalf("bad %v", bad)
	}
	seed, bad := keys.Recover(s.Round, ranks, partials)
	if bad != nil {
		t.Fatalf("bad partials %v", bad)
	}
	c := &sig.Certificate{Kind: sig.Notarization, Subject: s, Signers: sig.NewSigners(5), Aggregate: aggregate, Seed: seed}
	for _, r := range ranks {
		c.Signers.Add(int(r))
	}
	if err := keys.VerifyCertificate(c); err != nil {
		t.Fatal(err)
	}
	c.Subject.Height++
	if keys.VerifyCertificate(c) == nil {
		t.Error("a certificate for another height verifies")
	}
}

// TestCulprits finds who signed badly, votes and partials apart. Spec: WP §6.1 (buffered batch verification); commonware §2.6.
func TestCulprits(t *testing.T) {
	keys, signers := deal(t, 7)
	s := subject(4)
	ranks, signatures, partials := votes(signers, s)
	signatures[2] = signatures[3]
	signatures[5] = sig.BLSSignature{}
	if _, bad := keys.Assemble(ranks, namespace.Notarize(s), signatures); !slices.Equal(bad, []int{2, 5}) {
		t.Errorf("bad votes %v, want 2 and 5", bad)
	}
	partials[6] = partials[0]
	partials[1][7]++
	if _, bad := keys.Recover(s.Round, ranks, partials); !slices.Equal(bad, []int{1, 6}) {
		t.Errorf("bad partials %v, want 1 and 6", bad)
	}
	// A bad partial beyond the threshold is not needed, and not looked at.
	_, _, partials = votes(signers, s)
	partials[6] = sig.BLSSignature{}
	if _, bad := keys.Recover(s.Round, ranks, partials); bad != nil && !slices.Equal(bad, []int{6}) {
		t.Errorf("bad partials %v", bad)
	}
}

// TestCancelling shows why a batch needs no weights to make a certificate: two signers whose errors cancel make a certificate that verifies, and
// neither of their votes does. Spec: commonware §2.6.
func TestCancelling(t *testing.T) {
	keys, signers := deal(t, 4)
	s := subject(6)
	ranks, signatures, _ := votes(signers[:3], s)
	delta := signers[3].Key.Sign([]byte("delta"))
	minus := delta
	minus[0] ^= 0x20 // the sign bit of the compressed point
	for i, d := range map[int]sig.BLSSignature{0: delta, 1: minus} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			sum, err := bls.Aggregate([]sig.BLSSignature{signatures[i], d})
			if err != nil {
				t.Fatal(err)
			}
			signatures[i] = sum
			if keys.Verify(ranks[i], namespace.Notarize(s), sum) == nil {
				t.Fatal("a shifted vote verifies")
			}
		})
	}
	aggregate, bad := keys.Assemble(ranks, namespace.Notarize(s), signatures)
	if bad != nil {
		t.Fatalf("bad %v", bad)
	}
	if err := bls.VerifyAggregate(pick(keys.epoch.Validators, ranks), namespace.Notarize(s), aggregate); err != nil {
		t.Error(err)
	}
}

// TestSigner signs what a State asks for; a half that is signed already is kept. Spec: WP §6.1; commonware §3.7, §3.8 (2).
func TestSigner(t *testing.T) {
	keys, signers := deal(t, 4)
	parent := subject(1)
	request := &simplex.Vote{Kind: sig.Notarization, Subject: subject(2), Signer: 1, Half: &simplex.Half{Parent: parent}}
	v := signers[1].SignVote(request)
	if request.Half.Signature != (sig.BLSSignature{}) {
		t.Error("the request was changed")
	}
	commit := signers[1].SignVote(&simplex.Vote{Kind: sig.Finalization, Subject: parent, Signer: 1})
	if v.Half.Signature != commit.Signature {
		t.Error("a commit half is not the explicit commit's signature")
	}
	if err := keys.Verify(1, commit.Preimage(namespace), commit.Signature); err != nil {
		t.Error(err)
	}
	v.Half.Signature[3]++
	if again := signers[1].SignVote(v); again.Half.Signature != v.Half.Signature {
		t.Error("a half was signed twice")
	}
	m := signers[2].SignNewView(&simplex.NewView{Round: sig.Round{Epoch: 2, View: 9}, Signer: 2})
	if err := keys.Verify(2, namespace.Nullify(m.Round), m.Signature); err != nil {
		t.Error(err)
	}
	if err := keys.Verify(2, namespace.HighestQC(m.Round, sig.Round{Epoch: 2}, anchor), m.HighestQC); err != nil {
		t.Error(err)
	}
	if err := keys.Verify(9, nil, m.HighestQC); !errors.Is(err, bls.ErrValidator) {
		t.Errorf("rank 9 of 4: %v", err)
	}
}

// TestNewKeys wants a sharing among exactly the validators, with the quorum as threshold. Spec: commonware §4.2.
func TestNewKeys(t *testing.T) {
	keys, _ := deal(t, 4)
	for at, c := range []struct{ threshold, total int }{{2, 4}, {3, 5}, {4, 4}} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			var coefficients [][]byte
			for i := range c.threshold {
				coefficients = append(coefficients, scalar(fmt.Sprint(i)))
			}
			sharing, _, err := bls.Deal(coefficients, uint32(c.total))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := NewKeys(keys.epoch, sharing); !errors.Is(err, bls.ErrSharing) {
				t.Errorf("%d of %d for 4 validators: %v", c.threshold, c.total, err)
			}
		})
	}
}

// TestOf verifies with the set of a genesis what its validators sign. Spec: WP "Validator Set"; commonware §3.7.
func TestOf(t *testing.T) {
	spec, err := genesis.Devnet(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	if err := spec.Build(overlay); err != nil {
		t.Fatal(err)
	}
	set, err := stake.SetAt(overlay, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := sig.NewNamespace(1)
	keys, err := Of(n, set)
	if err != nil {
		t.Fatal(err)
	}
	devs, _, err := genesis.DevValidators(4)
	if err != nil {
		t.Fatal(err)
	}
	preimage, round := n.Nullify(sig.Round{View: 3}), sig.Round{View: 3}
	var ranks []uint32
	var signatures, partials []sig.BLSSignature
	for i, d := range devs[:3] {
		ranks = append(ranks, uint32(i))
		signatures = append(signatures, d.Vote.Sign(preimage))
		partials = append(partials, d.Share.Sign(n.Seed(round)).Signature)
	}
	if _, bad := keys.Assemble(ranks, preimage, signatures); bad != nil {
		t.Errorf("bad votes %v", bad)
	}
	if _, bad := keys.Recover(round, ranks, partials); bad != nil {
		t.Errorf("bad partials %v", bad)
	}
	set.Members = set.Members[:3]
	if _, err := Of(n, set); !errors.Is(err, bls.ErrSharing) {
		t.Errorf("a key shared by others: %v", err)
	}
}
