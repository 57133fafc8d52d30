package founding

import (
	"bytes"
	"crypto/hpke"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var (
	// ErrDeal is wrapped by every complaint about a deal.
	ErrDeal = errors.New("bad deal")
	// ErrNotDealt: a deal has no share for the key.
	ErrNotDealt = errors.New("the deal has no share for this key")
)

// Deal is a genesis with what its validators need to begin.
type Deal struct {
	Genesis *genesis.Spec     `json:"genesis"`
	Shares  map[string]string `json:"sealed_shares"` // public key → sealed share, hexadecimal
	Peers   []string          `json:"peers"`         // id@host:port, of the validators that gave one
}

// Terms are what the dealer decides.
type Terms struct {
	ChainID     uint64
	TimestampMs uint64
	// Accounts have first balances; what is left of the supply and of the stakes goes to Rest.
	Accounts []genesis.Allocation
	Rest     account.Address
	// Faucet makes Rest the network's faucet and its administrator.
	Faucet bool
	// Balance is the first balance of each validator's account, beside its stake: dealer logs and evidence are paid from it.
	Balance unit.Amount
	// EpochBlocks is the length of an epoch; 0: params.EpochBlocks.
	EpochBlocks uint64
}

// New makes a deal of the entries. random must be a cryptographic source; nothing drawn from it is kept.
func New(terms Terms, entries []*Entry, random io.Reader) (*Deal, error) {
	if len(entries) == 0 {
		return nil, fmt.Errorf("%w: no entries", ErrDeal)
	}
	all := make([]*checked, len(entries))
	for i, e := range entries {
		c, err := e.check(terms.ChainID)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		all[i] = c
	}
	slices.SortFunc(all, func(a, b *checked) int { return bytes.Compare(a.validator.PublicKey[:], b.validator.PublicKey[:]) })
	for i := 1; i < len(all); i++ {
		if all[i].validator.PublicKey == all[i-1].validator.PublicKey {
			return nil, fmt.Errorf("%w: key %x… comes twice", ErrDeal, all[i].validator.PublicKey[:4])
		}
	}
	sharing, shares, err := draw(len(all), random)
	if err != nil {
		return nil, err
	}
	d := &Deal{Shares: map[string]string{}, Peers: []string{}}
	if d.Genesis, err = terms.genesis(all, sharing); err != nil {
		return nil, err
	}
	for i, c := range all {
		sealed, err := hpke.Seal(c.sealing, hpke.HKDFSHA256(), hpke.AES128GCM(), d.info(c.validator.PublicKey), shares[i].Key.Bytes())
		if err != nil {
			return nil, err
		}
		d.Shares[hex.EncodeToString(c.validator.PublicKey[:])] = hex.EncodeToString(sealed)
		if c.peer != "" {
			d.Peers = append(d.Peers, c.peer)
		}
	}
	return d, nil
}

// draw makes a key and shares it among n.
func draw(n int, random io.Reader) (*bls.Sharing, []bls.Share, error) {
	var coefficients [][]byte
	for len(coefficients) < sig.Quorum(n) {
		raw := make([]byte, sig.BLSPrivateKeySize)
		if _, err := io.ReadFull(random, raw); err != nil {
			return nil, nil, err
		}
		if _, err := bls.ParsePrivateKey(raw); err == nil { // below the group's order and not zero: uniform
			coefficients = append(coefficients, raw)
		}
	}
	return bls.Deal(coefficients, uint32(n))
}

func (t Terms) genesis(all []*checked, sharing *bls.Sharing) (*genesis.Spec, error) {
	s := &genesis.Spec{
		ChainID: t.ChainID, TimestampMs: t.TimestampMs, TotalSupply: params.GenesisSupply, Accounts: slices.Clone(t.Accounts), Sharing: sharing.Append(nil),
		EpochBlocks: t.EpochBlocks,
	}
	rest := params.GenesisSupply
	take := func(amount unit.Amount) (err error) {
		if rest, err = rest.Sub(amount); err != nil {
			return fmt.Errorf("%w: stakes and accounts are more than the supply of %s CBY", ErrDeal, params.GenesisSupply.CBY())
		}
		return nil
	}
	for _, c := range all {
		s.Validators = append(s.Validators, c.validator)
		t.endow(s, c.duties)
		if err := take(c.validator.Stake); err != nil {
			return nil, err
		}
	}
	for _, a := range s.Accounts {
		if err := take(a.Balance); err != nil {
			return nil, err
		}
	}
	if rest > 0 {
		label := "rest"
		if t.Faucet {
			label = "faucet"
		}
		s.Accounts = append(s.Accounts, genesis.Allocation{Address: t.Rest, Balance: rest, Label: label})
	}
	if t.Faucet {
		s.Faucet, s.Administrators = &t.Rest, []account.Address{t.Rest}
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDeal, err)
	}
	return s, nil
}

// endow gives a validator's account its first balance, unless the dealer named one for it.
func (t Terms) endow(s *genesis.Spec, owner account.Address) {
	if t.Balance > 0 && owner != t.Rest && !slices.ContainsFunc(s.Accounts, func(a genesis.Allocation) bool { return a.Address == owner }) {
		s.Accounts = append(s.Accounts, genesis.Allocation{Address: owner, Balance: t.Balance, Label: "validator"})
	}
}

// info binds a sealed share to the sharing it is of and the key it is for.
func (d *Deal) info(key sig.BLSPublicKey) []byte {
	return slices.Concat([]byte(sealingInfo), key[:], d.Genesis.Sharing)
}

// Accept opens the share of a vote key and checks it against the genesis.
func (d *Deal) Accept(vote *bls.PrivateKey) (bls.Share, error) {
	key := vote.PublicKey().Bytes()
	rank := slices.IndexFunc(d.Genesis.Validators, func(v genesis.Validator) bool { return v.PublicKey == key })
	text, ok := d.Shares[hex.EncodeToString(key[:])]
	if rank < 0 || !ok {
		return bls.Share{}, ErrNotDealt
	}
	sealing, err := sealingKey(vote)
	if err != nil {
		return bls.Share{}, err
	}
	sealed, err := hex.DecodeString(text)
	if err != nil {
		return bls.Share{}, fmt.Errorf("%w: a share is not hexadecimal", ErrDeal)
	}
	secret, err := hpke.Open(sealing, hpke.HKDFSHA256(), hpke.AES128GCM(), d.info(key), sealed)
	if err != nil {
		return bls.Share{}, fmt.Errorf("%w: the share was not sealed for this key and this genesis", ErrDeal)
	}
	raw, err := bls.ParsePrivateKey(secret)
	if err != nil {
		return bls.Share{}, fmt.Errorf("%w: the share is no key", ErrDeal)
	}
	sharing, err := bls.DecodeSharing(d.Genesis.Sharing)
	if err != nil {
		return bls.Share{}, fmt.Errorf("%w: %w", ErrDeal, err)
	}
	share := bls.Share{Index: uint32(rank), Key: raw}
	if !sharing.Holds(share) {
		return bls.Share{}, fmt.Errorf("%w: the share is not one of the genesis's key; the dealer cheated or erred, do not start", ErrDeal)
	}
	return share, nil
}

// Public reads what a node needs that has no share in a network: its genesis alone, or a deal. The Deal it gives of a genesis names no peers.
func Public(data []byte) (*Deal, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(data, &top); err != nil || top["genesis"] != nil {
		return Parse(data)
	}
	spec, err := genesis.Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDeal, err)
	}
	return &Deal{Genesis: spec}, nil
}

// maxDeal bounds a deal's file.
const maxDeal = 64 << 20

// Parse reads a deal and validates its genesis.
func Parse(data []byte) (*Deal, error) {
	if len(data) > maxDeal {
		return nil, fmt.Errorf("%w: %d bytes", ErrDeal, len(data))
	}
	d := &Deal{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(d); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrDeal, strings.TrimPrefix(err.Error(), "json: "))
	}
	if d.Genesis == nil {
		return nil, fmt.Errorf("%w: no genesis", ErrDeal)
	}
	if err := d.Genesis.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDeal, err)
	}
	return d, nil
}
