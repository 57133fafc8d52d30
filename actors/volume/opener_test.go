package volume

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// cut divides sealed bytes as a volume's stripes do: into stripes of k chunks, of which the last one's are as short as they can be.
func cut(sealed []byte, k, chunk int) (stripes [][][]byte) {
	for len(sealed) > 0 {
		some := sealed[:min(len(sealed), k*chunk)]
		sealed = sealed[len(some):]
		if len(some) < k*chunk {
			chunk = (len(some) + k - 1) / k
		}
		var parts [][]byte
		for range k {
			n := min(len(some), chunk)
			parts, some = append(parts, slices.Clone(some[:n])), some[n:]
		}
		stripes = append(stripes, parts)
	}
	return stripes
}

// openAll opens stripes in the reverse of their order, as they may come, and takes them in their order.
func openAll(o *opener, stripes [][][]byte, each int) ([]byte, error) {
	all := make([]*opened, len(stripes))
	for i := range slices.Backward(all) {
		all[i] = o.open(uint64(i*each), stripes[i])
	}
	var plain []byte
	for _, one := range all {
		o.take(one)
		plain = append(plain, bytes.Join(one.parts, nil)...)
	}
	return plain, o.end("a/b")
}

// What is opened stripe by stripe is what package cipher opens as a whole, wherever stripes, chunks and the tag divide it; and nothing else is.
//
// Spec: storage-cbfs §3.1 (AES-256-GCM, associated data).
func TestOpenerIsGCM(t *testing.T) {
	key, id, w := [KeySize]byte(random(1, KeySize)), digest.Hash(random(2, 32)), write{}
	copy(w.id[:], random(3, len(w.id)))
	copy(w.nonce[:], random(4, len(w.nonce)))
	for _, shape := range []struct{ k, chunk int }{{1, 16}, {2, 16}, {3, 32}, {4, 64}, {4, 1 << 12}} {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			each := shape.k * shape.chunk
			for _, size := range append([]int{5*each - 1, 5 * each, 5*each + 1}, sizesTo(min(2*each, 300))...) {
				data := random(uint64(size), size)
				sealed := sealedWhole(&key, id, "a/b", w, data)
				fresh := func() *opener {
					o, err := newOpener(&key, id, "a/b", w, uint64(len(sealed)))
					must(t, err)
					return o
				}
				if plain, err := openAll(fresh(), cut(sealed, shape.k, shape.chunk), each); err != nil || !bytes.Equal(plain, data) {
					t.Fatalf("%d bytes: %v", size, err)
				}
				other := slices.Clone(sealed)
				other[(size*7)%len(other)] ^= 1 << (size % 8)
				if _, err := openAll(fresh(), cut(other, shape.k, shape.chunk), each); !errors.Is(err, ErrKey) {
					t.Fatalf("%d bytes with one changed: %v", size, err)
				}
				if _, err := openAll(fresh(), cut(sealed[:len(sealed)-1], shape.k, shape.chunk), each); !errors.Is(err, ErrKey) {
					t.Fatalf("%d bytes without the last one: %v", size, err)
				}
				elsewhere, err := newOpener(&key, id, "a/c", w, uint64(len(sealed)))
				must(t, err)
				if _, err := openAll(elsewhere, cut(sealed, shape.k, shape.chunk), each); !errors.Is(err, ErrKey) {
					t.Fatalf("%d bytes of another path: %v", size, err)
				}
			}
		})
	}
}

// What is sealed stripe by stripe is what package cipher seals as a whole, wherever stripes divide the text and the tag, and in whatever order they are made
// ready.
//
// Spec: storage-cbfs §3.1 (AES-256-GCM, associated data).
func TestSealerIsGCM(t *testing.T) {
	key, id, w := [KeySize]byte(random(1, KeySize)), digest.Hash(random(2, 32)), write{}
	copy(w.id[:], random(3, len(w.id)))
	copy(w.nonce[:], random(4, len(w.nonce)))
	for _, each := range []int{16, 32, 96, 4 << 12} {
		t.Run(fmt.Sprint(each), func(t *testing.T) {
			for _, size := range append([]int{5*each - 1, 5 * each, 5*each + 1}, sizesTo(min(2*each, 300))...) {
				data := random(uint64(size), size)
				s, err := newSealer(&key, id, "a/b", w, uint64(size), uint64(each), func(part []byte, offset uint64) error {
					copy(part, data[offset:])
					return nil
				})
				must(t, err)
				var sealing sync.WaitGroup
				var given [][]byte
				for {
					next, err := s.next(random(5, each))
					must(t, err)
					if len(next.bytes) == 0 {
						break
					}
					given = append(given, next.bytes)
					sealing.Go(func() { must(t, next.ready()) })
				}
				sealing.Wait()
				if got := slices.Concat(given...); !bytes.Equal(got, sealedWhole(&key, id, "a/b", w, data)) {
					t.Fatalf("%d bytes are sealed otherwise", size)
				}
			}
		})
	}
}

func sizesTo(most int) (all []int) {
	for size := range most {
		all = append(all, size)
	}
	return all
}

// sealedWhole is what package cipher seals as a whole.
func sealedWhole(key *[KeySize]byte, volume digest.Hash, path string, w write, plain []byte) []byte {
	block, _ := aes.NewCipher(key[:])
	box, _ := cipher.NewGCM(block)
	return box.Seal(nil, w.nonce[:], plain, slices.Concat(volume[:], []byte(path), w.id[:]))
}
