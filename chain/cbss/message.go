package cbss

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// The domains that separate what runners and proxies sign. Those of receipts and deals are ours.
//
// Spec: secrets-cbss §3.
const (
	domainRequest = "cbss/release-request/v1"
	domainAnswer  = "cbss/partial-sign-response/v1"
	domainRotate  = "cbss/rotate-committee/v1"
	domainReceipt = "cbss/release-receipt/v1"
	domainDeal    = "cbss/dkg-deal/v1"
	domainHidden  = "cbss/dkg-hidden-deal/v1"
)

// Request asks one proxy for its partial (ReleaseRequestBody). It names the keys of all who are concerned, so that nobody else can use it.
//
// Spec: secrets-cbss §4, §10 (2).
type Request struct {
	ChainID   uint64
	Secret    SecretID
	Version   uint64
	Actor     account.Address // whose job it is
	Runner    account.Address
	Recipient uint8 // of package secret
	Job       digest.Hash
	Nonce     digest.Hash // release_nonce: the same for all proxies of one release
	Block     uint64      // request_block
	Epoch     uint64      // serve_epoch
	RunnerKey [32]byte    // X25519, to which the answer is sealed
	Proxy     digest.Hash
}

// RequestSize is the size of a request in bytes, SignedRequestSize that of one with its signature.
const (
	RequestSize       = 8 + SecretIDSize + 8 + 2*account.AddressSize + 1 + 2*digest.Size + 8 + 8 + 32 + digest.Size
	SignedRequestSize = RequestSize + sig.SignatureSize
)

// Bytes is the canonical encoding: the fields in their order, numbers big-endian.
func (q *Request) Bytes() []byte {
	dst := codec.AppendU64(make([]byte, 0, SignedRequestSize), q.ChainID)
	dst = codec.AppendU64(q.Secret.Append(dst), q.Version)
	dst = codec.AppendU8(append(append(dst, q.Actor[:]...), q.Runner[:]...), q.Recipient)
	dst = append(append(dst, q.Job[:]...), q.Nonce[:]...)
	dst = codec.AppendU64(codec.AppendU64(dst, q.Block), q.Epoch)
	return append(append(dst, q.RunnerKey[:]...), q.Proxy[:]...)
}

// Hash is what the runner signs: keccak256("cbss/release-request/v1" ‖ encoding).
//
// Spec: secrets-cbss §4.
func (q *Request) Hash() digest.Hash { return digest.Keccak256([]byte(domainRequest), q.Bytes()) }

// Release is the release that the request is part of: keccak256(secret_id ‖ version le8 ‖ actor ‖ runner ‖ job ‖ release_nonce).
//
// Spec: secrets-cbss §4.
func (q *Request) Release() digest.Hash {
	dst := binary.LittleEndian.AppendUint64(q.Secret.Append(nil), q.Version)
	return digest.Keccak256(dst, q.Actor[:], q.Runner[:], q.Job[:], q.Nonce[:])
}

// Signed is the request with its runner's signature.
func (q *Request) Signed(by *sig.PrivateKey) []byte {
	s := by.Sign(q.Hash())
	return append(q.Bytes(), s[:]...)
}

// ParseRequest reads what Signed gave. It does not check the signature. Errors: *codec.Error.
func ParseRequest(raw []byte) (*Request, sig.Signature, error) {
	r, q := codec.NewReader(raw), new(Request)
	var s sig.Signature
	q.ChainID = r.U64()
	r.Into(q.Secret.Account[:])
	r.Into(q.Secret.KeyHash[:])
	q.Version = r.U64()
	r.Into(q.Actor[:])
	r.Into(q.Runner[:])
	q.Recipient = r.U8()
	r.Into(q.Job[:])
	r.Into(q.Nonce[:])
	q.Block, q.Epoch = r.U64(), r.U64()
	r.Into(q.RunnerKey[:])
	r.Into(q.Proxy[:])
	r.Into(s[:])
	return q, s, r.Finish()
}

// Answer is what a proxy gives to a runner, sealed to its key (PartialSignResponse).
//
// Spec: secrets-cbss §3, §10 (1).
type Answer struct {
	Request digest.Hash
	Proxy   digest.Hash
	Epoch   uint64 // of the committee that served
	Served  uint64 // the block it was served in
	Partial Point
}

// AnswerSize is the size of an answer with its signature in bytes.
const AnswerSize = 2*digest.Size + 8 + 8 + PointSize + sig.SignatureSize

func (a *Answer) bytes() []byte {
	dst := append(append(make([]byte, 0, AnswerSize), a.Request[:]...), a.Proxy[:]...)
	return append(codec.AppendU64(codec.AppendU64(dst, a.Epoch), a.Served), a.Partial[:]...)
}

// Hash is what the proxy signs: keccak256("cbss/partial-sign-response/v1" ‖ request_hash ‖ proxy ‖ epoch be8 ‖ served be8 ‖ partial).
func (a *Answer) Hash() digest.Hash { return digest.Keccak256([]byte(domainAnswer), a.bytes()) }

// Signed is the answer with its proxy's signature.
func (a *Answer) Signed(by *sig.PrivateKey) []byte {
	s := by.Sign(a.Hash())
	return append(a.bytes(), s[:]...)
}

// ReadAnswer reads what Signed gave; errors stay in r. It does not check the signature.
func ReadAnswer(r *codec.Reader) (*Answer, sig.Signature) {
	a := new(Answer)
	var s sig.Signature
	r.Into(a.Request[:])
	r.Into(a.Proxy[:])
	a.Epoch, a.Served = r.U64(), r.U64()
	r.Into(a.Partial[:])
	r.Into(s[:])
	return a, s
}

// ReceiptHash is what a proxy signs of a receipt: keccak256(domain ‖ request_hash ‖ proxy ‖ epoch be8 ‖ served be8 ‖ σ′ ‖ T ‖ challenge ‖ response).
//
// Spec: secrets-cbss §4 (76), §10 (1).
func ReceiptHash(request, proxy digest.Hash, epoch, served uint64, b *Blinded) digest.Hash {
	numbers := codec.AppendU64(codec.AppendU64(nil, epoch), served)
	return digest.Keccak256([]byte(domainReceipt), request[:], proxy[:], numbers, b.Sigma[:], b.Share[:], b.Challenge[:], b.Response[:])
}

// Rotation is a committee as its members and those before them sign it.
//
// Spec: secrets-cbss §4 (74), §5 (RotateCommittee).
type Rotation struct {
	ChainID     uint64
	Scope       []byte // canonical
	Epoch       uint64 // of the new committee
	Committee   []digest.Hash
	Master      Key
	Commitments []Key // as many as the threshold
}

// Hash is keccak256("cbss/rotate-committee/v1" ‖ chain_id be8 ‖ be4 length ‖ scope ‖ epoch be8 ‖ n(1) ‖ proxies ‖ t(1) ‖ commitments ‖ mpk).
//
// Spec: secrets-cbss §5 (one domain, a canonical big-endian hash).
func (t *Rotation) Hash() digest.Hash {
	dst := codec.AppendU32(codec.AppendU64([]byte(domainRotate), t.ChainID), uint32(len(t.Scope)))
	dst = codec.AppendU8(codec.AppendU64(append(dst, t.Scope...), t.Epoch), uint8(len(t.Committee)))
	for _, p := range t.Committee {
		dst = append(dst, p[:]...)
	}
	dst = codec.AppendU8(dst, uint8(len(t.Commitments)))
	for _, c := range t.Commitments {
		dst = append(dst, c[:]...)
	}
	return digest.Keccak256(append(dst, t.Master[:]...))
}

// Deal is a share that a dealer gave to a place while a committee's key was made, in the clear.
//
// Spec: secrets-cbss §3 (making keys), §5 (DkgSabotage).
type Deal struct {
	ChainID     uint64
	Scope       []byte
	Epoch       uint64 // of the committee whose key is made
	Dealer      digest.Hash
	Place       uint8
	Commitments []Key
	Share       [ScalarSize]byte
}

// MaxScopeBytes bounds a scope.
const MaxScopeBytes = 1 + SecretIDSize + 8

// Hash is what the dealer signs: keccak256("cbss/dkg-deal/v1" ‖ encoding).
func (d *Deal) Hash() digest.Hash { return digest.Keccak256([]byte(domainDeal), d.bytes()) }

func (d *Deal) bytes() []byte {
	dst := codec.AppendU32(codec.AppendU64(nil, d.ChainID), uint32(len(d.Scope)))
	dst = codec.AppendU64(append(dst, d.Scope...), d.Epoch)
	dst = codec.AppendU8(codec.AppendU8(append(dst, d.Dealer[:]...), d.Place), uint8(len(d.Commitments)))
	for _, c := range d.Commitments {
		dst = append(dst, c[:]...)
	}
	return append(dst, d.Share[:]...)
}

// Signed is the deal with its dealer's signature.
func (d *Deal) Signed(by *sig.PrivateKey) []byte {
	s := by.Sign(d.Hash())
	return append(d.bytes(), s[:]...)
}

// ParseDeal reads what Signed gave. It does not check the signature. Errors: *codec.Error.
func ParseDeal(raw []byte) (*Deal, sig.Signature, error) {
	r, d := codec.NewReader(raw), new(Deal)
	var s sig.Signature
	d.ChainID = r.U64()
	size := r.U32()
	if size > MaxScopeBytes {
		r.Fail(codec.ErrLength, uint64(size))
		size = 0
	}
	d.Scope = r.Fixed(int(size))
	d.Epoch = r.U64()
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
	r.Into(s[:])
	return d, s, r.Finish()
}
