package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var alice, bob, actorC = account.Address{1}, account.Address{2}, account.Address{3}

func sample() [][]*block.Receipt {
	return [][]*block.Receipt{
		{{Kind: block.Transaction, Sender: alice, Target: bob}},
		{
			{Kind: block.Transaction, Sender: bob, Target: actorC, Events: []block.Event{{Actor: actorC}, {Actor: actorC}}},
			{Kind: block.Timer, Sender: actorC, Target: actorC},
		},
		{{Kind: block.Message, Sender: actorC, Target: alice}},
	}
}

func TestNewestAndFrom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	f, err := openFile(path, digest.Hash{1}, nobody)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.add(5, sample(), make([]*block.Header, 3)); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		addr          account.Address
		role          Role
		offset, limit uint64
		want          []Place
		total         uint64
	}{
		{alice, Sender, 0, 10, []Place{{5, 0}}, 1},
		{alice, Target, 0, 10, []Place{{7, 0}}, 1},
		{alice, Signer, 0, 10, []Place{{5, 0}}, 1},
		{alice, Emitter, 0, 10, nil, 0},
		{actorC, Emitter, 0, 10, []Place{{6, 0}}, 1},
		{actorC, Signer, 0, 10, nil, 0},
		{actorC, Sender, 0, 10, []Place{{7, 0}, {6, 1}}, 2},
		{actorC, Target, 0, 10, []Place{{6, 1}, {6, 0}}, 2},
		{actorC, Target, 1, 1, []Place{{6, 0}}, 2},
		{actorC, Target, 2, 1, nil, 2},
		{actorC, Target, ^uint64(0), ^uint64(0), nil, 2},
		{account.Address{9}, Sender, 0, 10, nil, 0},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got, total, err := f.newest(c.addr, c.role, c.offset, c.limit)
			if err != nil || total != c.total || !reflect.DeepEqual(got, c.want) {
				t.Errorf("newest(%v, %b, %d, %d) = %v, %d, %v; want %v, %d", c.addr, c.role, c.offset, c.limit, got, total, err, c.want, c.total)
			}
		})
	}
	for i, c := range []struct {
		role  Role
		place Place
		limit uint64
		want  []Place
	}{
		{Sender, Place{}, 10, []Place{{6, 1}, {7, 0}}},
		{Sender, Place{6, 1}, 10, []Place{{6, 1}, {7, 0}}},
		{Sender, Place{6, 2}, 10, []Place{{7, 0}}},
		{Sender, Place{7, 1}, 10, nil},
		{Target, Place{6, 0}, 1, []Place{{6, 0}}},
		{Emitter, Place{6, 1}, 10, nil},
	} {
		t.Run(fmt.Sprint("from ", i), func(t *testing.T) {
			if got, err := f.from(actorC, c.role, c.place, c.limit); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("from(%b, %v, %d) = %v, %v; want %v", c.role, c.place, c.limit, got, err, c.want)
			}
		})
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
	f, err = openFile(path, digest.Hash{1}, nobody)
	if err != nil {
		t.Fatal(err)
	}
	if h, ok, err := f.height(); err != nil || !ok || h != 7 {
		t.Errorf("height after reopening = %d, %v", h, ok)
	}
	_ = f.close()
}

// TestDamagedOrForeignFileIsRebuilt starts anew from an unreadable file and from one of another chain.
func TestDamagedOrForeignFileIsRebuilt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	if err := os.WriteFile(path, []byte("this is not a database, and long enough to be looked at"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, chain := range []digest.Hash{{1}, {2}} {
		f, err := openFile(path, chain, nobody)
		if err != nil {
			t.Fatal(err)
		}
		if h, ok, err := f.height(); err != nil || ok {
			t.Errorf("chain %v: height %d in a new file", chain, h)
		}
		if err := f.add(0, sample(), make([]*block.Header, 3)); err != nil {
			t.Fatal(err)
		}
		_ = f.close()
	}
}

type source [][]*block.Receipt

func (s source) Header(h unit.Height) (*block.Header, error)      { return &block.Header{Height: h}, nil }
func (s source) Receipts(h unit.Height) ([]*block.Receipt, error) { return s[h], nil }
func (s source) Flows(unit.Height) (*flow.Sheet, error)           { return nil, nil }
func (s source) First() unit.Height                               { return 0 }
func (s source) Tip() *ledger.Tip                                 { return nil }
func (s source) Finalized() unit.Height                           { return unit.Height(len(s) - 1) }

// TestCatchUpGoesOnWhereItStopped indexes a longer chain in batches, over a restart in the middle.
func TestCatchUpGoesOnWhereItStopped(t *testing.T) {
	blocks := source{}
	for range batch + 10 {
		blocks = append(blocks, sample()[0])
	}
	s := &Subsystem{Path: filepath.Join(t.TempDir(), "index.db"), Source: blocks, Handle: NewHandle()}
	s.open()
	if h, _, _ := s.file.height(); h != batch-1 {
		t.Errorf("after one batch: %d", h)
	}
	s.close()
	if list, total, err := s.Handle.Newest(alice, Sender, 0, 1); list != nil || total != 0 || err != nil {
		t.Errorf("closed index answers %v", list)
	}
	s.open()
	list, total, err := s.Handle.Newest(alice, Sender, 0, 1)
	if err != nil || total != batch+10 || list[0].Height != batch+9 {
		t.Errorf("after the second batch: %v, %d, %v", list, total, err)
	}
	s.close()
}

// TestTrim forgets, a step at a time, what lies in blocks the node dropped, and nothing else.
func TestTrim(t *testing.T) {
	f, err := openFile(filepath.Join(t.TempDir(), "index.db"), digest.Hash{1}, nobody)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.close() }()
	const blocks = 2*trimEvery + 100
	for h := unit.Height(0); h < blocks; h += 100 {
		var lists [][]*block.Receipt
		for i := range min(100, blocks-h) {
			id := digest.Hash{byte(h + i), byte((h + i) >> 8), 7}
			lists = append(lists, []*block.Receipt{{Kind: block.Transaction, ID: id, Sender: alice, Target: bob}})
		}
		if err := f.add(h, lists, make([]*block.Header, len(lists))); err != nil {
			t.Fatal(err)
		}
	}
	var trim trimmer
	steps := 0
	for first := unit.Height(trimEvery + 50); ; steps++ {
		if err := trim.step(f, first); err != nil {
			t.Fatal(err)
		}
		if trim.goal == 0 {
			break
		}
	}
	if want := 4 * blocks / trimStep; steps != want { // three entries and one cause a block
		t.Errorf("%d steps, want %d", steps, want)
	}
	for addr, role := range map[account.Address]Role{alice: Sender, bob: Target} {
		t.Run(addr.String(), func(t *testing.T) {
			list, total, err := f.newest(addr, role, 0, 10*blocks)
			if err != nil || total != blocks-trimEvery-50 || uint64(len(list)) != total || list[len(list)-1].Height != trimEvery+50 {
				t.Errorf("%d entries, total %d, %v", len(list), total, err)
			}
		})
	}
	for h, want := range map[unit.Height]int{0: 0, trimEvery + 49: 0, trimEvery + 50: 1, blocks - 1: 1} {
		t.Run(fmt.Sprint(h), func(t *testing.T) {
			got, err := f.links(digest.Hash{byte(h), byte(h >> 8), 7}, linkSelf, 10)
			if err != nil || len(got) != want {
				t.Errorf("identity of block %d: %d links, %v", h, len(got), err)
			}
		})
	}
	if err := trim.step(f, 2*trimEvery); err != nil || trim.goal != 0 {
		t.Errorf("goes through the index for %d blocks, %v", trimEvery-50, err)
	}
}

// A page reads the entries it gives and no others, however deep it lies: all others of the file are spoilt here, and an entry that is read has to be as it was
// written. What begins at a place reads as many more as halving the list takes, which is one beyond the logarithm of its length.
func TestPagesReadNoMore(t *testing.T) {
	const blocks, offset, limit = 4_096, 3_000, 7
	open := func(t *testing.T, spared func(number uint64) bool) *file {
		t.Helper()
		f, err := openFile(filepath.Join(t.TempDir(), "index.db"), digest.Hash{1}, nobody)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.close() })
		var lists [][]*block.Receipt
		for range blocks {
			lists = append(lists, []*block.Receipt{{Kind: block.Transaction, Sender: alice, Target: bob}})
		}
		if err := f.add(0, lists, make([]*block.Header, blocks)); err != nil {
			t.Fatal(err)
		}
		if err := f.update(func(tx *bbolt.Tx) error {
			b := tx.Bucket(entryBucket)
			for number := range uint64(blocks) {
				if key := entryKey(listKey(alice, Signer), number); !spared(number) {
					if err := b.Put(key, []byte("spoilt")); err != nil {
						return err
					}
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return f
	}
	t.Run("newest", func(t *testing.T) {
		const first = blocks - 1 - offset
		f := open(t, func(number uint64) bool { return number <= first && number > first-limit })
		list, total, err := f.newest(alice, Signer, offset, limit)
		if err != nil || total != blocks || len(list) != limit || list[0].Height != first || list[limit-1].Height != first-limit+1 {
			t.Errorf("%v of %d, %v", list, total, err)
		}
		var damaged *DamagedError
		if _, _, err := f.newest(alice, Signer, offset-1, limit); !errors.As(err, &damaged) {
			t.Errorf("a page with an entry that is spoilt: %v", err)
		}
	})
	t.Run("from", func(t *testing.T) { // the halves that lead to a place, by hand
		const place = 1_000
		halves := map[uint64]bool{}
		for low, high := uint64(0), uint64(blocks); low < high; {
			mid := (low + high) / 2
			halves[mid] = true
			if mid < place {
				low = mid + 1
			} else {
				high = mid
			}
		}
		if len(halves) > 13 { // 4,096 is 2 to the 12th
			t.Fatalf("%d halves", len(halves))
		}
		f := open(t, func(number uint64) bool { return halves[number] || number >= place && number < place+limit })
		list, err := f.from(alice, Signer, Place{Height: place}, limit)
		if err != nil || len(list) != limit || list[0].Height != place || list[limit-1].Height != place+limit-1 {
			t.Errorf("%v, %v", list, err)
		}
	})
}
