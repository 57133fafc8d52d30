package bls

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Whatever decodes encodes to the same bytes. Spec: WP §2.5; commonware §4.2.
func FuzzDecodeSharing(f *testing.F) {
	sharing, _, err := Deal([][]byte{repeated(1), repeated(2)}, 3)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sharing.Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := DecodeSharing(data); err == nil && !bytes.Equal(s.Append(nil), data) {
			t.Errorf("%x encodes differently", data)
		}
	})
}

// A decoded key has one form and is never infinity. Spec: commonware §4.5.
func FuzzParsePublicKey(f *testing.F) {
	good := key(f, 1).PublicKey().Bytes()
	f.Add(good[:])
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) != sig.BLSPublicKeySize {
			return
		}
		raw := sig.BLSPublicKey(data)
		if k, err := ParsePublicKey(raw); err == nil && (k.Bytes() != raw || k.point.IsZero()) {
			t.Errorf("%x decodes to another key", data)
		}
	})
}
