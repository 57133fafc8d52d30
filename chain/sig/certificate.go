package sig

import (
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/codec"
)

// Quorum is the number of votes a certificate needs among n validators: n − f with
// f = ⌊(n−1)/3⌋. It equals 2f+1 only when n = 3f+1.
// Spec: WP §6.1; commonware §2.1.
func Quorum(n int) int { return n - Faulty(n) }

// Faulty is the number f of Byzantine validators n tolerate: ⌊(n−1)/3⌋.
// Spec: WP "Consensus and Networking" (f < n/3); commonware §2.1.
func Faulty(n int) int {
	if n < 1 {
		return 0
	}
	return (n - 1) / 3
}

// MaxParticipants bounds a validator set for decoders.
const MaxParticipants = 1 << 16

// Signers is a set of validators, by their rank in the sorted validator set, as a
// bitmap of fixed length. The zero Signers is the empty set among none.
// Spec: WP §6.1 (signer_bitmap); commonware §1.1, §2.4.
type Signers struct {
	count int
	words []byte // little groups: bit i is byte i/8, mask 1<<(i%8); whole 8-byte words
}

// NewSigners is the empty set among n validators; n is at most MaxParticipants.
func NewSigners(n int) Signers {
	return Signers{count: n, words: make([]byte, (n+63)/64*8)}
}

// Len is the number of validators the bitmap is about.
func (s Signers) Len() int { return s.count }

// Has reports whether validator i is in the set.
func (s Signers) Has(i int) bool {
	return i >= 0 && i < s.count && s.words[i/8]>>(i%8)&1 == 1
}

// Add puts validator i into the set and reports whether it was absent; an index
// outside the set is refused.
func (s Signers) Add(i int) bool {
	if i < 0 || i >= s.count || s.Has(i) {
		return false
	}
	s.words[i/8] |= 1 << (i % 8)
	return true
}

// With is the set of the members of two sets among as many validators.
func (s Signers) With(o Signers) Signers {
	if s.count != o.count {
		panic("sig: sets of different lengths")
	}
	out := Signers{count: s.count, words: make([]byte, len(s.words))}
	for i := range out.words {
		out.words[i] = s.words[i] | o.words[i]
	}
	return out
}

// Meets reports whether two sets have a member in common.
func (s Signers) Meets(o Signers) bool {
	for i := range min(len(s.words), len(o.words)) {
		if s.words[i]&o.words[i] != 0 {
			return true
		}
	}
	return false
}

// Size is the number of validators in the set.
func (s Signers) Size() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount8(w)
	}
	return n
}

// Members are the ranks in the set, ascending.
func (s Signers) Members() []int {
	out := make([]int, 0, s.Size())
	for i := range s.count {
		if s.Has(i) {
			out = append(out, i)
		}
	}
	return out
}

// Append appends the canonical encoding: bit count (8 bytes, big-endian) and
// whole 8-byte groups. Spec: commonware §1.1 (bitmap).
func (s Signers) Append(dst []byte) []byte {
	return codec.AppendFixed(codec.AppendU64(dst, uint64(s.count)), s.words)
}

// ReadSigners reads what Append wrote, refusing more than MaxParticipants bits and
// set bits after the end; errors stay in r.
func ReadSigners(r *codec.Reader) Signers {
	n := r.U64()
	if n > MaxParticipants {
		r.Fail(codec.ErrLength, n)
		return Signers{}
	}
	raw := r.Fixed(int(n+63) / 64 * 8)
	if r.Err() != nil {
		return Signers{}
	}
	s := Signers{count: int(n), words: append([]byte(nil), raw...)}
	for i := int(n); i < len(s.words)*8; i++ {
		if s.words[i/8]>>(i%8)&1 == 1 {
			r.Fail(codec.ErrInvalid, uint64(i))
			return Signers{}
		}
	}
	return s
}

// CertificateKind says what a quorum signed.
type CertificateKind uint8

// The kinds of certificates. Spec: commonware §2.2.
const (
	Notarization CertificateKind = iota
	Nullification
	Finalization
	certificateKinds
)

// String names the kind.
func (k CertificateKind) String() string {
	switch k {
	case Notarization:
		return "notarization"
	case Nullification:
		return "nullification"
	case Finalization:
		return "finalization"
	}
	return "unknown"
}

// Certificate proves that a quorum voted: who (a bitmap), their aggregated
// individual signatures, and the round's recovered seed. A notarization is the
// whitepaper's QC. Subject has only its Round for a nullification.
// Spec: WP §6.1; commonware §3.7.
type Certificate struct {
	Kind      CertificateKind
	Subject   Subject
	Signers   Signers
	Aggregate BLSSignature
	Seed      BLSSignature
}

// Append appends the canonical encoding: tag ‖ subject (or round) ‖ signers ‖
// aggregate ‖ seed. Spec: commonware §2.2, §3.7.
func (c *Certificate) Append(dst []byte) []byte {
	dst = codec.AppendU8(dst, uint8(c.Kind))
	if c.Kind == Nullification {
		dst = c.Subject.Round.Append(dst)
	} else {
		dst = c.Subject.Append(dst)
	}
	dst = c.Signers.Append(dst)
	dst = codec.AppendFixed(dst, c.Aggregate[:])
	return codec.AppendFixed(dst, c.Seed[:])
}

// Encode is the canonical encoding on its own.
func (c *Certificate) Encode() []byte { return c.Append(nil) }

// ReadCertificate reads what Append wrote; errors stay in r. It checks the layout
// only: signatures and quorum are package bls's.
func ReadCertificate(r *codec.Reader) Certificate {
	c := Certificate{Kind: CertificateKind(r.Tag(uint8(certificateKinds)))}
	if c.Kind == Nullification {
		c.Subject.Round = ReadRound(r)
	} else {
		c.Subject = ReadSubject(r)
	}
	c.Signers = ReadSigners(r)
	r.Into(c.Aggregate[:])
	r.Into(c.Seed[:])
	return c
}

// DecodeCertificate reads one certificate and nothing else, or gives a
// *codec.Error.
func DecodeCertificate(data []byte) (*Certificate, error) {
	r := codec.NewReader(data)
	c := ReadCertificate(r)
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return &c, nil
}

// SeedOf is the seed the certificate carries.
func (c *Certificate) SeedOf() Seed {
	return Seed{Round: c.Subject.Round, Signature: c.Seed}
}

// Preimage is what each signer of the certificate signed.
func (c *Certificate) Preimage(n Namespace) []byte {
	switch c.Kind {
	case Nullification:
		return n.Nullify(c.Subject.Round)
	case Finalization:
		return n.Finalize(c.Subject)
	}
	return n.Notarize(c.Subject)
}
