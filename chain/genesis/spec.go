package genesis

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ErrSpec reports a genesis that contradicts itself; the wrapped text says how.
var ErrSpec = errors.New("genesis: invalid")

// Allocation gives an account its first balance.
type Allocation struct {
	Address account.Address `json:"address"`
	Balance unit.Amount     `json:"balance"` // base units
	Label   string          `json:"label,omitempty"`
}

// Spec is a network's beginning. Spec: WP §8.3; node-rpc-cli §6.
type Spec struct {
	ChainID        uint64
	TimestampMs    uint64      // of the genesis header, milliseconds since 1970
	TotalSupply    unit.Amount // base units; the sum of everything below
	Accounts       []Allocation
	Buckets        []Bucket
	Faucet         *account.Address // local and development networks
	Validators     []Validator      // ascending by public key
	Sharing        []byte           // encoded bls.Sharing of the round seed
	Administrators []account.Address
	EpochBlocks    uint64 // length of an epoch; 0: params.EpochBlocks
	Protocol       params.Schedule
	// Council is the Security Council, ascending; empty: the chain begins without one.
	Council []account.Address
	// GovernanceHour is how many blocks governance counts as an hour; 0: params.BlocksPerHour.
	GovernanceHour uint64
	// CardTokens are the tokens that prepaid cards may pay in, with the rates that hold for ever, ascending by token.
	CardTokens []bank.Peg
}

// file is the JSON form of a Spec.
type file struct {
	ChainID        uint64            `json:"chain_id"`
	TimestampMs    uint64            `json:"timestamp_ms"`
	TotalSupply    unit.Amount       `json:"total_supply"`
	Accounts       []Allocation      `json:"accounts"`
	Buckets        []Bucket          `json:"buckets,omitempty"`
	Faucet         *account.Address  `json:"faucet_account,omitempty"`
	Validators     []fileValidator   `json:"validators"`
	Sharing        string            `json:"sharing"`
	Administrators []account.Address `json:"administrators,omitempty"`
	EpochBlocks    uint64            `json:"epoch_blocks,omitempty"`
	Protocol       params.Schedule   `json:"protocol,omitempty"`
	Council        []account.Address `json:"security_council,omitempty"`
	GovernanceHour uint64            `json:"governance_hour_blocks,omitempty"`
	CardTokens     []bank.Peg        `json:"card_tokens,omitempty"`
}

type fileValidator struct {
	Validator
	PublicKey  string `json:"public_key"`
	Possession string `json:"proof_of_possession"`
}

// MarshalJSON is genesis.json: amounts are numbers of base units, keys and
// signatures hexadecimal. Spec: node-rpc-cli §6.
func (s *Spec) MarshalJSON() ([]byte, error) {
	f := file{
		ChainID: s.ChainID, TimestampMs: s.TimestampMs, TotalSupply: s.TotalSupply, Accounts: s.Accounts,
		Buckets: s.Buckets, Faucet: s.Faucet, Sharing: hex.EncodeToString(s.Sharing), Administrators: s.Administrators, EpochBlocks: s.EpochBlocks,
		Protocol: s.Protocol,
		Council:  s.Council, GovernanceHour: s.GovernanceHour, CardTokens: s.CardTokens,
	}
	for _, v := range s.Validators {
		f.Validators = append(f.Validators, fileValidator{
			Validator: v, PublicKey: hex.EncodeToString(v.PublicKey[:]), Possession: hex.EncodeToString(v.Possession[:]),
		})
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads what MarshalJSON writes. Unknown fields and malformed values
// give an error; whether the whole makes sense is Validate's.
func (s *Spec) UnmarshalJSON(data []byte) error {
	var f file
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return fmt.Errorf("%w: %w", ErrSpec, err)
	}
	sharing, err := hex.DecodeString(f.Sharing)
	if err != nil {
		return fmt.Errorf("%w: sharing is not hexadecimal", ErrSpec)
	}
	*s = Spec{
		ChainID: f.ChainID, TimestampMs: f.TimestampMs, TotalSupply: f.TotalSupply, Accounts: f.Accounts,
		Buckets: f.Buckets, Faucet: f.Faucet, Sharing: sharing, Administrators: f.Administrators, EpochBlocks: f.EpochBlocks,
		Protocol: f.Protocol,
		Council:  f.Council, GovernanceHour: f.GovernanceHour, CardTokens: f.CardTokens,
	}
	for _, fv := range f.Validators {
		v := fv.Validator
		if err := parseFixed("public_key", fv.PublicKey, v.PublicKey[:]); err != nil {
			return err
		}
		if err := parseFixed("proof_of_possession", fv.Possession, v.Possession[:]); err != nil {
			return err
		}
		s.Validators = append(s.Validators, v)
	}
	return nil
}

// maxFileBytes bounds a genesis.json.
const maxFileBytes = 64 << 20

// Read reads and validates a genesis.json. An error wraps ErrSpec unless reading
// itself failed.
func Read(from io.Reader) (*Spec, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxFileBytes))
	if err != nil {
		return nil, err
	}
	s := new(Spec)
	if err := json.Unmarshal(data, s); err != nil {
		if errors.Is(err, ErrSpec) {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %w", ErrSpec, err)
	}
	return s, s.Validate()
}

// Validate gives an error wrapping ErrSpec unless the Spec is one chain's: a chain
// id, at least one validator, keys in ascending order each with a valid proof of
// possession, an account of its own and the minimum stake, a shared key for exactly that many holders,
// each account once and none reserved, administrators ascending, a council of nine or none, and balances
// that sum to the total supply.
// Spec: WP §8.1, §8.3, §9; governance-staking A1.
func (s *Spec) Validate() error {
	if s.ChainID == 0 {
		return fmt.Errorf("%w: chain id is zero", ErrSpec)
	}
	if _, err := s.Calendar(); err != nil {
		return fmt.Errorf("%w: %w", ErrSpec, err)
	}
	if err := s.Protocol.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrSpec, err)
	}
	if err := s.checkValidators(); err != nil {
		return err
	}
	if err := s.checkAccounts(); err != nil {
		return err
	}
	p := s.Params()
	if err := p.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrSpec, err)
	}
	if len(s.Council) > 0 {
		if err := govern.Seats(s.Council); err != nil {
			return fmt.Errorf("%w: council: %w", ErrSpec, err)
		}
	}
	if err := bank.CheckPegs(s.CardTokens); err != nil {
		return fmt.Errorf("%w: card_tokens: %w", ErrSpec, err)
	}
	sum, err := s.allocated()
	if err != nil || sum != s.TotalSupply {
		return fmt.Errorf("%w: allocations sum to %d base units, total supply is %d", ErrSpec, sum, s.TotalSupply)
	}
	return nil
}

func (s *Spec) checkValidators() error {
	sharing, err := bls.DecodeSharing(s.Sharing)
	if err != nil {
		return fmt.Errorf("%w: sharing: %w", ErrSpec, err)
	}
	n := len(s.Validators)
	if n == 0 || int(sharing.Total()) != n || sharing.Threshold() != sig.Quorum(n) {
		return fmt.Errorf("%w: %d validators, shared key for %d of %d", ErrSpec, n, sharing.Threshold(), sharing.Total())
	}
	minimum := s.Params().Stake.MinimumValidatorStake
	for i, v := range s.Validators {
		if i > 0 && string(s.Validators[i-1].PublicKey[:]) >= string(v.PublicKey[:]) {
			return fmt.Errorf("%w: validators are not ascending by public key", ErrSpec)
		}
		if v.Stake < minimum {
			return fmt.Errorf("%w: stake of validator %d is below the minimum", ErrSpec, i)
		}
		if v.Address.IsReserved() || slices.ContainsFunc(s.Validators[:i], func(w Validator) bool { return w.Address == v.Address }) {
			return fmt.Errorf("%w: validator %d has no account of its own", ErrSpec, i)
		}
		key, err := bls.ParsePublicKey(v.PublicKey)
		if err == nil {
			err = bls.VerifyPossession(sig.NewNamespace(s.ChainID), key, v.Possession)
		}
		if err != nil {
			return fmt.Errorf("%w: validator %d: %w", ErrSpec, i, err)
		}
	}
	return nil
}

func (s *Spec) checkAccounts() error {
	var all []account.Address
	for _, a := range s.Accounts {
		if a.Address.IsReserved() {
			return fmt.Errorf("%w: account %v is reserved", ErrSpec, a.Address)
		}
		all = append(all, a.Address)
	}
	for _, b := range s.Buckets {
		if err := b.Check(); err != nil {
			return fmt.Errorf("%w: bucket %.64q: %w", ErrSpec, b.Name, err)
		}
		all = append(all, b.Address())
	}
	slices.SortFunc(all, account.Address.Compare)
	for i := 1; i < len(all); i++ {
		if all[i-1] == all[i] {
			return fmt.Errorf("%w: account %v twice", ErrSpec, all[i])
		}
	}
	if s.Faucet != nil && !slices.ContainsFunc(s.Accounts, func(a Allocation) bool { return a.Address == *s.Faucet }) {
		return fmt.Errorf("%w: faucet account has no allocation", ErrSpec)
	}
	return nil
}

func (s *Spec) allocated() (sum unit.Amount, err error) {
	var parts []unit.Amount
	for _, a := range s.Accounts {
		parts = append(parts, a.Balance)
	}
	for _, b := range s.Buckets {
		parts = append(parts, b.Amount)
	}
	for _, v := range s.Validators {
		parts = append(parts, v.Stake)
	}
	for _, p := range parts {
		if sum, err = sum.Add(p); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// Params are the governed parameters at height 0: the specification's defaults,
// this network's administrators and its hour of governance.
func (s *Spec) Params() *params.Params {
	p := params.Genesis()
	p.Administrators = s.Administrators
	if s.GovernanceHour > 0 {
		p.Governance.HourBlocks = s.GovernanceHour
	}
	p.Calendar, _ = s.Calendar() // Validate has looked
	p.Schedule = s.Protocol
	return p
}

// Calendar is the network's epochs. The error wraps params.ErrInvalid.
func (s *Spec) Calendar() (params.Calendar, error) {
	if s.EpochBlocks == 0 {
		return params.Calendar{}, nil
	}
	return params.NewCalendar(s.EpochBlocks)
}
