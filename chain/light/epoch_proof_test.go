package light

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// epochProofs runs epochs with changing sets and gives the way out of each, as it comes over the wire.
func epochProofs(t testing.TB, w *world, epochs uint64) (list []*EpochProof, after []*state.Commit) {
	t.Helper()
	for epoch := range epochs {
		w.epoch(epoch, []account.Address{newcomer(byte(1 + epoch))}, w.members(epoch)[:1])
		last := len(w.blocks) - 1
		x, err := NewEpochProof(w.blocks[last], w.proofs[last], w.state)
		if err != nil {
			t.Fatal(err)
		}
		if x, err = DecodeEpochProof(x.Encode()); err != nil {
			t.Fatal(err)
		}
		list, after = append(list, x), append(after, w.state)
	}
	return list, after
}

// TestEpochProofs follows three epochs by their last headers alone and refuses forged headers, forged sets, and the word of a set that was left.
// Spec: WP "Validator Set", §6.1; commonware §3.7, §4.3, §5.6.
func TestEpochProofs(t *testing.T) {
	w := newWorld(t)
	c, err := New(chainID, w.state, 0)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := epochProofs(t, w, 3)
	for i, x := range list {
		forged := *x.Header
		forged.StateRoot[5]++
		if err := c.Advance(&EpochProof{&forged, x.Certificate, x.Handover}); !errors.Is(err, ErrCertificate) {
			t.Errorf("epoch %d: a forged header: %v", i, err)
		}
		notarized := *x.Certificate
		notarized.Kind = sig.Notarization
		if err := c.Advance(&EpochProof{x.Header, &notarized, x.Handover}); !errors.Is(err, ErrCertificate) {
			t.Errorf("epoch %d: a notarization: %v", i, err)
		}
		if i > 0 {
			if err := c.Advance(list[i-1]); !errors.Is(err, ErrEpoch) {
				t.Errorf("epoch %d: the epoch proof before: %v", i, err)
			}
			stale := &EpochProof{x.Header, x.Certificate, list[i-1].Handover}
			if err := c.Advance(stale); !errors.Is(err, ErrHandover) {
				t.Errorf("epoch %d: the set before once more: %v", i, err)
			}
		}
		spoilt := *x.Handover
		set := *spoilt.Set
		set.Value = bytes.Clone(set.Value)
		set.Value[len(set.Value)-1]++
		spoilt.Set = &set
		if err := c.Advance(&EpochProof{x.Header, x.Certificate, &spoilt}); !errors.Is(err, ErrHandover) {
			t.Errorf("epoch %d: a forged set: %v", i, err)
		}
		if err := c.Advance(x); err != nil {
			t.Fatalf("epoch %d: %v", i, err)
		}
	}
	if c.Epoch() != 3 {
		t.Errorf("epoch %d", c.Epoch())
	}
}

// TestTrust starts in the middle of a chain from a trusted hash, goes on from there, and refuses what is not in that block's state.
// Spec: commonware §5.6; WP "Validator Set".
func TestTrust(t *testing.T) {
	w := newWorld(t)
	list, after := epochProofs(t, w, 3)
	x := list[1].Header
	made, err := NewTrust(x, after[1])
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() *Trust {
		trust, err := DecodeTrust(made.Encode())
		if err != nil {
			t.Fatal(err)
		}
		return trust
	}
	c, err := NewTrusting(chainID, x.Hash(), fresh())
	if err != nil {
		t.Fatal(err)
	}
	if c.Epoch() != 1 || c.Head().Hash() != x.Hash() {
		t.Fatalf("starts at epoch %d, %v", c.Epoch(), c.Head().Hash())
	}
	for _, cross := range list[1:] {
		if err := c.Advance(cross); err != nil {
			t.Fatal(err)
		}
	}
	for name, spoil := range map[string]func(*Trust) (uint64, digest.Hash){
		"another hash":   func(*Trust) (uint64, digest.Hash) { return chainID, digest.Hash{1} },
		"another header": func(t *Trust) (uint64, digest.Hash) { t.Header.TxCount++; return chainID, x.Hash() },
		"another chain":  func(*Trust) (uint64, digest.Hash) { return chainID + 1, x.Hash() },
		"a calendar":     func(t *Trust) (uint64, digest.Hash) { t.Calendar.Present = true; return chainID, x.Hash() },
		"no record":      func(t *Trust) (uint64, digest.Hash) { t.Record = Entry{}; return chainID, x.Hash() },
		"another set":    func(t *Trust) (uint64, digest.Hash) { t.Set.Value[3]++; return chainID, x.Hash() },
		"no sharing":     func(t *Trust) (uint64, digest.Hash) { t.Sharing.Proof = nil; return chainID, x.Hash() },
	} {
		t.Run(name, func(t *testing.T) {
			trust := fresh()
			id, hash := spoil(trust)
			if _, err := NewTrusting(id, hash, trust); !errors.Is(err, ErrHeader) && !errors.Is(err, ErrProof) && !errors.Is(err, ErrHandover) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// FuzzEpochProof holds that what is read is written the same.
func FuzzEpochProof(f *testing.F) {
	w := newWorld(f)
	h, c := w.block(params.Calendar{}.Last(0), nil)
	x, err := NewEpochProof(h, c, w.state)
	if err != nil {
		f.Fatal(err)
	}
	trust, err := NewTrust(h, w.state)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(x.Encode())
	f.Add(trust.Encode())
	client, err := New(chainID, w.state, 0)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := DecodeEpochProof(data); err == nil {
			if !bytes.Equal(got.Encode(), data) {
				t.Error("two encodings of an epoch proof")
			}
			if !bytes.Equal(data, x.Encode()) && got.Header.Hash() != h.Hash() {
				if err := client.Advance(got); err == nil {
					t.Error("a forged epoch proof")
				}
			}
		}
		if got, err := DecodeTrust(data); err == nil {
			if !bytes.Equal(got.Encode(), data) {
				t.Error("two encodings of a trust")
			}
			_, _ = NewTrusting(chainID, got.Header.Hash(), got)
		}
	})
}
