package index

import (
	"encoding/binary"

	"go.etcd.io/bbolt"

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

// trimmed are the buckets that tell heights: where in the key, or -1 where the value begins with it; the bucket that counts the entries whose keys begin alike,
// nil for those that nothing counts, and how long that beginning is.
var trimmed = [...]struct {
	bucket  []byte
	height  int
	counted []byte
	whose   int
	uncount func(f *file, counts *bbolt.Bucket, whose []byte) error
}{
	{entryBucket, -1, countBucket, listKeySize, (*file).forget},
	{causeBucket, digest.Size, nil, 0, nil},
	{moveBucket, digest.Size, moveBucket, digest.Size, (*file).uncount},
}

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
	key, value := c.Seek(t.next)
	for ; key != nil && n < most; key, value = c.Next() {
		n++
		told := value
		if at.height >= 0 {
			told = key[min(at.height, len(key)):]
		}
		if len(told) >= 8 && unit.Height(binary.BigEndian.Uint64(told)) < t.goal && len(key) > at.whose {
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
			if err := at.uncount(f, tx.Bucket(at.counted), key[:at.whose]); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// forget takes the first entry off a list.
func (f *file) forget(counts *bbolt.Bucket, whose []byte) error {
	n, err := f.tallyOf(counts, whose)
	if err != nil || n.kept() == 0 {
		return err
	}
	n.gone++
	if n.kept() == 0 {
		return counts.Delete(whose)
	}
	return putTally(counts, whose, n)
}

// uncount takes one entry off what is counted of a token.
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
