package cbss

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"

	blst "github.com/supranational/blst/bindings/go"
)

// Sizes of an envelope in bytes.
const (
	DataKeySize  = 32
	NonceSize    = 12
	SealedSize   = DataKeySize + 16
	EnvelopeSize = KeySize + SealedSize + NonceSize + IdentitySize
)

// Envelope is a data key that is sealed to an identity (WrappedDek).
//
// Spec: secrets-cbss §2.
type Envelope struct {
	Ephemeral Key // U
	Sealed    [SealedSize]byte
	Nonce     [NonceSize]byte
	Data      [IdentitySize]byte // the associated data
}

// Append appends ephemeral_u(96) ‖ ciphertext(48) ‖ nonce(12) ‖ aad(172).
func (e *Envelope) Append(dst []byte) []byte {
	dst = append(append(dst, e.Ephemeral[:]...), e.Sealed[:]...)
	return append(append(dst, e.Nonce[:]...), e.Data[:]...)
}

// ParseEnvelope reads what Append wrote. Rejects: ErrOpen for another size, ErrPoint for an ephemeral point that is none.
//
// Spec: secrets-cbss §9 (CiphertextCorrupted).
func ParseEnvelope(raw []byte) (*Envelope, error) {
	if len(raw) != EnvelopeSize {
		return nil, ErrOpen
	}
	e := new(Envelope)
	for _, part := range [...][]byte{e.Ephemeral[:], e.Sealed[:], e.Nonce[:], e.Data[:]} {
		raw = raw[copy(part, raw):]
	}
	return e, e.Ephemeral.Check()
}

// Wrap seals a data key to an identity. r and nonce are drawn for this envelope alone: whoever knows r opens it. Rejects: ErrPoint for a master key that is
// none.
//
// Spec: secrets-cbss §3 (encapsulation, corrected).
func Wrap(to *Identity, r *Scalar, nonce [NonceSize]byte, key [DataKeySize]byte) (*Envelope, error) {
	master, err := to.Master.decode()
	if err != nil {
		return nil, err
	}
	e := &Envelope{Ephemeral: r.Public(), Nonce: nonce, Data: [IdentitySize]byte(to.Bytes())}
	aead, err := e.aead(value(r.times1(to.hashed()), master)) // e(r·I, MPK) is e(I, MPK)^r
	if err != nil {
		return nil, err
	}
	copy(e.Sealed[:], aead.Seal(nil, nonce[:], key[:], e.Data[:]))
	return e, nil
}

// Open gives the data key to whoever has σ, the identity's point times the master secret. Rejects: ErrPoint, ErrOpen.
//
// Spec: secrets-cbss §3.
func (e *Envelope) Open(sigma Point) (key [DataKeySize]byte, err error) {
	p, err := sigma.decode()
	if err != nil {
		return key, err
	}
	u, err := e.Ephemeral.decode()
	if err != nil {
		return key, err
	}
	aead, err := e.aead(value(p, u))
	if err != nil {
		return key, err
	}
	plain, err := aead.Open(nil, e.Nonce[:], e.Sealed[:], e.Data[:])
	if err != nil {
		return key, ErrOpen
	}
	return [DataKeySize]byte(plain), nil
}

func (e *Envelope) aead(shared []byte) (cipher.AEAD, error) {
	raw, err := hkdf.Key(sha256.New, shared, []byte(Domain), Domain+string(e.Data[:]), DataKeySize)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(raw)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// generator is that of G2.
func generator() *blst.P2Affine { return blst.P2Generator().ToAffine() }

// PayloadOverhead is how much longer a sealed payload is: its nonce and its tag.
const PayloadOverhead = NonceSize + 16

// SealPayload encrypts a payload under its data key: nonce(12) ‖ AES-256-GCM with the envelope's associated data. The nonce is drawn for it.
//
// Spec: secrets-cbss §1, §2.
func SealPayload(key [DataKeySize]byte, nonce [NonceSize]byte, data, plain []byte) ([]byte, error) {
	aead, err := payloadAEAD(key)
	if err != nil {
		return nil, err
	}
	return aead.Seal(nonce[:], nonce[:], plain, data), nil
}

// OpenPayload decrypts what SealPayload gave. Reject: ErrOpen.
func OpenPayload(key [DataKeySize]byte, data, sealed []byte) ([]byte, error) {
	if len(sealed) < PayloadOverhead {
		return nil, ErrOpen
	}
	aead, err := payloadAEAD(key)
	if err != nil {
		return nil, err
	}
	plain, err := aead.Open(nil, sealed[:NonceSize], sealed[NonceSize:], data)
	if err != nil {
		return nil, ErrOpen
	}
	return plain, nil
}

func payloadAEAD(key [DataKeySize]byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
