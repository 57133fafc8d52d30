package index

import (
	"encoding/binary"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/chain/block"
)

var seriesBucket = []byte("series") // resolution(1) ‖ place in its ring(2) → slot(8) and the numbers of a Sum, 8 bytes each

// Resolution is how finely a series tells the past.
type Resolution uint8

// The resolutions: each is a ring of so many slots, and what is older is told by the next one.
const (
	Minutes  Resolution = iota // 3 hours
	Quarters                   // quarters of an hour: 2 days
	Hours                      // of three hours each: 30 days
)

var rings = [...]struct {
	each  time.Duration
	slots uint64
}{Minutes: {time.Minute, 180}, Quarters: {15 * time.Minute, 192}, Hours: {3 * time.Hour, 240}}

// Each is how long a slot is.
func (r Resolution) Each() time.Duration { return rings[r].each }

// Slots is how many slots are kept.
func (r Resolution) Slots() int { return int(rings[r].slots) }

// Sum is what the blocks of one slot hold together, by their timestamps.
type Sum struct {
	Slot                                         uint64 // since 1970-01-01 UTC, in slots
	Blocks, Transactions, Messages, Timers       uint64
	Faults, Cycles, Cells, CycleBasefee, CellFee uint64 // the basefees, base units, are those of the newest block
}

const sumSize = 10 * 8

func (s *Sum) numbers() []*uint64 {
	return []*uint64{
		&s.Slot, &s.Blocks, &s.Transactions, &s.Messages, &s.Timers, &s.Faults, &s.Cycles, &s.Cells, &s.CycleBasefee, &s.CellFee,
	}
}

func (s *Sum) encode() []byte {
	raw := make([]byte, 0, sumSize)
	for _, n := range s.numbers() {
		raw = binary.BigEndian.AppendUint64(raw, *n)
	}
	return raw
}

func decodeSum(raw []byte) (s Sum) {
	for i, n := range s.numbers() {
		*n = binary.BigEndian.Uint64(raw[8*i:])
	}
	return s
}

// count adds a block.
func (s *Sum) count(h *block.Header, receipts []*block.Receipt) {
	s.Blocks++
	s.Cycles += uint64(h.CyclesUsed)
	s.Cells += uint64(h.CellsUsed)
	s.CycleBasefee, s.CellFee = h.CycleBasefee, h.CellBasefee
	for _, x := range receipts {
		switch x.Kind {
		case block.Transaction:
			s.Transactions++
		case block.Timer:
			s.Timers++
		case block.Message:
			s.Messages++
		}
		if x.Status != block.Success {
			s.Faults++
		}
	}
}

func seriesKey(r Resolution, slot uint64) []byte {
	return binary.BigEndian.AppendUint16([]byte{byte(r)}, uint16(slot%rings[r].slots))
}

// putSeries counts a block in each resolution. A block without a time, as the first, is not.
func (f *file) putSeries(t *bbolt.Tx, h *block.Header, receipts []*block.Receipt) error {
	if h == nil || h.TimestampMs == 0 {
		return nil
	}
	b := t.Bucket(seriesBucket)
	for r := range rings {
		slot := h.TimestampMs / uint64(rings[r].each.Milliseconds())
		key := seriesKey(Resolution(r), slot)
		sum := Sum{Slot: slot}
		if sealed := b.Get(key); sealed != nil {
			raw, err := f.unseal(key, sealed, sumSize)
			if err != nil {
				return err
			}
			if kept := decodeSum(raw); kept.Slot == slot {
				sum = kept
			}
		}
		sum.count(h, receipts)
		if err := b.Put(key, seal(key, sum.encode()...)); err != nil {
			return err
		}
	}
	return nil
}

// series gives the slots up to the newest one that is kept, oldest first; those without blocks are absent.
func (f *file) series(r Resolution) (list []Sum, err error) {
	err = f.view(func(t *bbolt.Tx) error {
		b := t.Bucket(seriesBucket)
		newest := uint64(0)
		for i := range rings[r].slots {
			key := seriesKey(r, i)
			sealed := b.Get(key)
			if sealed == nil {
				continue
			}
			raw, err := f.unseal(key, sealed, sumSize)
			if err != nil {
				return err
			}
			s := decodeSum(raw)
			newest = max(newest, s.Slot)
			list = append(list, s)
		}
		list = inOrder(list, newest, rings[r].slots)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// inOrder turns a ring around so that the oldest comes first, without what is older than the ring is long.
func inOrder(ring []Sum, newest, slots uint64) []Sum {
	list := make([]Sum, 0, len(ring))
	start := 0
	for i := range ring {
		if ring[i].Slot == newest {
			start = i + 1
		}
	}
	for i := range ring {
		if s := ring[(start+i)%len(ring)]; s.Slot+slots > newest {
			list = append(list, s)
		}
	}
	return list
}

// Series gives what the blocks of each slot hold together, oldest first; slots without blocks are absent.
func (h *Handle) Series(r Resolution) ([]Sum, error) {
	f := h.file.Load()
	if f == nil {
		return nil, nil
	}
	list, err := f.series(r)
	return list, h.noticed(f, err)
}
