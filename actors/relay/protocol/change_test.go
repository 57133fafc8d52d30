package protocol

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

func numbered(number uint64, size uint32) Numbered {
	return Numbered{number, Stripe{size, []digest.Hash{{byte(number)}, {1}, {2}}}}
}

func sampleChange() *Change {
	return &Change{K: 2, M: 1, Count: 7, List: []Numbered{numbered(1, 9), numbered(5, 1), numbered(6, cbfs.ChunkBytes)}}
}

// A change that is not of the documented form is none: numbers ascend and lie in the table, sizes are of chunks, counts are bounded before memory is taken.
//
// Spec: storage-cbfs §3.3 (PutPlacement).
func TestFormsOfChanges(t *testing.T) {
	good := sampleChange().Encode()
	with := func(at int, b ...byte) []byte {
		raw := bytes.Clone(good)
		copy(raw[at:], b)
		return raw
	}
	const each = 4 + 4 + 3*32 // number, size, three roots
	if len(good) != 10+3*each {
		t.Fatal(len(good))
	}
	for name, c := range map[string]struct {
		raw []byte
		ok  bool
	}{
		"as it was written":     {good, true},
		"nothing":               {nil, false},
		"k of none":             {with(0, 0), false},
		"k of another":          {with(0, 3), false},
		"too many slots":        {with(0, 24, 1), false},
		"as many as may be":     {with(2, be4(MaxStripes)...), true},
		"one more":              {with(2, be4(MaxStripes+1)...), false},
		"beyond the table":      {with(2, be4(6)...), false},
		"more than are there":   {with(6, be4(4)...), false},
		"very many more":        {with(6, be4(1<<31)...), false},
		"a number twice":        {with(10+each, be4(1)...), false},
		"numbers that fall":     {with(10+each, be4(0)...), false},
		"the next number":       {with(10+each, be4(2)...), true},
		"no bytes":              {with(14, be4(0)...), false},
		"as large as it may be": {with(14, be4(1<<20)...), true},
		"one byte more":         {with(14, be4(1<<20+1)...), false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := DecodeChange(c.raw); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrTable) {
				t.Error(err)
			}
		})
	}
}

func be4(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

// A change follows on a table that is no longer than what it makes, if it has every stripe that comes behind.
//
// Spec: storage-cbfs §3.3 (PutPlacement).
func TestChangesThatFollow(t *testing.T) {
	for stripes, want := range []bool{false, false, false, false, false, true, true, true, false, false} { // it has 1, 5 and 6 of 7
		t.Run(string(rune('0'+stripes)), func(t *testing.T) {
			if got := sampleChange().Follows(uint64(stripes)); got != want {
				t.Errorf("on %d stripes: %v", stripes, got)
			}
		})
	}
	if none := (&Change{K: 2, M: 1}); !none.Follows(0) || none.Follows(1) {
		t.Error("nothing follows on what is not empty")
	}
}

// What changes between two tables makes the one of the other; of one that is shorter nothing does.
func TestChangeBetweenTables(t *testing.T) {
	base, next := sampleTable(), sampleTable()
	next.Stripes[1] = Stripe{7, []digest.Hash{{3}, {4}, {5}}}
	next.Stripes = append(next.Stripes, Stripe{8, []digest.Hash{{6}, {7}, {8}}})
	c, ok := next.Change(base)
	want := &Change{K: 2, M: 1, Count: 4, List: []Numbered{{1, next.Stripes[1]}, {3, next.Stripes[3]}}}
	if !ok || !reflect.DeepEqual(c, want) || !c.Follows(3) {
		t.Errorf("%+v, want %+v", c, want)
	}
	if whole, ok := next.Change(&Table{}); !ok || len(whole.List) != 4 || !whole.Follows(0) {
		t.Errorf("%+v", whole)
	}
	if _, ok := base.Change(next); ok {
		t.Error("a stripe goes")
	}
	next.K, next.M = 1, 2
	if _, ok := next.Change(base); ok {
		t.Error("the code is another one")
	}
}

// Numbers of a question ascend, and are as many as an answer may have chunks.
//
// Spec: storage-cbfs §3.3.
func TestNumbers(t *testing.T) {
	most := make([]uint64, MaxPathChunks)
	for i := range most {
		most[i] = uint64(i)
	}
	for name, c := range map[string]struct {
		list []uint64
		ok   bool
	}{
		"one": {[]uint64{1 << 31}, true}, "some": {[]uint64{0, 1, 9}, true}, "none": {nil, false}, "one twice": {[]uint64{3, 3}, false},
		"falling": {[]uint64{3, 2}, false}, "most": {most, true}, "more": {append(most, MaxPathChunks), false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := DecodeNumbers(EncodeNumbers(c.list))
			if (err == nil) != c.ok || c.ok && !reflect.DeepEqual(got, c.list) {
				t.Error(got, err)
			}
		})
	}
	if _, err := DecodeNumbers([]byte{0, 0, 0, 1, 0}); !errors.Is(err, ErrTable) {
		t.Error(err)
	}
	for slots, want := range map[int]int{6: 64, 24: 16, 3: 128} {
		t.Run(fmt.Sprint(slots, " slots"), func(t *testing.T) {
			if got := PathNumbers(slots); got != want {
				t.Errorf("%d, want %d", got, want)
			}
		})
	}
}

// Pages have 256 stripes, but the last; an outline fits them and the largest table's fits a frame.
//
// Spec: storage-cbfs §3.3 (GetPlacement).
func TestPagesOfATable(t *testing.T) {
	table := &Table{K: 2, M: 1}
	for n := range 600 {
		table.Stripes = append(table.Stripes, Stripe{uint32(n) + 1, []digest.Hash{{byte(n), byte(n >> 8)}, {1}, {2}}})
	}
	o := &Outline{K: 2, M: 1, Count: 600, Base: digest.Hash{9}, Pages: []digest.Hash{{1}, {2}, {3}}}
	back, err := DecodeOutline(o.Encode())
	if err != nil || !reflect.DeepEqual(back, o) || Pages(o.Count) != 3 {
		t.Fatalf("%+v %v", back, err)
	}
	var all []Stripe
	for at, want := range []int{256, 256, 88} {
		t.Run(fmt.Sprint("page ", at), func(t *testing.T) {
			page, err := DecodePage(table.Page(at))
			if err != nil || len(page.Stripes) != want || !o.Fits(page, at) || o.Fits(page, 2-at) != (at == 1) {
				t.Fatalf("%v, %d stripes", err, len(page.Stripes))
			}
			all = append(all, page.Stripes...)
		})
	}
	if !reflect.DeepEqual(all, table.Stripes) {
		t.Error("the pages are not the table")
	}
	if _, err := DecodePage(EncodePage(2, 1, table.Stripes[:257])); !errors.Is(err, ErrTable) {
		t.Error(err)
	}
	if _, err := DecodePage(EncodePage(2, 1, nil)); !errors.Is(err, ErrTable) {
		t.Error(err)
	}
	for name, bad := range map[string]*Outline{
		"one page less":  {K: 2, M: 1, Count: 600, Pages: o.Pages[:2]},
		"one more":       {K: 2, M: 1, Count: 512, Pages: o.Pages},
		"no k":           {Count: 600, Pages: o.Pages},
		"too many slots": {K: 20, M: 5, Count: 600, Pages: o.Pages},
		"too many":       {K: 2, M: 1, Count: MaxStripes + 1, Pages: make([]digest.Hash, Pages(MaxStripes+1))},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := DecodeOutline(bad.Encode()); !errors.Is(err, ErrTable) {
				t.Error(err)
			}
		})
	}
	largest := &Outline{K: 2, M: 1, Count: MaxStripes, Pages: make([]digest.Hash, Pages(MaxStripes))}
	if raw := largest.Encode(); len(raw) > maxData {
		t.Errorf("%d bytes", len(raw))
	} else if _, err := DecodeOutline(raw); err != nil {
		t.Error(err)
	}
}
