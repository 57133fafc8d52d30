package accounts

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/door"
)

// Bounds of headers.
const (
	maxDelegation = 1 << 10 // of a certificate in base64: it has less than 500 bytes
	minNonce      = 16
	maxNonce      = 64
	provenKept    = 1_024
)

// Refusal is an answer other than the one that was asked for: a status of HTTP, and what docs/errors.md says under its number.
type Refusal struct {
	Status int
	Reply  wire.Error
}

// Error implements error.
func (r *Refusal) Error() string { return r.Reply.Message + ": " + r.Reply.Why }

func refuse(status, code int, why string) *Refusal {
	return &Refusal{status, wire.NewError(code, why)}
}

// The numbers of refusals, as docs/errors.md has them.
const (
	codeHeader      = 4101 // missing or malformed
	codeCertificate = 4102
	codeRevoked     = 4103
	codeClock       = 4104
	codeChallenge   = 4105
	codeSignature   = 4106
	codeChallenges  = 4107 // too many
	codeChange      = 4108 // not the transaction that the path names
	codeStale       = 4109 // no node has answered for too long
	codeNode        = 4110 // no node takes a transaction

	codeNotFound = 1801
	codeFailed   = 1900 // of this relay itself
	codeRequest  = 4000
	codeNoCall   = 4004
	codeBody     = 4013
	codeBusy     = 4029
)

var errBusy = refuse(http.StatusTooManyRequests, codeBusy, "a relay answers a source 20 requests a second, and looks up 10 things a second for it")

// caller is whose certificate a request came with.
type caller struct {
	*cbfs.Certificate
	body []byte
}

// header gives the one value of a header. Refusal: codeHeader.
func header(r *http.Request, name string) (string, error) {
	switch list := r.Header.Values(name); {
	case len(list) == 0 || list[0] == "":
		return "", refuse(http.StatusBadRequest, codeHeader, name+" is missing")
	case len(list) > 1:
		return "", refuse(http.StatusBadRequest, codeHeader, name+" is there more than once")
	default:
		return list[0], nil
	}
}

func malformed(name, wanted string) *Refusal {
	return refuse(http.StatusBadRequest, codeHeader, name+" is "+wanted)
}

// certificate reads the certificate of a request and holds it to the network and the time; not yet to its signature. Refusals: codeHeader, codeCertificate.
//
// Spec: storage-cbfs §2.5 (DelegationCert).
func (s *Server) certificate(r *http.Request) (*cbfs.Certificate, []byte, error) {
	text, err := header(r, HeaderDelegation)
	if err != nil {
		return nil, nil, err
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(text) > maxDelegation {
		return nil, nil, malformed(HeaderDelegation, "a certificate in base64")
	}
	c, err := cbfs.DecodeCertificate(raw)
	if err != nil {
		return nil, nil, malformed(HeaderDelegation, "a certificate in its wire form, in base64")
	}
	if err := c.Holds(s.network()); err != nil {
		return nil, nil, refuse(http.StatusUnauthorized, codeCertificate, err.Error())
	}
	return c, raw, nil
}

// proven holds a certificate to its wallet's signature. Those that are right are remembered. Refusal: codeCertificate.
func (s *Server) proven(c *cbfs.Certificate, of digest.Hash) error {
	if s.right.Contains(of) {
		return nil
	}
	if err := c.Proven(); err != nil {
		return refuse(http.StatusUnauthorized, codeCertificate, err.Error())
	}
	s.right.Add(of, struct{}{})
	return nil
}

func (s *Server) network() cbfs.Network {
	n := s.Network
	n.NowMs = uint64(s.Now().UnixMilli())
	return n
}

// signed reads the headers of a request that is signed into its message, whose body is to come. Refusals: codeHeader, codeCertificate, codeClock,
// codeChallenge.
func (s *Server) signed(r *http.Request) (c *cbfs.Certificate, m *Message, signature []byte, err error) {
	var text [4]string
	for i, name := range [...]string{HeaderTimestamp, HeaderNonce, HeaderChallengeID, HeaderSignature} {
		if text[i], err = header(r, name); err != nil {
			return nil, nil, nil, err
		}
	}
	m = &Message{Node: s.Node, Method: r.Method, Target: r.RequestURI, Nonce: text[1]}
	if c, m.Certificate, err = s.certificate(r); err != nil {
		return nil, nil, nil, err
	}
	m.TimestampMs, err = strconv.ParseUint(text[0], 10, 64)
	if err != nil || strconv.FormatUint(m.TimestampMs, 10) != text[0] {
		return nil, nil, nil, malformed(HeaderTimestamp, "milliseconds since 1970 in decimal digits")
	}
	if !isNonce(m.Nonce) {
		return nil, nil, nil, malformed(HeaderNonce, "16 to 64 of A-Z a-z 0-9 _ -")
	}
	id, err := hex.DecodeString(text[2])
	if err != nil || len(id) != IDSize || hex.EncodeToString(id) != text[2] {
		return nil, nil, nil, malformed(HeaderChallengeID, "32 hexadecimal digits in lower case")
	}
	m.ChallengeID = [IDSize]byte(id)
	if signature, err = base64.StdEncoding.Strict().DecodeString(text[3]); err != nil || len(signature) != ed25519.SignatureSize {
		return nil, nil, nil, malformed(HeaderSignature, "a signature of 64 bytes in base64")
	}
	if now := s.network().NowMs; m.TimestampMs > now+cbfs.SkewMs || m.TimestampMs+cbfs.SkewMs < now {
		return nil, nil, nil, refuse(http.StatusUnauthorized, codeClock, fmt.Sprintf("here it is %d ms since 1970", now))
	}
	var ok bool
	if m.Challenge, ok = s.book.find(m.ChallengeID, digest.Blake3(m.Certificate)); !ok {
		return nil, nil, nil, errChallenge
	}
	return c, m, signature, nil
}

var errChallenge = refuse(http.StatusUnauthorized, codeChallenge, "no challenge of this name holds for this certificate at this relay")

func isNonce(text string) bool {
	for i := range len(text) {
		c := text[i]
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return len(text) >= minNonce && len(text) <= maxNonce
}

// authenticate finds out who sent a request, reads its body and uses its challenge up. Refusals: those of signed, codeBody, codeSignature, codeRevoked,
// codeStale, errBusy.
//
// Spec: storage-cbfs §3.4.
func (s *Server) authenticate(w http.ResponseWriter, r *http.Request) (*caller, error) {
	c, m, signature, err := s.signed(r)
	if err != nil {
		return nil, err
	}
	if m.Body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody)); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, refuse(http.StatusRequestEntityTooLarge, codeBody, fmt.Sprintf("a body has at most %d bytes", maxBody))
		}
		return nil, refuse(http.StatusBadRequest, codeRequest, "the body did not come whole")
	}
	if !ed25519.Verify(c.Key[:], m.Bytes(), signature) {
		return nil, refuse(http.StatusUnauthorized, codeSignature, "the certificate's key has not signed this request for this relay")
	}
	if err := s.proven(c, digest.Blake3(m.Certificate)); err != nil {
		return nil, err
	}
	if !s.book.use(m.ChallengeID) {
		return nil, errChallenge
	}
	ctx := reach.For(r.Context(), sourceOf(r))
	revoked, err := s.Directory.Revoked(ctx, c.Wallet, digest.Hash(c.Key))
	switch {
	case err != nil:
		return nil, viewed(err)
	case revoked:
		return nil, refuse(http.StatusUnauthorized, codeRevoked, "the wallet has revoked this key on the chain")
	}
	return &caller{c, m.Body}, nil
}

// sourceOf is where a request came from.
func sourceOf(r *http.Request) netip.Addr { return door.SourceAt(r.RemoteAddr) }

// viewed makes a failed look at the chain a refusal.
func viewed(err error) error {
	if errors.Is(err, reach.ErrBusy) {
		return errBusy
	}
	return refuse(http.StatusServiceUnavailable, codeStale, "no node has told this relay of it for a minute")
}

// give answers a request for a challenge. Refusals: codeHeader, codeCertificate, codeChallenges.
//
// Spec: storage-cbfs §3.4 (challenge).
func (s *Server) give(_ http.ResponseWriter, r *http.Request) (any, error) {
	c, raw, err := s.certificate(r)
	if err != nil {
		return nil, err
	}
	of := digest.Blake3(raw)
	if err := s.proven(c, of); err != nil {
		return nil, err
	}
	given, ok := s.book.give(asker{of, sourceOf(r)})
	if !ok {
		return nil, refuse(http.StatusTooManyRequests, codeChallenges, "use those there are, or wait until they are over")
	}
	return Challenge{
		ID: hex.EncodeToString(given.id[:]), Challenge: base64.StdEncoding.EncodeToString(given.bytes[:]), Expires: uint64(given.until.UnixMilli()),
		NodeID: wire.Hash(s.Node),
	}, nil
}
