package bls

import (
	"cmp"
	"slices"
	"strconv"

	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Share is one validator's part of the group's private key: the value of the
// secret polynomial at Index+1. Spec: commonware §4.2.
type Share struct {
	Index uint32
	Key   *PrivateKey
}

// Partial is a share's signature, to be combined with others. Spec: commonware
// §4.2.
type Partial struct {
	Index     uint32
	Signature sig.BLSSignature
}

// Sign makes the share's partial signature over preimage.
func (s Share) Sign(preimage []byte) Partial {
	return Partial{Index: s.Index, Signature: s.Key.Sign(preimage)}
}

// Sharing is the public side of a shared key: commitments to the coefficients of
// the secret polynomial, the first of which is the group's public key.
// Spec: commonware §4.2.
type Sharing struct {
	total       uint32
	commitments []herumi.PublicKey
}

// Deal shares the polynomial with the given coefficients (32-byte scalars, the
// constant term first) among total holders; any len(coefficients) of them can
// sign. It is the trusted dealer of development networks and tests; elsewhere the
// holders make the polynomial together. It gives ErrPrivateKey or ErrSharing.
// Spec: commonware §4.2, §4.3.
func Deal(coefficients [][]byte, total uint32) (*Sharing, []Share, error) {
	ready()
	if len(coefficients) == 0 || len(coefficients) > int(total) || total > sig.MaxParticipants {
		return nil, nil, ErrSharing
	}
	secret := make([]herumi.SecretKey, len(coefficients))
	for i, c := range coefficients {
		k, err := ParsePrivateKey(c)
		if err != nil {
			return nil, nil, err
		}
		secret[i] = k.scalar
	}
	shares := make([]Share, total)
	for i := range shares {
		var k PrivateKey
		if err := k.scalar.Set(secret, evaluationPoint(uint32(i))); err != nil || k.scalar.IsZero() {
			return nil, nil, ErrSharing
		}
		shares[i] = Share{Index: uint32(i), Key: &k}
	}
	return &Sharing{total: total, commitments: herumi.GetMasterPublicKey(secret)}, shares, nil
}

// evaluationPoint is index+1, where the polynomial is evaluated for a holder.
func evaluationPoint(index uint32) *herumi.ID {
	var id herumi.ID
	if err := id.SetDecString(strconv.FormatUint(uint64(index)+1, 10)); err != nil {
		panic("bls: " + err.Error())
	}
	return &id
}

// Total is the number of holders.
func (s *Sharing) Total() uint32 { return s.total }

// Threshold is the number of partials that make a signature.
func (s *Sharing) Threshold() int { return len(s.commitments) }

// GroupKey verifies recovered signatures.
func (s *Sharing) GroupKey() *PublicKey { return &PublicKey{point: s.commitments[0]} }

// PartialKey verifies the partials of one holder: the polynomial of commitments at
// index+1. It costs a multi-scalar multiplication; callers keep it for the epoch.
// It gives ErrValidator for an index outside the holders.
// Spec: commonware §4.2.
func (s *Sharing) PartialKey(index uint32) (*PublicKey, error) {
	if index >= s.total {
		return nil, ErrValidator
	}
	var k PublicKey
	if err := k.point.Set(s.commitments, evaluationPoint(index)); err != nil || k.point.IsZero() {
		return nil, ErrSharing
	}
	return &k, nil
}

// Append appends the canonical encoding: mode 00 ‖ be4 total ‖ Vec of compressed
// commitments. Spec: commonware §4.2.
func (s *Sharing) Append(dst []byte) []byte {
	dst = codec.AppendU32(codec.AppendU8(dst, 0), s.total)
	dst = codec.AppendLen(dst, len(s.commitments))
	for i := range s.commitments {
		dst = codec.AppendFixed(dst, s.commitments[i].Serialize())
	}
	return dst
}

// DecodeSharing reads what Append wrote and nothing else: a *codec.Error,
// ErrSharing or ErrPublicKey. Spec: commonware §4.2.
func DecodeSharing(data []byte) (*Sharing, error) {
	ready()
	r := codec.NewReader(data)
	r.Tag(1)
	s := &Sharing{total: r.U32()}
	n := r.Len(1, sig.MaxParticipants, sig.BLSPublicKeySize)
	raw := r.Fixed(n * sig.BLSPublicKeySize)
	if err := r.Finish(); err != nil {
		return nil, err
	}
	if s.total > sig.MaxParticipants || uint32(n) > s.total {
		return nil, ErrSharing
	}
	for len(raw) > 0 {
		k, err := ParsePublicKey(sig.BLSPublicKey(raw[:sig.BLSPublicKeySize]))
		if err != nil {
			return nil, err
		}
		s.commitments = append(s.commitments, k.point)
		raw = raw[sig.BLSPublicKeySize:]
	}
	return s, nil
}

// Recover combines partials over one pre-image into the group's signature: sorted
// by index, the first threshold distinct ones, Lagrange interpolation at zero. Any
// threshold valid partials give the same bytes; a wrong one gives wrong bytes, so
// the caller verifies partials or the result. It gives ErrThreshold or
// ErrSignature.
// Spec: WP §3.4; commonware §4.2.
func Recover(threshold int, partials []Partial) (sig.BLSSignature, error) {
	out, err := (*Hashes)(nil).recoverPoint(threshold, partials)
	if err != nil {
		return sig.BLSSignature{}, err
	}
	return sig.BLSSignature(back(out).Compress()), nil
}

// recoverPoint is Recover before it is serialized. Partials outside the subgroup
// are not refused: they make a wrong point, as any wrong partial does.
func (h *Hashes) recoverPoint(threshold int, partials []Partial) (*herumi.G2, error) {
	sorted := slices.Clone(partials)
	slices.SortStableFunc(sorted, func(a, b Partial) int { return cmp.Compare(a.Index, b.Index) })
	sorted = slices.CompactFunc(sorted, func(a, b Partial) bool { return a.Index == b.Index })
	if threshold < 1 || len(sorted) < threshold {
		return nil, ErrThreshold
	}
	points := make([]herumi.G2, threshold)
	holders := make([]uint32, threshold)
	for i, p := range sorted[:threshold] {
		s, err := h.uncompress(p.Signature)
		if err != nil {
			return nil, err
		}
		points[i], holders[i] = *carry(s), p.Index
	}
	out, err := interpolate(holders, points)
	if err != nil {
		return nil, ErrThreshold
	}
	return &out, nil
}
