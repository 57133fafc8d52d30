package attendant

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/stake"
)

// samples are one frame of each kind.
func samples(t testing.TB) []PeerMessage {
	t.Helper()
	keys, sharing, err := genesis.DevValidators(4)
	if err != nil {
		t.Fatal(err)
	}
	s := keys[1].Vote.Sign([]byte("x"))
	return []PeerMessage{
		&Introduction{keys[0].Vote.PublicKey().Bytes(), s},
		&Deal{7, beacon.Deal{Dealer: 2, Commitment: sharing, Share: keys[3].Share, Signature: s}},
		&Ack{300, beacon.Ack{Dealer: 1, Player: 3, Signature: s}},
	}
}

// What is encoded decodes to itself, nothing shorter or longer does, and the replica owns none of it.
//
// Spec: commonware §1.3, §4.3 (2).
func TestFrames(t *testing.T) {
	for i, f := range samples(t) {
		raw := EncodePeerMessage(f)
		back, err := DecodePeerMessage(raw)
		if err != nil || !bytes.Equal(EncodePeerMessage(back), raw) || !Owns(raw) {
			t.Errorf("frame %d: %v", i, err)
		}
		if _, err := replica.DecodePeerMessage(raw); err == nil {
			t.Errorf("frame %d is one of the replica's", i)
		}
		for n := range raw {
			if _, err := DecodePeerMessage(raw[:n]); err == nil {
				t.Errorf("frame %d decodes with %d of %d bytes", i, n, len(raw))
			}
		}
		if _, err := DecodePeerMessage(append(raw, 0)); err == nil {
			t.Errorf("frame %d decodes with a byte more", i)
		}
	}
	for _, raw := range [][]byte{nil, {0}, {0x13}, {0xff, 1}, make([]byte, maxBody+1)} {
		if _, err := DecodePeerMessage(raw); err == nil {
			t.Errorf("%.4x decodes", raw)
		}
	}
}

func FuzzDecodeFrame(f *testing.F) {
	for _, x := range samples(f) {
		f.Add(EncodePeerMessage(x))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if x, err := DecodePeerMessage(data); err == nil && !bytes.Equal(EncodePeerMessage(x), data) {
			t.Errorf("%x is %x", data, EncodePeerMessage(x))
		}
	})
}

// Who claims a key without its signature over the peer's own identity is not taken for its holder.
func TestWhoHoldsAVotingKey(t *testing.T) {
	keys, _, err := genesis.DevValidators(4)
	if err != nil {
		t.Fatal(err)
	}
	n := sig.NewNamespace(1)
	claim := func(key *bls.PrivateKey, as link.Peer) *Introduction {
		return &Introduction{key.PublicKey().Bytes(), key.Sign(roster.IntroductionPreimage(n, as))}
	}
	d := &duties{ceremony: &stake.Attendant{Namespace: n}}
	for i := byte(3); i > 0; i-- {
		d.up(link.Peer{i})
	}
	says := func(i byte, f *Introduction) { d.peers.Of(link.Peer{i}).Role.introduced(f) }
	says(1, claim(keys[0].Vote, link.Peer{1}))
	says(2, claim(keys[0].Vote, link.Peer{1})) // repeated as its own
	stolen := claim(keys[1].Vote, link.Peer{3})
	stolen.Key = keys[0].Vote.PublicKey().Bytes()
	says(3, stolen)
	if list := d.with(keys[0].Vote.PublicKey().Bytes()); len(list) != 1 || list[0] != (link.Peer{1}) {
		t.Errorf("%v hold the key", list)
	}
	if list := d.with(keys[1].Vote.PublicKey().Bytes()); len(list) != 0 {
		t.Errorf("%v hold a key nobody claimed", list)
	}
	says(3, claim(keys[0].Vote, link.Peer{3})) // twins are both served
	if list := d.with(keys[0].Vote.PublicKey().Bytes()); len(list) != 2 {
		t.Errorf("%v hold the key", list)
	}
	d.down(link.Peer{1})
	if list := d.with(keys[0].Vote.PublicKey().Bytes()); len(list) != 1 || list[0] != (link.Peer{3}) {
		t.Errorf("after one has gone %v hold the key", list)
	}
}
