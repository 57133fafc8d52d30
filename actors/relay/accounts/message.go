package accounts

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"strconv"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The headers of a request.
//
// Spec: storage-cbfs §3.4.
const (
	HeaderDelegation  = "X-Cbfs-Delegation"   // the certificate's wire form in base64
	HeaderTimestamp   = "X-Cbfs-Timestamp"    // milliseconds since 1970, in decimal digits
	HeaderNonce       = "X-Cbfs-Nonce"        // 16 to 64 of A-Z a-z 0-9 _ -, new for each request
	HeaderChallengeID = "X-Cbfs-Challenge-Id" // 32 hexadecimal digits
	HeaderSignature   = "X-Cbfs-Signature"    // Ed25519 over Message.Bytes, in base64
)

// Domain is the first field of what is signed.
const Domain = "cbfs:ras:v1"

// Sizes of challenges, in bytes.
const (
	IDSize        = 16
	ChallengeSize = 32
)

// Message is what the key of a certificate signs for a request.
//
// Spec: storage-cbfs §3.4.
type Message struct {
	Node        digest.Hash // node_id of the relay that is asked
	Method      string
	Target      string // path and query, as the request line has them
	Body        []byte
	Certificate []byte // wire form
	TimestampMs uint64
	Nonce       string
	ChallengeID [IDSize]byte
	Challenge   [ChallengeSize]byte
}

// Bytes is the domain and the fields in their order, each behind its length as be4: the body and the certificate as their SHA-256, the time in decimal digits,
// the challenge's identity in hexadecimal ones.
func (m *Message) Bytes() []byte {
	body, certificate := sha256.Sum256(m.Body), sha256.Sum256(m.Certificate)
	var out []byte
	for _, field := range [...][]byte{
		[]byte(Domain), m.Node[:], []byte(m.Method), []byte(m.Target), body[:], certificate[:], strconv.AppendUint(nil, m.TimestampMs, 10), []byte(m.Nonce),
		[]byte(hex.EncodeToString(m.ChallengeID[:])), m.Challenge[:],
	} {
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(field))), field...)
	}
	return out
}

// Sign puts the headers of the message into a request.
func (m *Message) Sign(key ed25519.PrivateKey, h http.Header) {
	h.Set(HeaderDelegation, base64.StdEncoding.EncodeToString(m.Certificate))
	h.Set(HeaderTimestamp, strconv.FormatUint(m.TimestampMs, 10))
	h.Set(HeaderNonce, m.Nonce)
	h.Set(HeaderChallengeID, hex.EncodeToString(m.ChallengeID[:]))
	h.Set(HeaderSignature, base64.StdEncoding.EncodeToString(ed25519.Sign(key, m.Bytes())))
}
