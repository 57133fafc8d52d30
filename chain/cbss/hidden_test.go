package cbss

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

func drawn(t *testing.T, text string, n int) *Scalar {
	t.Helper()
	raw := digest.SHA256(fmt.Append(nil, text, n))
	raw[0] &= 0x3f
	k, err := ParseScalar(raw[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func polynomial(t *testing.T, text string, n int) (p Polynomial) {
	t.Helper()
	for k := range n {
		p = append(p, drawn(t, text, k))
	}
	return p
}

// TestHiddenKeys makes a key of three dealers and four places, two of which are not needed. The commitments that come of openings are those of the sum of the
// polynomials, which nobody has in the protocol, and which this test adds up.
//
// Spec: secrets-cbss §3 (making keys).
func TestHiddenKeys(t *testing.T) {
	const quorum, places, dealers = 3, 4, 3
	context := digest.SHA256([]byte("session"))
	var hidden, clear [][]Key
	shares, blinds := make([][]*Scalar, places), make([][]*Scalar, places)
	for d := range dealers {
		p, b := polynomial(t, fmt.Sprint("p", d), quorum), polynomial(t, fmt.Sprint("b", d), quorum)
		h, err := Hide(p, b)
		if err != nil {
			t.Fatal(err)
		}
		hidden, clear = append(hidden, h), append(clear, p.Commitments())
		if h[0] == clear[d][0] {
			t.Error("the key is not hidden")
		}
		for i := range places {
			s, _ := p.At(uint32(i + 1))
			r, _ := b.At(uint32(i + 1))
			if err := CheckHidden(h, uint32(i+1), s, r); err != nil {
				t.Fatal(err)
			}
			if err := CheckHidden(h, uint32(i+1), r, s); !errors.Is(err, ErrShare) {
				t.Errorf("share and blind exchanged: %v", err)
			}
			shares[i], blinds[i] = append(shares[i], s), append(blinds[i], r)
		}
	}
	want, err := SumCommitments(clear)
	if err != nil {
		t.Fatal(err)
	}
	all, err := SumCommitments(hidden)
	if err != nil {
		t.Fatal(err)
	}
	var list []Opening
	for i := range places {
		s, _ := Sum(shares[i])
		b, _ := Sum(blinds[i])
		o, err := Open(all, uint32(i+1), s, b, drawn(t, "k1", i), drawn(t, "k2", i), context)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Check(all, context); err != nil {
			t.Fatal(err)
		}
		list = append(list, *o)
	}
	for _, some := range [][]Opening{{list[0], list[1], list[2]}, {list[3], list[0], list[2]}} {
		got, err := Interpolate(some)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the commitments are not those of the summed polynomials: %v", err)
		}
	}
	other := list[0]
	other.Public = list[1].Public
	if err := other.Check(all, context); !errors.Is(err, ErrProof) {
		t.Errorf("another's public share: %v", err)
	}
	if err := list[0].Check(all, digest.Hash{1}); !errors.Is(err, ErrProof) {
		t.Errorf("another session: %v", err)
	}
	wrong, _ := Open(all, 1, drawn(t, "wrong", 0), drawn(t, "wrong", 1), drawn(t, "k1", 9), drawn(t, "k2", 9), context)
	if err := wrong.Check(all, context); !errors.Is(err, ErrProof) {
		t.Errorf("a share that was never dealt: %v", err)
	}
	if _, err := Interpolate([]Opening{list[0], list[0]}); !errors.Is(err, ErrQuorum) {
		t.Errorf("one place twice: %v", err)
	}
}
