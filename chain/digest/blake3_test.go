package digest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/zeebo/blake3"
)

// What is long is hashed as another library hashes it, however it is cut.
//
// Spec: storage-cbfs §2.1 (BLAKE3).
func TestLongBlake3(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 100*groupBytes)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	sizes := []int{0, 1, groupBytes - 1, groupBytes, groupBytes + 1, 2 * groupBytes, 3*groupBytes + 1, 64 * groupBytes, 64*groupBytes + 1, len(data)}
	for range 300 {
		sizes = append(sizes, random.IntN(len(data)>>random.IntN(10)))
	}
	for _, size := range sizes {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			some := data[:size]
			want, cut := Hash(blake3.Sum256(some)), random.IntN(size+1)
			stream := NewBlake3()
			_, _ = stream.Write(data)
			stream.Reset()
			for left := some; len(left) > 0; {
				n := min(len(left), 1+random.IntN(2*groupBytes))
				_, _ = stream.Write(left[:n])
				stream.Sum(nil) // and goes on
				left = left[n:]
			}
			whole, parts, streamed := Blake3(some), Blake3(some[:cut], some[cut:]), Hash(stream.Sum(nil))
			if whole != want || parts != want || streamed != want {
				t.Errorf("%s, %s in parts, %s as a stream, not %s", whole, parts, streamed, want)
			}
		})
	}
}

// What is hashed by pieces, in any order, is hashed as another library hashes the whole; a piece of other bytes, or in another place, is another one.
//
// Spec: storage-cbfs §2.1 (BLAKE3).
func TestBlake3OfPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	data := make([]byte, 9*PieceBytes+1)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	sizes := []int{0, 1, 1_024, groupBytes, PieceBytes - 1, PieceBytes, PieceBytes + 1, 2 * PieceBytes, 8 * PieceBytes, len(data)}
	for range 30 {
		sizes = append(sizes, random.IntN(len(data)))
	}
	for _, size := range sizes {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			pieces := make([]Piece, max(1, (size+PieceBytes-1)/PieceBytes))
			for _, i := range random.Perm(len(pieces)) {
				pieces[i] = PieceOf(data[i*PieceBytes:min(size, (i+1)*PieceBytes)], uint64(i))
			}
			if got := Blake3Of(pieces); got != blake3.Sum256(data[:size]) {
				t.Error("another hash: ", got)
			}
		})
	}
	one := data[:PieceBytes]
	if PieceOf(one, 1) != PieceOf(bytes.Clone(one), 1) || PieceOf(one, 1) == PieceOf(one, 2) || PieceOf(one, 1) == PieceOf(one[:PieceBytes-1], 1) {
		t.Error("pieces are equal that are not, or the reverse")
	}
}

// BenchmarkBlake3 hashes a chunk of a volume, beside package blake3.
func BenchmarkBlake3(b *testing.B) {
	data := make([]byte, 1<<20)
	for name, sum := range map[string]func(){"tree": func() { Blake3(data) }, "library": func() { blake3.Sum256(data) }} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				sum()
			}
		})
	}
}
