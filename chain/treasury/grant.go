package treasury

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// MaxName bounds the name of a bucket, in bytes.
const MaxName = 64

// The rejects.
var (
	ErrBucket    = errors.New("treasury: there is no bucket of this name from which grants are made")
	ErrAmount    = errors.New("treasury: the bucket has less than this that is not awarded")
	ErrTo        = errors.New("treasury: a grant goes to an address that is not reserved")
	ErrNoGrant   = errors.New("treasury: there is no grant of this number")
	ErrNothing   = errors.New("treasury: the terms have released no more of the grant than was paid")
	ErrRevocable = errors.New("treasury: the award of this grant does not say that it may be revoked, or it was")
)

// Grant is a part of a bucket that is awarded to somebody.
type Grant struct {
	Bucket    string
	To        account.Address
	Amount    unit.Amount // base units
	Paid      unit.Amount // of Amount
	Revocable bool        // and not revoked
	Since     unit.Height // of the award
	Revoked   unit.Height // the block in which it was; 0: it was not. Amount is what was released by then.
}

// Encode is the stored form.
func (g *Grant) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendBytes(nil, []byte(g.Bucket)), g.To[:])
	dst = codec.AppendUint(codec.AppendUint(dst, uint64(g.Amount)), uint64(g.Paid))
	dst = codec.AppendBool(dst, g.Revocable)
	return codec.AppendUint(codec.AppendUint(dst, uint64(g.Since)), uint64(g.Revoked))
}

// DecodeGrant reads what Encode wrote.
func DecodeGrant(data []byte) (g Grant, err error) {
	r := codec.NewReader(data)
	g.Bucket = string(r.Bytes(MaxName))
	r.Into(g.To[:])
	g.Amount, g.Paid, g.Revocable = unit.Amount(r.Uint()), unit.Amount(r.Uint()), r.Bool()
	g.Since, g.Revoked = unit.Height(r.Uint()), unit.Height(r.Uint())
	return g, r.Finish()
}

// Names of the records.
const (
	nameAwarded = "awarded/"
	nameGrant   = "grant/"
	nameCount   = "grants"
)

func home() account.Address { return account.System(account.Treasury) }

func record(name string) []byte { return account.KeyString(account.KindRecord, home(), name) }

func grantKey(id uint64) []byte { return codec.AppendU64(record(nameGrant), id) }

// Load reads a grant. Rejects: ErrNoGrant.
func Load(r state.Reader, id uint64) (Grant, error) {
	data, ok, err := r.Lookup(grantKey(id))
	if err != nil {
		return Grant{}, err
	}
	if !ok {
		return Grant{}, ErrNoGrant
	}
	return DecodeGrant(data)
}

// Count is the number of the newest grant, 0 before the first.
func Count(r state.Reader) (uint64, error) { return state.Number(r, record(nameCount)) }

// Awarded is what a bucket's grants have together.
func Awarded(r state.Reader, bucket string) (unit.Amount, error) {
	n, err := state.Number(r, record(nameAwarded+bucket))
	return unit.Amount(n), err
}

// Award is a grant that is to be made.
type Award struct {
	Bucket    string
	To        account.Address
	Amount    unit.Amount // base units
	Revocable bool
}

// Check gives an error for an award that cannot be made now. Rejects: ErrBucket, ErrTo, ErrAmount.
func (a *Award) Check(r state.Reader) error {
	_, err := a.room(r)
	return err
}

// room is what the bucket has awarded already.
func (a *Award) room(r state.Reader) (unit.Amount, error) {
	if a.Bucket == TreasuryName {
		return 0, ErrBucket
	}
	b, err := LoadBucket(r, a.Bucket)
	if err != nil {
		return 0, err
	}
	if a.To.IsReserved() || a.To.IsZero() || a.To == b.Address() {
		return 0, ErrTo
	}
	awarded, err := Awarded(r, a.Bucket)
	if err == nil && (a.Amount == 0 || a.Amount > b.Amount-awarded) {
		err = ErrAmount
	}
	return awarded, err
}

// Make makes the grant and gives its number. Rejects: Check's.
//
// Spec: WP §8.3.
func (a *Award) Make(s state.Store, now unit.Height) (id uint64, err error) {
	awarded, err := a.room(s)
	if err != nil {
		return 0, err
	}
	count, err := Count(s)
	if err != nil {
		return 0, err
	}
	g := Grant{Bucket: a.Bucket, To: a.To, Amount: a.Amount, Revocable: a.Revocable, Since: now}
	s.Set(grantKey(count+1), g.Encode())
	state.SetNumber(s, record(nameCount), count+1)
	state.SetNumber(s, record(nameAwarded+a.Bucket), uint64(awarded+a.Amount))
	return count + 1, nil
}

// released is what the terms have released of a grant.
func released(r state.Reader, g *Grant, now unit.Height) (unit.Amount, error) {
	if g.Revoked > 0 {
		return g.Amount, nil
	}
	b, err := LoadBucket(r, g.Bucket)
	return b.of(g.Amount, now), err
}

// Due is what may be claimed of a grant now. Rejects: ErrNoGrant.
func Due(r state.Reader, id uint64, now unit.Height) (Grant, unit.Amount, error) {
	g, err := Load(r, id)
	if err != nil {
		return g, 0, err
	}
	all, err := released(r, &g, now)
	return g, all - min(all, g.Paid), err
}

// Claim pays what is due, and gives the amount. The caller has billed the beneficiary. Rejects: ErrNoGrant, ErrNothing.
//
// Spec: WP §8.3.
func Claim(s state.Store, id uint64, now unit.Height) (Grant, unit.Amount, error) {
	g, due, err := Due(s, id, now)
	if err != nil {
		return g, 0, err
	}
	if due == 0 {
		return g, 0, ErrNothing
	}
	g.Paid += due
	s.Set(grantKey(id), g.Encode())
	return g, due, account.Move(s, Bucket{Name: g.Bucket}.Address(), g.To, due)
}

// Revocable gives an error for a grant that cannot be revoked. Rejects: ErrNoGrant, ErrRevocable.
func Revocable(r state.Reader, id uint64) error {
	g, err := Load(r, id)
	if err == nil && !g.Revocable {
		err = ErrRevocable
	}
	return err
}

// Revoke leaves a grant what is released by now, and gives the rest, which is the bucket's to award again. Rejects: Revocable's.
func Revoke(s state.Store, id uint64, now unit.Height) (rest unit.Amount, err error) {
	if err := Revocable(s, id); err != nil {
		return 0, err
	}
	g, err := Load(s, id)
	if err != nil {
		return 0, err
	}
	kept, err := released(s, &g, now)
	if err != nil {
		return 0, err
	}
	awarded, err := Awarded(s, g.Bucket)
	if err != nil {
		return 0, err
	}
	rest = g.Amount - kept
	g.Amount, g.Revocable, g.Revoked = kept, false, now
	s.Set(grantKey(id), g.Encode())
	state.SetNumber(s, record(nameAwarded+g.Bucket), uint64(awarded-rest))
	return rest, nil
}

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	of := func(holds, suffix string, exact bool) account.Claim {
		return account.RecordClaim("treasury", home(), suffix, holds, exact)
	}
	return []account.Claim{of("coins awarded of a bucket", nameAwarded, false), of("grants", nameGrant, false), of("number of grants", nameCount, true)}
}
