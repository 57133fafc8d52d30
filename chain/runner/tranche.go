package runner

import (
	"encoding/binary"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// DelegationTerms are the terms a runner asks for.
//
// Spec: governance-staking C1 (DelegationConfig).
type DelegationTerms struct {
	Accept        bool
	CommissionBPS uint32      // 500 to 10,000, of what delegators' stake earns
	MaxDelegated  unit.Amount // of all delegators; 0 is no bound
	MinDelegation unit.Amount // 1,000 CBY at least
}

// Append appends the canonical encoding: bool accept ‖ UInt commission ‖ UInt maximum ‖ UInt minimum.
func (t DelegationTerms) Append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendBool(dst, t.Accept), uint64(t.CommissionBPS))
	return codec.AppendUint(codec.AppendUint(dst, uint64(t.MaxDelegated)), uint64(t.MinDelegation))
}

// ReadDelegationTerms reads what Append wrote; errors stay in r.
func ReadDelegationTerms(r *codec.Reader) DelegationTerms {
	return DelegationTerms{r.Bool(), r.Uint32(), unit.Amount(r.Uint()), unit.Amount(r.Uint())}
}

// Check gives ErrTerms for terms outside their bounds.
func (t *DelegationTerms) Check() error {
	switch {
	case t.CommissionBPS < params.CommissionMinBPS || t.CommissionBPS > params.BasisPoints:
		return fmt.Errorf("%w: commission_bps is between 500 and 10,000", ErrTerms)
	case t.MinDelegation < params.DelegationMinimum:
		return fmt.Errorf("%w: min_delegation is 1,000 CBY at least", ErrTerms)
	case t.MaxDelegated != 0 && t.MaxDelegated < t.MinDelegation:
		return fmt.Errorf("%w: max_delegated_stake is 0 or min_delegation at least", ErrTerms)
	}
	return nil
}

// DelegationConfig is a runner's terms with a commission that is to come.
//
// Spec: governance-staking C1.
type DelegationConfig struct {
	DelegationTerms             // CommissionBPS is that before Epoch
	PendingBPS      uint32      // the commission from Epoch on; 0 is none
	Epoch           uint64      // of the network's calendar
	Updated         unit.Height // of the last change
}

// Encode is the record in state: terms ‖ UInt pending commission ‖ UInt epoch ‖ UInt updated.
func (c *DelegationConfig) Encode() []byte {
	dst := c.Append(nil)
	for _, n := range [...]uint64{uint64(c.PendingBPS), c.Epoch, uint64(c.Updated)} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// DecodeDelegationConfig reads what Encode wrote.
func DecodeDelegationConfig(data []byte) (*DelegationConfig, error) {
	r := codec.NewReader(data)
	c := &DelegationConfig{ReadDelegationTerms(r), r.Uint32(), r.Uint(), unit.Height(r.Uint())}
	return c, finish(r, "terms of delegation")
}

// Commission is the runner's in an epoch, in basis points.
//
// Spec: governance-staking C1 (a change holds from the next epoch on).
func (c *DelegationConfig) Commission(epoch uint64) uint32 {
	if c.PendingBPS > 0 && epoch >= c.Epoch {
		return c.PendingBPS
	}
	return c.CommissionBPS
}

// Tranche is stake delegated at one time. Its runner, its delegator and its number are in its key.
//
// Spec: governance-staking C1 (DelegationTranche).
type Tranche struct {
	Amount    unit.Amount
	Created   unit.Height
	Claimable unit.Height // of one that unbonds: the first block it may be claimed in; 0 of an active one
}

// Active reports whether the tranche earns.
func (t *Tranche) Active() bool { return t.Claimable == 0 }

// Slashable reports whether a slash in a block takes of the tranche.
//
// Spec: governance-staking C1.
func (t *Tranche) Slashable(now unit.Height) bool { return t.Active() || now < t.Claimable }

// Encode is the record in state: UInt amount ‖ UInt created ‖ UInt claimable.
func (t *Tranche) Encode() []byte {
	return codec.AppendUint(codec.AppendUint(codec.AppendUint(nil, uint64(t.Amount)), uint64(t.Created)), uint64(t.Claimable))
}

// DecodeTranche reads what Encode wrote.
func DecodeTranche(data []byte) (*Tranche, error) {
	r := codec.NewReader(data)
	t := &Tranche{unit.Amount(r.Uint()), unit.Height(r.Uint()), unit.Height(r.Uint())}
	return t, finish(r, "tranche")
}

// Summary is what a delegator has behind one runner.
//
// Spec: governance-staking C1 (delegation_delegator_summary).
type Summary struct {
	Tranches uint32      // active ones
	Amount   unit.Amount // of them
	Leaving  uint32      // tranches that unbond or are not claimed
	Free     unit.Height // the first block in which all of these may be claimed
}

// Encode is the record in state: UInt tranches ‖ UInt amount ‖ UInt leaving ‖ UInt free.
func (s *Summary) Encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(nil, uint64(s.Tranches)), uint64(s.Amount))
	return codec.AppendUint(codec.AppendUint(dst, uint64(s.Leaving)), uint64(s.Free))
}

// DecodeSummary reads what Encode wrote.
func DecodeSummary(data []byte) (*Summary, error) {
	r := codec.NewReader(data)
	s := &Summary{r.Uint32(), unit.Amount(r.Uint()), r.Uint32(), unit.Height(r.Uint())}
	return s, finish(r, "summary of a delegator")
}

// Totals is what all delegators have behind a runner. The amount of the active tranches is in the runner's own record.
//
// Spec: governance-staking C1 (delegation_totals), C5 (what delegators lose in an epoch).
type Totals struct {
	Delegators uint32 // that have a tranche in any status
	Tranches   uint32 // active ones
	Epoch      uint64 // of the network's calendar: of the last slash
	Lost       uint64 // what that epoch's slashes took of a stake, in billionths, rounded up
}

// Encode is the record in state: UInt delegators ‖ UInt tranches ‖ UInt epoch ‖ UInt lost.
func (t *Totals) Encode() []byte {
	dst := codec.AppendUint(codec.AppendUint(nil, uint64(t.Delegators)), uint64(t.Tranches))
	return codec.AppendUint(codec.AppendUint(dst, t.Epoch), t.Lost)
}

// DecodeTotals reads what Encode wrote.
func DecodeTotals(data []byte) (*Totals, error) {
	r := codec.NewReader(data)
	t := &Totals{r.Uint32(), r.Uint32(), r.Uint(), r.Uint()}
	return t, finish(r, "totals of delegation")
}

func finish(r *codec.Reader, what string) error {
	if err := r.Finish(); err != nil {
		return fmt.Errorf("runner: %s: %w", what, err)
	}
	return nil
}

// read decodes the record under a key; nil where there is none.

// LoadDelegationConfig reads a runner's terms; nil where it has set none.
func LoadDelegationConfig(r state.Reader, addr account.Address) (*DelegationConfig, error) {
	return state.Find(r, under(underTerms, addr), DecodeDelegationConfig)
}

// LoadTotals reads what all have behind a runner; zero where nobody has anything.
func LoadTotals(r state.Reader, addr account.Address) (Totals, error) {
	t, err := state.Find(r, under(underTotals, addr), DecodeTotals)
	if err != nil || t == nil {
		return Totals{}, err
	}
	return *t, nil
}

// LoadSummary reads what a delegator has behind a runner; zero where it has nothing.
func LoadSummary(r state.Reader, to, from account.Address) (Summary, error) {
	s, err := state.Find(r, summaryKey(to, from), DecodeSummary)
	if err != nil || s == nil {
		return Summary{}, err
	}
	return *s, nil
}

// Delegation is a tranche with what is in its key.
type Delegation struct {
	Runner, Delegator account.Address
	Number            uint64
	*Tranche
}

// Delegations reads the tranches behind a runner, by delegator and number: those after one, nil for all, at most limit (0: no bound but that of delegators).
//
// Spec: governance-staking C5 (queries).
func Delegations(r state.Reader, to account.Address, after *Delegation, limit int) ([]Delegation, error) {
	var above []byte
	if after != nil {
		above = trancheKey(to, after.Delegator, after.Number)
	}
	return scan(r, under(underTranche, to), above, limit)
}

// behind reads the tranches of one delegator behind a runner, by number.
func behind(r state.Reader, to, from account.Address) ([]Delegation, error) {
	return scan(r, append(under(underTranche, to), from[:]...), nil, 0)
}

func scan(r state.Reader, prefix, above []byte, limit int) (list []Delegation, err error) {
	start := len(account.KeyString(account.KindRecord, Home(), underTranche))
	failed := r.Scan(prefix, above, limit, func(key, value []byte) bool {
		var t *Tranche
		if t, err = DecodeTranche(value); err != nil {
			return false
		}
		at := key[start:]
		list = append(list, Delegation{
			account.Address(at[:account.AddressSize]), account.Address(at[account.AddressSize : 2*account.AddressSize]),
			binary.BigEndian.Uint64(at[2*account.AddressSize:]), t,
		})
		return true
	})
	if failed != nil {
		err = failed
	}
	return list, err
}

// DelegationOf reads a tranche of a delegator by its number. A reject: ErrTranche.
func DelegationOf(r state.Reader, from account.Address, number uint64) (d Delegation, err error) {
	to, ok, err := r.Lookup(numbered(underDelegator, number, from))
	if err != nil {
		return d, err
	}
	if !ok {
		return d, ErrTranche
	}
	d = Delegation{account.Address(to), from, number, nil}
	if d.Tranche, err = state.Find(r, trancheKey(d.Runner, from, number), DecodeTranche); err == nil && d.Tranche == nil {
		err = ErrTranche
	}
	return d, err
}

// DelegationsOf reads the tranches of a delegator by number: those above after, at most limit.
//
// Spec: governance-staking C5 (queries).
func DelegationsOf(r state.Reader, from account.Address, after uint64, limit int) (list []Delegation, err error) {
	prefix := under(underDelegator, from)
	var numbers []uint64
	err = r.Scan(prefix, numbered(underDelegator, after, from), limit, func(key, _ []byte) bool {
		numbers = append(numbers, binary.BigEndian.Uint64(key[len(prefix):]))
		return true
	})
	for _, n := range numbers {
		if err != nil {
			break
		}
		var d Delegation
		d, err = DelegationOf(r, from, n)
		list = append(list, d)
	}
	return list, err
}

// Unbonding reads the tranches that unbond or have not been claimed, by the block they may be claimed in: those after one, nil for all, at most limit.
//
// Spec: governance-staking C5 (queries).
func Unbonding(r state.Reader, after *Delegation, limit int) (list []Delegation, err error) {
	prefix := account.KeyString(account.KindRecord, Home(), underUnbonding)
	var above []byte
	if after != nil {
		above = unbondingKey(after.Claimable, after.Number)
	}
	err = r.Scan(prefix, above, limit, func(key, value []byte) bool {
		list = append(list, Delegation{Delegator: account.Address(value), Number: binary.BigEndian.Uint64(key[len(prefix)+8:])})
		return true
	})
	for i := range list {
		if err != nil {
			break
		}
		list[i], err = DelegationOf(r, list[i].Delegator, list[i].Number)
	}
	return list, err
}

// KeyDelegation is the governance key of the height from which on stake may be delegated.
//
// Spec: WP §13.1; runner-marketplace §10 (off at launch).
const KeyDelegation = params.KeyGenericPrefix + "delegation"

// DelegationNever is the height of the governed parameter at genesis.
const DelegationNever unit.Height = 1<<64 - 1

// DelegationFrom encodes the governed parameter: UInt, the height from which on stake may be delegated; 2⁶⁴−1 is never.
//
// Spec: runner-marketplace §10 (off at launch); governance-staking part C.
func DelegationFrom(h unit.Height) []byte { return codec.AppendUint(nil, uint64(h)) }

// CheckDelegation gives an error for bytes that are no value of the governed parameter.
func CheckDelegation(value []byte) error {
	r := codec.NewReader(value)
	r.Uint()
	return r.Finish()
}

// Delegable reports whether stake may be delegated in a block.
//
// Spec: runner-marketplace §10; governance-staking part C.
func Delegable(r state.Reader, now unit.Height) (bool, error) {
	value, ok, err := r.Lookup(params.StateKey(KeyDelegation))
	if err != nil || !ok {
		return false, err
	}
	in := codec.NewReader(value)
	from := unit.Height(in.Uint())
	return from != DelegationNever && now >= from, in.Finish()
}
