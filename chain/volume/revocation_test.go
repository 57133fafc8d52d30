package volume

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// A key that its wallet revokes stays so, since the block it was first revoked in; it is nobody else's matter, and the zero key is none.
//
// Spec: storage-cbfs §2.2 (ras:revocation), §3.4 (auth/revoke).
func TestRevokeKey(t *testing.T) {
	w := newWorld(t)
	one, other := digest.Hash{1}, digest.Hash{2}
	w.try(ErrInvalid, func() error { return w.m.RevokeKey(owner(1), digest.Hash{}) })
	w.try(nil, func() error { return w.m.RevokeKey(owner(1), one) })
	w.skip(20)
	w.try(nil, func() error { return w.m.RevokeKey(owner(1), one) })
	if want := []string{TopicKeyRevoked}; !slices.Equal(w.said, want) {
		t.Errorf("events: %v, want %v", w.said, want)
	}
	r, err := LoadRevocation(w.s, owner(1), one)
	if err != nil || r == nil || r.At != 10 {
		t.Errorf("%+v %v", r, err)
	}
	for n, key := range map[byte]digest.Hash{1: other, 2: one} {
		t.Run(fmt.Sprintf("owner %d, key %d", n, key[0]), func(t *testing.T) {
			if r, err := LoadRevocation(w.s, owner(n), key); err != nil || r != nil {
				t.Errorf("%+v %v", r, err)
			}
		})
	}
}
