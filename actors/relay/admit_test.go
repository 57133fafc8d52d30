package relay

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// Signatures that are right are looked at once, those that are not each time, and bytes that were right as a certificate say nothing about a token.
//
// Spec: storage-cbfs §2.5.
func TestSignaturesAreCheckedOnce(t *testing.T) {
	d := NewResponder(&Responder{})
	for i, c := range []struct {
		kind, raw string
		right     bool
		looks     int
	}{
		{"token", "a", false, 1}, {"token", "a", false, 1}, {"certificate", "a", true, 1}, {"token", "a", false, 1}, {"certificate", "a", true, 0},
		{"token", "b", true, 1}, {"token", "b", true, 0}, {"token", "c", false, 1},
	} {
		t.Run(c.kind+" "+c.raw, func(t *testing.T) {
			looks := 0
			got := d.once(c.kind, []byte(c.raw), func() error {
				if looks++; !c.right {
					return cbfs.ErrSignature
				}
				return nil
			})
			if got != c.right || looks != c.looks {
				t.Errorf("%d: %v after %d looks, want %v after %d", i, got, looks, c.right, c.looks)
			}
		})
	}
	for n := range provenTokens { // others drive it out
		if !d.once("token", []byte{byte(n), byte(n >> 8)}, func() error { return nil }) {
			t.Fatal(n)
		}
	}
	if d.once("token", []byte("b"), func() error { return errors.New("looked at again") }) {
		t.Error("more than 1,024 are remembered")
	}
}
