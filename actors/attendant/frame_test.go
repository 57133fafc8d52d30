package attendant

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// samples are one frame of each kind.
func samples(t testing.TB) []Frame {
	t.Helper()
	keys, sharing, err := genesis.DevValidators(4)
	if err != nil {
		t.Fatal(err)
	}
	s := keys[1].Vote.Sign([]byte("x"))
	return []Frame{
		&Introduce{keys[0].Vote.PublicKey().Bytes(), s},
		&Deal{7, beacon.Deal{Dealer: 2, Commitment: sharing, Share: keys[3].Share, Signature: s}},
		&Ack{300, beacon.Ack{Dealer: 1, Player: 3, Signature: s}},
	}
}

// What is encoded decodes to itself, nothing shorter or longer does, and the replica owns none of it.
//
// Spec: commonware §1.3, §4.3 (2).
func TestFrames(t *testing.T) {
	for i, f := range samples(t) {
		raw := EncodeFrame(f)
		back, err := DecodeFrame(raw)
		if err != nil || !bytes.Equal(EncodeFrame(back), raw) || !Owns(raw) {
			t.Errorf("frame %d: %v", i, err)
		}
		if _, err := replica.DecodeFrame(raw); err == nil {
			t.Errorf("frame %d is one of the replica's", i)
		}
		for n := range raw {
			if _, err := DecodeFrame(raw[:n]); err == nil {
				t.Errorf("frame %d decodes with %d of %d bytes", i, n, len(raw))
			}
		}
		if _, err := DecodeFrame(append(raw, 0)); err == nil {
			t.Errorf("frame %d decodes with a byte more", i)
		}
	}
	for _, raw := range [][]byte{nil, {0}, {0x13}, {0xff, 1}, make([]byte, maxBody+1)} {
		if _, err := DecodeFrame(raw); err == nil {
			t.Errorf("%.4x decodes", raw)
		}
	}
}

func FuzzDecodeFrame(f *testing.F) {
	for _, x := range samples(f) {
		f.Add(EncodeFrame(x))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if x, err := DecodeFrame(data); err == nil && !bytes.Equal(EncodeFrame(x), data) {
			t.Errorf("%x is %x", data, EncodeFrame(x))
		}
	})
}

// Who claims a key without its signature over the peer's own identity is not taken for its holder.
func TestCompany(t *testing.T) {
	keys, _, err := genesis.DevValidators(4)
	if err != nil {
		t.Fatal(err)
	}
	n := sig.NewNamespace(1)
	claim := func(key *bls.PrivateKey, as [32]byte) *Introduce {
		return &Introduce{key.PublicKey().Bytes(), key.Sign(replica.Introduction(n, as))}
	}
	c := &company{namespace: n}
	for i := byte(3); i > 0; i-- {
		c.add([32]byte{i})
		c.add([32]byte{i})
	}
	c.of([32]byte{1}).introduced(claim(keys[0].Vote, [32]byte{1}))
	c.of([32]byte{2}).introduced(claim(keys[0].Vote, [32]byte{1})) // repeated as its own
	stolen := claim(keys[1].Vote, [32]byte{3})
	stolen.Key = keys[0].Vote.PublicKey().Bytes()
	c.of([32]byte{3}).introduced(stolen)
	if list := c.with(keys[0].Vote.PublicKey().Bytes()); len(list) != 1 || list[0] != [32]byte{1} {
		t.Errorf("%v hold the key", list)
	}
	if list := c.with(keys[1].Vote.PublicKey().Bytes()); len(list) != 0 {
		t.Errorf("%v hold a key nobody claimed", list)
	}
	c.of([32]byte{3}).introduced(claim(keys[0].Vote, [32]byte{3})) // twins are both served
	if list := c.with(keys[0].Vote.PublicKey().Bytes()); len(list) != 2 {
		t.Errorf("%v hold the key", list)
	}
	c.remove([32]byte{1})
	if c.of([32]byte{1}) != nil || len(c.list) != 2 {
		t.Error("who is gone is still there")
	}
}
