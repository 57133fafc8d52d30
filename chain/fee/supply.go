package fee

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Supply counts all coin, in base units. One record of it lives in state; a block changes it once, at its end.
//
// Invariant: Genesis + Minted − Burned equals the sum of all balances, escrows and deposits.
//
// Spec: WP §8.1, §8.2, §8.4.
type Supply struct {
	Genesis  unit.Amount // created at height 0
	Minted   unit.Amount // created since, by inflation
	Burned   unit.Amount // destroyed since
	YearBase unit.Amount // total at the first block of the current inflation year
}

// Total returns Genesis + Minted − Burned, or an error when the record is not one a chain can have.
func (s Supply) Total() (unit.Amount, error) {
	total, err := s.Genesis.Add(s.Minted)
	if err != nil {
		return 0, err
	}
	return total.Sub(s.Burned)
}

// ErrBurn says that more was burned than exists: a broken invariant.
var ErrBurn = errors.New("fee: burn exceeds the supply")

// Burn records that amount was destroyed.
func (s Supply) Burn(amount unit.Amount) (Supply, error) {
	total, err := s.Total()
	if err != nil {
		return s, err
	}
	if amount > total {
		return s, ErrBurn
	}
	s.Burned, err = s.Burned.Add(amount)
	return s, err
}

// Mint records that amount was created, or unit.ErrOverflow when the supply would pass 64 bits.
func (s Supply) Mint(amount unit.Amount) (Supply, error) {
	minted, err := s.Minted.Add(amount)
	if err != nil {
		return s, err
	}
	if _, err = s.Genesis.Add(minted); err != nil {
		return s, err
	}
	s.Minted = minted
	return s, nil
}

// Encode returns the record's canonical bytes: four varints in field order.
func (s Supply) Encode() []byte {
	out := codec.AppendUint(make([]byte, 0, 40), uint64(s.Genesis))
	out = codec.AppendUint(out, uint64(s.Minted))
	out = codec.AppendUint(out, uint64(s.Burned))
	return codec.AppendUint(out, uint64(s.YearBase))
}

// DecodeSupply reads what Encode wrote; any other bytes are a codec error.
func DecodeSupply(data []byte) (Supply, error) {
	r := codec.NewReader(data)
	s := Supply{
		Genesis:  unit.Amount(r.Uint()),
		Minted:   unit.Amount(r.Uint()),
		Burned:   unit.Amount(r.Uint()),
		YearBase: unit.Amount(r.Uint()),
	}
	return s, r.Finish()
}

// SupplyKey is where the supply record lives. The caller does not modify it.
func SupplyKey() []byte { return supplyKey }

const (
	nameSupply  = "supply"
	nameBasefee = "basefee"
)

var supplyKey = account.KeyString(account.KindChain, account.System(account.FeesAndTokens), nameSupply)

// LoadSupply reads the supply record; a chain without one has the zero supply.
func LoadSupply(s state.Reader) (Supply, error) {
	data, ok, err := s.Lookup(SupplyKey())
	if err != nil || !ok {
		return Supply{}, err
	}
	return DecodeSupply(data)
}

// Save writes the supply record. Genesis does so once, with what it allocated.
func (s Supply) Save(to state.Store) { to.Set(SupplyKey(), s.Encode()) }

// BasefeeKey is where the basefees of the next block live: protocol state of 0x06, beside the token registry under a key of its
// own. The caller does not modify it.
//
// Spec: WP §9 (0x06).
func BasefeeKey() []byte { return basefeeKey }

var basefeeKey = account.KeyString(account.KindChain, account.System(account.FeesAndTokens), nameBasefee)

// LoadBasefees reads the basefees of the next block: those the last block left, or the genesis prices.
//
// Spec: WP §4.2, §9.
func LoadBasefees(s state.Reader) (Rates, error) {
	data, ok, err := s.Lookup(BasefeeKey())
	if err != nil {
		return Rates{}, err
	}
	if !ok {
		return params.GenesisBasefees(), nil
	}
	r := codec.NewReader(data)
	rates := Rates{Cycle: r.Uint(), Cell: r.Uint()}
	return rates, r.Finish()
}

// SaveBasefees writes the basefees of the next block.
func SaveBasefees(to state.Store, rates Rates) {
	to.Set(BasefeeKey(), codec.AppendUint(codec.AppendUint(nil, rates.Cycle), rates.Cell))
}

// NextBasefees is the price of the next block after one with these rates used the meters so much, under the governed parameters.
//
// Spec: WP §4.2, §4.3, §17.8.
func NextBasefees(c params.BasefeeConfig, rates Rates, used Use) Rates {
	cycle := Adjustment{Target: uint64(c.CycleTarget), Alpha: c.Alpha, Change: c.ChangeDenominator, Floor: params.MinBasefee}
	cell := cycle
	cell.Target = uint64(c.CellTarget)
	return Rates{Cycle: cycle.Next(rates.Cycle, uint64(used.Cycles)), Cell: cell.Next(rates.Cell, uint64(used.Cells))}
}

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	return []account.Claim{
		{Chapter: "fee", Holds: "supply", Kind: account.KindChain, Holder: account.One, Address: account.System(account.FeesAndTokens), Suffix: nameSupply,
			Exact: true},
		{Chapter: "fee", Holds: "basefees of the next block", Kind: account.KindChain, Holder: account.One, Address: account.System(account.FeesAndTokens),
			Suffix: nameBasefee, Exact: true},
	}
}
