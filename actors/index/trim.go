package index

import (
	"encoding/binary"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// trimStep is how many entries are looked at for each final block while there is something to forget.
	trimStep = 2_048
	// trimEvery is how many blocks the node has to drop before the index is gone through again.
	trimEvery = 1_024
)

// trimmer goes through the index behind a node that keeps a window of blocks, a step at a time, and forgets what lies in blocks the node dropped.
// A restart begins anew.
type trimmer struct {
	done  unit.Height // everything below is forgotten
	goal  unit.Height // of the pass under way; 0: none
	phase int         // of buckets
	next  []byte      // key to go on at
}

// trimmed are the buckets with heights in their keys, where, and the bucket that counts what is before the height; nil: nothing does.
var trimmed = [...]struct {
	bucket  []byte
	height  int
	counted []byte
}{{entryBucket, account.AddressSize, countBucket}, {causeBucket, digest.Size, nil}, {moveBucket, digest.Size, moveBucket}}

// step goes on, for a node whose lowest block is first.
func (t *trimmer) step(f *file, first unit.Height) error {
	if t.goal == 0 {
		if first < t.done+trimEvery {
			return nil
		}
		*t = trimmer{done: t.done, goal: first}
	}
	return f.update(func(tx *bbolt.Tx) error {
		for left := trimStep; left > 0 && t.phase < len(trimmed); {
			n, err := t.pass(f, tx, left)
			if err != nil {
				return err
			}
			left -= n
			if t.next == nil {
				t.phase++
			}
		}
		if t.phase == len(trimmed) {
			*t = trimmer{done: t.goal}
		}
		return nil
	})
}

// pass looks at entries of one bucket from where it was on, and leaves next nil at its end.
func (t *trimmer) pass(f *file, tx *bbolt.Tx, most int) (n int, err error) {
	at := trimmed[t.phase]
	c := tx.Bucket(at.bucket).Cursor()
	var gone [][]byte
	key, _ := c.Seek(t.next)
	for ; key != nil && n < most; key, _ = c.Next() {
		n++
		if len(key) >= at.height+8 && unit.Height(binary.BigEndian.Uint64(key[at.height:])) < t.goal {
			gone = append(gone, append([]byte(nil), key...))
		}
	}
	t.next = append([]byte(nil), key...)
	if key == nil {
		t.next = nil
	}
	for _, key := range gone {
		if err := tx.Bucket(at.bucket).Delete(key); err != nil {
			return n, err
		}
		if at.counted != nil {
			if err := f.uncount(tx.Bucket(at.counted), key[:at.height]); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// uncount takes one entry off what is counted of an address or a token.
func (f *file) uncount(counts *bbolt.Bucket, whose []byte) error {
	n, ok, err := f.number(counts, whose)
	switch {
	case err != nil || !ok:
		return err
	case n > 1:
		return putNumber(counts, whose, n-1)
	}
	return counts.Delete(whose)
}
