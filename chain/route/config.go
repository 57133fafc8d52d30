package route

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// KeyConfig is the governance key of Config.
const KeyConfig = "system:gov:param:route"

// Config are the governed prices and times of names.
//
// Spec: gateway-payments-streams §A.3.
type Config struct {
	Base     unit.Amount // of a period, base units
	Premiums [3]uint64   // what the base is multiplied by for 3, 4 and 5 characters
	Period   uint64      // blocks
	Least    uint64      // blocks of a registration or renewal, at least
	Grace    uint64      // blocks behind the expiry in which the owner alone may have the name
	Auction  uint64      // blocks
	Multiple uint64      // of the fee, at which an auction begins
}

// Genesis are the values of the documents, and a day as the least time.
//
// Spec: gateway-payments-streams §A.3.
func Genesis() Config {
	return Config{
		Base: 100 * unit.CBY, Premiums: [3]uint64{100, 20, 5}, Period: 31_536_000, Least: 86_400, Grace: 2_592_000, Auction: 604_800, Multiple: 10,
	}
}

// Bounds of Config.
const (
	maxBase     = 1_000_000 * unit.CBY
	maxPremium  = 10_000
	maxMultiple = 1_000
	// MaxPeriods is how many periods from now a name may be paid for.
	MaxPeriods = 10
)

// Append appends the canonical encoding: the fields in their order, as UInt.
func (c Config) Append(dst []byte) []byte {
	dst = codec.AppendUint(dst, uint64(c.Base))
	for _, p := range c.Premiums {
		dst = codec.AppendUint(dst, p)
	}
	for _, n := range [...]uint64{c.Period, c.Least, c.Grace, c.Auction, c.Multiple} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// ReadConfig reads what Append wrote; errors stay in r.
func ReadConfig(r *codec.Reader) Config {
	return Config{unit.Amount(r.Uint()), [3]uint64{r.Uint(), r.Uint(), r.Uint()}, r.Uint(), r.Uint(), r.Uint(), r.Uint(), r.Uint()}
}

// DecodeConfig reads a stored Config and holds it to its bounds.
func DecodeConfig(data []byte) (Config, error) {
	r := codec.NewReader(data)
	c := ReadConfig(r)
	if err := r.Finish(); err != nil {
		return Config{}, err
	}
	return c, c.Validate()
}

// Validate requires prices that fit, a period of at most ten years, and a least time within it.
func (c Config) Validate() error {
	const ten = 10 * params.BlocksPerYear
	for _, p := range c.Premiums {
		if p == 0 || p > maxPremium {
			return errParameter
		}
	}
	switch {
	case c.Base > maxBase, c.Period == 0, c.Period > ten, c.Least == 0, c.Least > c.Period, c.Grace > ten, c.Auction > ten,
		c.Multiple == 0, c.Multiple > maxMultiple:
		return errParameter
	}
	return nil
}

// Fee is the price of a label for so many blocks, rounded up: base units.
//
// Spec: gateway-payments-streams §A.3 (fees by length).
func (c Config) Fee(label string, blocks uint64) (unit.Amount, error) {
	price := c.Base
	if at := len(label) - MinLabel; at >= 0 && at < len(c.Premiums) {
		var err error
		if price, err = price.Mul(c.Premiums[at]); err != nil {
			return 0, err
		}
	}
	return price.MulDivCeil(blocks, c.Period)
}

// AuctionPrice is the fee of a name that has been in its auction for so many blocks: from the multiple of the fee in its first block it falls with every
// block, by the same share, to the fee in the block behind its last. It is rounded up.
//
// Spec: gateway-payments-streams §A.3 (a Dutch auction of 604,800 blocks from 10 times the fee to the fee).
func (c Config) AuctionPrice(fee unit.Amount, since uint64) (unit.Amount, error) {
	if since >= c.Auction {
		return fee, nil
	}
	return fee.MulDivCeil(c.Multiple*c.Auction-(c.Multiple-1)*since, c.Auction)
}
