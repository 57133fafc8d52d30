package mailbox

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Pool is the gas an origin bought and left to what it set in motion: origin_remaining_cycles and origin_remaining_cells of every
// deferred transaction and message that descends from it.
//
// Spec: WP §2.1 (origin fields), scheduler-timers §10.
type Pool struct {
	Origin  digest.Hash
	Payer   account.Address // who bought the gas and gets back what is left
	Left    fee.Use
	Bid     fee.Bid // what the units were bought at
	Pending uint32  // items that may still draw
	Fanout  uint32  // messages and timers the origin has enqueued so far
	Since   unit.Height
}

// Escrow is the coin behind the units left: their price at the maximum fees.
func (p *Pool) Escrow() (unit.Amount, error) { return p.Left.Cost(p.Bid.Max) }

// Encode returns the canonical record; Origin is in its key.
func (p *Pool) Encode() []byte {
	out := append(make([]byte, 0, 96), p.Payer[:]...)
	for _, v := range [...]uint64{
		uint64(p.Left.Cycles), uint64(p.Left.Cells), p.Bid.Max.Cycle, p.Bid.Max.Cell, p.Bid.Tip.Cycle, p.Bid.Tip.Cell,
		uint64(p.Pending), uint64(p.Fanout), uint64(p.Since),
	} {
		out = codec.AppendUint(out, v)
	}
	return out
}

// DecodePool reads what Encode wrote for the origin of its key; any other bytes are a codec error.
func DecodePool(origin digest.Hash, data []byte) (Pool, error) {
	r := codec.NewReader(data)
	p := Pool{Origin: origin}
	r.Into(p.Payer[:])
	p.Left = fee.Use{Cycles: unit.Cycles(r.Uint()), Cells: unit.Cells(r.Uint())}
	p.Bid.Max = fee.Rates{Cycle: r.Uint(), Cell: r.Uint()}
	p.Bid.Tip = fee.Rates{Cycle: r.Uint(), Cell: r.Uint()}
	p.Pending, p.Fanout = r.Uint32(), r.Uint32()
	p.Since = unit.Height(r.Uint())
	return p, r.Finish()
}

const poolTag = 0x01

func poolKey(origin digest.Hash) []byte {
	return append(account.Key(account.KindDeferred, account.Address{}, poolTag), origin[:]...)
}

// LoadPool returns the pool of an origin; ok is false when it has none.
func LoadPool(s state.Reader, origin digest.Hash) (p Pool, ok bool, err error) {
	data, ok, err := s.Lookup(poolKey(origin))
	if err != nil || !ok {
		return Pool{Origin: origin}, false, err
	}
	p, err = DecodePool(origin, data)
	return p, err == nil, err
}

// Save writes the pool.
func (p *Pool) Save(s state.Store) { s.Set(poolKey(p.Origin), p.Encode()) }

// Close removes the pool from state; its escrow is the caller's to return to the payer.
func (p *Pool) Close(s state.Store) { s.Delete(poolKey(p.Origin)) }

// PoolAt decodes the pool a state entry is; ok is false when the key is not a pool's.
func PoolAt(key, value []byte) (p Pool, ok bool, err error) {
	prefix := account.Key(account.KindDeferred, account.Address{}, poolTag)
	if len(key) != len(prefix)+len(p.Origin) || !bytes.HasPrefix(key, prefix) {
		return p, false, nil
	}
	p, err = DecodePool(digest.Hash(key[len(prefix):]), value)
	return p, err == nil, err
}

// EachPool calls fn for every open pool in order of origin. It reads all of them and is for checking the supply, not for
// execution.
func EachPool(s state.Reader, fn func(Pool) bool) error {
	prefix := account.Key(account.KindDeferred, account.Address{}, poolTag)
	var bad error
	err := s.Scan(prefix, nil, 0, func(key, value []byte) bool {
		var p Pool
		if p, bad = DecodePool(digest.Hash(key[len(prefix):]), value); bad != nil {
			return false
		}
		return fn(p)
	})
	if err == nil {
		err = bad
	}
	return err
}
