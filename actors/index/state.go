package index

import (
	"encoding/binary"
	"fmt"
	"sort"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Role says how a receipt concerns an address.
type Role uint8

// The roles, as bits.
const (
	Sender Role = 1 << iota
	Target
	Emitter // the address emitted an event in it
	Signer  // the receipt is of a transaction the address signed
)

// Each address has one list of receipts for each role. An entry's key ends in its number in the list, so that a page begins where it begins, however deep.
const (
	listKeySize  = account.AddressSize + 1
	entryKeySize = listKeySize + 8
	entrySize    = 12
)

func listKey(addr account.Address, role Role) []byte {
	return append(append(make([]byte, 0, entryKeySize), addr[:]...), byte(role))
}

func entryKey(whose []byte, number uint64) []byte {
	return binary.BigEndian.AppendUint64(whose[:listKeySize:listKeySize], number)
}

// tally is what is known of a list: its entries are numbered from gone up to, but not including, next.
type tally struct{ gone, next uint64 }

const tallySize = 16

func (n tally) kept() uint64 { return n.next - n.gone }

// tallyOf reads that of a list; zero if there is none.
func (f *file) tallyOf(counts *bbolt.Bucket, whose []byte) (n tally, err error) {
	sealed := counts.Get(whose)
	if sealed == nil {
		return n, nil
	}
	value, err := f.unseal(whose, sealed, tallySize)
	if err != nil {
		return n, err
	}
	n = tally{binary.BigEndian.Uint64(value), binary.BigEndian.Uint64(value[8:])}
	if n.gone > n.next {
		return tally{}, f.damaged(fmt.Sprintf("the list of %x ends before it begins", whose))
	}
	return n, nil
}

func putTally(counts *bbolt.Bucket, whose []byte, n tally) error {
	return counts.Put(whose, seal(whose, binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, n.gone), n.next)...))
}

// putEntries adds a receipt to the lists of whom it concerns.
func (f *file) putEntries(t *bbolt.Tx, x *block.Receipt, p Place) error {
	entries, counts := t.Bucket(entryBucket), t.Bucket(countBucket)
	addrs, how := roles(x)
	for i, addr := range addrs {
		for role := Sender; role <= Signer; role <<= 1 {
			if how[i]&role == 0 {
				continue
			}
			whose := listKey(addr, role)
			n, err := f.tallyOf(counts, whose)
			if err != nil {
				return err
			}
			key := entryKey(whose, n.next)
			value := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(nil, uint64(p.Height)), p.Index)
			if err := entries.Put(key, seal(key, value...)); err != nil {
				return err
			}
			n.next++
			if err := putTally(counts, whose, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// entry reads one, which is there unless the file is damaged.
func (f *file) entry(entries *bbolt.Bucket, whose []byte, number uint64) (Place, error) {
	key := entryKey(whose, number)
	sealed := entries.Get(key)
	if sealed == nil {
		return Place{}, f.damaged(fmt.Sprintf("entry %d of %x is missing", number, whose))
	}
	value, err := f.unseal(key, sealed, entrySize)
	if err != nil {
		return Place{}, err
	}
	return Place{unit.Height(binary.BigEndian.Uint64(value)), binary.BigEndian.Uint32(value[8:])}, nil
}

// newest gives the receipts that concern an address in a role, newest first, and how many there are. It reads those it gives and no others.
func (f *file) newest(addr account.Address, role Role, offset, limit uint64) (list []Place, total uint64, err error) {
	err = f.view(func(t *bbolt.Tx) error {
		whose, entries := listKey(addr, role), t.Bucket(entryBucket)
		n, err := f.tallyOf(t.Bucket(countBucket), whose)
		if err != nil {
			return err
		}
		total = n.kept()
		if offset >= total {
			return nil
		}
		for i := range min(limit, total-offset) {
			p, err := f.entry(entries, whose, n.next-1-offset-i)
			if err != nil {
				return err
			}
			list = append(list, p)
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return list, total, nil
}

// from gives the receipts that concern an address in a role from a place on, oldest first. Where they begin is found by halving the list.
func (f *file) from(addr account.Address, role Role, place Place, limit uint64) (list []Place, err error) {
	err = f.view(func(t *bbolt.Tx) error {
		whose, entries := listKey(addr, role), t.Bucket(entryBucket)
		n, err := f.tallyOf(t.Bucket(countBucket), whose)
		if err != nil {
			return err
		}
		var failed error
		skipped := sort.Search(int(n.kept()), func(i int) bool {
			p, err := f.entry(entries, whose, n.gone+uint64(i))
			if err != nil {
				failed = err
			}
			return p.Height > place.Height || p.Height == place.Height && p.Index >= place.Index
		})
		if failed != nil {
			return failed
		}
		for number := n.gone + uint64(skipped); number < n.next && uint64(len(list)) < limit; number++ {
			p, err := f.entry(entries, whose, number)
			if err != nil {
				return err
			}
			list = append(list, p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// roles gives the addresses a receipt concerns, in a fixed order.
func roles(x *block.Receipt) ([]account.Address, []Role) {
	var addrs []account.Address
	var how []Role
	add := func(a account.Address, r Role) {
		for i := range addrs {
			if addrs[i] == a {
				how[i] |= r
				return
			}
		}
		addrs, how = append(addrs, a), append(how, r)
	}
	if x.Kind == block.Transaction {
		add(x.Sender, Sender|Signer)
	} else {
		add(x.Sender, Sender)
	}
	if x.Target != (account.Address{}) {
		add(x.Target, Target)
	}
	if x.Created != nil {
		add(*x.Created, Target)
	}
	for i := range x.Events {
		add(x.Events[i].Actor, Emitter)
	}
	return addrs, how
}
