package rent

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Eviction is the removal of a dormant actor's storage, under way.
type Eviction struct {
	Commitment
	Bond  unit.Amount // forfeited
	Again bool        // a restoration was not finished in time: the commitment stands
}

func (v Eviction) save(s state.Store, addr account.Address) {
	dst := codec.AppendBool(codec.AppendUint(nil, uint64(v.Bond)), v.Again)
	dst = codec.AppendLen(codec.AppendUint(dst, v.leaves), len(v.peaks))
	for i := range v.peaks {
		dst = codec.AppendFixed(dst, v.peaks[i][:])
	}
	s.Set(under(nameEvict, addr), dst)
}

func decodeEviction(data []byte) (v Eviction, err error) {
	r := codec.NewReader(data)
	v.Bond, v.Again, v.leaves = unit.Amount(r.Uint()), r.Bool(), r.Uint()
	for range r.Len(0, 64, digest.Size) {
		var d digest.Hash
		r.Into(d[:])
		v.peaks = append(v.peaks, d)
	}
	return v, r.Finish()
}

// Evicting lists up to limit actors whose storage is being removed, in the order of addresses.
func Evicting(r state.Reader, limit int) (list []account.Address, err error) {
	prefix := account.KeyString(account.KindRecord, home(), nameEvict)
	err = r.Scan(prefix, nil, limit, func(key, _ []byte) bool {
		list = append(list, account.Address(key[len(prefix):]))
		return true
	})
	return list, err
}

// Budget bounds the storage a block removes.
type Budget struct {
	Entries int
	Bytes   int // of keys and values
}

// Evict removes entries of a dormant actor's storage, as many as the budget has left, and takes them off it. With the last one the removal is over.
//
// Spec: rent §8 (prune when evicting, in bounded pieces).
func Evict(s state.Store, addr account.Address, b *Budget) (n Notes, err error) {
	data, ok, err := s.Lookup(under(nameEvict, addr))
	if err != nil || !ok {
		return n, err
	}
	v, err := decodeEviction(data)
	if err != nil {
		return n, err
	}
	prefix := account.Key(account.KindStorage, addr)
	var gone [][]byte
	h, done := hasher(), true
	err = s.Scan(prefix, nil, 0, func(key, value []byte) bool {
		if b.Entries <= 0 || b.Bytes <= 0 {
			done = false
			return false
		}
		b.Entries--
		b.Bytes -= len(key) + len(value)
		if !v.Again {
			v.Add(h, &Entry{key[len(prefix):], value})
		}
		gone = append(gone, bytes.Clone(key))
		return true
	})
	if err != nil {
		return n, err
	}
	for _, key := range gone {
		s.Delete(key)
	}
	if !done {
		v.save(s, addr)
		return n, nil
	}
	s.Delete(under(nameEvict, addr))
	c, err := Load(s, addr)
	if err != nil {
		return n, err
	}
	a, err := account.Load(s, addr)
	if err != nil {
		return n, err
	}
	a.StorageBytes = 0
	account.Save(s, addr, &a)
	c.Dormant.Pruned = true
	if !v.Again {
		c.Dormant.Root, c.Dormant.Entries = v.Root(h), v.Entries()
		n.evicted(addr, c.Dormant.Root, c.Dormant.Bytes, v.Bond)
	}
	c.save(s, addr)
	return n, nil
}
