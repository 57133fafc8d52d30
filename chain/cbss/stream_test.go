package cbss

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// keccak is Keccak-256 of parts in their order.
func keccak(parts ...[]byte) []byte {
	h := sha3.NewLegacyKeccak256()
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// What a content key is sealed to, byte by byte: the chain, the publisher, a hash of stream and key epoch, sixteen zeros, the key.
//
// Spec: secrets-cbss §3, §11.
func TestStreamIdentity(t *testing.T) {
	publisher, stream, master := account.Address{0: 0xaa, 19: 1}, digest.Hash{0: 7, 31: 9}, Key{0: 0x80, 95: 3}
	got := StreamIdentity(100, publisher, master, stream, 1<<40+5).Bytes()
	want := []byte{0, 0, 0, 0, 0, 0, 0, 100}
	want = append(want, publisher[:]...)
	want = append(want, keccak([]byte("cbss/stream-key/v1"), stream[:], []byte{0, 0, 1, 0, 0, 0, 0, 5})...)
	want = append(append(want, make([]byte, 16)...), master[:]...)
	if !bytes.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// An answer to a SealRequest is read as it was signed, and nothing else is.
//
// Spec: secrets-cbss §10 (1), §11.
func TestSealAnswers(t *testing.T) {
	raw := digest.SHA256([]byte("a proxy"))
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 32} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			a := &SealAnswer{ChainID: 100, Publisher: account.Address{1}, Stream: digest.Hash{2}, From: 20, Proxy: digest.Hash{3}, Epoch: 4}
			body := slices.Concat(
				binary.BigEndian.AppendUint64(nil, 100), a.Publisher[:], a.Stream[:], binary.BigEndian.AppendUint64(nil, 20), a.Proxy[:],
				binary.BigEndian.AppendUint64(nil, 4), []byte{byte(n)},
			)
			for i := range n {
				a.Partials = append(a.Partials, Point{byte(i), 1})
				body = append(body, a.Partials[i][:]...)
			}
			signed := a.Signed(key)
			if len(signed) != 175-1+48*n || !bytes.Equal(signed[:len(body)], body) {
				t.Fatalf("%d bytes: %x", len(signed), signed)
			}
			if hash := a.Hash(); !bytes.Equal(hash[:], keccak([]byte("cbss/seal-answer/v1"), body)) {
				t.Errorf("what is signed is %x", hash)
			}
			back, signature, err := ParseSealAnswer(signed)
			if err != nil || !bytes.Equal(back.Signed(key), signed) || !bytes.Equal(signature[:], signed[len(body):]) {
				t.Errorf("%+v %v", back, err)
			}
			for name, bad := range map[string][]byte{"cut": signed[:len(signed)-1], "longer": append(slices.Clone(signed), 0), "nothing": nil} {
				t.Run(name, func(t *testing.T) {
					if _, _, err := ParseSealAnswer(bad); err == nil {
						t.Error("it is read")
					}
				})
			}
		})
	}
	a := &SealAnswer{Partials: make([]Point, 33)}
	if _, _, err := ParseSealAnswer(a.Signed(key)); err == nil {
		t.Error("33 partials are read")
	}
}

// FuzzSealAnswer: whatever is read is written as it was.
//
// Spec: secrets-cbss §11.
func FuzzSealAnswer(f *testing.F) {
	f.Add(make([]byte, 174))
	f.Add(make([]byte, 174+48))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, signature, err := ParseSealAnswer(raw)
		if err != nil {
			return
		}
		if got := append(a.bytes(), signature[:]...); !bytes.Equal(got, raw) {
			t.Errorf("%x, read from %x", got, raw)
		}
	})
}
