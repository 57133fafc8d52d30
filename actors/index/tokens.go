package index

import (
	"bytes"
	"encoding/binary"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var (
	// token(32) ‖ height(8) ‖ index(4) of the receipt ‖ event(4) → kind(1) ‖ from(20) ‖ to(20) ‖ amount(16) ‖ identity of the receipt(32);
	// token(32) → how many(8)
	moveBucket = []byte("moves")
)

const (
	moveKeySize  = digest.Size + 16
	moveSize     = 1 + 2*account.AddressSize + unit.Uint128Size + digest.Size
	moveSeqBytes = 16 // of a key, behind the token
)

// MovePlace is an event of a finalized block.
type MovePlace struct {
	Place
	Event uint32 // of the receipt
}

// Moved is a change of balances of a token.
type Moved struct {
	MovePlace
	token.Change
	Receipt digest.Hash // its identity
}

func moveKey(id token.ID, at MovePlace) []byte {
	key := binary.BigEndian.AppendUint64(append(make([]byte, 0, moveKeySize), id[:]...), uint64(at.Height))
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(key, at.Index), at.Event)
}

// changes calls fn with what a receipt's events tell of balances.
func changes(x *block.Receipt, fn func(event int, c *token.Change) error) error {
	for i := range x.Events {
		e := &x.Events[i]
		if e.Actor != token.Home() {
			continue
		}
		if c, ok := token.ReadChange(e.Topic, e.Data); ok {
			if err := fn(i, &c); err != nil {
				return err
			}
		}
	}
	return nil
}

// putMoves keeps what a receipt tells of balances.
func (f *file) putMoves(t *bbolt.Tx, x *block.Receipt, h unit.Height, index uint32) error {
	b := t.Bucket(moveBucket)
	return changes(x, func(event int, c *token.Change) error {
		key := moveKey(c.Token, MovePlace{Place{h, index}, uint32(event)})
		value := append(append([]byte{byte(c.Kind)}, c.From[:]...), c.To[:]...)
		value = append(c.Amount.AppendBig(value), x.ID[:]...)
		if err := b.Put(key, seal(key, value...)); err != nil {
			return err
		}
		n, _, err := f.number(b, c.Token[:])
		if err != nil {
			return err
		}
		return putNumber(b, c.Token[:], n+1)
	})
}

// moves gives those of a token before a place, the newest first, and how many there are.
func (f *file) moves(id token.ID, before MovePlace, limit int) (list []Moved, total uint64, err error) {
	err = f.view(func(t *bbolt.Tx) (err error) {
		b := t.Bucket(moveBucket)
		if total, _, err = f.number(b, id[:]); err != nil {
			return err
		}
		c := b.Cursor()
		found, _, err := f.seek(c, moveKey(id, before))
		if err != nil {
			return err
		}
		key, sealed := c.Prev()
		if found == nil {
			key, sealed = c.Last()
		}
		for ; len(key) == moveKeySize && bytes.HasPrefix(key, id[:]) && len(list) < limit; key, sealed = c.Prev() {
			value, err := f.unseal(key, sealed, moveSize)
			if err != nil {
				return err
			}
			list = append(list, readMove(key, value))
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return list, total, nil
}

func readMove(key, value []byte) (m Moved) {
	at := key[len(key)-moveSeqBytes:]
	m.Height, m.Index, m.Event = unit.Height(binary.BigEndian.Uint64(at)), binary.BigEndian.Uint32(at[8:]), binary.BigEndian.Uint32(at[12:])
	m.Token, m.Kind = token.ID(key[:digest.Size]), token.ChangeKind(value[0])
	rest := value[1+copy(m.From[:], value[1:]):]
	rest = rest[copy(m.To[:], rest):]
	m.Amount = unit.Uint128FromBig([unit.Uint128Size]byte(rest[:unit.Uint128Size]))
	copy(m.Receipt[:], rest[unit.Uint128Size:])
	return m
}

// Moves gives the changes of a token's balances before a place, the newest first, and how many there are of those the index saw. The zero MovePlace is
// behind all of them.
//
// Spec: tokens §7.
func (h *Handle) Moves(id token.ID, before MovePlace, limit int) ([]Moved, uint64, error) {
	f := h.file.Load()
	if f == nil {
		return nil, 0, nil
	}
	if before == (MovePlace{}) {
		before = MovePlace{Place{^unit.Height(0), ^uint32(0)}, ^uint32(0)}
	}
	list, total, err := f.moves(id, before, limit)
	return list, total, h.noticed(f, err)
}
