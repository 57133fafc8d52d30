package model

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// world is a registry with the coins around it.
type world struct {
	t testing.TB
	*Registry
	overlay *state.Overlay
	events  []string
}

func newWorld(t testing.TB) *world {
	w := &world{t: t, overlay: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()}
	w.Registry = &Registry{State: w.overlay, Height: 70, Emit: func(topic string, data []byte) {
		w.events = append(w.events, fmt.Sprintf("%s %x", topic, data))
	}}
	return w
}

// publish has a model published with coins, as the chain hands them over.
func (w *world) publish(by account.Address, of Revision) (digest.Hash, error) {
	w.t.Helper()
	if err := account.Credit(w.overlay, Home(), 1_000*unit.CBY); err != nil {
		w.t.Fatal(err)
	}
	id, err := w.Publish(by, of)
	if err != nil {
		if err := account.Debit(w.overlay, Home(), 1_000*unit.CBY); err != nil {
			w.t.Fatal(err)
		}
	}
	return id, err
}

func (w *world) balance(of account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.overlay, of)
	if err != nil {
		w.t.Fatal(err)
	}
	return a.Balance
}

func (w *world) mark(id digest.Hash, mark Mark) error {
	w.t.Helper()
	l, err := LoadMarks(w.overlay)
	if err != nil {
		w.t.Fatal(err)
	}
	if l, err = l.With(id, mark); err == nil {
		w.overlay.Set(params.StateKey(KeyMarks), l.Encode())
	}
	return err
}

func revision(n byte) Revision {
	return Revision{Weights: digest.Hash{n}, Arch: digest.Hash{2}, Tokenizer: digest.Hash{3}, License: digest.Hash{4}}
}

// The model_id is the Keccak-256 of the four hashes in their order, by another library; each of them counts.
//
// Spec: WP §5.1; runner-marketplace §2.2.
func TestID(t *testing.T) {
	r := Revision{Weights: digest.Hash{31: 1}, Arch: digest.Hash{31: 2}, Tokenizer: digest.Hash{31: 3}, License: digest.Hash{31: 4}}
	sum := sha3.NewLegacyKeccak256()
	for n := range byte(4) {
		sum.Write(make([]byte, 31))
		sum.Write([]byte{n + 1})
	}
	if got := r.ID(); got != digest.Hash(sum.Sum(nil)) {
		t.Errorf("%x", got)
	}
	ids := map[digest.Hash]bool{r.ID(): true}
	for name, change := range map[string]func(*Revision){
		"weights": func(r *Revision) { r.Weights[0]++ }, "arch": func(r *Revision) { r.Arch[0]++ }, "tokenizer": func(r *Revision) { r.Tokenizer[0]++ },
		"license": func(r *Revision) { r.License[0]++ }, "order": func(r *Revision) { r.Weights, r.Arch = r.Arch, r.Weights },
	} {
		t.Run(name, func(t *testing.T) {
			other := r
			if change(&other); ids[other.ID()] {
				t.Error("two revisions have one model_id")
			}
			ids[other.ID()] = true
		})
	}
}

// A model is published once, withdrawn by who published it alone, and may be published again; its deposit comes and goes to the base unit.
//
// Spec: WP §5.1 (refundable 1,000 CBY deposit).
func TestPublishAndWithdraw(t *testing.T) {
	w := newWorld(t)
	ann, bob := account.Address{1}, account.Address{2}
	id, err := w.publish(ann, revision(1))
	if err != nil || w.balance(Home()) != 1_000_000_000_000 {
		t.Fatalf("%v: the registry holds %d", err, w.balance(Home()))
	}
	want := []string{fmt.Sprintf("%s %x%x80a094a58d1d", TopicPublished, id[:], ann[:])}
	if !slices.Equal(w.events, want) {
		t.Errorf("events %q, want %q", w.events, want)
	}
	m, err := Load(w.overlay, id)
	if err != nil || *m != (Record{revision(1), ann, 1_000 * unit.CBY, 70}) {
		t.Errorf("%+v %v", m, err)
	}
	publish := func(by account.Address) error {
		_, err := w.publish(by, revision(1))
		return err
	}
	for _, c := range []struct {
		name string
		act  func() error
		want error
	}{
		{"published again", func() error { return publish(ann) }, ErrPublished},
		{"published by another", func() error { return publish(bob) }, ErrPublished},
		{"withdrawn by another", func() error { return w.Withdraw(bob, id) }, ErrPublisher},
		{"withdrawn, never published", func() error { return w.Withdraw(ann, revision(2).ID()) }, ErrUnknown},
		{"withdrawn", func() error { return w.Withdraw(ann, id) }, nil},
		{"withdrawn a second time", func() error { return w.Withdraw(ann, id) }, ErrUnknown},
		{"published by another then", func() error { return publish(bob) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.act(); !errors.Is(err, c.want) {
				t.Error(err)
			}
		})
	}
	if w.balance(ann) != 1_000*unit.CBY {
		t.Errorf("it has %d back", w.balance(ann))
	}
}

// A banned model cannot be chosen, a flagged one can; neither needs to be published, and publishing again takes no mark away.
//
// Spec: WP §5.1 (flag/ban).
func TestChoose(t *testing.T) {
	for name, c := range map[string]struct {
		mark Mark
		want error
	}{"unmarked": {Unmarked, nil}, "flagged": {Flagged, nil}, "banned": {Banned, ErrBanned}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := revision(1).ID()
			if err := w.mark(id, c.mark); err != nil {
				t.Fatal(err)
			}
			for range 2 { // before and after it is published
				if err := Choose(w.overlay, id); !errors.Is(err, c.want) {
					t.Errorf("%v", err)
				}
				if err := Choose(w.overlay, revision(2).ID()); err != nil {
					t.Errorf("another: %v", err)
				}
				if err := Choose(w.overlay, digest.Hash{}); err != nil {
					t.Errorf("any: %v", err)
				}
				if _, err := w.publish(account.Address{1}, revision(1)); err != nil {
					t.Fatal(err)
				}
				if err := w.Withdraw(account.Address{1}, id); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.mark(id, Unmarked); err != nil || Choose(w.overlay, id) != nil {
				t.Errorf("the mark was not taken back: %v", err)
			}
		})
	}
	for n, want := range map[uint64]error{0: nil, 1: nil, 2: nil, 3: ErrMarks, 1 << 40: ErrMarks} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if err := CheckMark(n); err != want {
				t.Error(err)
			}
		})
	}
}

// A hundred models can be marked, and one more cannot; what stands there can change.
//
// Spec: WP §5.1; governance-staking B9 (model flags).
func TestMarksAreBounded(t *testing.T) {
	w := newWorld(t)
	for n := range byte(100) {
		if err := w.mark(digest.Hash{n}, Banned); err != nil {
			t.Fatalf("mark %d: %v", n, err)
		}
	}
	for name, c := range map[string]struct {
		id   digest.Hash
		mark Mark
		want error
	}{
		"one more": {digest.Hash{100}, Flagged, ErrMarks}, "one that is not there": {digest.Hash{100}, Unmarked, nil},
		"one that is there": {digest.Hash{50}, Flagged, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if err := w.mark(c.id, c.mark); !errors.Is(err, c.want) {
				t.Error(err)
			}
		})
	}
	l, err := LoadMarks(w.overlay)
	if err != nil || len(l) != 100 || l.Of(digest.Hash{50}) != Flagged || l.Of(digest.Hash{51}) != Banned {
		t.Errorf("%d %v", len(l), err)
	}
	if size := len(l.Encode()); size > params.MaxProposalPayloadBytes-100 {
		t.Errorf("%d bytes do not fit into a proposal", size)
	}
	for name, raw := range map[string][]byte{
		"empty": {}, "a byte more": {0, 0}, "unmarked": append(append([]byte{1}, make([]byte, 32)...), 0),
		"no such mark":    append(append([]byte{1}, make([]byte, 32)...), 3),
		"twice the same":  slices.Concat([]byte{2}, make([]byte, 32), []byte{1}, make([]byte, 32), []byte{1}),
		"101 of them":     append([]byte{101}, make([]byte, 101*33)...),
		"cut in a record": l.Encode()[:50],
	} {
		t.Run(name, func(t *testing.T) {
			if CheckMarks(raw) == nil {
				t.Error("it is taken")
			}
		})
	}
}

// Thousands of random acts beside a map: who may publish and withdraw, what is listed, and where the deposits are.
//
// Spec: WP §5.1.
func TestAgainstModel(t *testing.T) {
	for seed := range uint64(10) {
		draw := rand.New(rand.NewPCG(seed, 5))
		w := newWorld(t)
		owner := map[digest.Hash]account.Address{}
		back := make(map[account.Address]*big.Int)
		for range 500 {
			by, of := account.Address{1 + byte(draw.IntN(4))}, revision(byte(draw.IntN(12)))
			id := of.ID()
			holder, there := owner[id]
			if draw.IntN(2) == 0 {
				if _, err := w.publish(by, of); (err == nil) == there {
					t.Fatalf("published: %v, err %v", there, err)
				} else if err == nil {
					owner[id] = by
				}
			} else if err := w.Withdraw(by, id); (err == nil) != (there && holder == by) {
				t.Fatalf("%v published %x: %v", holder, id[:2], err)
			} else if err == nil {
				delete(owner, id)
				if back[by] == nil {
					back[by] = new(big.Int)
				}
				back[by].Add(back[by], big.NewInt(1_000_000_000_000))
			}
			if held := new(big.Int).SetUint64(uint64(w.balance(Home()))); held.Cmp(big.NewInt(int64(len(owner))*1_000_000_000_000)) != 0 {
				t.Fatalf("%d models, the registry holds %v", len(owner), held)
			}
		}
		for by, sum := range back {
			if got := w.balance(by); new(big.Int).SetUint64(uint64(got)).Cmp(sum) != 0 {
				t.Errorf("%v has %d back, want %v", by, got, sum)
			}
		}
		listed := map[digest.Hash]account.Address{}
		var last *digest.Hash
		for {
			page, err := List(w.overlay, last, 3)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page {
				listed[e.ID], last = e.Publisher, &e.ID
			}
			if len(page) < 3 {
				break
			}
		}
		if !maps.Equal(listed, owner) {
			t.Errorf("listed %v, want %v", listed, owner)
		}
	}
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	m := &Record{revision(9), account.Address{7}, 300, 400}
	back, err := Decode(m.Encode())
	if err != nil || !reflect.DeepEqual(back, m) {
		t.Errorf("%+v %v", back, err)
	}
	for cut := range m.Encode() {
		if _, err := Decode(m.Encode()[:cut]); err == nil {
			t.Errorf("cut at %d it is read", cut)
		}
	}
}
