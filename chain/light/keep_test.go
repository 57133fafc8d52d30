package light

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A client that was kept goes on where it stood: in the middle of an epoch, on its last block, and behind a change of the set; it believes and refuses what
// the first one does, and nothing but what was kept makes one.
//
// Spec: commonware §5.6; WP "Validator Set".
func TestKept(t *testing.T) {
	w := newWorld(t)
	list, _ := epochProofs(t, w, 3)
	c, err := New(chainID, newWorld(t).state, 0)
	w.must(err)
	resume := func() {
		t.Helper()
		kept := c.Encode()
		next, err := Decode(kept)
		w.must(err)
		if !bytes.Equal(next.Encode(), kept) || next.Epoch() != c.Epoch() || next.Head().Hash() != c.Head().Hash() || next.ChainID() != chainID {
			t.Fatalf("epoch %d: another client", c.Epoch())
		}
		for cut := range kept {
			if _, err := Decode(kept[:cut]); err == nil {
				t.Fatalf("a client of %d of %d bytes", cut, len(kept))
			}
		}
		c = next
	}
	for i, x := range list {
		resume()
		if err := c.Advance(list[(i+1)%len(list)]); err == nil {
			t.Errorf("epoch %d: another epoch's end is taken", i)
		}
		_, err := c.Follow(x.Header, x.Certificate)
		w.must(err)
		resume()
		if _, err := c.Follow(x.Header, x.Certificate); err == nil {
			t.Errorf("epoch %d: the head is taken again", i)
		}
		if _, err := c.Again().Follow(x.Header, x.Certificate); err != nil {
			t.Errorf("epoch %d: a client that has seen no header: %v", i, err)
		}
		w.must(c.Turn(x.Handover))
	}
	resume()
	if c.Epoch() != 3 || c.Head().Header().Height != unit.Height(3*params.EpochBlocks-1) {
		t.Errorf("epoch %d", c.Epoch())
	}
	kept := c.Encode()
	kept[0]++
	if _, err := Decode(kept); err == nil {
		t.Error("another version is taken")
	}
}

// FuzzKept: any bytes are a client with this one encoding, or an error.
func FuzzKept(f *testing.F) {
	w := newWorld(f)
	c, err := New(chainID, w.state, 0)
	w.must(err)
	f.Add(c.Encode())
	h, certificate := w.block(5, nil)
	_, err = c.Follow(h, certificate)
	w.must(err)
	f.Add(c.Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := Decode(data); err == nil && !bytes.Equal(c.Encode(), data) {
			t.Error("two encodings")
		}
	})
}
