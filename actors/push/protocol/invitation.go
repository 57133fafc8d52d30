package protocol

import (
	"crypto/ed25519"
	"errors"
	"net"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// MaxEndpoint bounds host:port, in bytes.
const MaxEndpoint = 255

// Invitation says where a validator takes runners' connections. The voting key introduces the node's network key, as to peers; the network key signs the rest.
type Invitation struct {
	Validator    sig.BLSPublicKey
	Peer         [ed25519.PublicKeySize]byte
	Introduction sig.BLSSignature // over roster.IntroductionPreimage of the network identity
	Endpoint     string           // host:port
	Number       uint64           // the highest counts
	Signature    [ed25519.SignatureSize]byte
}

// ErrInvitation reports one that is not the validator's, or has no endpoint.
var ErrInvitation = errors.New("push: not an invitation of the validator")

// Append is the encoding: the voting key, the network key, the introduction, Bytes endpoint, UInt number, the signature.
func (v *Invitation) Append(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendFixed(codec.AppendFixed(dst, v.Validator[:]), v.Peer[:]), v.Introduction[:])
	return codec.AppendFixed(codec.AppendUint(codec.AppendBytes(dst, []byte(v.Endpoint)), v.Number), v.Signature[:])
}

// DecodeInvitation reads what Append wrote.
func DecodeInvitation(data []byte) (*Invitation, error) {
	r, v := codec.NewReader(data), new(Invitation)
	r.Into(v.Validator[:])
	r.Into(v.Peer[:])
	r.Into(v.Introduction[:])
	v.Endpoint = string(r.Bytes(MaxEndpoint))
	v.Number = r.Uint()
	r.Into(v.Signature[:])
	return v, r.Finish()
}

// hash is what the network key signs: keccak256("cowboy-cip11-invitation-v1" ‖ chain be8 ‖ voting key ‖ number be8 ‖ endpoint).
func (v *Invitation) hash(chain uint64) digest.Hash {
	return digest.Keccak256([]byte("cowboy-cip11-invitation-v1"), be8(chain), v.Validator[:], be8(v.Number), []byte(v.Endpoint))
}

// Sign signs it with the network key, which it names.
func (v *Invitation) Sign(chain uint64, key ed25519.PrivateKey) {
	copy(v.Peer[:], key.Public().(ed25519.PublicKey))
	hash := v.hash(chain)
	copy(v.Signature[:], ed25519.Sign(key, hash[:]))
}

// Identity is the network identity it names.
func (v *Invitation) Identity() link.Peer { return link.Peer(transport.PublicKey(v.Peer).ID()) }

// Check gives ErrInvitation unless the validator and its node signed it on this chain.
func (v *Invitation) Check(chain uint64) error {
	host, port, err := net.SplitHostPort(v.Endpoint)
	n, bad := strconv.ParseUint(port, 10, 16)
	hash := v.hash(chain)
	if err != nil || bad != nil || host == "" || n == 0 || len(v.Endpoint) > MaxEndpoint || !sig.VerifyEd25519(v.Peer[:], hash[:], v.Signature[:]) {
		return ErrInvitation
	}
	key, err := bls.ParsePublicKey(v.Validator)
	if err != nil || bls.Verify(key, roster.IntroductionPreimage(sig.NewNamespace(chain), v.Identity()), v.Introduction) != nil {
		return ErrInvitation
	}
	return nil
}
