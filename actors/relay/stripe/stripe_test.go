package stripe

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/reedsolomon"
)

// Any k chunks give the stripe and each lost chunk again; one fewer gives nothing. What is coded is what the library codes.
//
// Spec: storage-cbfs §5.
func TestAnyK(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][2]int{{4, 2}, {2, 1}, {1, 0}, {2, 2}} {
		k, m := shape[0], shape[1]
		t.Run(fmt.Sprint(k, "+", m), func(t *testing.T) {
			c, err := New(k, m)
			if err != nil {
				t.Fatal(err)
			}
			data := make([]byte, 1_001)
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			whole, err := c.Split(data)
			if err != nil || len(whole) != k+m {
				t.Fatal(err)
			}
			if m > 0 {
				library, _ := reedsolomon.New(k, m)
				if ok, err := library.Verify(whole); !ok || err != nil {
					t.Error("another code", err)
				}
			}
			for there := range 1 << (k + m) {
				count := 0
				some := func() [][]byte {
					chunks := make([][]byte, k+m)
					count = 0
					for i := range chunks {
						if there>>i&1 == 1 {
							chunks[i], count = bytes.Clone(whole[i]), count+1
						}
					}
					return chunks
				}
				back, err := c.Join(some())
				if count < k != errors.Is(err, ErrFew) || count >= k && (err != nil || !bytes.Equal(back[:len(data)], data)) {
					t.Fatalf("%b: %v", there, err)
				}
				for slot := range k + m {
					one := make([]byte, len(whole[slot]))
					err := c.Rebuild(some(), slot, one)
					if count < k != errors.Is(err, ErrFew) || count >= k && (err != nil || !bytes.Equal(one, whole[slot])) {
						t.Fatalf("%b %d: %v", there, slot, err)
					}
				}
			}
		})
	}
}

// The code is the library's: the same work in the same run. Compare with BenchmarkLibrary.
func BenchmarkEncode(b *testing.B) {
	c, err := New(4, 2)
	if err != nil {
		b.Fatal(err)
	}
	buffer := make([]byte, c.Room())
	b.SetBytes(int64(c.Bytes()))
	for b.Loop() {
		if _, err := c.Encode(buffer, buffer[:c.Bytes()]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLibrary(b *testing.B) {
	library, err := reedsolomon.New(4, 2)
	if err != nil {
		b.Fatal(err)
	}
	chunks := make([][]byte, 6)
	for i := range chunks {
		chunks[i] = make([]byte, 1<<20)
	}
	b.SetBytes(4 << 20)
	for b.Loop() {
		if err := library.Encode(chunks); err != nil {
			b.Fatal(err)
		}
	}
}
