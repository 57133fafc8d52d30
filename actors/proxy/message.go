package proxy

import (
	"crypto/sha256"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Domains of what proxies sign among each other.
const (
	domainSession  = "cbss/dkg-session/v1"
	domainAck      = "cbss/dkg-ack/v1"
	domainProposal = "cbss/dkg-proposal/v1"
	domainVote     = "cbss/dkg-vote/v1"
)

// Steps of a session. A question is session(32) ‖ step(1) ‖ body.
const (
	stepDeal  byte = iota // dealer(1) ‖ Bytes sealed → the member's signature(65)
	stepHeard             // member(1) ‖ list of dealer(1) ‖ hash(32) ‖ signature(65) → nothing
	stepLog               // nothing → dealer(1) ‖ commitments ‖ list of place(1) ‖ signature(65)
	stepVote              // proposal → signature(65); of a key that is passed on it is the rotation's
	stepOpen              // proposal's hash(32) ‖ list of place(1) ‖ signature(65) → opening
	stepSign              // proposal's hash(32) ‖ list of openings → signature(65) of the rotation
	steps
)

// mark is a signature of the member at a place, counted from 1.
type mark struct {
	place     uint32
	signature sig.Signature
}

func appendMarks(dst []byte, list []mark) []byte {
	dst = codec.AppendLen(dst, len(list))
	for i := range list {
		dst = codec.AppendFixed(codec.AppendU8(dst, uint8(list[i].place)), list[i].signature[:])
	}
	return dst
}

func readMarks(r *codec.Reader) (list []mark) {
	for range r.Len(0, cbss.MaxCommittee, 1+sig.SignatureSize) {
		m := mark{place: uint32(r.U8())}
		r.Into(m.signature[:])
		list = append(list, m)
	}
	return list
}

func appendKeys(dst []byte, list []cbss.Key) []byte {
	dst = codec.AppendLen(dst, len(list))
	for i := range list {
		dst = codec.AppendFixed(dst, list[i][:])
	}
	return dst
}

func readKeys(r *codec.Reader) (list []cbss.Key) {
	for range r.Len(0, cbss.MaxCommittee, cbss.KeySize) {
		var k cbss.Key
		r.Into(k[:])
		list = append(list, k)
	}
	return list
}

// hashOf stands for a dealer's commitments.
func hashOf(commitments []cbss.Key) digest.Hash {
	h := sha256.New()
	for i := range commitments {
		h.Write(commitments[i][:])
	}
	return digest.Hash(h.Sum(nil))
}

// ackHash is what a member signs that has a good share of a dealer.
func ackHash(session digest.Hash, dealer uint32, commitments digest.Hash) digest.Hash {
	return digest.Keccak256([]byte(domainAck), session[:], []byte{byte(dealer)}, commitments[:])
}

// deal is a share of one dealer. Of a new key its commitments are hidden, and there is a blind.
type deal struct {
	commitments  []cbss.Key
	share, blind *cbss.Scalar
	ack          sig.Signature // this member's
}

func (d *deal) erase() {
	d.share.Erase()
	if d.blind != nil {
		d.blind.Erase()
	}
}

// log is what a dealer shows: its commitments, and who has a good share.
type log struct {
	dealer      uint32
	commitments []cbss.Key
	acks        []mark
}

func (l *log) append(dst []byte) []byte {
	return appendMarks(appendKeys(codec.AppendU8(dst, uint8(l.dealer)), l.commitments), l.acks)
}

func readLog(r *codec.Reader) (l log) {
	l.dealer, l.commitments, l.acks = uint32(r.U8()), readKeys(r), readMarks(r)
	return l
}

// proposal says of which dealers a key is made, and which members have a share of each of them.
type proposal struct {
	members []uint32 // ascending
	logs    []log    // ascending by dealer; the acknowledgements are the members', in their order
}

func (p *proposal) encode() []byte {
	dst := codec.AppendLen(nil, len(p.members))
	for _, m := range p.members {
		dst = codec.AppendU8(dst, uint8(m))
	}
	dst = codec.AppendLen(dst, len(p.logs))
	for i := range p.logs {
		dst = p.logs[i].append(dst)
	}
	return dst
}

func readProposal(r *codec.Reader) *proposal {
	p := new(proposal)
	for range r.Len(0, cbss.MaxCommittee, 1) {
		p.members = append(p.members, uint32(r.U8()))
	}
	for range r.Len(0, cbss.MaxCommittee, 3) {
		p.logs = append(p.logs, readLog(r))
	}
	return p
}

func (p *proposal) hash(session digest.Hash) digest.Hash {
	return digest.Keccak256([]byte(domainProposal), session[:], p.encode())
}

func voteHash(proposal digest.Hash) digest.Hash {
	return digest.Keccak256([]byte(domainVote), proposal[:])
}

func appendOpening(dst []byte, o *cbss.Opening) []byte {
	dst = codec.AppendFixed(codec.AppendU8(dst, uint8(o.Place)), o.Public[:])
	for _, part := range [...][cbss.ScalarSize]byte{o.Challenge, o.Response, o.Second} {
		dst = codec.AppendFixed(dst, part[:])
	}
	return dst
}

func readOpening(r *codec.Reader) (o cbss.Opening) {
	o.Place = uint32(r.U8())
	for _, part := range [...][]byte{o.Public[:], o.Challenge[:], o.Response[:], o.Second[:]} {
		r.Into(part)
	}
	return o
}

// signedBy reports whether a key signed a hash.
func signedBy(key sig.CompressedKey, hash digest.Hash, signature sig.Signature) bool {
	want, err := key.Address()
	if err != nil {
		return false
	}
	got, err := sig.Default().Recover(hash, signature)
	return err == nil && got == want
}
