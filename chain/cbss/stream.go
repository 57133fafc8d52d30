package cbss

import (
	"encoding/binary"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// The domains of streams: of the identities of their key epochs, and of what proxies sign of them. Both are ours.
const (
	domainStream = "cbss/stream-key/v1"
	domainSealed = "cbss/seal-answer/v1"
)

// MaxSealed is how many key epochs a SealRequest covers at most: an answer to it fits the evidence of a fault.
const MaxSealed = 32

// StreamIdentity is what the content key of a key epoch of a stream is sealed to, under the release key of the stream's publisher: as a version's, with
// keccak256("cbss/stream-key/v1" ‖ stream ‖ be8 key_epoch) in the place of the key hash, and version 0 and wrap_epoch 0, which no secret has.
//
// Spec: secrets-cbss §3, §11.
func StreamIdentity(chainID uint64, publisher account.Address, master Key, stream digest.Hash, epoch uint64) *Identity {
	key := digest.Keccak256([]byte(domainStream), stream[:], binary.BigEndian.AppendUint64(nil, epoch))
	return &Identity{ChainID: chainID, Secret: SecretID{Account: publisher, KeyHash: key}, Master: master}
}

// ContentSize is the size of a wrapped content key in bytes.
const ContentSize = KeySize + SealedSize + NonceSize

// Content is the envelope as the chain keeps it of a content key: ephemeral_u(96) ‖ ciphertext(48) ‖ nonce(12). The associated data follows from what it is of.
func (e *Envelope) Content() []byte { return e.Append(nil)[:ContentSize] }

// ParseContent reads what Content gave of a content key that is sealed to an identity. Rejects: ErrOpen for another size, ErrPoint.
//
// Spec: secrets-cbss §9 (CiphertextCorrupted).
func ParseContent(raw []byte, to *Identity) (*Envelope, error) {
	if len(raw) != ContentSize {
		return nil, ErrOpen
	}
	return ParseEnvelope(append(slices.Clone(raw), to.Bytes()...))
}

// SealAnswer is what a proxy gives to the beneficiary of a SealRequest, sealed to its key: partials for key epochs of a stream, one after the other. All of it
// follows from the request and the share, so that a proxy never gives two.
//
// Spec: secrets-cbss §10 (1), §11.
type SealAnswer struct {
	ChainID   uint64
	Publisher account.Address
	Stream    digest.Hash
	From      uint64 // the key epoch of the first partial
	Proxy     digest.Hash
	Epoch     uint64 // of the committee that served
	Partials  []Point
}

func (a *SealAnswer) bytes() []byte {
	dst := append(append(codec.AppendU64(nil, a.ChainID), a.Publisher[:]...), a.Stream[:]...)
	dst = codec.AppendU64(append(codec.AppendU64(dst, a.From), a.Proxy[:]...), a.Epoch)
	dst = codec.AppendU8(dst, uint8(len(a.Partials)))
	for i := range a.Partials {
		dst = append(dst, a.Partials[i][:]...)
	}
	return dst
}

// Hash is what the proxy signs: keccak256("cbss/seal-answer/v1" ‖ chain_id be8 ‖ publisher ‖ stream ‖ from be8 ‖ proxy ‖ epoch be8 ‖ n(1) ‖ partials).
func (a *SealAnswer) Hash() digest.Hash { return digest.Keccak256([]byte(domainSealed), a.bytes()) }

// Signed is the answer with its proxy's signature.
func (a *SealAnswer) Signed(by *sig.PrivateKey) []byte {
	s := by.Sign(a.Hash())
	return append(a.bytes(), s[:]...)
}

// ParseSealAnswer reads what Signed gave. It does not check the signature. Errors: *codec.Error.
func ParseSealAnswer(raw []byte) (*SealAnswer, sig.Signature, error) {
	r, a := codec.NewReader(raw), new(SealAnswer)
	var s sig.Signature
	a.ChainID = r.U64()
	r.Into(a.Publisher[:])
	r.Into(a.Stream[:])
	a.From = r.U64()
	r.Into(a.Proxy[:])
	a.Epoch = r.U64()
	n := r.U8()
	if n > MaxSealed {
		r.Fail(codec.ErrLength, uint64(n))
		n = 0
	}
	a.Partials = make([]Point, n)
	for i := range a.Partials {
		r.Into(a.Partials[i][:])
	}
	r.Into(s[:])
	return a, s, r.Finish()
}

// Identity is what the partial at an index is for.
func (a *SealAnswer) Identity(index int, master Key) *Identity {
	return StreamIdentity(a.ChainID, a.Publisher, master, a.Stream, a.From+uint64(index))
}
