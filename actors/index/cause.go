package index

import (
	"encoding/binary"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Place is a receipt of a finalized block.
type Place struct {
	Height unit.Height
	Index  uint32
}

// How a receipt belongs to an identity.
const (
	linkSelf   = 0 // the receipt is of what the identity names
	linkCaused = 1 // what the identity names led to it
)

const causeKeySize = len(digest.Hash{}) + 12

func causeKey(id digest.Hash, h unit.Height, index uint32) []byte {
	key := append(make([]byte, 0, causeKeySize), id[:]...)
	key = binary.BigEndian.AppendUint64(key, uint64(h))
	return binary.BigEndian.AppendUint32(key, index)
}

// putCauses links a receipt to its own identity and to its cause. What a timer
// fire causes names the fire, not the timer, which may fire many times.
func putCauses(t *bbolt.Tx, x *block.Receipt, h unit.Height, index uint32) error {
	causes := t.Bucket(causeBucket)
	put := func(id digest.Hash, link byte) error {
		key := causeKey(id, h, index)
		return causes.Put(key, seal(key, link))
	}
	if err := put(x.ID, linkSelf); err != nil {
		return err
	}
	if x.Kind == block.Timer {
		if err := put(timer.Origin(x.ID, h), linkSelf); err != nil {
			return err
		}
	}
	if x.Cause == (digest.Hash{}) || x.Cause == x.ID {
		return nil
	}
	return put(x.Cause, linkCaused)
}

// links gives the receipts linked to an identity in the given way, oldest first.
func (f *file) links(id digest.Hash, link byte, limit int) (places []Place, err error) {
	err = f.view(func(t *bbolt.Tx) error {
		c := t.Bucket(causeBucket).Cursor()
		key, sealed, err := f.seek(c, id[:])
		if err != nil {
			return err
		}
		for ; len(key) == causeKeySize && digest.Hash(key[:32]) == id && len(places) < limit; key, sealed = c.Next() {
			value, err := f.unseal(key, sealed, 1)
			if err != nil {
				return err
			}
			if value[0] == link {
				places = append(places, Place{unit.Height(binary.BigEndian.Uint64(key[32:])), binary.BigEndian.Uint32(key[40:])})
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return places, nil
}

// Executions gives the receipts of what an identity names - a transaction, a
// message, a deferred call, one fire (timer.Origin) or all fires of a timer -
// oldest first, at most limit.
func (h *Handle) Executions(id digest.Hash, limit int) ([]Place, error) {
	return h.links(id, linkSelf, limit)
}

// Caused gives the receipts of what a transaction or a timer fire led to,
// oldest first, at most limit.
func (h *Handle) Caused(id digest.Hash, limit int) ([]Place, error) {
	return h.links(id, linkCaused, limit)
}

func (h *Handle) links(id digest.Hash, link byte, limit int) ([]Place, error) {
	f := h.file.Load()
	if f == nil {
		return nil, nil
	}
	places, err := f.links(id, link, limit)
	return places, h.noticed(f, err)
}
