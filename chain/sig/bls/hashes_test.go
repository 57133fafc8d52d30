package bls

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// outsider is a point of the curve that is not of the subgroup: a small x for which there is one.
func outsider(t *testing.T) sig.BLSSignature {
	t.Helper()
	for x := range byte(200) {
		raw := sig.BLSSignature{0: 0x80, 95: x}
		if p, err := parsePoint(raw); err == nil && !p.IsValidOrder() {
			return raw
		}
	}
	t.Fatal("no such point")
	panic("unreachable")
}

// Remembered or not, a message gives the same signatures and verdicts, and few are remembered.
//
// Spec: commonware §4.1.
func TestHashes(t *testing.T) {
	h := &Hashes{}
	k, other := key(t, 3), key(t, 4)
	for i := range 3 * hashesKept {
		message := []byte(fmt.Sprint("message ", i%40))
		s := k.Sign(message)
		if h.Sign(k, message) != s || (*Hashes)(nil).Sign(k, message) != s {
			t.Fatalf("message %d: another signature", i)
		}
		if h.Verify(k.PublicKey(), message, s) != nil || (*Hashes)(nil).Verify(k.PublicKey(), message, s) != nil {
			t.Errorf("message %d does not verify", i)
		}
		if h.Verify(other.PublicKey(), message, s) == nil || h.Verify(k.PublicKey(), append(message, 0), s) == nil {
			t.Errorf("message %d verifies for another key or message", i)
		}
	}
	if len(h.points) != hashesKept || len(h.recent) != hashesKept {
		t.Errorf("%d points are remembered", len(h.points))
	}
	if h.Verify(k.PublicKey(), nil, outsider(t)) != ErrSignature {
		t.Error("a point outside the subgroup is a signature")
	}
}

// A quorum's votes and partials verify together exactly when they verify apart, whatever is wrong with either; points outside the subgroup are
// found, also where their sum lies inside.
//
// Spec: WP §6.1; commonware §2.5, §2.6.
func TestJoin(t *testing.T) {
	sharing, shares, err := Deal([][]byte{repeated(0x11), repeated(0x22), repeated(0x33)}, 4)
	if err != nil {
		t.Fatal(err)
	}
	j := Joint{Preimage: []byte("votes"), Group: sharing.GroupKey(), Threshold: 3, Round: []byte("round")}
	for i := range 3 {
		k := key(t, byte(i+1))
		j.Keys = append(j.Keys, k.PublicKey())
		j.Signatures = append(j.Signatures, k.Sign(j.Preimage))
		j.Partials = append(j.Partials, shares[i+1].Sign(j.Round))
	}
	sum, bad := AggregateMany(j.Keys, j.Preimage, j.Signatures)
	seed, err := Recover(3, j.Partials)
	if err != nil || bad != nil {
		t.Fatal(err, bad)
	}
	for _, h := range []*Hashes{nil, {}} {
		if a, s, ok := h.Join(j); !ok || a != sum || s != seed {
			t.Errorf("%v", ok)
		}
	}
	stranger := key(t, 9)
	minus := func(s sig.BLSSignature) sig.BLSSignature { s[0] ^= 0x20; return s }
	for name, edit := range map[string]func(*Joint){
		"vote":           func(j *Joint) { j.Signatures[1] = stranger.Sign(j.Preimage) },
		"no point":       func(j *Joint) { j.Signatures[1] = sig.BLSSignature{1} },
		"outside":        func(j *Joint) { j.Signatures[1] = outsider(t) },
		"partial":        func(j *Joint) { j.Partials[1].Signature = shares[0].Key.Sign(j.Round) },
		"other round":    func(j *Joint) { j.Partials[1] = shares[2].Sign([]byte("another")) },
		"outside too":    func(j *Joint) { j.Partials[1].Signature = outsider(t) },
		"few":            func(j *Joint) { j.Partials = j.Partials[:2] },
		"nobody":         func(j *Joint) { j.Keys, j.Signatures = nil, nil },
		"group":          func(j *Joint) { j.Group = stranger.PublicKey() },
		"swapped halves": func(j *Joint) { j.Preimage, j.Round = j.Round, j.Preimage },
		"errors that cancel": func(j *Joint) { // without the weight the product would not see them
			e := stranger.Sign(j.Round)
			shifted, err := Aggregate([]sig.BLSSignature{j.Signatures[0], e})
			if err != nil {
				t.Fatal(err)
			}
			j.Signatures[0] = shifted
			j.Partials[0].Signature = minus(e)
		},
	} {
		changed := j
		changed.Signatures, changed.Partials = slices.Clone(j.Signatures), slices.Clone(j.Partials)
		edit(&changed)
		if _, _, ok := (&Hashes{}).Join(changed); ok {
			t.Errorf("%s: joined", name)
		}
	}
	inside := slices.Clone(j.Signatures)
	inside[0] = outsider(t)
	if _, bad := AggregateMany(j.Keys, j.Preimage, inside); !slices.Equal(bad, []int{0}) {
		t.Errorf("an outsider: %v", bad)
	}
	if bad := VerifyMany(j.Keys, j.Preimage, inside); !slices.Equal(bad, []int{0}) {
		t.Errorf("an outsider among many: %v", bad)
	}
	inside[1] = minus(inside[0]) // their sum is infinity
	if _, bad := AggregateMany(j.Keys, j.Preimage, inside); !slices.Equal(bad, []int{0, 1}) {
		t.Errorf("two outsiders: %v", bad)
	}
}
