package cbss

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// HiddenDeal is what a dealer of a new key gave to a place: a share and its blind, in the clear.
//
// Spec: secrets-cbss §3 (making keys), §5 (DkgSabotage).
type HiddenDeal struct {
	ChainID     uint64
	Session     digest.Hash // of the proxies
	Dealer      digest.Hash
	Place       uint8
	Commitments []Key // hidden
	Share       [ScalarSize]byte
	Blind       [ScalarSize]byte
}

// Hash is what the dealer signs: keccak256("cbss/dkg-hidden-deal/v1" ‖ encoding).
func (d *HiddenDeal) Hash() digest.Hash { return digest.Keccak256([]byte(domainHidden), d.bytes()) }

// bytes is chain_id be8 ‖ session ‖ dealer ‖ place(1) ‖ n(1) ‖ commitments ‖ share ‖ blind.
func (d *HiddenDeal) bytes() []byte {
	dst := append(append(codec.AppendU64(nil, d.ChainID), d.Session[:]...), d.Dealer[:]...)
	dst = codec.AppendU8(codec.AppendU8(dst, d.Place), uint8(len(d.Commitments)))
	for _, c := range d.Commitments {
		dst = append(dst, c[:]...)
	}
	return append(append(dst, d.Share[:]...), d.Blind[:]...)
}

// Signed is the deal with its dealer's signature.
func (d *HiddenDeal) Signed(by *sig.PrivateKey) []byte {
	s := by.Sign(d.Hash())
	return append(d.bytes(), s[:]...)
}

// ParseHiddenDeal reads what Signed gave. It does not check the signature. Errors: *codec.Error.
func ParseHiddenDeal(raw []byte) (*HiddenDeal, sig.Signature, error) {
	r, d := codec.NewReader(raw), new(HiddenDeal)
	var s sig.Signature
	d.ChainID = r.U64()
	r.Into(d.Session[:])
	r.Into(d.Dealer[:])
	d.Place = r.U8()
	n := r.U8()
	if n > MaxCommittee {
		r.Fail(codec.ErrLength, uint64(n))
		n = 0
	}
	d.Commitments = make([]Key, n)
	for i := range d.Commitments {
		r.Into(d.Commitments[i][:])
	}
	r.Into(d.Share[:])
	r.Into(d.Blind[:])
	r.Into(s[:])
	return d, s, r.Finish()
}

// Follows reports whether share and blind are those of the place that the commitments give.
//
// Spec: secrets-cbss §3 (complaints), §5 (DkgSabotage).
func (d *HiddenDeal) Follows() bool {
	share, err := ParseScalar(d.Share[:])
	if err != nil {
		return false
	}
	blind, err := ParseScalar(d.Blind[:])
	return err == nil && CheckHidden(d.Commitments, uint32(d.Place), share, blind) == nil
}
