package index

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

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
		want          []Entry
		total         uint64
	}{
		{alice, Sender | Target, 0, 10, []Entry{{7, 0, Target}, {5, 0, Sender | Signer}}, 2},
		{alice, Signer, 0, 10, []Entry{{5, 0, Sender | Signer}}, 2},
		{actorC, Emitter, 0, 10, []Entry{{6, 0, Target | Emitter}}, 3},
		{actorC, Sender | Target, 0, 10, []Entry{{7, 0, Sender}, {6, 1, Sender | Target}, {6, 0, Target | Emitter}}, 3},
		{actorC, Sender | Target, 1, 1, []Entry{{6, 1, Sender | Target}}, 3},
		{account.Address{9}, Sender, 0, 10, nil, 0},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got, total, err := f.newest(c.addr, c.role, c.offset, c.limit)
			if err != nil || total != c.total || !reflect.DeepEqual(got, c.want) {
				t.Errorf("newest(%v, %b, %d, %d) = %v, %d, %v; want %v, %d", c.addr, c.role, c.offset, c.limit, got, total, err, c.want, c.total)
			}
		})
	}
	got, err := f.from(actorC, Sender|Target|Emitter, 6, 1, 10)
	if want := []Entry{{6, 1, Sender | Target}, {7, 0, Sender}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("from = %v, %v; want %v", got, err, want)
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
	if want := 3 * blocks / trimStep; steps != want { // two entries and one cause a block
		t.Errorf("%d steps, want %d", steps, want)
	}
	for _, addr := range []account.Address{alice, bob} {
		list, total, err := f.newest(addr, Sender|Target, 0, 10*blocks)
		if err != nil || total != blocks-trimEvery-50 || uint64(len(list)) != total || list[len(list)-1].Height != trimEvery+50 {
			t.Errorf("%d entries, total %d, %v", len(list), total, err)
		}
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
