package ledger

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func devnet(t testing.TB) *genesis.Spec {
	t.Helper()
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// stores are the two kinds, each with a way to open it again.
func stores(t *testing.T) map[string]func() Store {
	spec, d := devnet(t), disk.NewMemory()
	memory, err := NewMemory(spec, state.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]func() Store{
		"memory": func() Store { return memory },
		"disk": func() Store {
			s, err := OpenDisk(d, "", spec, store.Options{Window: store.WindowMin})
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
	}
}

// follow makes the next block on a store: one key changes, one receipt with a fault, one certificate.
func follow(t testing.TB, s Store) *Final {
	t.Helper()
	parent := s.Header()
	height := parent.Height + 1
	o := s.State().Overlay()
	o.Set([]byte("height"), []byte{byte(height)})
	c, err := o.Commit(height)
	if err != nil {
		t.Fatal(err)
	}
	b := &block.Block{Header: block.Header{Version: 1, ChainID: 1, Height: height, View: uint64(height), ParentHash: parent.Hash(), StateRoot: c.Root()}}
	r := &block.Receipt{ID: digest.Hash{1, byte(height)}, Status: block.Faulted, Fault: block.Fault{Code: 1210, Text: "it broke"}}
	subject := sig.Subject{BlockHash: b.Hash(), Height: uint64(height), Round: b.Header.Round()}
	certificate := &sig.Certificate{Kind: sig.Finalization, Subject: subject, Signers: sig.NewSigners(1), Seed: sig.BLSSignature{4}}
	return &Final{
		Block: b, Hash: b.Hash(), Receipts: []*block.Receipt{{ID: digest.Hash{2, byte(height)}}, r}, State: c,
		Certificates: []*sig.Certificate{certificate},
	}
}

// What was appended is found by height, hash and identity, before and after opening again, fault texts included.
//
// Spec: WP "Storage and State Persistence".
func TestStoresKeepFinals(t *testing.T) {
	for name, open := range stores(t) {
		t.Run(name, func(t *testing.T) {
			s := open()
			first := s.Header().Hash()
			for range 5 {
				if err := s.Append(follow(t, s)); err != nil {
					t.Fatal(err)
				}
			}
			tip := s.Header().Hash()
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open()
			if got, err := s.Block(0); err != nil || got.Hash() != first || s.Header().Hash() != tip {
				t.Fatalf("genesis %v, tip %v, %v", got.Hash(), s.Header().Hash(), err)
			}
			checkKept(t, s, tip)
			if err := s.Append(follow(t, s)); err != nil {
				t.Errorf("block 6: %v", err)
			}
		})
	}
}

// digestOf is the hash of an encoded block.
func digestOf(raw []byte) digest.Hash {
	b, err := block.Decode(raw)
	if err != nil {
		return digest.Hash{}
	}
	return b.Hash()
}

func checkKept(t *testing.T, s Store, tip digest.Hash) {
	t.Helper()
	receipts, err := s.Receipts(5)
	if err != nil || len(receipts) != 2 || receipts[1].Fault.Text != "it broke" || receipts[1].Fault.Code != 1210 {
		t.Errorf("receipts %+v, %v", receipts, err)
	}
	certificates, err := s.Certificates(5)
	if err != nil || len(certificates) != 1 || certificates[0].Subject.BlockHash != tip || certificates[0].Seed[0] != 4 {
		t.Errorf("certificates %+v, %v", certificates, err)
	}
	if raw, list, err := s.Encoded(5); err != nil || len(list) != 1 || digestOf(raw) != tip {
		t.Errorf("encoded: %d bytes, %d certificates, %v", len(raw), len(list), err)
	}
	if h, err := s.HeightOf(tip); err != nil || h != 5 {
		t.Errorf("height %d, %v", h, err)
	}
	if p, err := s.Transaction(digest.Hash{1, 3}); err != nil || p != (Place{3, 1}) {
		t.Errorf("place %+v, %v", p, err)
	}
	for _, h := range []unit.Height{3, 5} {
		c, err := s.At(h)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok, err := c.Lookup([]byte("height")); err != nil || !ok || v[0] != byte(h) {
			t.Errorf("state of block %d: %v %v %v", h, v, ok, err)
		}
	}
	_, blockErr := s.Block(9)
	_, hashErr := s.HeightOf(digest.Hash{9})
	_, txErr := s.Transaction(digest.Hash{9})
	_, atErr := s.At(9)
	for _, err := range []error{blockErr, hashErr, txErr, atErr} {
		if !errors.Is(err, ErrAbsent) {
			t.Errorf("absent: %v", err)
		}
	}
}

// Both stores give the same genesis. Spec: WP §8.3.
func TestGenesisIsOne(t *testing.T) {
	hashes := map[digest.Hash]bool{}
	for _, open := range stores(t) {
		s := open()
		hashes[s.Header().Hash()] = true
		if root := s.State().Root(); root != s.Header().StateRoot {
			t.Errorf("state root %v, header %v", root, s.Header().StateRoot)
		}
		if _, ok, err := s.State().Lookup(genesis.DevFaucet().Address().Key()); !ok || err != nil {
			t.Errorf("faucet %v %v", ok, err)
		}
	}
	if len(hashes) != 1 {
		t.Errorf("%d genesis blocks", len(hashes))
	}
}

func TestForeignDirectory(t *testing.T) {
	d := disk.NewMemory()
	s, err := OpenDisk(d, "", devnet(t), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	other, err := genesis.Devnet(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	var foreign *store.ForeignError
	if _, err := OpenDisk(d, "", other, store.Options{}); !errors.As(err, &foreign) {
		t.Errorf("another chain's directory: %v", err)
	}
}

// A block the ledger holds is skipped; a gap, a fork and a second block at a height are bugs of whoever finalized them.
func TestJudge(t *testing.T) {
	s, err := NewMemory(devnet(t), state.Config{})
	if err != nil {
		t.Fatal(err)
	}
	one := follow(t, s)
	if err := s.Append(one); err != nil {
		t.Fatal(err)
	}
	two := follow(t, s)
	hashAt := func(h unit.Height) (digest.Hash, error) {
		b, err := s.Block(h)
		if err != nil {
			return digest.Hash{}, err
		}
		return b.Hash(), nil
	}
	forged := func(change func(*block.Header)) *Final {
		b := *two.Block
		change(&b.Header)
		return &Final{Block: &b, Hash: b.Hash()}
	}
	for name, c := range map[string]struct {
		f    *Final
		want verdict
		bad  bool
	}{
		"next":       {two, appendIt, false},
		"held":       {one, held, false},
		"gap":        {forged(func(h *block.Header) { h.Height = 7 }), misplaced, true},
		"fork":       {forged(func(h *block.Header) { h.ParentHash[0]++ }), misplaced, true},
		"second one": {forged(func(h *block.Header) { h.Height = 1 }), misplaced, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := judge(s.Header(), s.Header().Hash(), hashAt, c.f); got != c.want || (err != nil) != c.bad {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		})
	}
}

// Await returns with the block, or with the caller's patience. Readers see nothing above the tip.
func TestHandle(t *testing.T) { synctest.Test(t, testHandle) }

func testHandle(t *testing.T) {
	h := NewHandle()
	if _, err := h.Block(0); !errors.Is(err, ErrAbsent) || h.Finalized() != 0 || h.Tip() != nil {
		t.Errorf("before the start: %v", err)
	}
	s, err := NewMemory(devnet(t), state.Config{})
	if err != nil {
		t.Fatal(err)
	}
	genesisTip := &Tip{Header: s.Header(), Hash: s.Header().Hash(), State: s.State()}
	h.publish(s, genesisTip)
	if err := s.Append(follow(t, s)); err != nil { // durable, but not published yet
		t.Fatal(err)
	}
	if _, err := h.Block(1); !errors.Is(err, ErrAbsent) {
		t.Errorf("above the tip: %v", err)
	}
	if _, err := h.Transaction(digest.Hash{1, 1}); !errors.Is(err, ErrAbsent) {
		t.Errorf("transaction above the tip: %v", err)
	}
	got := make(chan error, 1)
	go func() { got <- h.Await(t.Context(), 1) }()
	synctest.Wait()
	select {
	case err := <-got:
		t.Fatalf("returned early: %v", err)
	default:
	}
	h.publish(s, &Tip{Header: s.Header(), Hash: s.Header().Hash(), State: s.State()})
	if err := <-got; err != nil {
		t.Error(err)
	}
	if b, err := h.Block(1); err != nil || b.Header.Height != 1 {
		t.Errorf("block 1: %v", err)
	}
}

func FuzzKeptBlock(f *testing.F) {
	s, err := NewMemory(devnet(f), state.Config{})
	if err != nil {
		f.Fatal(err)
	}
	final := follow(f, s)
	f.Add(encodeBlock(final.Block, final.Certificates))
	f.Add(encodeReceipts(final.Receipts, final.Flows))
	f.Fuzz(func(t *testing.T, data []byte) {
		if b, certificates, err := decodeBlock(data); err == nil {
			again := encodeBlock(b, certificates)
			if string(again) != string(data) {
				t.Errorf("%x decodes to %x", data, again)
			}
		}
		if list, sheet, err := decodeReceipts(data); err == nil && string(encodeReceipts(list, sheet)) != string(data) {
			t.Errorf("%x decodes to other receipts", data)
		}
	})
}
