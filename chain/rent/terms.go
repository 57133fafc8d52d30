package rent

import (
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Terms are what one rent epoch is billed at.
type Terms struct {
	Rate     unit.Amount // base units a byte and year
	Blocks   uint64      // length of the epoch
	Grace    uint64      // bytes never billed
	Eviction uint32      // missed epochs an actor survives
	Quota    uint64      // base quota in bytes
}

// TermsOf are the terms governance asks for, at the governed rate.
func TermsOf(p *params.Params) Terms {
	return Terms{p.Rent.RatePerByteYear, p.Rent.EpochBlocks, p.Rent.GraceBytes, p.Rent.EvictionEpochs, p.Limits.BaseQuotaBytes}
}

// Size is the bytes of an actor in state: code, storage and waiting messages.
//
// Spec: rent §3 (account_size).
func Size(a *account.Account) uint64 { return a.CodeBytes + a.StorageBytes + a.MailboxBytes }

// billable is the bytes an epoch bills: the size, or an extended quota as a whole, without what is never billed.
//
// Spec: rent §3.
func (t *Terms) billable(a *account.Account) uint64 {
	bytes := Size(a)
	if a.QuotaBytes > t.Quota {
		bytes = a.QuotaBytes
	}
	return bytes - min(bytes, t.Grace)
}

// price is the rent of billable bytes for one epoch, rounded up. What does not fit 64 bits is more than anybody holds.
//
// Spec: rent §2.1.
func (t *Terms) price(bytes uint64) unit.Amount {
	return over(bytes, uint64(t.Rate), t.Blocks, params.BlocksPerYear)
}

// over is ⌈a·b·c/d⌉, or the largest amount.
func over(a, b, c, d uint64) unit.Amount {
	const most = ^unit.Amount(0)
	hi, lo := bits.Mul64(a, b)
	h2, l2 := bits.Mul64(hi, c)
	h1, l1 := bits.Mul64(lo, c)
	mid, carry := bits.Add64(h1, l2, 0)
	if h2+carry != 0 || mid >= d {
		return most
	}
	q, r := bits.Div64(mid, l1, d)
	if r == 0 {
		return unit.Amount(q)
	}
	if q == uint64(most) {
		return most
	}
	return unit.Amount(q + 1)
}

// Due is what an actor as it is owes for one epoch.
//
// Spec: rent §3 (epoch_rent).
func (t *Terms) Due(a *account.Account) unit.Amount { return t.price(t.billable(a)) }

// Reserve is what an actor may not spend: a share, in basis points, of a year's rent, rounded up.
//
// Spec: rent §5 (reserve); WP-January "Minimum Balance Reserve".
func (t *Terms) Reserve(a *account.Account, bps uint32) unit.Amount {
	return over(t.billable(a), uint64(t.Rate), uint64(bps), params.BasisPoints)
}

func (t *Terms) append(dst []byte) []byte {
	dst = codec.AppendUint(codec.AppendUint(dst, uint64(t.Rate)), t.Blocks)
	return codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, t.Grace), uint64(t.Eviction)), t.Quota)
}

func readTerms(r *codec.Reader) Terms {
	return Terms{unit.Amount(r.Uint()), r.Uint(), r.Uint(), r.Uint32(), r.Uint()}
}
