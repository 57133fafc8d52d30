package attendant

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// A validator whose stake is another account's deals as the others do: its log goes on chain from an account that has a few coins, with its own signature.
//
// Spec: commonware §4.3 (3).
func TestCeremonyFromAnotherAccount(t *testing.T) {
	payer, err := sig.ParsePrivateKey(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	x := townOf(t, map[int]*sig.PrivateKey{1: payer})
	posted := 0
	x.watch = func(out []effect) {
		for _, o := range out {
			if s, ok := o.(submit); ok {
				if decoded, err := tx.Decode(s.raw); err == nil && decoded.From == payer.Address() {
					posted++
				}
			}
		}
	}
	x.to(14)
	if s := x.duties[1].info; s.Logs != 4 || s.Mute || posted == 0 {
		t.Errorf("status %+v, %d transactions", s, posted)
	}
	x.to(19)
	if n := x.shares(1); n != 4 {
		t.Errorf("%d shares", n)
	}
}
