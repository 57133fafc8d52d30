package index

import (
	"bytes"
	"encoding/binary"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var flowBucket = []byte("flows") // resolution(1) ‖ place in its ring(2) → slot(8) ‖ a flow.Sheet; "all" → first height(8) ‖ the sheet of all blocks

// allKey names the entry of all blocks that were indexed.
var allKey = []byte("all")

// Flow is what became of coins in the blocks of one slot.
type Flow struct {
	Slot uint64 // since 1970-01-01 UTC, in slots
	flow.Sheet
}

// getFlow reads an entry; ok is false where there is none.
func (f *file) getFlow(b *bbolt.Bucket, key []byte) (one Flow, ok bool, err error) {
	sealed := b.Get(key)
	if sealed == nil {
		return one, false, nil
	}
	raw, err := f.unseal(key, sealed, max(len(sealed)-4, 0))
	if err != nil {
		return one, false, err
	}
	r := codec.NewReader(raw)
	one.Slot = r.U64()
	if one.Sheet, err = flow.Read(r); err == nil {
		err = r.Finish()
	}
	if err != nil {
		return one, false, f.damaged(err.Error())
	}
	return one, true, nil
}

func putFlow(b *bbolt.Bucket, key []byte, one *Flow) error {
	return b.Put(bytes.Clone(key), seal(key, one.Append(binary.BigEndian.AppendUint64(nil, one.Slot))...))
}

// putFlows adds the sheet of a block in each resolution, and to that of all blocks.
func (f *file) putFlows(t *bbolt.Tx, h *block.Header, sheet *flow.Sheet) error {
	if sheet == nil {
		return nil
	}
	b := t.Bucket(flowBucket)
	add := func(key []byte, slot uint64, same bool) error {
		sum, ok, err := f.getFlow(b, key)
		if err != nil {
			return err
		}
		if !ok || same && sum.Slot != slot {
			sum = Flow{Slot: slot}
		}
		sum.Merge(sheet)
		return putFlow(b, key, &sum)
	}
	if err := add(allKey, uint64(h.Height), false); err != nil || h.TimestampMs == 0 {
		return err
	}
	for r := range rings {
		slot := h.TimestampMs / uint64(rings[r].each.Milliseconds())
		if err := add(seriesKey(Resolution(r), slot), slot, true); err != nil {
			return err
		}
	}
	return nil
}

// flows gives the slots up to the newest one that is kept, oldest first; those without blocks are absent.
func (f *file) flows(r Resolution) (list []Flow, err error) {
	err = f.view(func(t *bbolt.Tx) error {
		b := t.Bucket(flowBucket)
		newest := uint64(0)
		var ring []Flow
		for i := range rings[r].slots {
			one, ok, err := f.getFlow(b, seriesKey(r, i))
			if err != nil {
				return err
			}
			if ok {
				newest = max(newest, one.Slot)
				ring = append(ring, one)
			}
		}
		start := 0
		for i := range ring {
			if ring[i].Slot == newest {
				start = i + 1
			}
		}
		for i := range ring {
			if one := ring[(start+i)%len(ring)]; one.Slot+rings[r].slots > newest {
				list = append(list, one)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Flows gives what became of coins in each slot, oldest first; slots without blocks are absent.
func (h *Handle) Flows(r Resolution) ([]Flow, error) {
	f := h.file.Load()
	if f == nil {
		return nil, nil
	}
	list, err := f.flows(r)
	return list, h.noticed(f, err)
}

// AllFlows gives what became of coins in all blocks from a height on that are indexed; ok is false before the first.
func (h *Handle) AllFlows() (sheet flow.Sheet, first unit.Height, ok bool, err error) {
	f := h.file.Load()
	if f == nil {
		return sheet, 0, false, nil
	}
	var one Flow
	err = f.view(func(t *bbolt.Tx) (err error) {
		one, ok, err = f.getFlow(t.Bucket(flowBucket), allKey)
		return err
	})
	return one.Sheet, unit.Height(one.Slot), ok, h.noticed(f, err)
}
