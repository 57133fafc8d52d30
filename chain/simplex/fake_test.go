package simplex_test

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// keyring signs for every validator of a test and verifies.
type keyring interface {
	simplex.Scheme
	SignVote(rank uint32, v *simplex.Vote) *simplex.Vote
	SignNewView(rank uint32, m *simplex.NewView) *simplex.NewView
}

const namespace = sig.Namespace("cowboy-test")

var anchor = digest.SHA256([]byte("anchor"))

// fake is a scheme in which a signature is a hash of signer and preimage, an aggregate their exclusive or, and a seed a hash of its round. Nobody
// in the tests forges.
type fake struct{ n int }

var errFake = errors.New("fake signature does not verify")

func fakeSign(signer uint32, preimage []byte) (s sig.BLSSignature) {
	var who [4]byte
	binary.BigEndian.PutUint32(who[:], signer)
	h := sha256.Sum256(append(who[:], preimage...))
	copy(s[:], h[:])
	return s
}

func fakeSeed(r sig.Round) (s sig.BLSSignature) {
	h := sha256.Sum256(namespace.Seed(r))
	for i := range 3 {
		copy(s[32*i:], h[:])
		h = sha256.Sum256(h[:])
	}
	return s
}

func (f fake) Verify(signer uint32, preimage []byte, s sig.BLSSignature) error {
	if fakeSign(signer, preimage) != s {
		return errFake
	}
	return nil
}

func (f fake) Assemble(signers []uint32, preimage []byte, signatures []sig.BLSSignature) (aggregate sig.BLSSignature, bad []int) {
	for i, s := range signatures {
		if f.Verify(signers[i], preimage, s) != nil {
			bad = append(bad, i)
		}
		for j := range aggregate {
			aggregate[j] ^= s[j]
		}
	}
	return aggregate, bad
}

func (f fake) Recover(round sig.Round, signers []uint32, partials []sig.BLSSignature) (seed sig.BLSSignature, bad []int) {
	for i, p := range partials {
		if f.Verify(signers[i], namespace.Seed(round), p) != nil {
			bad = append(bad, i)
		}
	}
	return fakeSeed(round), bad
}

func (f fake) Hold(claims []simplex.Claim) bool {
	for _, c := range claims {
		var want sig.BLSSignature
		for _, i := range c.Signers {
			one := fakeSign(i, c.Preimage)
			for j := range one {
				want[j] ^= one[j]
			}
		}
		if want != c.Signature {
			return false
		}
	}
	return true
}

func (f fake) VerifyCertificate(c *sig.Certificate) error {
	members := c.Signers.Members()
	var want sig.BLSSignature
	for _, m := range members {
		s := fakeSign(uint32(m), c.Preimage(namespace))
		for j := range want {
			want[j] ^= s[j]
		}
	}
	if len(members) < sig.Quorum(f.n) || want != c.Aggregate || c.Seed != fakeSeed(c.Subject.Round) {
		return errFake
	}
	return nil
}

// thrifty is a fake that verifies at once what may be. It counts the commits it verified with votes for a child, and such attempts that failed.
type thrifty struct {
	fake
	together, apart *int
}

func newThrifty(n int) thrifty { return thrifty{fake{n}, new(int), new(int)} }

func (f thrifty) Join(j *simplex.Joint) (aggregates []sig.BLSSignature, seed sig.BLSSignature, ok bool) {
	ok = f.Hold(j.Claims)
	for _, b := range j.Batches {
		aggregate, bad := f.Assemble(b.Signers, b.Preimage, b.Signatures)
		aggregates, ok = append(aggregates, aggregate), ok && len(bad) == 0
	}
	seed, bad := f.Recover(j.Round, j.Holders, j.Partials)
	ok = ok && len(bad) == 0
	switch {
	case len(j.Batches) > 1 && ok:
		*f.together++
	case len(j.Batches) > 1:
		*f.apart++
	}
	return aggregates, seed, ok
}

func (f thrifty) Prove(c *sig.Certificate, seeded bool, claims []simplex.Claim) bool {
	return f.VerifyCertificate(c) == nil && f.Hold(claims)
}

func (f fake) SignVote(rank uint32, request *simplex.Vote) *simplex.Vote {
	v := *request
	v.Signature = fakeSign(rank, v.Preimage(namespace))
	v.Partial = fakeSign(rank, namespace.Seed(v.Subject.Round))
	if h := request.Half; h != nil {
		v.Half = &simplex.Half{Parent: h.Parent, Signature: fakeSign(rank, namespace.Finalize(h.Parent))}
	}
	return &v
}

func (f fake) SignNewView(rank uint32, request *simplex.NewView) *simplex.NewView {
	m := *request
	m.Signature = fakeSign(rank, namespace.Nullify(m.Round))
	m.Partial = fakeSign(rank, namespace.Seed(m.Round))
	m.Naming = fakeSign(rank, m.NamingPreimage(namespace, anchor))
	return &m
}

// blok is a block of the tests: a header with a label, and whether it is valid.
type blok struct {
	height     uint64
	round      sig.Round
	proposer   uint32
	parentHash digest.Hash
	parentView uint64
	label      uint64
	broken     bool
}

// Marks in the label of a block: its claim does not hold; nothing ran in it.
const (
	forgery = 1 << 62
	idle    = 1 << 61
)

func (b blok) encode() []byte {
	dst := codec.AppendUint(nil, b.height)
	dst = b.round.Append(dst)
	dst = codec.AppendUint(dst, uint64(b.proposer))
	dst = codec.AppendFixed(dst, b.parentHash[:])
	dst = codec.AppendUint(dst, b.parentView)
	dst = codec.AppendUint(dst, b.label)
	return codec.AppendBool(dst, b.broken)
}

func (b blok) forged() bool { return b.label&forgery != 0 }

// claims are those of its header: its proposer's signature over its label.
func (b blok) claims(keys keyring) []simplex.Claim {
	v := keys.SignVote(b.proposer, &simplex.Vote{Kind: sig.Notarization, Subject: sig.Subject{Height: b.label}, Signer: b.proposer})
	c := simplex.Claim{Signers: []uint32{b.proposer}, Preimage: v.Preimage(namespace), Signature: v.Signature}
	if b.forged() {
		c.Signature[7]++
	}
	return []simplex.Claim{c}
}

func (b blok) hash() digest.Hash { return digest.SHA256(b.encode()) }

func (b blok) subject() sig.Subject {
	return sig.Subject{BlockHash: b.hash(), Height: b.height, Round: b.round}
}

func (b blok) link() simplex.Link {
	l, err := inspect(b.encode())
	if err != nil {
		panic(err)
	}
	return l
}

func decodeBlok(data []byte) (blok, error) {
	r := codec.NewReader(data)
	b := blok{height: r.Uint(), round: sig.ReadRound(r), proposer: r.Uint32()}
	r.Into(b.parentHash[:])
	b.parentView, b.label, b.broken = r.Uint(), r.Uint(), r.Bool()
	return b, r.Finish()
}

func inspect(data []byte) (simplex.Link, error) {
	b, err := decodeBlok(data)
	if err != nil {
		return simplex.Link{}, err
	}
	return simplex.Link{
		Hash: b.hash(), Height: b.height, Round: b.round, Proposer: b.proposer,
		ParentHash: b.parentHash, ParentView: b.parentView, Header: data, Idle: b.label&idle != 0,
	}, nil
}

// fakeCertificate is what the named signers' votes make.
func fakeCertificate(n int, kind sig.CertificateKind, s sig.Subject, signers ...int) *sig.Certificate {
	c := &sig.Certificate{Kind: kind, Subject: s, Signers: sig.NewSigners(n), Seed: fakeSeed(s.Round)}
	for _, i := range signers {
		c.Signers.Add(i)
		one := fakeSign(uint32(i), c.Preimage(namespace))
		for j := range one {
			c.Aggregate[j] ^= one[j]
		}
	}
	return c
}
