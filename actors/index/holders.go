package index

import (
	"bytes"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Who holds a token is read from the state: all balances once, when the file is new, and after that those that events tell of. So the holders are whole also
// behind a node that has not seen all blocks. A balance is that of the newest state when its event was read, which the event of a later change corrects.
var (
	holderBucket = []byte("holders") // token(32) ‖ owner(20) → amount(16); token(32) → how many(8)
	rankBucket   = []byte("ranks")   // token(32) ‖ complement of the amount(16) ‖ owner(20) → nothing
	seedKey      = []byte("seeded")  // owner(20) ‖ token(32) of the newest balance that was read; nothing: all were
)

const (
	// seedStep is how many balances are read at once of a state that was there before the file was.
	seedStep    = 1_024
	holderSize  = digest.Size + account.AddressSize
	rankKeySize = digest.Size + unit.Uint128Size + account.AddressSize
)

// Rank is a holder of a token.
type Rank struct {
	Owner  account.Address
	Amount unit.Uint128
}

func rankKey(id token.ID, r Rank) []byte {
	key := r.Amount.AppendBig(append(make([]byte, 0, rankKeySize), id[:]...))
	for i := len(id); i < len(key); i++ {
		key[i] = ^key[i]
	}
	return append(key, r.Owner[:]...)
}

// touched gives whose balances of what the events of blocks tell of, each once.
func touched(lists [][]*block.Receipt) (list []token.Held) {
	type pair struct {
		id  token.ID
		who account.Address
	}
	seen := map[pair]bool{}
	add := func(id token.ID, who account.Address) {
		if p := (pair{id, who}); !who.IsZero() && !seen[p] {
			seen[p] = true
			list = append(list, token.Held{Owner: who, Holding: token.Holding{Token: id}})
		}
	}
	for _, receipts := range lists {
		for _, x := range receipts {
			_ = changes(x, func(_ int, c *token.Change) error {
				add(c.Token, c.From)
				add(c.Token, c.To)
				return nil
			})
		}
	}
	return list
}

// hold reads the balances that blocks changed from the newest state.
func (s *Subsystem) hold(lists [][]*block.Receipt) error {
	list := touched(lists)
	if len(list) == 0 {
		return nil
	}
	tip := s.Source.Tip()
	for i := range list {
		var err error
		if list[i].Amount, err = token.Balance(tip.State, list[i].Token, list[i].Owner); err != nil {
			panic(err)
		}
	}
	return s.file.update(func(t *bbolt.Tx) error { return s.file.putHeld(t, list) })
}

// seed reads some of the balances that were there before the file was, and reports whether there are more.
func (s *Subsystem) seed() (more bool, err error) {
	tip := s.Source.Tip()
	if tip == nil {
		return false, nil
	}
	after, done, err := s.file.seeded()
	if err != nil || done {
		return false, err
	}
	page, more, err := token.Balances(tip.State, after, seedStep)
	if err != nil {
		panic(err)
	}
	return more, s.file.update(func(t *bbolt.Tx) error {
		if err := s.file.putHeld(t, page); err != nil {
			return err
		}
		var at []byte
		if more {
			last := page[len(page)-1]
			at = append(last.Owner[:], last.Token[:]...)
		}
		return t.Bucket(metaBucket).Put(seedKey, seal(seedKey, at...))
	})
}

// seeded gives the last balance that seed read; nil at the beginning.
func (f *file) seeded() (after *token.Held, done bool, err error) {
	err = f.view(func(t *bbolt.Tx) error {
		sealed := t.Bucket(metaBucket).Get(seedKey)
		if sealed == nil {
			return nil
		}
		size := holderSize
		if done = len(sealed) < size; done {
			size = 0
		}
		at, err := f.unseal(seedKey, sealed, size)
		if err == nil && !done {
			after = &token.Held{Owner: account.Address(at[:account.AddressSize])}
			after.Token = token.ID(at[account.AddressSize:])
		}
		return err
	})
	return after, done, err
}

// putHeld keeps balances and takes away those of zero.
func (f *file) putHeld(t *bbolt.Tx, list []token.Held) error {
	b, ranks := t.Bucket(holderBucket), t.Bucket(rankBucket)
	for i := range list {
		h := &list[i]
		key := append(h.Token[:len(h.Token):len(h.Token)], h.Owner[:]...)
		var old unit.Uint128
		if sealed := b.Get(key); sealed != nil {
			value, err := f.unseal(key, sealed, unit.Uint128Size)
			if err != nil {
				return err
			}
			old = unit.Uint128FromBig([unit.Uint128Size]byte(value))
		}
		if old == h.Amount {
			continue
		}
		n, _, err := f.number(b, h.Token[:])
		if err != nil {
			return err
		}
		if !old.IsZero() {
			n--
			if err := ranks.Delete(rankKey(h.Token, Rank{h.Owner, old})); err != nil {
				return err
			}
		}
		if h.Amount.IsZero() {
			err = b.Delete(key)
		} else {
			n++
			rank := rankKey(h.Token, Rank{h.Owner, h.Amount})
			if err = ranks.Put(rank, seal(rank)); err == nil {
				err = b.Put(key, seal(key, h.Amount.AppendBig(nil)...))
			}
		}
		if err != nil {
			return err
		}
		if err := putNumber(b, h.Token[:], n); err != nil {
			return err
		}
	}
	return nil
}

// holders gives those of a token after a place, who has most first, and how many there are.
func (f *file) holders(id token.ID, after *Rank, limit int) (list []Rank, total uint64, err error) {
	err = f.view(func(t *bbolt.Tx) (err error) {
		if total, _, err = f.number(t.Bucket(holderBucket), id[:]); err != nil {
			return err
		}
		from := id[:]
		if after != nil {
			from = append(rankKey(id, *after), 0)
		}
		c := t.Bucket(rankBucket).Cursor()
		key, sealed, err := f.seek(c, from)
		if err != nil {
			return err
		}
		for ; len(key) == rankKeySize && bytes.HasPrefix(key, id[:]) && len(list) < limit; key, sealed = c.Next() {
			if _, err := f.unseal(key, sealed, 0); err != nil {
				return err
			}
			var amount [unit.Uint128Size]byte
			for i := range amount {
				amount[i] = ^key[digest.Size+i]
			}
			list = append(list, Rank{account.Address(key[digest.Size+unit.Uint128Size:]), unit.Uint128FromBig(amount)})
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return list, total, nil
}

// Holders gives who has a token, after a place, nil for the first; who has most comes first. total is how many have some.
//
// Spec: tokens §2 (the holders of a token need an index).
func (h *Handle) Holders(id token.ID, after *Rank, limit int) (list []Rank, total uint64, err error) {
	f := h.file.Load()
	if f == nil {
		return nil, 0, nil
	}
	list, total, err = f.holders(id, after, limit)
	return list, total, h.noticed(f, err)
}
