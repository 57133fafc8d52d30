package simplex_test

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/testkit/hashed"
)

// keyring signs for every validator of a test and verifies.
type keyring interface {
	simplex.Scheme
	SignVote(rank uint32, v *simplex.Vote) *simplex.Vote
	SignNewView(rank uint32, m *simplex.NewView) *simplex.NewView
	SignAccusation(rank uint32, a *simplex.Accusation) *simplex.Accusation
}

const namespace = sig.Namespace("cowboy-test")

var anchor = digest.SHA256([]byte("anchor"))

// fake is a scheme of hashes that verifies each thing by itself. Nobody in the tests forges.
type fake struct{ hashed.Scheme }

func newFake(n int) fake {
	s := hashed.Scheme{Namespace: namespace}
	for i := range uint32(n) {
		s.Keys = append(s.Keys, binary.BigEndian.AppendUint32(nil, i))
	}
	return fake{s}
}

// SignVote implements keyring.
func (f fake) SignVote(rank uint32, request *simplex.Vote) *simplex.Vote {
	return f.Vote(rank, request)
}

// SignNewView implements keyring.
func (f fake) SignNewView(rank uint32, request *simplex.NewView) *simplex.NewView {
	return f.NewView(rank, request, anchor)
}

// SignAccusation implements keyring.
func (f fake) SignAccusation(rank uint32, request *simplex.Accusation) *simplex.Accusation {
	return f.Accusation(rank, request)
}

// thrifty is a fake that verifies at once what may be. It counts the commits it verified with votes for a child, and such attempts that failed.
type thrifty struct {
	fake
	together, apart *int
}

func newThrifty(n int) thrifty { return thrifty{newFake(n), new(int), new(int)} }

func (f thrifty) Join(j *simplex.Joint) (aggregates []sig.BLSSignature, seed sig.BLSSignature, ok bool) {
	aggregates, seed, ok = hashed.Economical{Scheme: f.Scheme}.Join(j)
	switch {
	case len(j.Batches) > 1 && ok:
		*f.together++
	case len(j.Batches) > 1:
		*f.apart++
	}
	return aggregates, seed, ok
}

func (f thrifty) Prove(c *sig.Certificate, seeded bool, claims []simplex.Claim) bool {
	return hashed.Economical{Scheme: f.Scheme}.Prove(c, seeded, claims)
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

func (b blok) link() simplex.BlockRef {
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

func inspect(data []byte) (simplex.BlockRef, error) {
	b, err := decodeBlok(data)
	if err != nil {
		return simplex.BlockRef{}, err
	}
	return simplex.BlockRef{
		Hash: b.hash(), Height: b.height, Round: b.round, Proposer: b.proposer,
		ParentHash: b.parentHash, ParentView: b.parentView, Header: data, Idle: b.label&idle != 0,
	}, nil
}

// signers is a set of n with some members.
func signers(n int, members ...int) sig.Signers {
	s := sig.NewSigners(n)
	for _, i := range members {
		s.Add(i)
	}
	return s
}
