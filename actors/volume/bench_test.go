package volume

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"io"
	"net"
	"testing"
)

const benched = 128 << 20

// BenchmarkPrivate puts and gets 128 MiB of a private volume over six relays on loopback.
func BenchmarkPrivate(b *testing.B) {
	w := newWorld(b, 6)
	c := w.client(ann)
	id, data := w.create("docs", true, 4, 2), make([]byte, benched)
	b.SetBytes(2 * benched)
	for i := 0; b.Loop(); i++ {
		data[0] = byte(i)
		path := fmt.Sprint("a", i)
		must(b, c.Apply(b.Context(), id, []Change{file(path, data)}))
		s, err := c.Open(b.Context(), id)
		must(b, err)
		must(b, s.Read(b.Context(), path, io.Discard))
		b.StopTimer()
		must(b, c.Apply(b.Context(), id, []Change{{Path: path, Remove: true}}))
		b.StartTimer()
	}
}

// BenchmarkSealAndCopy is what the same bytes cost at least, there and back: one pass of AES-256-GCM and one copy over loopback each.
func BenchmarkSealAndCopy(b *testing.B) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(b, err)
	defer listener.Close()
	block, err := aes.NewCipher(make([]byte, KeySize))
	must(b, err)
	box, err := cipher.NewGCM(block)
	must(b, err)
	data := make([]byte, benched, benched+overhead)
	b.SetBytes(2 * benched)
	for b.Loop() {
		for range 2 {
			sealed := box.Seal(data[:0], make([]byte, 12), data[:benched], nil)
			got := make(chan error, 1)
			go func() {
				in, err := listener.Accept()
				if err == nil {
					_, err = io.Copy(io.Discard, in)
				}
				got <- err
			}()
			out, err := net.Dial("tcp", listener.Addr().String())
			must(b, err)
			_, err = out.Write(sealed)
			must(b, err)
			must(b, out.Close())
			must(b, <-got)
		}
	}
}
