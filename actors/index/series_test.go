package index

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func opened(t *testing.T) *Handle {
	t.Helper()
	f, err := openFile(filepath.Join(t.TempDir(), "index.db"), digest.Hash{1}, nobody)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.close() })
	h := NewHandle()
	h.file.Store(f)
	return h
}

// TestSeries adds up by hand: two blocks in minute 100, one in minute 102, and one 180 minutes later in the place of the ring that minute 102 had.
func TestSeries(t *testing.T) {
	h := opened(t)
	at := func(ms uint64, cycles unit.Cycles, basefee uint64) *block.Header {
		return &block.Header{TimestampMs: ms, CyclesUsed: cycles, CellsUsed: 7, CycleBasefee: basefee, CellBasefee: 9}
	}
	receipts := []*block.Receipt{{Kind: block.Transaction}, {Kind: block.Message}, {Kind: block.Message, Status: block.Faulted}, {Kind: block.Timer}}
	const minute = 60_000
	headers := []*block.Header{at(0, 1, 1), nil, at(100*minute, 10, 3), at(100*minute+59_999, 20, 4), at(102*minute, 40, 5)}
	if err := h.file.Load().add(1, [][]*block.Receipt{receipts, receipts, receipts, nil, nil}, headers); err != nil {
		t.Fatal(err)
	}
	got, err := h.Series(Minutes)
	want := []Sum{
		{Slot: 100, Blocks: 2, Transactions: 1, Messages: 2, Timers: 1, Faults: 1, Cycles: 30, Cells: 14, CycleBasefee: 4, CellFee: 9},
		{Slot: 102, Blocks: 1, Cycles: 40, Cells: 7, CycleBasefee: 5, CellFee: 9},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if err := h.file.Load().add(6, [][]*block.Receipt{nil}, []*block.Header{at(282*minute, 1, 1)}); err != nil {
		t.Fatal(err)
	}
	if got, err = h.Series(Minutes); err != nil || len(got) != 1 || got[0].Slot != 282 { // 282 - 180 = 102: minute 100 is too old by then as well
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = h.Series(Hours); err != nil || len(got) != 2 || got[0].Slot != 0 || got[0].Blocks != 3 || got[1].Slot != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestActorsAndTopics pages through what deployments created and finds topics by how they begin.
func TestActorsAndTopics(t *testing.T) {
	h := opened(t)
	created := func(a account.Address, s block.Status) *block.Receipt {
		return &block.Receipt{Kind: block.Transaction, Created: &a, Status: s}
	}
	said := func(a account.Address, topics ...string) *block.Receipt {
		x := &block.Receipt{Kind: block.Message}
		for _, one := range topics {
			x.Events = append(x.Events, block.Event{Actor: a, Topic: []byte(one)})
		}
		return x
	}
	blocks := [][]*block.Receipt{
		{created(alice, block.Success), created(bob, block.Faulted)},
		{said(alice, "tick", "tock", "tick", strings.Repeat("x", MaxTopic+1), "", "a\x00b"), created(actorC, block.Success)},
		{said(bob, "tick"), created(bob, block.Success)},
		{said(alice, "tick")},
	}
	if err := h.file.Load().add(7, blocks, make([]*block.Header, 4)); err != nil {
		t.Fatal(err)
	}
	first, total, err := h.Actors(Place{}, 2)
	if want := []Created{{Place{9, 1}, bob}, {Place{8, 1}, actorC}}; err != nil || total != 3 || !reflect.DeepEqual(first, want) {
		t.Errorf("%v of %d, %v, want %v", first, total, err, want)
	}
	rest, _, err := h.Actors(first[1].Place, 2)
	if want := []Created{{Place{7, 0}, alice}}; err != nil || !reflect.DeepEqual(rest, want) {
		t.Errorf("then %v, %v", rest, err)
	}
	got, err := h.Topics("t", 10)
	if want := []Topic{{"tick", alice, 10}, {"tick", bob, 9}, {"tock", alice, 8}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if got, err = h.Topics("x", 10); err != nil || got != nil {
		t.Errorf("a long topic: %v, %v", got, err)
	}
}

// TestTopicsAreBounded keeps so many topics of an actor and no more, and renews those it knows.
func TestTopicsAreBounded(t *testing.T) {
	h := opened(t)
	x := &block.Receipt{Kind: block.Message}
	for i := range 3 * maxTopics {
		x.Events = append(x.Events, block.Event{Actor: alice, Topic: []byte{'t', byte(i + 1)}})
	}
	for height := unit.Height(1); height < 3; height++ {
		if err := h.file.Load().add(height, [][]*block.Receipt{{x}}, []*block.Header{nil}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := h.Topics("t", 1_000)
	if err != nil || len(got) != maxTopics || got[0].Height != 2 {
		t.Errorf("%d topics, the first of block %v, %v", len(got), got[0], err)
	}
}
