package runner

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// KeyBands is the governance key of the bands of prices.
//
// Spec: WP-January "Anti-Gaming Measures"; WP §13.1.
const KeyBands = params.KeyGenericPrefix + "price_bands"

// rates is how many rates a card has.
const rates = 6

// Band is what governance takes for an ordinary rate, in base units, both ends included.
type Band struct{ Least, Most unit.Amount }

// Bands are those of the rates of a card, in its order: input token, output token, request, call, second, megabyte. Who asks for a rate outside of its band is
// flagged, and chosen as before.
//
// Spec: WP-January "Anti-Gaming Measures".
type Bands [rates]Band

// AllPrices are the bands at genesis: no rate is outside of them.
func AllPrices() (b Bands) {
	for i := range b {
		b[i].Most = ^unit.Amount(0)
	}
	return b
}

// Encode is the governed parameter: least and greatest of each rate as UInt.
func (b *Bands) Encode() (dst []byte) {
	for _, one := range b {
		dst = codec.AppendUint(codec.AppendUint(dst, uint64(one.Least)), uint64(one.Most))
	}
	return dst
}

func decodeBands(data []byte) (*Bands, error) {
	in, b := codec.NewReader(data), new(Bands)
	for i := range b {
		if b[i] = (Band{unit.Amount(in.Uint()), unit.Amount(in.Uint())}); in.Err() == nil && b[i].Least > b[i].Most {
			return nil, fmt.Errorf("runner: bands: the least of rate %d is above the most", i)
		}
	}
	return b, finish(in, "bands")
}

// CheckBands gives an error for bytes that are no value of the governed parameter.
func CheckBands(value []byte) error {
	_, err := decodeBands(value)
	return err
}

// LoadBands reads the bands that hold.
func LoadBands(r state.Reader) (Bands, error) {
	b, err := state.Find(r, params.StateKey(KeyBands), decodeBands)
	if err != nil || b == nil {
		return AllPrices(), err
	}
	return *b, nil
}

// Outside are the rates of a card that are outside of their bands, as the bits of their places.
//
// Spec: WP-January "Anti-Gaming Measures".
func (b *Bands) Outside(c *RateCard) (places uint64) {
	for i, rate := range [rates]unit.Amount{c.LLMInputToken, c.LLMOutputToken, c.HTTPRequestBase, c.MCPCallBase, c.ComputeSecond, c.MemoryMB} {
		if rate < b[i].Least || rate > b[i].Most {
			places |= 1 << i
		}
	}
	return places
}
