package founding

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// ErrProof is wrapped by every complaint about a proof.
var ErrProof = errors.New("bad proof of a voting key")

// Proof is what registering a voting key takes. No secret is in it.
type Proof struct {
	ChainID    uint64 `json:"chain_id"`
	PublicKey  string `json:"public_key"`
	Possession string `json:"proof_of_possession"`
}

// NewProof makes the proof for a chain.
func NewProof(chainID uint64, vote *bls.PrivateKey) *Proof {
	public, possession := vote.PublicKey().Bytes(), vote.ProvePossession(sig.NewNamespace(chainID))
	return &Proof{ChainID: chainID, PublicKey: hex.EncodeToString(public[:]), Possession: hex.EncodeToString(possession[:])}
}

// ParseProof reads a proof and verifies it for a chain. Its error is ErrProof.
func ParseProof(data []byte, chainID uint64) (key sig.BLSPublicKey, possession sig.BLSSignature, err error) {
	p := Proof{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if len(data) > maxEntry {
		return key, possession, fmt.Errorf("%w: %d bytes", ErrProof, len(data))
	}
	if err := d.Decode(&p); err != nil {
		return key, possession, fmt.Errorf("%w: %s", ErrProof, strings.TrimPrefix(err.Error(), "json: "))
	}
	if p.ChainID != chainID {
		return key, possession, fmt.Errorf("%w: it is for chain %d, not %d", ErrProof, p.ChainID, chainID)
	}
	for _, f := range []struct {
		name, text string
		into       []byte
	}{{"public_key", p.PublicKey, key[:]}, {"proof_of_possession", p.Possession, possession[:]}} {
		raw, err := hex.DecodeString(f.text)
		if err != nil || len(raw) != len(f.into) {
			return key, possession, fmt.Errorf("%w: %s is not %d bytes of hexadecimal", ErrProof, f.name, len(f.into))
		}
		copy(f.into, raw)
	}
	public, err := bls.ParsePublicKey(key)
	if err == nil {
		err = bls.VerifyPossession(sig.NewNamespace(chainID), public, possession)
	}
	if err != nil {
		return key, possession, fmt.Errorf("%w: it does not verify; have it made again by `cowboyd keys proof`", ErrProof)
	}
	return key, possession, nil
}
