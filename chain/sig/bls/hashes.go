package bls

import (
	blst "github.com/supranational/blst/bindings/go"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// hashesKept bounds the points remembered: those of the messages of a few rounds.
const hashesKept = 24

// ownKept bounds the own signatures remembered: those of two rounds.
const ownKept = 6

// Hashes remembers where the messages seen last lie on the curve, and where the
// signatures made last do. Hashing to the curve is half of a signature and a sixth of
// a check, and who votes signs what it verifies, and verifies what it signed with the
// others' votes. A nil *Hashes remembers nothing. Not for concurrent use.
type Hashes struct {
	points map[string]*hashed
	recent []string // messages, oldest first
	own    []made   // oldest first
}

// made is a signature of this process's own, and its point.
type made struct {
	signature sig.BLSSignature
	point     blst.P2Affine
}

// Expect hashes a message that will soon be signed or verified.
func (h *Hashes) Expect(preimage []byte) { h.point(preimage) }

// keep remembers a signature made here.
func (h *Hashes) keep(m made) {
	if len(h.own) == ownKept {
		h.own = append(h.own[:0], h.own[1:]...)
	}
	h.own = append(h.own, m)
}

// uncompress is the function of the same name, without decoding what was made here.
func (h *Hashes) uncompress(raw sig.BLSSignature) (*blst.P2Affine, error) {
	if h != nil {
		for i := range h.own {
			if h.own[i].signature == raw {
				return &h.own[i].point, nil
			}
		}
	}
	return uncompress(raw)
}

// point is the message's point of the curve.
func (h *Hashes) point(preimage []byte) *hashed {
	if h == nil {
		return hashToG2(preimage, messageDST)
	}
	if p := h.points[string(preimage)]; p != nil {
		return p
	}
	if h.points == nil {
		h.points = map[string]*hashed{}
	}
	if len(h.recent) == hashesKept {
		delete(h.points, h.recent[0])
		h.recent = append(h.recent[:0], h.recent[1:]...)
	}
	p := hashToG2(preimage, messageDST)
	name := string(preimage)
	h.points[name] = p
	h.recent = append(h.recent, name)
	return p
}

// Sign is PrivateKey.Sign over a message that may be remembered.
// Spec: commonware §4.1.
func (h *Hashes) Sign(k *PrivateKey, preimage []byte) sig.BLSSignature {
	p := k.multiply(&h.point(preimage).signed)
	s := sig.BLSSignature(p.Compress())
	if h != nil {
		h.keep(made{s, *p})
	}
	return s
}

// Verify is the function of the same name over a message that may be remembered.
func (h *Hashes) Verify(key *PublicKey, preimage []byte, s sig.BLSSignature) error {
	point, err := inside(s)
	if err != nil {
		return err
	}
	if !pairs(point, key, h.point(preimage)) {
		return ErrVerify
	}
	return nil
}

// VerifyAggregate is the function of the same name over a message that may be remembered.
func (h *Hashes) VerifyAggregate(keys []*PublicKey, preimage []byte, s sig.BLSSignature) error {
	sum, err := sumOf(keys)
	if err != nil {
		return err
	}
	return h.Verify(sum, preimage, s)
}
