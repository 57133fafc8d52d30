package wire

import (
	"encoding/hex"
	"errors"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Endpoint is where a validator takes connections of runners. Keys and signatures are hexadecimal, without 0x. Spec: runner-marketplace §9.
type Endpoint struct {
	Validator    string `json:"validator"` // its voting key
	Peer         string `json:"peer_key"`  // Ed25519, of its node's network identity, which TLS proves
	Introduction string `json:"introduction"`
	Endpoint     string `json:"endpoint"` // host:port, UDP
	Number       uint64 `json:"number"`
	Signature    string `json:"signature"`
}

// Endpoints answers GET /validators/endpoints. Spec: runner-marketplace §9.
type Endpoints struct {
	Height     uint64     `json:"height"`
	Validators []string   `json:"validators"` // voting keys of those of the next block, ascending
	Endpoints  []Endpoint `json:"endpoints"`
}

// ViewEndpoint shows an invitation.
func ViewEndpoint(v *protocol.Invitation) Endpoint {
	return Endpoint{
		hex.EncodeToString(v.Validator[:]), hex.EncodeToString(v.Peer[:]), hex.EncodeToString(v.Introduction[:]), v.Endpoint, v.Number,
		hex.EncodeToString(v.Signature[:]),
	}
}

// errEndpoint reports an answer that is none.
var errEndpoint = errors.New("wire: not the hexadecimal digits of a key or a signature")

func unhex(text string, into []byte) error {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(into) {
		return errEndpoint
	}
	copy(into, raw)
	return nil
}

// Invitation is what it shows. Nothing of it is verified.
func (e *Endpoint) Invitation() (*protocol.Invitation, error) {
	v := &protocol.Invitation{Endpoint: e.Endpoint, Number: e.Number}
	return v, errors.Join(
		unhex(e.Validator, v.Validator[:]), unhex(e.Peer, v.Peer[:]), unhex(e.Introduction, v.Introduction[:]), unhex(e.Signature, v.Signature[:]),
	)
}

// Set are the voting keys.
func (v *Endpoints) Set() ([]sig.BLSPublicKey, error) {
	list := make([]sig.BLSPublicKey, len(v.Validators))
	for i, text := range v.Validators {
		if err := unhex(text, list[i][:]); err != nil {
			return nil, err
		}
	}
	return list, nil
}
