package founding

import (
	"bytes"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hpke"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
)

// ErrEntry is wrapped by every complaint about an entry.
var ErrEntry = errors.New("bad entry")

// Domains.
const (
	entrySuffix  = "_FOUNDING_ENTRY"
	sealingLabel = "cowboy founding: sealing key"
	sealingInfo  = "cowboy founding: share"
)

// Entry is one operator's part of a genesis.
type Entry struct {
	ChainID uint64          `json:"chain_id"`
	Address account.Address `json:"address"` // owns the stake, receives tips and rewards
	// Duties is the account that the node pays from, where that is another one: it gets the coins that a validator begins with.
	Duties     *account.Address `json:"duties_address,omitempty"`
	Stake      unit.Amount      `json:"stake"` // base units
	PublicKey  string           `json:"public_key"`
	Possession string           `json:"proof_of_possession"`
	Sealing    string           `json:"sealing_key"`
	Peer       string           `json:"peer,omitempty"` // id@host:port
	Signature  string           `json:"signature"`
}

// NewEntry makes and signs an entry. owner owns the stake; duties is the node's own account. peer is where the node is reached, id@host:port, or "".
func NewEntry(chainID uint64, owner, duties account.Address, stake unit.Amount, vote *bls.PrivateKey, peer string) (*Entry, error) {
	sealing, err := sealingKey(vote)
	if err != nil {
		return nil, err
	}
	n := sig.NewNamespace(chainID)
	public, possession := vote.PublicKey().Bytes(), vote.ProvePossession(n)
	e := &Entry{
		ChainID: chainID, Address: owner, Stake: stake, PublicKey: hex.EncodeToString(public[:]), Possession: hex.EncodeToString(possession[:]),
		Sealing: hex.EncodeToString(sealing.PublicKey().Bytes()), Peer: peer,
	}
	if duties != owner {
		e.Duties = &duties
	}
	signature := vote.Sign(e.signed())
	e.Signature = hex.EncodeToString(signature[:])
	return e, nil
}

// signed is what the vote key signs: the entry without its signature.
func (e *Entry) signed() []byte {
	unsigned := *e
	unsigned.Signature = ""
	text, err := json.Marshal(&unsigned)
	if err != nil {
		panic(err) // strings and integers always encode
	}
	return sig.NewNamespace(e.ChainID).UnionUnique(entrySuffix, text)
}

// sealingKey follows from the vote key, so that there is no further secret to keep.
func sealingKey(vote *bls.PrivateKey) (hpke.PrivateKey, error) {
	seed, err := hkdf.Key(sha256.New, vote.Bytes(), nil, sealingLabel, 32)
	if err != nil {
		return nil, err
	}
	return kem().DeriveKeyPair(seed)
}

func kem() hpke.KEM { return hpke.DHKEM(ecdh.X25519()) }

// checked is an entry whose fields were parsed and verified.
type checked struct {
	validator genesis.Validator
	duties    account.Address
	sealing   hpke.PublicKey
	peer      string
}

// check verifies an entry for a chain.
func (e *Entry) check(chainID uint64) (*checked, error) {
	if e.ChainID != chainID {
		return nil, fmt.Errorf("%w: it is for chain %d, not %d; run `cowboyd init` again with --chain-id %d", ErrEntry, e.ChainID, chainID, chainID)
	}
	c := &checked{peer: e.Peer, duties: e.Address, validator: genesis.Validator{Address: e.Address, Stake: e.Stake}}
	if e.Duties != nil {
		c.duties = *e.Duties
	}
	var sealing [32]byte
	var signature sig.BLSSignature
	for _, f := range []struct {
		name, text string
		into       []byte
	}{
		{"public_key", e.PublicKey, c.validator.PublicKey[:]}, {"proof_of_possession", e.Possession, c.validator.Possession[:]},
		{"sealing_key", e.Sealing, sealing[:]}, {"signature", e.Signature, signature[:]},
	} {
		raw, err := hex.DecodeString(f.text)
		if err != nil || copy(f.into, raw) != len(f.into) || len(raw) != len(f.into) {
			return nil, fmt.Errorf("%w: %s is not %d bytes of hexadecimal", ErrEntry, f.name, len(f.into))
		}
	}
	key, err := bls.ParsePublicKey(c.validator.PublicKey)
	if err == nil {
		err = bls.VerifyPossession(sig.NewNamespace(chainID), key, c.validator.Possession)
	}
	if err == nil {
		err = bls.Verify(key, e.signed(), signature)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: its signature is not its key's; ask its operator for the file again", ErrEntry)
	}
	if c.sealing, err = kem().NewPublicKey(sealing[:]); err != nil {
		return nil, fmt.Errorf("%w: sealing_key: %w", ErrEntry, err)
	}
	if e.Peer != "" {
		if _, err := config.ParsePeer(e.Peer); err != nil {
			return nil, fmt.Errorf("%w: peer: %w", ErrEntry, err)
		}
	}
	return c, nil
}

// maxEntry bounds an entry's file.
const maxEntry = 16 << 10

// ParseEntry reads an entry; unknown fields are refused.
func ParseEntry(data []byte) (*Entry, error) {
	if len(data) > maxEntry {
		return nil, fmt.Errorf("%w: %d bytes", ErrEntry, len(data))
	}
	e := &Entry{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(e); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrEntry, strings.TrimPrefix(err.Error(), "json: "))
	}
	return e, nil
}
