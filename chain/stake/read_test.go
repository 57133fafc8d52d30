package stake

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The registry says whose a voting key is, and that nobody has one.
//
// Spec: governance-staking A1.
func TestOwnerOfKey(t *testing.T) {
	w := newWorld(t, unit.CBY, unit.CBY)
	for n := byte(1); n < 3; n++ {
		if got, ok, err := Owner(w.overlay, w.keys[addr(n)].PublicKey().Bytes()); err != nil || !ok || got != addr(n) {
			t.Errorf("%v %v %v, want %v", got, ok, err, addr(n))
		}
	}
	if _, ok, err := Owner(w.overlay, sig.BLSPublicKey{1}); ok || err != nil {
		t.Errorf("nobody's key: %v %v", ok, err)
	}
}

// A set has one encoding: by ascending key, each once.
//
// Spec: WP §2.5.
func TestMembersAscend(t *testing.T) {
	one, two := Member{Address: addr(1), Key: sig.BLSPublicKey{1}, Weight: 3}, Member{Address: addr(2), Key: sig.BLSPublicKey{2}, Weight: 3}
	for name, x := range map[string]struct {
		list []Member
		want error
	}{"ascending": {[]Member{one, two}, nil}, "descending": {[]Member{two, one}, codec.ErrOrder}, "twice": {[]Member{one, one}, codec.ErrOrder}} {
		t.Run(name, func(t *testing.T) {
			if _, err := DecodeMembers(appendMembers(nil, x.list)); !errors.Is(err, x.want) {
				t.Errorf("%s: %v, want %v", name, err, x.want)
			}
		})
	}
}

// What a peer says about a ceremony that is not under way here is refused: of another epoch, and where there is none.
//
// Spec: commonware §4.3.
func TestCeremonyOfAnotherEpoch(t *testing.T) {
	for name, a := range map[string]*Attendant{"none": {}, "another": {part: new(beacon.Participant), next: 2}} {
		t.Run(name, func(t *testing.T) {
			if _, err := a.Deal(1, beacon.Deal{}); !errors.Is(err, beacon.ErrInfo) {
				t.Errorf("%s: a deal: %v", name, err)
			}
			if _, err := a.Ack(1, beacon.Ack{}); !errors.Is(err, beacon.ErrInfo) {
				t.Errorf("%s: an answer: %v", name, err)
			}
		})
	}
}
