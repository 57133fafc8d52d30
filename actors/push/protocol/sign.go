package protocol

import (
	"crypto/ed25519"
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Label is under what TLS exports what the handshake is bound to.
//
// Spec: runner-marketplace §9.2.
const Label = "cowboy-cip11-handshake-v1"

// edwards marks the Ed25519 keys and signatures of validators.
const edwards = 0xed

// Party is the key of a side: a compressed secp256k1 key, or 0xed and an Ed25519 key.
type Party [33]byte

// PartySignature is a signature of a Party: r ‖ s ‖ v, or 64 bytes of Ed25519 and 0xed.
type PartySignature [65]byte

// ErrParty reports a key of the other role, or one that is none.
var ErrParty = errors.New("push: not the key of such a party")

// RunnerParty is that of a runner.
func RunnerParty(key sig.CompressedKey) Party { return Party(key) }

// ValidatorParty is that of a node with a network key.
func ValidatorParty(key [ed25519.PublicKeySize]byte) (p Party) {
	p[0] = edwards
	copy(p[1:], key[:])
	return p
}

// Address is a runner's. Error: ErrParty.
func (p Party) Address() (account.Address, error) {
	addr, err := sig.CompressedKey(p).Address()
	if err != nil {
		return addr, ErrParty
	}
	return addr, nil
}

// Verify reports whether the party signed a hash.
func (p Party) Verify(hash digest.Hash, s PartySignature) bool {
	if p[0] == edwards {
		return s[64] == edwards && sig.VerifyEd25519(p[1:], hash[:], s[:64])
	}
	addr, err := p.Address()
	if err != nil {
		return false
	}
	signer, err := sig.Default().Recover(hash, sig.Signature(s))
	return err == nil && signer == addr
}

// SignAsRunner signs a hash with a runner's key.
func SignAsRunner(key *sig.PrivateKey, hash digest.Hash) PartySignature {
	return PartySignature(key.Sign(hash))
}

// SignAsValidator signs a hash with a node's network key.
func SignAsValidator(key ed25519.PrivateKey, hash digest.Hash) (s PartySignature) {
	copy(s[:], ed25519.Sign(key, hash[:]))
	s[64] = edwards
	return s
}

// Bond is what signatures of a connection are bound to.
type Bond struct {
	Chain   uint64
	Channel [32]byte // what TLS exports under Label
}

func be8(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// Challenge is what a HelloAck signs: keccak256(Label ‖ chain be8 ‖ channel ‖ the signer's Hello ‖ the other's), each Hello as its payload.
//
// Spec: runner-marketplace §9.2.
func (b Bond) Challenge(own, other *Hello) digest.Hash {
	return digest.Keccak256([]byte(Label), be8(b.Chain), b.Channel[:], Payload(own), Payload(other))
}

// PingHash is what a heartbeat signs: keccak256("cowboy-cip11-ping-v1" ‖ the runner's challenge ‖ height be8 ‖ nonce be8).
func PingHash(session digest.Hash, height, nonce uint64) digest.Hash {
	return digest.Keccak256([]byte("cowboy-cip11-ping-v1"), session[:], be8(height), be8(nonce))
}

// PongHash is what its answer signs: likewise, with "cowboy-cip11-pong-v1".
func PongHash(session digest.Hash, height, nonce uint64) digest.Hash {
	return digest.Keccak256([]byte("cowboy-cip11-pong-v1"), session[:], be8(height), be8(nonce))
}

// Hash is what a validator signs of an assignment to a runner: keccak256("cowboy-cip11-assignment-v1" ‖ chain be8 ‖ the runner's key ‖ job ‖ keccak256 of
// the specification ‖ height be8 ‖ deadline be8). It is of no connection: what a validator asserts can be shown to others.
func (m *Assignment) Hash(chain uint64, runner Party) digest.Hash {
	spec := digest.Keccak256(m.Spec)
	return digest.Keccak256([]byte("cowboy-cip11-assignment-v1"), be8(chain), runner[:], m.ID[:], spec[:], be8(m.Height), be8(m.Deadline))
}

// Hash is what a validator signs of a cancellation: keccak256("cowboy-cip11-cancel-v1" ‖ chain be8 ‖ the runner's key ‖ job ‖ reason u8).
func (m *Cancel) Hash(chain uint64, runner Party) digest.Hash {
	return digest.Keccak256([]byte("cowboy-cip11-cancel-v1"), be8(chain), runner[:], m.ID[:], []byte{byte(m.Reason)})
}
