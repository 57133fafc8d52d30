package digest

import (
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
